"""Which game goes on, from a database and from text; nothing that exists is written over."""

from __future__ import annotations

import json

import pytest

from kiosk.game.plan import TablePlan
from kiosk.journal.entries import EndEntry, EventEntry, GameHead, MovedEntry
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import Resume, find_cut, open_cut, open_new, read_journal, read_wish
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
HOUR = 3600.0


def entries(events=EVENTS):
    session = begin(SUDS, SETUP)
    for event in events:
        session, calls = step(session, event)
        spot = (0.1, 0.2) if isinstance(event, Placed) else None
        yield EventEntry(event, calls, spot)


def play(path, head=HEAD, end=False, events=EVENTS):
    """A game that is cut off after its events, or ends."""
    said = []
    opened = open_new(path, head, said.append)
    for entry in entries(events):
        opened.journal.write(entry)
    if end:
        opened.journal.write(EndEntry())
    opened.journal.close()
    return opened.number, said


@pytest.mark.parametrize("name", ["game.sqlite", "game.jsonl"])
def test_places_that_people_moved_stay_where_they_were_put(tmp_path, name):
    path = tmp_path / name
    opened, plan = open_new(path, HEAD, pytest.fail), TablePlan()
    plan.restore(opened.moved, lambda place, at: opened.journal.write(MovedEntry(place, at)))
    for entry in entries():
        opened.journal.write(entry)
    plan.move("pile/1", (0.1, 0.2))
    plan.move("pile/2", (0.3, 0.4))
    plan.move("pile/1", (0.52347, 0.6))
    plan.free("pile/2")
    opened.journal.close()
    again = open_cut(path, find_cut(path, Resume.LAST, HEAD), pytest.fail)
    later = TablePlan()
    later.restore(again.moved, lambda place, at: None)
    assert dict(later.moved) == {"pile/1": (0.5235, 0.6)}
    assert again.events == EVENTS
    again.journal.close()


@pytest.mark.parametrize("name", ["game.sqlite", "game.jsonl"])
def test_a_cut_game_goes_on_with_all_that_was_written(tmp_path, name):
    path = tmp_path / name
    play(path)
    cut = find_cut(path, Resume.LAST, HEAD)
    assert cut is not None and cut.number == 1 and cut.head == HEAD
    opened = open_cut(path, cut, pytest.fail)
    assert opened.events == EVENTS and dict(opened.spots) == {"pile/1": (0.1, 0.2)}
    opened.journal.write(EventEntry(Placed(3.0, "t-shirt", "pile/1", 1)))
    opened.journal.close()
    again = find_cut(path, 1, HEAD)
    assert again is not None
    opened = open_cut(path, again, pytest.fail)
    assert opened.events[3] == Placed(3.0, "t-shirt", "pile/1", 1)
    opened.journal.close()


def test_a_start_without_resume_says_the_cut_game_and_keeps_it_reachable(tmp_path):
    path = tmp_path / "game.sqlite"
    play(path)
    number, said = play(path)
    assert number == 2 and len(said) == 1
    assert "game 1 was cut off" in said[0] and "--resume 1" in said[0]
    cut = find_cut(path, 1, HEAD)
    assert cut is not None and cut.number == 1


def test_without_a_number_it_is_the_last_game_of_that_name_and_best_of_that_source(tmp_path):
    path = tmp_path / "game.sqlite"
    play(path)
    play(path, GameHead("suds", 3, dict(SETUP.options), source="1"))
    play(path, end=True)
    play(path, events=())  # begun by mistake: nothing happened
    cut = find_cut(path, Resume.LAST, HEAD)
    assert cut is not None and cut.number == 1
    cut = find_cut(path, Resume.AUTO, GameHead("suds", 3, source="1"))
    assert cut is not None and cut.number == 2
    other = GameHead("suds", 2, source="2")
    assert find_cut(path, Resume.AUTO, other) is None
    cut = find_cut(path, Resume.LAST, other)
    assert cut is not None and cut.number == 2
    assert find_cut(path, Resume.AUTO, GameHead("soda", 2, source="0")) is None
    assert find_cut(path, None, HEAD) is None


def test_games_that_were_cut_off_long_ago_are_reached_by_their_number_only(tmp_path):
    path = tmp_path / "game.sqlite"
    play(path)
    last = JournalFile(path).row(1).last
    assert find_cut(path, Resume.AUTO, HEAD, last + 5 * HOUR) is not None
    assert find_cut(path, Resume.AUTO, HEAD, last + 7 * HOUR) is None
    assert find_cut(path, 1, HEAD, last + 7 * HOUR) is not None


@pytest.mark.parametrize(
    ("wish", "said"),
    [(7, "no game 7"), (1, "a game of suds, found game 1 of soda"), (2, "game 2, which is over")],
)
def test_a_number_that_cannot_go_on_is_refused(tmp_path, wish, said):
    path = tmp_path / "game.sqlite"
    play(path, GameHead("soda", 2))
    play(path, end=True)
    with pytest.raises(FairdealError, match=said):
        find_cut(path, wish, HEAD)


