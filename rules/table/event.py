"""What happens on the table: five kinds of events, each with its JSON form.

A move is a `Removed` and a `Placed`. Turning a card over is the same with another face at the
same place.
"""

import json
from dataclasses import dataclass
from typing import ClassVar, TypeGuard

_KEYS = ("card", "place", "seat", "button", "on")


@dataclass(frozen=True, slots=True)
class Placed:
    """A card now lies at `place`, on top of what was there.

    `at`: seconds, never falling. `seat`: who did it; None if nobody knows. `on`: the face that the
    card half covers (Sooty only). `sure`, 0 to 1: how likely it is that exactly this happened and
    that nothing unseen happened at this place before it.
    """

    kind: ClassVar[str] = "placed"
    at: float
    card: str
    place: str
    seat: int | None = None
    on: str | None = None
    sure: float = 1.0

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


CardEvent = Placed | Removed
# What a game judges; the referee keeps the view to itself.
Act = Placed | Removed | Pressed
Event = Placed | Removed | Pressed | Blind | Sighted


def is_card_event(event: Event) -> TypeGuard[CardEvent]:
    """Whether a card was placed or removed."""
    return isinstance(event, (Placed, Removed))


def _to_json(event: Event) -> str:
    found: dict[str, object] = {"at": event.at, "event": event.kind}
    for key in _KEYS:
        value = getattr(event, key, None)
        if value is not None:
            found[key] = value
    sure = getattr(event, "sure", 1.0)
    if sure != 1.0:
        found["sure"] = sure
    return json.dumps(found)
