"""The session and what may have happened: questions, calls that are taken back, the journal."""

import pytest

from kiosk.game.news import EventJudged, GameRejudged
from kiosk.game.observers import Observers
from kiosk.game.overruling import CardIs
from kiosk.game.session import GamePast, GameSession
from kiosk.journal.entries import EventEntry
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import game
from rules.judging.branches import weighable
from rules.judging.referee import begin
from rules.table.event import USUAL, Learned, Placed, Pressed, Removed, Way, told

SUDS = game("suds")
SETUP = make_setup(SUDS, 2)
START = Pressed(0.0, "start")


class Memory:
    """A journal that keeps the lines of its events."""

    fault, kept = "", 10**6

    def __init__(self):
        self.lines = []

    def write(self, entry):
        if isinstance(entry, EventEntry):
            self.lines.append(entry.event.to_json().encode())
        return 0


class News:
    """Keeps all it hears."""

    name = "news"

    def __init__(self):
        self.heard = []

    def hear(self, news):
        self.heard.append(news)


UNSEEN = told(
    (
        Way(0.9, (Placed(2.0, "boxers", "pile/1", 1),)),
        Way(0.1, (Placed(2.0, "t-shirt", "pile/1", 1), Placed(2.0, "boxers", "pile/1", 1))),
    ),
    9,
)
HAT = Placed(1.0, "hat", "pile/1", 1)


def weighed(*events):
    memory, news = Memory(), News()
    session = GameSession(begin(SUDS, SETUP), memory, Observers([news], pytest.fail))
    for event in events:
        session.happen(event)
    return session, memory, [each for each in news.heard if isinstance(each, GameRejudged)], news


def test_a_question_is_withdrawn_in_the_open_and_the_call_names_its_event():
    _, memory, rejudged, news = weighed(START, HAT, UNSEEN, Learned(4.0, 9, (1.0, 0.01)))
    last = [each for each in news.heard if isinstance(each, EventJudged)][-1]
    assert [call.rule for call in last.calls] == ["out-of-sequence"] and last.about == (3,)
    (again,) = rejudged
    assert again.overruling is None and again.changed == 1
    assert [[str(call.call) for call in calls] for calls in again.calls] == [
        [],
        [],
        ["mistake"],
        [],
    ]
    assert [mistake.card for mistake in again.open_mistakes] == ["boxers"]
    kept = tuple(read_events(memory.lines, SUDS, 2))
    assert kept == (START, HAT, UNSEEN, Learned(4.0, 9, (1.0, 0.01)))


def test_people_who_looked_settle_what_may_have_happened():
    session, _, _, news = weighed(START, HAT, UNSEEN)
    session.overrule(CardIs(3, "boxers"))
    assert news.heard[-1].overruling == CardIs(3, "boxers")
    assert session.judged.table["pile/1"][-1] == "boxers"
    session.overrule(CardIs(3, "t-shirt"))
    assert session.judged.table == {"pile/1": ("hat", "t-shirt", "boxers")}


def test_an_unsure_event_is_kept_with_what_its_doubt_means_and_goes_on_the_same():
    doubtful = weighable(Placed(2.0, "pants", "pile/1", 2, sure=0.9))
    session, memory, _, _ = weighed(START, HAT, doubtful)
    kept = tuple(read_events(memory.lines, SUDS, 2))
    assert [getattr(event, "ways", None) for event in kept] == [None, None, USUAL]
    again = GameSession(begin(SUDS, SETUP), memory, Observers([], pytest.fail), GamePast(kept))
    removed = Removed(3.0, "pants", "pile/1", 2)
    assert again.judged == session.judged
    assert again.happen(removed) == session.happen(removed)
