"""What happens on the table: five kinds of events, each with its JSON form, and evidence.

A move is a `Removed` and a `Placed`. Turning a card over is the same with another face at the
same place. Where it is open what happened, an event carries all that may have happened.
"""

import json
from dataclasses import dataclass
from typing import ClassVar, TypeGuard

_KEYS = ("card", "place", "seat", "button", "on")


@dataclass(frozen=True, slots=True)
class Way:
    """One course of events, possibly none, and its chance, 0 to 1. Its events have no `ways`."""

    chance: float
    events: tuple["CardEvent", ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What may have happened: one of `ways`, the likeliest first; their chances sum to 1.

    Without ways there are the usual two: the event that carries this, with its `sure`, and an
    `unknown` card at its place. `choice`: the number by which later evidence (`Learned`) names
    this choice. A number that an earlier event has had: the way of the same index as then.
    `awaits`: such evidence will come; until then nothing is asked about the event.
    """

    ways: tuple[Way, ...] = ()
    choice: int | None = None
    awaits: bool = False


USUAL = Alternatives()


@dataclass(frozen=True, slots=True)
class Placed:
    """A card now lies at `place`, on top of what was there.

    `at`: seconds, never falling. `seat`: who did it; None if nobody knows. `on`: the face that the
    card half covers (Sooty only). `sure`, 0 to 1: how likely it is that exactly this happened and
    that nothing unseen happened at this place before it. `ways`: what may have happened instead;
    None: nothing is said of that.
    """

    kind: ClassVar[str] = "placed"
    at: float
    card: str
    place: str
    seat: int | None = None
    on: str | None = None
    sure: float = 1.0
    ways: Alternatives | None = None

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        return _to_json(self)


@dataclass(frozen=True, slots=True)
class Removed:
    """A card was taken from `place`. The fields mean the same as in `Placed`."""

    kind: ClassVar[str] = "removed"
    at: float
    card: str
    place: str
    seat: int | None = None
    sure: float = 1.0
    ways: Alternatives | None = None

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        return _to_json(self)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed, by `seat` if somebody saw who."""

    kind: ClassVar[str] = "pressed"
    at: float
    button: str
    seat: int | None = None

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        return _to_json(self)


@dataclass(frozen=True, slots=True)
class Blind:
    """The view of the table is lost: a hand over the lens, a dead camera."""

    kind: ClassVar[str] = "blind"
    at: float

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        return _to_json(self)


@dataclass(frozen=True, slots=True)
class Sighted:
    """The view of the table is back."""

    kind: ClassVar[str] = "sighted"
    at: float

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        return _to_json(self)


@dataclass(frozen=True, slots=True)
class Learned:
    """Evidence about choice `choice`: how likely it is under each of its ways, in their order.

    Only the ratios count. The referee of one course of events ignores it.
    """

    kind: ClassVar[str] = "learned"
    at: float
    choice: int
    likely: tuple[float, ...]

    def to_json(self) -> str:
        """One line of JSON that `read_events` reads back as this event."""
        found = {"at": self.at, "event": self.kind, "choice": self.choice}
        return json.dumps({**found, "likely": list(self.likely)})


CardEvent = Placed | Removed
# What a game judges; the referee keeps the view and evidence to itself.
Act = Placed | Removed | Pressed
Event = Placed | Removed | Pressed | Blind | Sighted | Learned


def is_card_event(event: Event) -> TypeGuard[CardEvent]:
    """Whether a card was placed or removed."""
    return isinstance(event, (Placed, Removed))


def told(ways: tuple[Way, ...], choice: int | None = None) -> CardEvent:
    """The event that tells a choice: the first one of its likeliest way that has any.

    Its `sure` is the chance of all ways that begin with it. ValueError where no way has an event.
    """
    ways = tuple(sorted(ways, key=lambda way: -way.chance))
    first = next((way.events[0] for way in ways if way.events), None)
    if first is None:
        raise ValueError("expected a way with an event, found none")
    sure = min(1.0, sum(way.chance for way in ways if first in way.events[:1]))
    alternatives = Alternatives(ways, choice)
    if isinstance(first, Placed):
        at, card, place = first.at, first.card, first.place
        return Placed(at, card, place, first.seat, first.on, sure, alternatives)
    return Removed(first.at, first.card, first.place, first.seat, sure, alternatives)


def _to_json(event: Event) -> str:
    return json.dumps(_keys(event))


def _keys(event: Event) -> dict[str, object]:
    found: dict[str, object] = {"at": event.at, "event": event.kind}
    for key in _KEYS:
        value = getattr(event, key, None)
        if value is not None:
            found[key] = value
    sure = getattr(event, "sure", 1.0)
    if sure != 1.0:
        found["sure"] = sure
    ways = getattr(event, "ways", None)
    if ways is not None:
        found["ways"] = [[way.chance, [_keys(each) for each in way.events]] for way in ways.ways]
        if ways.choice is not None:
            found["choice"] = ways.choice
            found |= {"awaits": True} if ways.awaits else {}
    return found
