"""The journal: nothing judged is lost, whatever happens to the program."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys

import pytest

from kiosk.game.journal import (
    GuardedJournal,
    NoJournal,
    SqliteJournal,
    TextJournal,
    open_journal,
    read_journal,
)
from kiosk.game.news import EventJudged
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession, replayed
from rules.call import Call
from rules.errors import FairdealError
from rules.event import Placed, Pressed
from rules.game import make_setup
from rules.games import game
from rules.referee import begin

NOBODY = Observers([], pytest.fail)
SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "pants", "pile/1", 2),
)


def fill(journal, events=EVENTS):
    session = GameSession(begin(SUDS, SETUP), journal, NOBODY)
    journal.begin("suds", SETUP, {"deck": "suds"})
    for event in events:
        session.happen(event)
    return session


def test_a_game_is_read_back_as_it_was(tmp_path):
    journal = SqliteJournal(tmp_path / "game.db")
    session = fill(journal)
    journal.close()
    events = read_journal(tmp_path / "game.db")
    assert events == EVENTS
    assert replayed(begin(SUDS, SETUP), events) == session.judged


def test_calls_buttons_and_settings_are_kept(tmp_path):
    journal = SqliteJournal(tmp_path / "game.db")
    fill(journal)
    journal.close()
    base = sqlite3.connect(tmp_path / "game.db")
    (call,) = base.execute("SELECT call FROM calls").fetchone()
    assert json.loads(call)["rule"] == "out-of-sequence"
    assert base.execute("SELECT at, button, seat FROM buttons").fetchall() == [(0, "start", None)]
    assert base.execute("SELECT name, value FROM settings").fetchall() == [("deck", "suds")]
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    base.close()


def test_only_a_late_game_that_was_cut_off_is_unfinished(tmp_path):
    now = [1000.0]
    journal = SqliteJournal(tmp_path / "game.db", lambda: now[0])
    assert journal.unfinished("suds") is None
    session = fill(journal)
    cut = journal.unfinished("suds")
    assert cut is not None and cut.events == EVENTS and cut.setup == SETUP
    assert journal.unfinished("soda") is None
    now[0] += 7 * 3600
    assert journal.unfinished("suds") is None
    now[0] = 1000.0
    session.close()
    assert journal.unfinished("suds") is None
    journal.close()


class Watchful(NoJournal):
    """Knows how far the referee was when an event was written."""

    def __init__(self):
        self.seen = []
        self.session = None

    def event(self, event):
        self.seen.append((event, self.session.judged))


def test_an_event_is_written_before_it_is_judged():
    journal = Watchful()
    session = journal.session = GameSession(begin(SUDS, SETUP), journal, NOBODY)
    before = session.judged
    session.happen(EVENTS[0])
    assert journal.seen == [(EVENTS[0], before)]
    assert session.judged != before


def test_text_is_events_and_calls_line_by_line(tmp_path):
    path = tmp_path / "sub" / "game.jsonl"
    journal = open_journal(path)
    assert isinstance(journal, TextJournal)
    fill(journal)
    lines = [json.loads(line) for line in path.read_text().splitlines()]  # flushed, not closed
    journal.close()
    assert [line.get("event") or line["call"] for line in lines] == [
        "pressed", "placed", "placed", "mistake",
    ]  # fmt: skip
    assert lines[3]["at"] == 2.0


KILLED = """
import sys
from pathlib import Path
from kiosk.game.journal import SqliteJournal
from rules.event import Placed, Pressed
from rules.game import make_setup
from rules.games import game
journal = SqliteJournal(Path(sys.argv[1]))
journal.begin("suds", make_setup(game("suds"), 2), {})
number = 0
while True:
    journal.event(Placed(float(number), "hat", f"pile/{number + 1}", 1))
    print(number, flush=True)
    number += 1
"""


def test_a_program_killed_while_it_writes_loses_nothing_that_was_written(tmp_path):
    path = tmp_path / "game.db"
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= 25:
                break
        child.send_signal(signal.SIGKILL)
        told = [25, *(int(line) for line in child.stdout if line.strip())]
    journal = SqliteJournal(path)
    cut = journal.unfinished("suds")
    assert cut is not None
    assert [event.at for event in cut.events] == [float(k) for k in range(len(cut.events))]
    assert len(cut.events) > max(told)
    journal.go_on(cut.number)
    journal.event(Pressed(1e6, "end"))
    assert len(list(journal.events(cut.number))) == len(cut.events) + 1
    journal.close()


@pytest.mark.parametrize("content", [b"this is no database at all, far from it" * 30])
def test_a_file_that_is_no_journal_is_refused_in_one_line(tmp_path, content):
    path = tmp_path / "game.db"
    path.write_bytes(content)
    with pytest.raises(FairdealError, match="a journal that can be written"):
        SqliteJournal(path)


def test_a_journal_of_a_later_version_is_refused(tmp_path):
    path = tmp_path / "game.db"
    base = sqlite3.connect(path)
    base.execute("PRAGMA user_version=99")
    base.close()
    with pytest.raises(FairdealError, match="version 99"):
        SqliteJournal(path)


def test_a_missing_journal_is_said(tmp_path):
    with pytest.raises(FairdealError, match="nothing at"):
        read_journal(tmp_path / "none.db")
    with pytest.raises(FairdealError, match="a journal that can be written"):
        TextJournal(tmp_path)


def test_what_the_game_does_not_know_is_not_judged(tmp_path):
    session = GameSession(begin(SUDS, SETUP), NoJournal(), NOBODY)
    before = session.judged
    for event in (
        Pressed(1.0, "deck-empty"),
        Placed(1.0, "ac", "pile/1"),
        Placed(1.0, "hat", "seat/1/won"),
        Pressed(1.0, "out", 5),
    ):
        assert session.happen(event) == ()
    assert session.judged is before


def test_time_never_falls():
    calls: list[Call] = []

    class Ear:
        name = "ear"

        def hear(self, news):
            if isinstance(news, EventJudged):
                calls.extend(news.calls)

    session = GameSession(begin(SUDS, SETUP), NoJournal(), Observers([Ear()], pytest.fail))
    session.happen(Pressed(5.0, "start"))
    session.happen(Placed(4.0, "boxers", "pile/1", 1))
    assert [(call.at, call.rule) for call in calls] == [(5.0, "starts-with-hat")]


def test_a_full_disk_leaves_whole_what_was_written_and_lets_the_game_go_on(tmp_path):
    path, said = tmp_path / "full.sqlite", []
    inner = SqliteJournal(path)
    journal = GuardedJournal(inner, said.append)
    journal.begin("suds", SETUP, {})
    pages = inner._base.execute("PRAGMA page_count").fetchone()[0]
    inner._base.execute(f"PRAGMA max_page_count={pages}")
    for number in range(400):
        journal.event(Pressed(float(number), "draw"))
    inner._base.execute("PRAGMA max_page_count=100000")
    journal.event(Pressed(400.0, "draw"))
    journal.close()
    assert len(said) == 1 and "full" in said[0] and "the game goes on" in said[0]
    kept = [event.at for event in read_journal(path)]
    assert 0 < len(kept) < 400 and kept == [float(number) for number in range(len(kept))]
