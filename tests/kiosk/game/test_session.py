"""From events to calls: nothing is told before it is durable, and all that is written is read."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.game.limits import LIMITS
from kiosk.game.news import EventJudged
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession, replayed
from kiosk.journal.entries import EndEntry, EventEntry
from kiosk.journal.writer import NoJournal
from rules.event import Blind, Placed, Pressed, Removed, Sighted
from rules.game import make_setup
from rules.games import NAMES, game
from rules.reader import read_events
from rules.referee import begin

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
        self.lines = []

    def write(self, entry):
        if isinstance(entry, EventEntry):
            self.lines.append(entry.event.to_json().encode())
        return 0


@settings(deadline=None)
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
        session = GameSession(again, journal, nobody, at=kept[-1].at)
    for event in events[cut:]:
        session.happen(event)
    if journal.lines:
        assert replayed(begin(of, setup), read_events(journal.lines, of, 2)) == session.judged
