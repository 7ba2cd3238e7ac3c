"""From events to calls: nothing is told before it is durable, and all that is written is read."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.game.limits import LIMITS
from kiosk.game.news import EventJudged, GameRejudged
from kiosk.game.observers import Observers
from kiosk.game.overruling import CardIs, NoMistake, SeatWas, read_overruling, to_json
from kiosk.game.session import GamePast, GameSession, replayed
from kiosk.journal.entries import EndEntry, EventEntry, OverruledEntry
from kiosk.journal.writer import NoJournal
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import NAMES, game
from rules.judging.referee import begin
from rules.table.event import (
    Blind,
    Placed,
    Pressed,
    Removed,
    Sighted,
)

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
EVENTS = (Pressed(0.0, "start"), Placed(1.0, "hat", "pile/1", 1), Placed(2.0, "pants", "pile/1", 2))


class Ear:
    """Hears what is judged."""

    name = "ear"

    def __init__(self):
        self.events = []

    def hear(self, news):
        if isinstance(news, EventJudged):
            self.events.append(news.event)


class SlowJournal:
    """Keeps what the test says, when it says so."""

    fault = ""

    def __init__(self):
        self.entries, self.kept, self.waits = [], 0, []

    def write(self, entry):
        self.entries.append(entry)
        return len(self.entries)

    def wait(self, ticket, timeout_s):
        self.waits.append((ticket, timeout_s))
        return self.kept >= ticket


def played(journal, clock=lambda: 0.0, **more):
    ear = Ear()
    observers = Observers([ear], pytest.fail)
    return GameSession(begin(SUDS, SETUP), journal, observers, clock=clock, **more), ear


def test_nothing_is_told_before_the_journal_has_it():
    journal = SlowJournal()
    session, ear = played(journal)
    for event in EVENTS:
        session.happen(event)
    assert ear.events == [] and journal.waits == []
    journal.kept = 2
    session.release()
    assert ear.events == list(EVENTS[:2]) and journal.waits == [(3, LIMITS.durable_wait_s)]
    journal.kept = 3
    session.release()
    assert ear.events == list(EVENTS) and session.overdue == 0


def test_a_journal_that_cannot_be_written_holds_calls_for_two_seconds_at_most():
    journal, now = SlowJournal(), [0.0]
    session, ear = played(journal, lambda: now[0])
    session.happen(EVENTS[0])
    now[0] = LIMITS.hold_s
    session.release()
    assert ear.events == []
    now[0] += 0.1
    session.release()
    assert ear.events == [EVENTS[0]] and session.overdue == 1


def test_nobody_waits_for_a_journal_that_has_no_room():
    journal = SlowJournal()
    session, ear = played(journal)
    journal.fault = "disk full"
    for event in EVENTS:
        session.happen(event)
    assert ear.events == list(EVENTS) and session.overdue == len(EVENTS)


def test_a_flood_is_told_in_order_and_what_waits_is_bounded():
    journal = SlowJournal()
    session, ear = played(journal)
    for k in range(LIMITS.held_news + 40):
        session.happen(Pressed(float(k), "draw"))
    assert [event.at for event in ear.events] == [float(k) for k in range(40)]
    assert journal.waits == []


def test_a_recording_waits_for_its_journal():
    journal = SlowJournal()
    session, _ = played(journal, wait_s=None)
    session.happen(EVENTS[0])
    session.release()
    assert journal.waits == [(1, None)]


def test_the_end_is_kept_and_told():
    journal = SlowJournal()
    session, ear = played(journal)
    session.happen(EVENTS[0])
    session.close()
    assert isinstance(journal.entries[-1], EndEntry) and ear.events == [EVENTS[0], None]


def test_what_the_game_does_not_know_is_not_judged():
    session, _ = played(NoJournal())
    before = session.judged
    for event in (
        Pressed(1.0, "deck-empty"),
        Placed(1.0, "ac", "pile/1"),
        Placed(1.0, "hat", "seat/1/won"),
        Pressed(1.0, "out", 5),
        Placed(1.0, "hat", "pile/1", on="hat"),
        Placed(math.nan, "hat", "pile/1"),
        Placed(1.0, "hat", "pile/1", sure=math.inf),
    ):
        assert session.happen(event) == ()
    assert session.judged is before


def test_time_never_falls():
    session, ear = played(NoJournal())
    session.happen(Pressed(5.0, "start"))
    (call,) = session.happen(Placed(4.0, "boxers", "pile/1", 1))
    assert (call.at, call.rule) == (5.0, "starts-with-hat")
    assert [event.at for event in ear.events] == [5.0, 5.0]


class News:
    """Keeps all it hears."""

    name = "news"

    def __init__(self):
        self.heard = []

    def hear(self, news):
        self.heard.append(news)


def overruled_game(journal):
    """A hat, and pants that were read for a T-shirt; then boxers."""
    news = News()
    session = GameSession(begin(SUDS, SETUP), journal, Observers([news], pytest.fail))
    for event in (*EVENTS, Placed(3.0, "boxers", "pile/1", 1)):
        session.happen(event)
    return session, news


def test_an_overruling_judges_the_game_again_and_later_calls_are_withdrawn():
    journal = Memory()
    session, news = overruled_game(journal)
    assert [call.rule for call in session_calls(news)] == ["out-of-sequence", "out-of-sequence"]
    session.overrule(CardIs(3, "t-shirt"))
    again = news.heard[-1]
    assert isinstance(again, GameRejudged) and again.changed == 1
    assert all(calls == () for calls in again.calls) and again.open_mistakes == ()
    assert session.judged.table == {"pile/1": ("hat", "t-shirt", "boxers")}
    assert journal.rulings == [OverruledEntry(3, '{"event": 3, "card": "t-shirt"}')]


def test_later_events_follow_what_was_overruled():
    session, _ = overruled_game(Memory())
    session.overrule(CardIs(3, "t-shirt"))
    session.happen(Removed(4.0, "boxers", "pile/1", 1))
    session.happen(Removed(5.0, "pants", "pile/1", 2))
    assert session.judged.table == {"pile/1": ("hat",)}


def test_an_overruled_game_goes_on_as_it_was():
    journal = Memory()
    session, _ = overruled_game(journal)
    session.overrule(CardIs(3, "t-shirt"))
    past = GamePast(
        tuple(read_events(journal.lines, SUDS, 2)),
        tuple(read_overruling(entry.ruling) for entry in journal.rulings),
    )
    again = GameSession(begin(SUDS, SETUP), NoJournal(), Observers([], pytest.fail), past)
    assert again.judged == session.judged


def test_an_overruling_of_nothing_is_refused():
    session, news = overruled_game(Memory())
    for overruling in (CardIs(9, "hat"), CardIs(2, "ac"), CardIs(1, "hat"), SeatWas(2, 5)):
        with pytest.raises(FairdealError):
            session.overrule(overruling)
    assert not any(isinstance(each, GameRejudged) for each in news.heard)


@pytest.mark.parametrize("overruling", [CardIs(3, "hat"), SeatWas(1, 2), NoMistake(7)])
def test_an_overruling_has_a_text_form(overruling):
    assert read_overruling(to_json(overruling)) == overruling


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"event": "3", "card": "hat"}', "[" * 9999])
def test_a_text_that_is_no_overruling_is_refused(text):
    with pytest.raises(FairdealError, match="an overruling"):
        read_overruling(text)


def session_calls(news):
    return [c for each in news.heard if isinstance(each, EventJudged) for c in each.calls]


CARDS = st.sampled_from(
    ["hat", "wild", "unknown", "back", "ac", "oofle-dust", "a", "", "p1-white-plain"]
)
PLACES = st.sampled_from(
    ["pile/1", "pile/2", "discard", "seat/1/set/1", "play", "nowhere", "pile/0"]
)
TIMES = st.floats(allow_nan=True, allow_infinity=True, width=32) | st.floats(0, 100)
SEATS = st.none() | st.integers(-1, 7)
ANY_EVENT = st.one_of(
    st.builds(Placed, TIMES, CARDS, PLACES, SEATS, st.none() | CARDS, st.floats(-1, 2)),
    st.builds(Removed, TIMES, CARDS, PLACES, SEATS, st.floats(0, 1)),
    st.builds(Pressed, TIMES, st.sampled_from(["start", "undo", "end", "draw", "no", "x"]), SEATS),
    st.builds(Blind, TIMES),
    st.builds(Sighted, TIMES),
)


class Memory(NoJournal):
    """Keeps the lines of the events."""

    def __init__(self):
        self.lines, self.rulings = [], []

    def write(self, entry):
        if isinstance(entry, EventEntry):
            self.lines.append(entry.event.to_json().encode())
        elif isinstance(entry, OverruledEntry):
            self.rulings.append(entry)
        return 0


@given(name=st.sampled_from(NAMES), events=st.lists(ANY_EVENT, max_size=30), cut=st.integers(0, 30))
def test_a_journal_that_we_wrote_is_always_readable_after_any_number_of_cuts(name, events, cut):
    of, nobody = game(name), Observers([], pytest.fail)
    setup, journal = make_setup(of, 2), Memory()
    session = GameSession(begin(of, setup), journal, nobody)
    for event in events[:cut]:
        session.happen(event)
    if journal.lines:
        kept = tuple(read_events(journal.lines, of, 2))
        again = replayed(begin(of, setup), kept)
        assert again == session.judged
        session = GameSession(begin(of, setup), journal, nobody, GamePast(kept))
        assert session.judged == again
    for event in events[cut:]:
        session.happen(event)
    if journal.lines:
        assert replayed(begin(of, setup), read_events(journal.lines, of, 2)) == session.judged
