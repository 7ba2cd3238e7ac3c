"""Why an event may not have happened as it is told, and what happened then."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum, StrEnum

from rules.judging.doubt import SURE_ENOUGH
from rules.table.event import Alternatives, CardEvent, Placed, Way
from vision.sightings import UNKNOWN

NAMED = 0.9  # sure of a card whose order is open, from which its name is not
NAME_SURE = 0.99  # of a name, below which a told card is looked at again
CERTAIN = SURE_ENOUGH  # no other course of events is followed then


class Doubt(StrEnum):
    """What speaks against an event."""

    WHOSE = "whose"  # two hands were there, or none was seen
    OWNERS = "owner's"  # the same at a place at which hardly anybody but its seat lays cards
    ORDER = "order"  # a card elsewhere rested before it and is not told
    AT_ONCE = "at once"  # another hand was there before it, and has a card still
    EARLIER = "earlier"  # it is such a card: others were told before it
    PERHAPS_EARLIER = "perhaps earlier"  # the same of a card that a hand had still
    STARTED = "started"  # no hand brought it, and the game runs: it lay there before
    TWIN = "twin"  # a card of its face lies near: it may be that one
    COVERED = "covered"  # it vanished under the next card
    NO_NAME = "no name"  # it was located, and shows no face
    GIVEN_UP = "given up"  # it changed and was found no more
    REVEALED = "revealed"  # a card below it is seen
    LATE = "late"  # it was told without a name before
    IN_HAND = "in hand"  # a hand still lies on it
    SQUARED = "squared"  # a narrow part of it showed below others, and shows no more
    SAME_FACE = "same face"  # only the moved face tells: it may have been pushed


# How likely an event with that doubt did not happen as it is told (docs/scene.md, "Doubts").
WRONG = {
    Doubt.WHOSE: 0.4,
    Doubt.OWNERS: 0.05,
    Doubt.ORDER: 0.05,
    Doubt.AT_ONCE: 0.15,
    Doubt.EARLIER: 0.0,
    Doubt.PERHAPS_EARLIER: 0.0,
    Doubt.STARTED: 0.9,
    Doubt.TWIN: 0.25,
    Doubt.COVERED: 0.5,
    Doubt.NO_NAME: 0.55,
    Doubt.GIVEN_UP: 0.1,
    Doubt.REVEALED: 0.6,
    Doubt.LATE: 0.1,
    Doubt.IN_HAND: 0.05,
    Doubt.SQUARED: 0.4,
    Doubt.SAME_FACE: 0.25,
}


class Order(Enum):
    """When an event came, of those whose order is open."""

    LATER = "later"  # perhaps after one that is not told yet
    EARLIER = "earlier"  # before others that are told, if it was laid
    OPEN = "open"  # before or after others that are told


_WHO = frozenset({Doubt.WHOSE, Doubt.OWNERS})
_LATER = frozenset({Doubt.ORDER, Doubt.AT_ONCE})
_EARLY = {Doubt.EARLIER: Order.EARLIER, Doubt.PERHAPS_EARLIER: Order.OPEN}


@dataclass(frozen=True, slots=True)
class Unordered(Alternatives):
    """What may have happened instead, of an event whose order is open. `since`: when (s) it came
    at the earliest: what was told by then came before it. `own`: what else may have happened
    instead, whatever its order: the event itself first."""

    order: Order = Order.LATER
    since: float = -math.inf
    own: Alternatives | None = None


@dataclass(frozen=True, slots=True)
class Awaited(Alternatives):
    """What may have happened instead, of a card, by its number, about which evidence comes.

    `held`: the index of the way in which the hand that still lies on it takes it away again;
    `misnamed`: of that in which it is another card; None where that is not in doubt. `name`: how
    likely its name is right (0 to 1).
    """

    number: int = 0
    held: int | None = None
    misnamed: int | None = None
    name: float = 1.0


@dataclass(frozen=True, slots=True)
class InVisit(Way):
    """What may have happened unseen while a hand from a `side` was over the table."""

    side: str


@dataclass(frozen=True, slots=True)
class Act:
    """Who laid or took a card, if known; how likely its face, and its place, is right (0 to 1);
    what else is in doubt. `rivals`: the other seats that may have done it; `other`: where the card
    lies if not at its place; `number`: of a card that was laid; `since`: when (s) it was at the
    earliest."""

    seat: int | None = None
    sure: float = 1.0
    place_sure: float = 1.0
    doubts: frozenset[Doubt] = frozenset()
    rivals: tuple[int, ...] = ()
    other: str | None = None
    number: int | None = None
    since: float = -math.inf


def weighed(event: CardEvent, act: Act) -> CardEvent:
    """The event with the act's seat, its chance as `sure`, and what may have happened instead."""
    itself = replace(event, seat=act.seat, sure=1.0, ways=None)
    doubts = sorted(act.doubts - _WHO)
    rest = [(WRONG[doubt], _instead(itself, doubt)) for doubt in doubts]
    if not act.doubts or act.sure * act.place_sure < CERTAIN:
        elsewhere = () if act.other is None else (replace(itself, place=act.other),)
        rest += [(1.0 - act.sure, _misnamed(itself)), (1.0 - act.place_sure, elsewhere)]
    right = 1.0
    for chance, _ in rest:
        right *= 1.0 - chance
    for doubt in act.doubts & _WHO:
        right *= 1.0 - WRONG[doubt]
        courses = [(replace(itself, seat=seat),) for seat in act.rivals or (None,)]
        rest += [(WRONG[doubt] / len(courses), course) for course in courses]
    early = next((order for doubt, order in _EARLY.items() if doubt in act.doubts), None)
    if right >= (CERTAIN if early is None else NAMED):
        ways = None if early is None else Unordered(order=early, since=act.since)
        return replace(itself, sure=right, ways=ways)
    is_order_open = bool(act.doubts & _LATER) and act.doubts <= {*_LATER, Doubt.IN_HAND}
    if is_order_open and act.sure * act.place_sure >= NAMED:
        return _of_open_order(itself, act)
    whole = sum(chance for chance, _ in rest)
    others = [Way((1.0 - right) * chance / whole, ways) for chance, ways in rest if chance > 0]
    ordered = tuple(sorted((Way(right, (itself,)), *others), key=lambda way: -way.chance))
    if early is not None:
        return replace(itself, sure=right, ways=Unordered(ordered, order=early, since=act.since))
    part = (1.0 - right) / whole
    return replace(itself, sure=right, ways=_awaited(itself, act, ordered, part))


