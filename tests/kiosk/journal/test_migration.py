"""Journals of older versions are brought to the present form, and their games go on."""

from __future__ import annotations

import json
import sqlite3

import pytest

from kiosk.journal.entries import GameHead, checksum
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import Resume, find_cut, open_cut
from kiosk.journal.schema import APPLICATION, VERSION
from rules.errors import FairdealError
from rules.table.event import Placed, Pressed, Removed

# As the program of version 1 made its files.
VERSION_1 = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, began REAL NOT NULL, last REAL NOT NULL, game TEXT NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0);
CREATE TABLE events (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    event TEXT NOT NULL);
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    call TEXT NOT NULL);
CREATE TABLE buttons (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    button TEXT NOT NULL, seat INTEGER);
CREATE TABLE settings (
    game INTEGER NOT NULL REFERENCES games, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (game, name));
CREATE INDEX events_of ON events (game, id);
CREATE INDEX calls_of ON calls (game, id);
PRAGMA user_version=1;
"""
# A version 2 without the games' counts of rows.
EARLY_2 = f"""
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, began REAL NOT NULL, last REAL NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE events (
    game INTEGER NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, spot TEXT,
    crc INTEGER NOT NULL, PRIMARY KEY (game, n)) WITHOUT ROWID;
CREATE TABLE calls (
    game INTEGER NOT NULL, k INTEGER NOT NULL, n INTEGER NOT NULL, call TEXT NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (game, k)) WITHOUT ROWID;
CREATE TABLE overrulings (
    game INTEGER NOT NULL, k INTEGER NOT NULL, n INTEGER NOT NULL, ruling TEXT NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (game, k)) WITHOUT ROWID;
PRAGMA application_id={APPLICATION};
PRAGMA user_version=2;
"""
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "hat", "pile/1", 2),
    Removed(3.0, "hat", "pile/1", 2),
)
MISTAKE = {"call": "mistake", "at": 2.0, "rule": "duplicate", "message": "Schon da: „Hut“"}


def old_file(path, script):
    base = sqlite3.connect(path, isolation_level=None)
    base.executescript(script)
    return base


@pytest.fixture
def version_1(tmp_path):
    path = tmp_path / "journal.sqlite"
    base = old_file(path, VERSION_1)
    for game, ended in ((1, 1), (2, 0)):
        row = (game, 1e9, 1e9 + 3, "suds", 2, "{}", ended)
        base.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for name, value in (("deck", "/decks/suds"), ("seats", "bottom,top")):
            base.execute("INSERT INTO settings VALUES (?, ?, ?)", (game, name, value))
        for event in EVENTS:
            line = (game, event.at, event.to_json())
            base.execute("INSERT INTO events (game, at, event) VALUES (?, ?, ?)", line)
        said = (game, 2.0, json.dumps(MISTAKE))
        base.execute("INSERT INTO calls (game, at, call) VALUES (?, ?, ?)", said)
    base.close()
    return path


def test_games_of_version_1_are_read_as_they_were(version_1):
    journal = JournalFile(version_1, create=False)
    rows = journal.games()
    assert [(row.number, row.is_ended, row.events) for row in rows] == [(1, True, 4), (2, False, 4)]
    assert rows[0].head == GameHead("suds", 2, {}, "/decks/suds", "bottom,top")
    assert journal.events(2) == EVENTS
    said = list(journal.calls(1))
    assert [(call.event, json.loads(call.line)) for call in said] == [(3, MISTAKE)]
    journal.close()
    again = JournalFile(version_1, create=False)
    assert again.events(1) == EVENTS
    again.close()


def test_a_cut_game_of_version_1_goes_on(version_1):
    cut = find_cut(version_1, Resume.LAST, GameHead("suds", 2), now=1e9 + 60)
    assert cut is not None and cut.number == 2
    opened = open_cut(version_1, cut, pytest.fail)
    assert opened.events == EVENTS and opened.spots == ()
    opened.journal.close()


def test_times_that_fell_in_version_1_rise(version_1):
    base = sqlite3.connect(version_1)
    base.execute(
        "UPDATE events SET event=? WHERE id=2", (Placed(-1.0, "hat", "pile/1", 1).to_json(),)
    )
    base.execute(
        "UPDATE events SET event=? WHERE id=3", (Placed(9.0, "hat", "pile/1", 2).to_json(),)
    )
    base.commit()
    base.close()
    journal = JournalFile(version_1, create=False)
    assert [event.at for event in journal.events(1)] == [0.0, 0.0, 9.0, 9.0]
    journal.close()


def test_a_damaged_journal_of_version_1_is_refused_and_stays_as_it_is(version_1):
    base = sqlite3.connect(version_1)
    base.execute("UPDATE events SET event='{' WHERE id=3")
    base.commit()
    base.close()
    with pytest.raises(FairdealError):
        JournalFile(version_1, create=False)
    base = sqlite3.connect(version_1)
    assert base.execute("PRAGMA user_version").fetchone() == (1,)
    assert base.execute("SELECT count(*) FROM events").fetchone() == (8,)
    base.close()


def test_an_early_version_2_gets_its_counts(tmp_path):
    path = tmp_path / "journal.sqlite"
    base, head = old_file(path, EARLY_2), GameHead("suds", 2).to_json()
    base.execute("INSERT INTO games VALUES (1, 1e9, 1e9, 0, ?, ?)", (head, checksum(head)))
    for n, event in enumerate(EVENTS, 1):
        line = event.to_json()
        row = (1, n, line, None, checksum(1, n, line, None))
        base.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
    base.close()
    journal = JournalFile(path, create=False)
    assert journal.events(1) == EVENTS
    journal.close()
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("DELETE FROM events WHERE n=4")
    base.close()
    journal = JournalFile(path, create=False)
    with pytest.raises(FairdealError, match="the end of game 1 damaged"):
        journal.events(1)
    journal.close()


def test_a_newer_version_is_refused(tmp_path):
    path = tmp_path / "journal.sqlite"
    JournalFile(path).close()
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA user_version={VERSION + 1}")
    base.close()
    with pytest.raises(FairdealError, match=f"version {VERSION} or older, found version"):
        JournalFile(path)
