"""A belief: what may have happened so far, weighed, and what the referee says of it.

Multiple-hypothesis tracking (Reid 1979): every hypothesis is a game judged by `referee.py` after
one course of events. Equal ones are one; the lightest are forgotten. Pure, as the referee is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.contract.game import Game, Setup
from rules.contract.mistakes import Mistake, Mistakes, OpenedBy
from rules.judging import referee
from rules.judging.branches import branches, choice_of, is_about_who, weighed
from rules.judging.claims import claiming
from rules.judging.hypothesis import History, Hypothesis, Key, scaled, settled
from rules.judging.missed import is_mistake, with_missed
from rules.judging.obeyed import obeyed
from rules.judging.referee import Session
from rules.judging.said import Spoken, Told, fresh_claims, untold
from rules.judging.telling import tell
from rules.table.call import Call, CallKind
from rules.table.event import Act, Event, Learned, Placed, Pressed, Removed, Sighted, is_card_event
from rules.values import replace

MOST_CHOICES = 64  # numbers of choices that are remembered
FADES = 0.94  # for each event: what was left out matters no more once the table has changed
KEPT_BEFORE = 4  # hypotheses of an earlier moment that undo may go back to
NOTHING = Told()


@dataclass(frozen=True, slots=True)
class Before:
    """What undo goes back to, newest first."""

    hypotheses: tuple[Hypothesis, ...]
    spoken: Spoken
    learned: int
    past: Before | None


@dataclass(frozen=True, slots=True)
class Belief:
    """A game under way as it may stand. `hypotheses`: heaviest first, their weights sum to 1.

    `number`: events so far. `choices`: numbers of choices to the events that made them.
    `events`: the latest ones since there is doubt, by their number. `forgotten`: weight of courses
    that were left out; it fades. `waiting`: claims of events about which evidence will come, by
    their choice. `is_watched`: whether a camera tells the events; it may miss some.
    """

    hypotheses: tuple[Hypothesis, ...]
    number: int = 0
    spoken: Spoken = field(default_factory=Spoken)
    choices: Mapping[int, int] = field(default_factory=dict)
    events: Mapping[int, Act] = field(default_factory=dict)
    learned: tuple[Learned, ...] = ()
    forgotten: float = 0.0
    waiting: Mapping[int, frozenset[Key]] = field(default_factory=dict)
    is_watched: bool = False
    past: Before | None = field(default=None, compare=False, repr=False)

    @property
    def session(self) -> Session[Any]:
        """The game after the likeliest course of events."""
        return self.hypotheses[0].session


def believe(session: Session[Any]) -> Belief:
    """A belief that is sure of `session`."""
    accused = tuple((m.rule, m.place, m.card) for m in session.state.mistakes)
    return Belief((Hypothesis(session, (History(1.0),)),), spoken=Spoken(accused=accused))


def begin(game: Game[Any], setup: Setup) -> Belief:
    """A belief before the first event."""
    return believe(referee.begin(game, setup))


def step(belief: Belief, event: Event) -> tuple[Belief, Told]:
    """Judges one event, which may carry alternatives, or takes evidence about an earlier one."""
    number = belief.number + 1
    if not belief.is_watched and is_card_event(event) and event.sure < 1.0:
        belief = replace(belief, is_watched=True)
    if isinstance(event, Learned):
        return _learn(replace(belief, number=number), event)
    session = belief.session
    if isinstance(event, Pressed) and event.button == "undo" and not session.blind:
        return _undo(replace(belief, number=number), event.at)
    only = belief.hypotheses[0]
    is_plain = not isinstance(event, (Placed, Removed)) or event.ways is None
    is_simple = is_plain and len(belief.hypotheses) == 1 and _is_simple(only, belief.spoken)
    if is_simple and not is_mistake(session, event, belief.is_watched):
        return _step_surely(belief, event)
    return _step_weighed(belief, event, number)


def passed_over(belief: Belief) -> Belief:
    """The belief after an event that counts for nothing, as people said."""
    return replace(belief, number=belief.number + 1)


def close(belief: Belief) -> Told:
    """The calls that the end of the input brings."""
    found = []
    for each in belief.hypotheses:
        calls = referee.close(each.session)
        histories = tuple(replace(h, claims=claiming(h.claims, calls)) for h in each.histories)
        found.append(replace(each, histories=histories))
    fresh = fresh_claims(belief.hypotheses, found)
    session = belief.session
    _, _, told = tell(
        tuple(found), belief.spoken, belief.number, session.at, fresh, belief.events,
        session.sure_enough + belief.forgotten,
    )  # fmt: skip
    return told


def open_mistakes(belief: Belief) -> Mistakes:
    """The mistakes that were told and wait to be put right, oldest first."""
    left = list(belief.spoken.accused)
    found = []
    for each in belief.session.state.mistakes:
        key = (each.rule, each.place, each.card)
        if key in left:
            left.remove(key)
            found.append(each)
    for said in belief.spoken.late:  # its card lies unjudged
        call = said.call
        if (call.rule, call.place, call.card) in left:
            found.append(Mistake(call.rule, OpenedBy.PLACING, call.place, call.card, call.seat))
    return tuple(found)


def _is_simple(only: Hypothesis, spoken: Spoken) -> bool:
    """Whether nothing at all is open."""
    return (
        len(only.histories) == 1
        and not only.stands
        and only.unnamed is None
        and not only.histories[0].claims
        and not spoken.told
        and not spoken.asked
    )


def _step_surely(belief: Belief, event: Event) -> tuple[Belief, Told]:
    """One game, one course of events: judged as the referee does."""
    only = belief.hypotheses[0]
    session, calls = referee.step(only.session, event)
    past = belief.past
    if session.past is not None:
        session = replace(session, past=None)
        past = Before(belief.hypotheses, belief.spoken, len(belief.learned), past)
    if isinstance(event, Sighted) and only.session.blind:
        past = None
    spoken = _heard(belief.spoken, calls) if calls else belief.spoken
    hypotheses = (replace(only, session=session),)
    after = replace(
        belief, hypotheses=hypotheses, number=belief.number + 1, spoken=spoken, past=past
    )
    return after, Told(calls) if calls else NOTHING


def _heard(spoken: Spoken, calls: Iterable[Call]) -> Spoken:
    accused = list(spoken.accused)
    for call in calls:
        key = (call.rule, call.place, call.card)
        if call.call is CallKind.MISTAKE:
            accused.append(key)
        elif call.call is CallKind.CORRECTED and key in accused:
            accused.remove(key)
    return replace(spoken, accused=tuple(accused))


def _step_weighed(belief: Belief, event: Event, number: int) -> tuple[Belief, Told]:
    found = _branched(belief, event, number, frozenset())
    sure = belief.session.sure_enough + belief.forgotten
    unheard = (
        untold(fresh_claims(belief.hypotheses, found), found, sure)
        if is_about_who(event)
        else frozenset()
    )
    if unheard:
        found = _branched(belief, event, number, unheard)
    fresh = fresh_claims(belief.hypotheses, found)
    hypotheses, lost = settled(found)
    forgotten = FADES * belief.forgotten + lost
    past = _past(belief, event, hypotheses)
    events = belief.events
    if isinstance(event, (Placed, Removed, Pressed)):
        events = {**dict(list(events.items())[1 - MOST_CHOICES :]), number: event}
    waits_for = _waits_for(event)
    hypotheses, spoken, told = tell(
        hypotheses, belief.spoken, number, event.at, fresh, events,
        belief.session.sure_enough + forgotten, may_ask=waits_for is None,
    )  # fmt: skip
    choices = _numbered(belief.choices, event, number)
    hypotheses, _ = settled(hypotheses)
    waiting = belief.waiting
    if waits_for is not None:
        fresh |= waiting.get(waits_for, frozenset())
        waiting = {**dict(list(waiting.items())[1 - MOST_CHOICES :]), waits_for: fresh}
    after = Belief(
        hypotheses, number, spoken, choices, events, belief.learned, forgotten, waiting,
        belief.is_watched, past,
    )  # fmt: skip
    return after, told


def _waits_for(event: Event) -> int | None:
    """The choice of an event about which evidence will come."""
    ways = event.ways if isinstance(event, (Placed, Removed)) else None
    return ways.choice if ways is not None and ways.awaits else None


def _branched(
    belief: Belief, event: Event, number: int, untold: frozenset[Key]
) -> list[Hypothesis]:
    found: list[Hypothesis] = []
    for each in belief.hypotheses:
        made = branches(each, event, number, belief.choices, untold)
        is_followed = choice_of(event) in belief.choices
        if not is_followed:
            made = with_missed(made, each, event, number, belief.is_watched)
        found += made
    found = obeyed(found, belief.spoken, event)
    total = sum(each.weight for each in found)
    return [scaled(each, 1.0 / total) for each in found] if total > 0 else found


def _numbered(choices: Mapping[int, int], event: Event, number: int) -> Mapping[int, int]:
    """The choices with that of an event, if it makes a new one."""
    choice = choice_of(event)
    if choice is None or choice in choices:
        return choices
    return {**dict(list(choices.items())[1 - MOST_CHOICES :]), choice: number}


def _past(belief: Belief, event: Event, after: tuple[Hypothesis, ...]) -> Before | None:
    """What undo goes back to after an event: the moment before it, unless it counts for nothing."""
    session = belief.session
    if isinstance(event, Sighted) and session.blind:
        return None
    if session.blind or event.kind in ("blind", "sighted"):
        return belief.past
    before = {id(each.session.state): id(each.session.table) for each in belief.hypotheses}
    same = sum(
        each.weight
        for each in after
        if before.get(id(each.session.state)) == id(each.session.table)
    )
    is_end = isinstance(event, Pressed) and event.button == "end" and not session.over
    if same > 0.5 and not is_end:
        return belief.past
    kept = belief.hypotheses[:KEPT_BEFORE]
    return Before(kept, belief.spoken, len(belief.learned), belief.past)


def _learn(belief: Belief, event: Learned) -> tuple[Belief, Told]:
    """Weighs the courses of events anew by evidence about an earlier choice."""
    chosen = belief.choices.get(event.choice)
    if chosen is None:
        return belief, NOTHING
    hypotheses, _ = settled(weighed(belief.hypotheses, chosen, event.likely))
    waiting = dict(belief.waiting)
    fresh = waiting.pop(event.choice, frozenset())
    hypotheses, spoken, told = tell(
        hypotheses, belief.spoken, belief.number, event.at, fresh,
        belief.events, belief.session.sure_enough + belief.forgotten, is_evidence=True,
    )  # fmt: skip
    after = replace(
        belief, hypotheses=settled(hypotheses)[0], spoken=spoken,
        learned=(*belief.learned, event), waiting=waiting,
    )  # fmt: skip
    return after, told


def _undo(belief: Belief, at: float) -> tuple[Belief, Told]:
    """The game as it was before the last event that is not taken back yet. It makes no calls;
    questions about what is taken back are withdrawn."""
    before = belief.past
    if before is None:
        return belief, NOTHING
    hypotheses, _ = settled(before.hypotheses)
    for event in belief.learned[before.learned :]:
        chosen = belief.choices.get(event.choice)
        if chosen is not None:
            hypotheses, _ = settled(weighed(hypotheses, chosen, event.likely))
    hypotheses = tuple(replace(h, session=replace(h.session, at=at)) for h in hypotheses)
    now, then = belief.spoken, before.spoken
    withdrawn = tuple(said for key, said in now.asked.items() if key not in then.asked)
    asked = {key: said for key, said in then.asked.items() if key in now.asked}
    after = replace(
        belief, hypotheses=hypotheses, spoken=replace(then, asked=asked), past=before.past
    )
    return after, Told(withdrawn=withdrawn)
