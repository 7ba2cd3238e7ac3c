"""Acts that nobody saw: in a game without one, all that follows may look wrong.

Where a card that was seen makes a mistake, a course is followed too in which an act right before it
was missed. It weighs little: the first mistake is told. If players put it right, it weighs nothing;
if they play on, it is soon the likeliest course.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from rules.judging import referee
from rules.judging.courses import judged
from rules.judging.hypothesis import Ahead, History, Hypothesis, Stand, Taken, scaled, took
from rules.judging.referee import Session
from rules.judging.stands import follow, new_stands
from rules.table.call import Call, CallKind
from rules.table.event import Act, Event, Placed, Pressed, Removed, Way, is_card_event
from rules.values import replace

CHANCE = 5e-4  # that an act was missed, beside one in which the players err
LATE_S = 2.0  # s between two events that were told in the other order than they came
LEAST = 0.02  # of the weight, of a hypothesis in which that is followed
WAY = -1  # in a history: the way of an event before which an act was missed
TURN = "out-of-turn"  # the rule that a missed act of the seat in turn may explain


def is_mistake(session: Session, event: Event, is_watched: bool) -> bool:
    """Whether an event is a mistake that a missed act would explain. `is_watched`: whether a camera
    tells the events."""
    if not _is_open(event, is_watched):
        return False
    _, calls = referee.step(session, event)
    return any(_may_be_missed(session, call) for call in calls)


def is_missed(history: History) -> bool:
    """Whether an act was missed in this course."""
    return any(each.way == WAY for each in history.taken)


def _is_open(event: Event, is_watched: bool) -> TypeGuard[Act]:
    """Whether a camera may have missed an act before an event: not if it is certain itself."""
    if isinstance(event, Pressed):
        return is_watched
    return is_card_event(event) and event.sure < 1.0


def with_missed(
    made: list[Hypothesis], of: Hypothesis, event: Event, number: int, is_watched: bool
) -> list[Hypothesis]:
    """What a hypothesis becomes by event `number`: as `made`, and if an act was missed before, or
    if this is the one that was missed, and came before the last event."""
    if of.ahead is not None:
        late = _told_late(of, of.ahead, event, number)
        return made if late is None else [*made, late]
    if of.weight < LEAST or not _is_open(event, is_watched):
        return made
    other = _after_missed(of, event, number)
    if other is None:
        return made
    nothing = (
        replace(each, histories=tuple(_knowing(history, number) for history in each.histories))
        for each in made
    )
    return [*nothing, other]


def _after_missed(hypothesis: Hypothesis, event: Act, number: int) -> Hypothesis | None:
    """What a hypothesis becomes by event `number`, if an act right before it was missed; None where
    none would make it right."""
    session = hypothesis.session
    itself: Act = event if isinstance(event, Pressed) else replace(event, sure=1.0, ways=None)
    here, _ = follow(hypothesis.stands, itself)
    if here is None or session.blind or session.over or session.doubts.stands:
        return None
    assert isinstance(here, (Placed, Removed, Pressed))
    _, calls = referee.step(session, here)
    wrong = next((call for call in calls if _may_be_missed(session, call)), None)
    if wrong is None:
        return None
    acts: tuple[Act, ...] = (itself,)
    ahead = None
    if wrong.rule == TURN and session.game.open_turn is not None:
        session = replace(session, state=session.game.open_turn(session.state), past=None)
        ahead = None if isinstance(here, Pressed) else Ahead(hypothesis.session, here)
    elif wrong.expected is not None and isinstance(here, Placed):
        acts = Placed(event.at, wrong.expected[0], here.place), itself
    if _errs(session, (*acts[:-1], here)):
        return None
    game, players = session.game, session.setup.players
    stands: tuple[Stand, ...] = ()
    if is_card_event(itself):
        ways = Way(1.0, (itself,)), Way(1.0, tuple(filter(is_card_event, acts)))
        stands = new_stands(*ways, game, players)
    found = judged(scaled(replace(hypothesis, session=session), CHANCE), number, acts, stands)
    histories = tuple(took(each, Taken(number, WAY)) for each in found.histories)
    return replace(found, histories=histories, ahead=ahead)


def _told_late(
    hypothesis: Hypothesis, ahead: Ahead, event: Event, number: int
) -> Hypothesis | None:
    """The hypothesis if event `number` came before the last one, though it was told after it; None
    where that would not make both right."""
    if not isinstance(event, (Placed, Removed)) or event.at - ahead.event.at > LATE_S:
        return None
    itself = replace(event, sure=1.0, ways=None)
    if _errs(ahead.before, (itself, ahead.event)):
        return None
    found = judged(replace(hypothesis, session=ahead.before), number, (itself,))
    session, _ = referee.step(found.session, ahead.event)
    return replace(found, session=replace(session, past=None))


def _knowing(history: History, number: int) -> History:
    if any(each.event == number for each in history.taken):
        return history
    return took(history, Taken(number, 0))


def _may_be_missed(session: Session, call: Call) -> bool:
    if call.call is not CallKind.MISTAKE:
        return False
    is_turn = call.rule == TURN and session.game.open_turn is not None
    return is_turn or (call.expected is not None and len(call.expected) == 1)


def _errs(session: Session, acts: Sequence[Act]) -> bool:
    """Whether one of these acts is a mistake."""
    for act in acts:
        session, calls = referee.step(session, act)
        if any(call.call is CallKind.MISTAKE for call in calls):
            return True
    return False
