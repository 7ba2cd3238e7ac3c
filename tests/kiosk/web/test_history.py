"""The games that were played, as the page lists them."""

from kiosk.journal.entries import EndEntry, EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.web.history import game_lines, games_played
from rules import referee
from rules.event import Placed, Pressed
from rules.game import make_setup
from rules.games import game

SUDS = game("suds")
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "socks", "pile/1", 2),
    Placed(3.5, "pants", "pile/1", 2),
)


def written(path):
    """A journal with one finished game of Suds with two mistakes of seat 2."""
    journal = JournalFile(path)
    number = journal.begin(GameHead("suds", 3))
    session, entries = referee.begin(SUDS, make_setup(SUDS, 3)), []
    for event in EVENTS:
        session, calls = referee.step(session, event)
        entries.append(EventEntry(event, calls))
    journal.append(number, [*entries, EndEntry(())])
    journal.close()
    return number


def test_a_game_is_listed_with_its_mistakes(tmp_path):
    path = tmp_path / "journal.sqlite"
    assert games_played(path) == []
    number = written(path)
    (shown,) = games_played(path)
    assert shown["number"] == number and shown["title"] == "Suds" and shown["is_ended"]
    assert shown["mistakes"] == {"out-of-sequence": 2} and shown["mistakes_by_seat"] == {"2": 2}
    assert shown["seconds"] == 3.5


def test_a_game_is_saved_as_lines_that_replay_reads(tmp_path):
    path = tmp_path / "journal.sqlite"
    lines = game_lines(path, written(path)).splitlines()
    assert sum('"event"' in line for line in lines) == len(EVENTS)
    assert sum('"call": "mistake"' in line for line in lines) == 2
