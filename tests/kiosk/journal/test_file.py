"""The journal's file: what is written is read back, and damage is one line."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from kiosk.game.session import replayed
from kiosk.journal.entries import EndEntry, EventEntry, GameHead, MovedEntry, OverruledEntry
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import read_journal
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging.referee import begin, step
from rules.table.event import Placed, Pressed

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
HEAD = GameHead("suds", 2, dict(SETUP.options), "decks/suds", "bottom,left", "0")
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "pants", "pile/1", 2),
)


def entries(events=EVENTS):
    session = begin(SUDS, SETUP)
    for event in events:
        session, calls = step(session, event)
        yield EventEntry(event, calls, (0.25, 0.5) if isinstance(event, Placed) else None)


@pytest.fixture
def journal(tmp_path):
    """A journal with one game of three events and one call."""
    journal = JournalFile(tmp_path / "game.sqlite", clock=lambda: 1000.0)
    journal.append(journal.begin(HEAD), list(entries()))
    yield journal
    journal.close()


def test_a_game_is_read_back_as_it_was(journal):
    assert journal.events(1) == EVENTS
    (row,) = journal.games()
    assert row.head == HEAD and row.events == 3 and not row.is_ended and row.last == 1000.0
    assert [kept.spot for kept in journal.lines(1)] == [None, (0.25, 0.5), (0.25, 0.5)]
    (call,) = journal.calls(1)
    assert call.event == 3 and '"out-of-sequence"' in call.line
    judged = begin(SUDS, SETUP)
    for event in EVENTS:
        judged, _ = step(judged, event)
    assert replayed(begin(SUDS, SETUP), journal.events(1)) == judged


def test_a_moved_place_that_is_damaged_is_left_out_and_goes_with_its_game(journal):
    journal.append(1, [MovedEntry("pile/1", (0.25, 0.5)), MovedEntry("pile/2", (0.75, 0.5))])
    other = sqlite3.connect(journal.path)
    other.execute("UPDATE moved SET at='0.9 0.9' WHERE place='pile/2'")
    other.commit()
    assert journal.moved(1) == {"pile/1": (0.25, 0.5)}
    journal.delete(1)
    assert other.execute("SELECT count(*) FROM moved").fetchone() == (0,)
    other.close()


def test_a_journal_without_a_table_for_moved_places_gets_one(journal):
    other = sqlite3.connect(journal.path)
    other.execute("DROP TABLE moved")
    other.commit()
    other.close()
    again = JournalFile(journal.path, create=False)
    again.append(1, [MovedEntry("pile/1", (0.25, 0.5))])
    assert again.moved(1) == {"pile/1": (0.25, 0.5)} and again.events(1) == EVENTS
    again.close()


def test_an_end_and_what_was_overruled_are_kept(journal):
    journal.append(1, [OverruledEntry(3, '{"card": "t-shirt"}'), EndEntry()])
    assert journal.row(1).is_ended
    assert list(journal.overrulings(1)) == [OverruledEntry(3, '{"card": "t-shirt"}')]


def test_numbers_of_deleted_games_are_not_used_again(journal):
    assert journal.begin(HEAD) == 2
    journal.delete(2)
    assert journal.begin(HEAD) == 3
    assert [row.number for row in journal.games()] == [1, 3]
    with pytest.raises(FairdealError, match="no game 2"):
        journal.row(2)


def test_only_its_owner_may_read_a_journal(journal):
    journal.append(1, [EventEntry(Pressed(3.0, "draw"))])
    for path in journal.path.parent.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("damage", [
    "UPDATE events SET event=replace(event, 'pants', 'boxers') WHERE n=3",
    "UPDATE events SET event=x'ff00fe' WHERE n=2",
    "UPDATE events SET event=7 WHERE n=2",
    "UPDATE events SET spot='0.9 0.9' WHERE n=2",
    "UPDATE events SET crc='x' WHERE n=2",
    "UPDATE events SET n=9 WHERE n=2",
    "UPDATE events SET n='x' WHERE n=2",
    "DELETE FROM events WHERE n=2",
    "DELETE FROM events WHERE n=3",
    "DELETE FROM events",
    "UPDATE games SET rows=''",
    "UPDATE games SET rows='2 1 0 7'",
    "UPDATE games SET rows=x'ff20'",
    "UPDATE games SET rows=3",
    "UPDATE events SET event=printf('%.*c', 70000, 'x') WHERE n=2",
    "UPDATE games SET head=replace(head, '2', '3')",
    "UPDATE games SET head=x'80'",
    "UPDATE games SET last=9e999",
    "UPDATE games SET last='soon'",
])  # fmt: skip
def test_a_damaged_row_is_one_line(journal, damage):
    journal.close()
    base = sqlite3.connect(journal.path)
    base.execute("PRAGMA ignore_check_constraints=1")
    with base:
        base.execute(damage)
    base.close()
    with pytest.raises(FairdealError, match=r"damaged|no game") as refused:
        read_journal(journal.path, 1)
    assert "\n" not in str(refused.value)


def test_what_is_whole_before_the_damage_can_be_read(journal):
    journal.close()
    with sqlite3.connect(journal.path) as base:
        base.execute("UPDATE events SET event='{' WHERE n=3")
    whole = JournalFile(journal.path)
    lines = []
    with pytest.raises(FairdealError, match="event 3 of game 1 damaged"):
        for kept in whole.lines(1):
            lines.append(kept.line)
    assert lines == [event.to_json() for event in EVENTS[:2]]
    whole.close()


def test_flipped_bits_are_found_or_harmless(journal):
    """300 single bits anywhere in the file: the same game, or one line."""
    journal.close()
    whole, rng = journal.path.read_bytes(), np.random.default_rng(21)
    for _ in range(300):
        data = bytearray(whole)
        data[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
        journal.path.write_bytes(data)
        try:
            assert read_journal(journal.path, 1) == EVENTS
        except FairdealError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("content", [b"this is no database at all, far from it" * 30])
def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "game.db"
    path.write_bytes(content)
    with pytest.raises(FairdealError, match="a journal of fairdeal, found another kind"):
        JournalFile(path)
    assert path.read_bytes() == content


def test_a_foreign_database_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / "photos.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE photos (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(FairdealError, match="a journal of fairdeal, found another SQLite file"):
        JournalFile(path)
    assert path.read_bytes() == before


def test_a_journal_of_another_version_is_refused(journal):
    journal.close()
    with sqlite3.connect(journal.path) as base:
        base.execute("PRAGMA user_version=99")
    with pytest.raises(FairdealError, match="version 99"):
        JournalFile(journal.path)


def test_a_missing_journal_is_said(tmp_path):
    with pytest.raises(FairdealError, match="nothing at"):
        read_journal(tmp_path / "none.db")