def _of_open_order(itself: CardEvent, act: Act) -> CardEvent:
    """The event, which may have come after others that are not told yet."""
    alone = weighed(itself, replace(act, doubts=act.doubts - _LATER))
    first = math.prod(1.0 - WRONG[doubt] for doubt in act.doubts & _LATER)
    two = (Way(first, (itself,)), Way(1.0 - first, ()))
    return replace(itself, sure=first * alone.sure, ways=Unordered(two, own=alone.ways))


def _awaited(itself: CardEvent, act: Act, ways: tuple[Way, ...], part: float) -> Alternatives:
    """The ways of an event, with what evidence may come about. `part`: of its chance that each
    doubt has among them."""
    held = misnamed = None
    if Doubt.IN_HAND in act.doubts:
        held = _index(ways, part * WRONG[Doubt.IN_HAND], ())
    if isinstance(itself, Placed) and act.sure < NAME_SURE:
        misnamed = _index(ways, part * (1.0 - act.sure), _misnamed(itself))
    if act.number is None or held is misnamed is None:
        return Alternatives(ways)
    return Awaited(ways, number=act.number, held=held, misnamed=misnamed, name=act.sure)


def _index(ways: tuple[Way, ...], chance: float, events: tuple[CardEvent, ...]) -> int | None:
    """Where the way of about that chance and these events is, if there is one."""
    alike = (k for k, way in enumerate(ways) if way.events == events)
    return min(alike, key=lambda k: abs(ways[k].chance - chance), default=None)


def _misnamed(event: CardEvent) -> tuple[CardEvent, ...]:
    return (replace(event, card=UNKNOWN),) if isinstance(event, Placed) else ()


def _instead(event: CardEvent, doubt: Doubt) -> tuple[CardEvent, ...]:
    """What happened by now where this doubt is right."""
    if doubt is Doubt.LATE:
        return _misnamed(event)
    return ()


def at_time(event: CardEvent, at: float) -> CardEvent:
    """The event, told at another time (s)."""
    ways = event.ways
    if ways is not None:
        later = tuple(
            Way(way.chance, tuple(replace(each, at=at) for each in way.events)) for way in ways.ways
        )
        ways = replace(ways, ways=later)
    return replace(event, at=at, ways=ways)
