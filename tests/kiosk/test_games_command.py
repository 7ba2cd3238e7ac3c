"""`fairdeal games` lists, exports and deletes; `fairdeal replay` reads what it exports."""

from __future__ import annotations

import json
import sqlite3

import pytest

from kiosk.cli import main
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.entries import EndEntry, EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.writer import NoJournal
from rules.contract.game import make_setup
from rules.games import game
from rules.judging.referee import begin, step
from rules.table.event import Learned, Placed, Pressed, Way, told

EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "pants", "pile/1", 2),
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The default journal with two games: one that was cut off, one that is over."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    suds = game("suds")
    setup = make_setup(suds, 3)
    journal = JournalFile(tmp_path / "journal.sqlite")
    for end in ((), (EndEntry(),)):
        session, entries = begin(suds, setup), []
        for event in EVENTS:
            session, calls = step(session, event)
            entries.append(EventEntry(event, calls))
        number = journal.begin(GameHead("suds", 3, dict(setup.options)))
        journal.append(number, [*entries, *end])
    journal.close()
    return tmp_path


def refused(capsys, *words):
    assert main(list(words)) == 2
    line = capsys.readouterr().err.strip()
    assert "\n" not in line and "expected " in line and "found " in line
    return line


def test_games_are_listed_with_number_state_and_length(capsys, home):
    assert main(["games"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split()[0] == "1" and "suds" in first and "3 players" in first
    assert "3 events" in first and first.endswith("cut off") and second.endswith("over")
    journal = JournalFile(home / "journal.sqlite")
    lock = journal.lock(1)
    lock.take()
    assert main(["games", "list"]) == 0
    assert "being played" in capsys.readouterr().out
    lock.release()
    journal.close()


def test_an_exported_game_replays_to_the_same_calls(capsys, home):
    assert main(["games", "export", "1"]) == 0
    events = capsys.readouterr().out
    assert [json.loads(line)["event"] for line in events.splitlines()] == [
        "pressed", "placed", "placed",
    ]  # fmt: skip
    assert main(["games", "export", "1", "--calls", "--out", str(home / "all.jsonl")]) == 0
    lines = [json.loads(line) for line in (home / "all.jsonl").read_text().splitlines()]
    calls = [line for line in lines if "call" in line]
    assert lines.index(calls[0]) == 3 and (home / "all.jsonl").stat().st_mode & 0o077 == 0
    (home / "events.jsonl").write_text(events)
    assert main(["replay", "suds", "--players", "3", str(home / "events.jsonl")]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == calls
    assert main(["replay", "suds", "--players", "3", str(home / "all.jsonl")]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == calls
    assert "which exists" in refused(
        capsys, "games", "export", "1", "--out", str(home / "all.jsonl")
    )


def test_a_deleted_game_is_gone_and_a_running_one_stays(capsys, home):
    assert main(["games", "delete", "1"]) == 0
    assert main(["games"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split()[0] == "2"
    journal = JournalFile(home / "journal.sqlite")
    lock = journal.lock(2)
    lock.take()
    assert "another process that plays it" in refused(capsys, "games", "delete", "2")
    lock.release()
    assert journal.row(2).events == 3
    journal.close()


def test_what_is_whole_before_a_damage_is_exported(capsys, home):
    with sqlite3.connect(home / "journal.sqlite") as base:
        base.execute("UPDATE events SET event='\x1b[2J' WHERE game=1 AND n=3")
    assert main(["games", "export", "1"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2 and "event 3 of game 1 damaged" in said.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("games", "export", "9"), "no game 9"),
        (("games", "delete", "1", "9"), "no game 9"),
        (("games", "--journal", "/nowhere/x.sqlite"), "nothing at"),
    ],
)
def test_what_is_not_there_is_one_line(capsys, words, said):
    assert said in refused(capsys, *words)


def test_games_of_all_tables_are_listed_and_a_number_of_two_tables_is_asked_for(capsys, home):
    other = JournalFile(home / "journal-2.sqlite")
    for _ in range(3):
        other.begin(GameHead("sooty", 2, is_clock_unsure=True))
    other.close()
    assert main(["games"]) == 0
    said = capsys.readouterr().out
    assert str(home / "journal-2.sqlite") in said and said.count("suds") == 2
    assert said.count("the clock was not set") == 3
    assert "games of one table" in refused(capsys, "games", "delete", "1")
    assert main(["games", "delete", "3"]) == 0
    capsys.readouterr()
    assert main(["games", "--journal", str(home / "journal.sqlite"), "delete", "1"]) == 0
    capsys.readouterr()
    assert main(["games"]) == 0
    assert capsys.readouterr().out.count("players") == 3


def test_one_damaged_journal_hides_no_games_of_other_tables(capsys, home):
    (home / "journal-2.sqlite").write_text("no journal")
    assert main(["games"]) == 2
    said = capsys.readouterr()
    assert said.out.count("players") == 2 and "journal-2.sqlite" in said.err
    assert main(["games", "delete", "1"]) == 0


def test_before_the_first_game_there_are_none(capsys, home):
    (home / "journal.sqlite").unlink()
    assert main(["games"]) == 0
    assert capsys.readouterr().out == "no games yet\n"
    assert "no games yet" in refused(capsys, "games", "export", "1")


def test_a_game_lasts_by_its_own_clock_whatever_the_wall_clock_did(capsys, home):
    with sqlite3.connect(home / "journal.sqlite") as base:
        base.execute("UPDATE games SET began=1700000000.0, last=5.0 WHERE id=1")
    assert main(["games"]) == 0
    assert "0 min" in capsys.readouterr().out.splitlines()[0]


def test_the_text_of_one_game_is_no_journal_of_games(capsys, home):
    (home / "one.jsonl").write_text('{"at": 0.0, "event": "pressed", "button": "start"}\n')
    line = refused(capsys, "games", "--journal", str(home / "one.jsonl"))
    assert "the text of one game" in line and "fairdeal replay" in line


def unsure_game(home):
    """A third game, in which it was open whether a card had been laid unseen."""
    memory = Kept()
    suds = game("suds")
    setup = make_setup(suds, 2)
    session = GameSession(begin(suds, setup), memory, Observers([], pytest.fail))
    below, this = Placed(2.0, "t-shirt", "pile/1", 1), Placed(2.0, "boxers", "pile/1", 1)
    unseen = told((Way(0.9, (this,)), Way(0.1, (below, this))), 9)
    for event in (*EVENTS[:2], unseen, Learned(3.0, 9, (1.0, 0.01))):
        session.happen(event)
    journal = JournalFile(home / "journal.sqlite")
    number = journal.begin(GameHead("suds", 2, dict(setup.options)))
    journal.append(number, memory.entries)
    journal.close()
    return number


class Kept(NoJournal):
    """Keeps what is written."""

    def __init__(self):
        self.entries = []

    def write(self, entry):
        self.entries.append(entry)
        return 0


def test_an_export_with_alternatives_replays_to_the_same_calls(capsys, home):
    number = unsure_game(home)
    assert main(["games", "export", str(number), "--calls"]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = [line for line in lines if '"call": ' in line]
    assert [json.loads(line)["call"] for line in said] == ["unsure", "mistake"]
    path = home / "game.jsonl"
    path.write_text("\n".join(lines) + "\n")
    assert main(["replay", "suds", str(path)]) == 0
    assert capsys.readouterr().out.splitlines() == said


def test_a_call_is_explained_from_the_journal(capsys, home):
    number = unsure_game(home)
    assert main(["explain", str(number)]) == 0
    assert [line.split()[3] for line in capsys.readouterr().out.splitlines()] == [
        "unsure", "mistake",
    ]  # fmt: skip
    assert main(["explain", str(home / "journal.sqlite"), "2"]) == 0
    text = capsys.readouterr().out
    assert "98.6% of the weight makes this call" in text
    assert "yes  98.6%  event 3: boxers placed at pile/1 by seat 1\n" in text
    assert "no    1.1%  event 3: t-shirt placed at pile/1" in text
    assert main(["explain", "1", "1"]) == 0
    assert "every course of events" in capsys.readouterr().out
    assert "call from 1 to 2" in refused(capsys, "explain", str(number), "3")
    assert "no game 9" in refused(capsys, "explain", "9", "1")
    assert "nothing at" in refused(capsys, "explain", str(home / "none.sqlite"), "1")