def test_nothing_to_go_on_with(tmp_path):
    for path in (None, tmp_path / "none.sqlite", tmp_path / "none.jsonl"):
        assert find_cut(path, Resume.AUTO, HEAD) is None
        with pytest.raises(FairdealError, match="a game that was cut off, found"):
            find_cut(path, Resume.LAST, HEAD)


def test_a_game_that_is_played_is_not_taken_over(tmp_path):
    path = tmp_path / "game.sqlite"
    running = open_new(path, HEAD, pytest.fail)
    running.journal.wait(running.journal.write(EventEntry(EVENTS[0])), 30.0)
    assert find_cut(path, Resume.AUTO, HEAD) is None
    cut = find_cut(path, 1, HEAD)
    with pytest.raises(FairdealError, match="another process that plays it"):
        open_cut(path, cut, pytest.fail)
    running.journal.write(EventEntry(EVENTS[1]))
    running.journal.close()
    assert read_journal(path, 1) == EVENTS[:2]


def test_a_text_journal_that_holds_something_is_never_written_over(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("precious\n")
    with pytest.raises(FairdealError, match="a new file for the journal"):
        open_new(path, HEAD, pytest.fail)
    assert path.read_text() == "precious\n"
    path.write_text("")
    play(path, end=True)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.get("event") or line["call"] for line in lines] == [
        "pressed", "placed", "placed", "mistake",
    ]  # fmt: skip
    assert [left.name for left in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("cut_bytes", [0, 1, 30, 400])
def test_a_text_that_lost_its_end_is_completed(tmp_path, cut_bytes):
    path = tmp_path / "game.jsonl"
    play(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: max(len(whole) - cut_bytes, 0)])
    opened = open_cut(path, find_cut(path, Resume.LAST, HEAD), pytest.fail)
    opened.journal.close()
    assert path.read_bytes() == whole


def test_a_text_that_was_changed_is_refused(tmp_path):
    path = tmp_path / "game.jsonl"
    play(path)
    path.write_text(path.read_text().replace("pants", "boxers"))
    with pytest.raises(FairdealError, match="changed since"):
        open_cut(path, find_cut(path, Resume.LAST, HEAD), pytest.fail)


def test_a_text_by_itself_goes_on_with_the_words_of_the_command(tmp_path):
    path = tmp_path / "game.jsonl"
    play(path)
    (tmp_path / "game.jsonl.sqlite").unlink()
    cut = find_cut(path, Resume.LAST, HEAD)
    assert cut is not None and cut.head == HEAD
    before = path.read_bytes()
    opened = open_cut(path, cut, pytest.fail)
    assert opened.events == EVENTS
    opened.journal.close()
    assert path.read_bytes() == before


def test_a_text_that_is_no_game_is_refused_with_its_line(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_bytes(b'{"at": 0.0, "event": "pressed", "button": "start"}\n\xff\n')
    with pytest.raises(FairdealError, match="line 2"):
        find_cut(path, Resume.LAST, HEAD)


def test_the_word_after_resume():
    assert [read_wish(word) for word in (None, "last", "auto", "12")] == [
        None, Resume.LAST, Resume.AUTO, 12,
    ]  # fmt: skip
    for word in ("-1", "0x1", "all", "1" * 30, ""):
        with pytest.raises(FairdealError, match="--resume alone"):
            read_wish(word)


def test_a_game_of_a_machine_without_a_clock_goes_on_whatever_its_age(tmp_path):
    """It began in 1970; meanwhile a time server has set the clock."""
    path = tmp_path / "journal.sqlite"
    journal = JournalFile(path, clock=lambda: 100.0)
    for is_unsure in (False, True):
        head = GameHead("suds", 2, is_clock_unsure=is_unsure)
        journal.append(journal.begin(head), [EventEntry(Pressed(0.0, "start"))])
    journal.close()
    found = find_cut(path, Resume.LAST, GameHead("suds", 2), now=1.8e9)
    assert found is not None and found.number == 2


def test_a_clock_that_goes_back_an_hour_hides_no_game(tmp_path):
    path = tmp_path / "journal.sqlite"
    journal = JournalFile(path, clock=lambda: 1.8e9)
    journal.append(journal.begin(GameHead("suds", 2)), [EventEntry(Pressed(0.0, "start"))])
    journal.close()
    assert find_cut(path, Resume.LAST, GameHead("suds", 2), now=1.8e9 - 3600) is not None


def test_a_game_that_was_played_on_in_1970_goes_on_once_the_clock_is_set(tmp_path):
    """It began by a set clock; after a power cut the machine had none, and then the network's."""
    path = tmp_path / "journal.sqlite"
    times = iter([1.8e9, 15.0])
    journal = JournalFile(path, clock=lambda: next(times))
    journal.append(journal.begin(GameHead("suds", 2)), [EventEntry(Pressed(0.0, "start"))])
    journal.close()
    assert find_cut(path, Resume.LAST, GameHead("suds", 2), now=1.8e9 + 600) is not None
    with pytest.raises(FairdealError, match="a game that was cut off"):
        find_cut(path, Resume.LAST, GameHead("suds", 2), now=1.8e9 + 86400)
