"""Places at which the table, when it was compared, showed other cards than the game had.

Nobody saw how they came there, nor what lies below. What happens at such a place makes no mistake
until its time is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import dist

from kiosk.game.limits import LIMITS
from kiosk.game.table_match import PILE
from kiosk.journal.entries import Spot
from rules.event import CardEvent

UNSURE = 0.9  # `sure` of an event there; below 0.98 no event makes a mistake


@dataclass(slots=True)
class DoubtfulPlaces:
    """The places by the game's names, and where piles among them lie."""

    places: set[str] = field(default_factory=set)
    spots: list[Spot] = field(default_factory=list)
    until: float = 0.0  # s of the game

    def begin(self, places: Iterable[tuple[str, Spot | None]], at: float) -> None:
        """From `at` (s) on these are in doubt."""
        found = list(places)
        self.places = {place for place, _ in found}
        self.spots = [spot for place, spot in found if spot is not None and place.startswith(PILE)]
        self.until = at + LIMITS.doubt_s

    def weigh(self, event: CardEvent, spot: Spot | None) -> CardEvent:
        """The event; less sure where its place is in doubt. `spot`: where its card lies."""
        if event.at > self.until or not self._has(event.place, spot):
            return event
        self.places.add(event.place)  # a pile that is born where one in doubt lay
        return replace(event, sure=min(event.sure, UNSURE))

    def _has(self, place: str, spot: Spot | None) -> bool:
        if place in self.places:
            return True
        if spot is None or not place.startswith(PILE):
            return False
        return any(dist(spot, each) <= LIMITS.same_spot for each in self.spots)
