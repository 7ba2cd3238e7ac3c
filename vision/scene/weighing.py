"""Doubts that join two events: in which order cards came, and one that may have come unseen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.table.event import Alternatives, Event, Learned, Placed, Removed, Sighted, Way
from vision.scene.doubts import NAMED, POSTPONED

LATE_S = 1.2  # s after a card, within which one that rested before it is told
NOT_LATE = (1.0, 0.02)  # how likely none is told by then, as the order was told and otherwise
TWICE = 0.1  # how likely a push that hides its old place was a second card of that face


@dataclass(frozen=True, slots=True, eq=False)
class Postponed:
    """A card that was told, and perhaps came after the next one."""

    event: Placed
    choice: int


class Weighing:
    """Adds what may have happened instead to events that hang together."""

    def __init__(self) -> None:
        self._choices = 0
        self._postponed: Postponed | None = None
        self._unseen: tuple[Placed, ...] = ()

    def suspect(self, cards: Sequence[Placed]) -> None:
        """These cards may have been laid, before the next event."""
        self._unseen += tuple(cards)

    def weigh(self, events: Sequence[Event], at: float) -> tuple[Event, ...]:
        """The events of a frame at `at` (s), with evidence about earlier ones."""
        told: list[Event] = []
        for event in events:
            told += self._weighed(event)
        late = self._postponed
        if late is not None and at - late.event.at > LATE_S:
            told += self._settled(at)
        return tuple(told)

    def _weighed(self, event: Event) -> list[Event]:
        if isinstance(event, Sighted):
            self._unseen, self._postponed = (), None
        if not isinstance(event, Placed | Removed):
            return [event]
        if isinstance(event, Placed) and self._postponed is not None:
            first, self._postponed = self._postponed, None
            if event.sure < NAMED:
                return self._weighed(event)
            first_now = replace(event, sure=1.0, ways=None)
            later = replace(first.event, at=event.at)
            ways = Way(0.5, (first_now,)), Way(0.5, (first_now, later))
            return [replace(event, ways=Alternatives(ways, first.choice))]
        if isinstance(event, Placed) and _is_postponed(event):
            return [self._postpone(event)]
        if self._unseen and event.ways is None:
            bare = replace(event, sure=1.0)
            unseen = tuple(replace(card, at=event.at) for card in self._unseen)
            self._unseen = ()
            ways = Way(1.0 - TWICE, (bare,)), Way(TWICE, (*unseen, bare))
            return [replace(event, sure=1.0 - TWICE, ways=Alternatives(ways))]
        return [event]

    def _postpone(self, event: Placed) -> Placed:
        assert event.ways is not None
        self._choices += 1
        self._postponed = Postponed(replace(event, sure=1.0, ways=None), self._choices)
        return replace(event, ways=replace(event.ways, choice=self._choices))

    def _settled(self, at: float) -> list[Event]:
        assert self._postponed is not None
        learned = Learned(at, self._postponed.choice, NOT_LATE)
        self._postponed = None
        return [learned]


def _is_postponed(event: Placed) -> bool:
    return event.ways is not None and event.ways.choice == POSTPONED
