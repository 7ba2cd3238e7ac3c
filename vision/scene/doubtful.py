"""What a doubtful event leaves in doubt: the next act at its place, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.table.event import Event, Placed, Removed, Sighted
from vision.scene.layout import Layout
from vision.scene.scene import UNSEEN
from vision.sightings import UNKNOWN

# Cards laid after a doubtful one that may be out of turn only because of it: the one that was
# told too late, and the next. More: fewer false accusations, fewer mistakes called.
TURNS = 2


class Doubtful:
    """Lowers the `sure` of events that follow a doubtful one.

    An accusation rests on the card below and on whose turn it is. If that was not seen well, the
    new card may be seen perfectly and the accusation is doubtful all the same.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._places: set[str] = set()
        self._turns = 0
        self._named: tuple[float, str] | None = None
        self._undecided: set[str] = set()
        self._uncounted: set[str] = set()

    def suspect(self, places: set[str]) -> None:
        """At these places a card may have been laid that is not told."""
        self._places |= places
        if places and self._layout.in_turn:
            self._turns = TURNS

    def weigh(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """The events with the `sure` that they have after those before them."""
        return tuple(self._weighed(event) for event in events)

    def _weighed(self, event: Event) -> Event:
        if isinstance(event, Sighted):
            self._places.clear()
            self._turns = 0
            self._undecided.clear()
            self._uncounted.clear()
        if not isinstance(event, Placed | Removed):
            return event
        # A name that comes later tells nothing surer of how its card came.
        is_name = isinstance(event, Placed) and self._named == (event.at, event.place)
        is_unknown = isinstance(event, Removed) and event.card == UNKNOWN
        self._named = (event.at, event.place) if is_unknown else None
        if is_name:
            event = replace(event, sure=min(event.sure, UNSEEN))
        is_act = isinstance(event, Placed) and self._layout.in_turn
        follows = event.place in self._places or (is_act and self._turns > 0)
        follows |= isinstance(event, Placed) and self._is_undecided(event.place)
        self._places.discard(event.place)
        self._turns -= is_act and self._turns > 0
        if event.sure <= UNSEEN:  # more than its name is in doubt
            self._places.add(event.place)
            self._turns = TURNS if is_act else self._turns
            if isinstance(event, Placed):
                self._undecided.add(event.place)
                self._uncounted |= {event.place} if event.card == UNKNOWN else set()
        return replace(event, sure=min(event.sure, UNSEEN)) if follows else event

    def _is_undecided(self, place: str) -> bool:
        """Whether a card that decides what is right there was doubtful; asked once for each. A
        card without a name may have been several: how many were decided is open from then on."""
        deciding = {other for end, other in self._layout.decided_at.items() if place.endswith(end)}
        is_open = bool(deciding & (self._undecided | self._uncounted))
        self._undecided -= deciding
        return is_open
