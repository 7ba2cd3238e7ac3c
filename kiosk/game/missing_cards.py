"""Cards that the game had and the table, when both were compared, did not show.

A hand or another card may lie on them. A card of theirs that shows up at their place was there
all the time: it is no play, and the game takes the place back as it lies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import dist

from kiosk.game.limits import LIMITS
from kiosk.journal.entries import Spot
from rules.table.event import Placed
from rules.table.layout import PILE


@dataclass(frozen=True, slots=True)
class Missing:
    """A place of the game: its cards, bottom to top, and where it lay (None: not known)."""

    place: str
    cards: tuple[str, ...]
    spot: Spot | None


@dataclass(slots=True)
class MissingCards:
    """The places that were not seen, until they show up or their time is over."""

    places: list[Missing] = field(default_factory=list)
    until: float = 0.0  # s of the game

    def lose(self, places: Iterable[Missing], at: float) -> None:
        """From `at` (s) on these are missing."""
        self.places, self.until = list(places), at + LIMITS.missing_s

    def find(self, event: Placed, spot: Spot | None) -> tuple[str, ...]:
        """The cards that lie there with the one that was seen, from the bottom up to it.

        Empty: it is none of the missing ones. What is found is missing no more.
        """
        if event.at > self.until:
            return ()
        for missing in self.places:
            if event.card in missing.cards and _is_there(missing, event, spot):
                self.places.remove(missing)
                top = len(missing.cards) - missing.cards[::-1].index(event.card)
                return missing.cards[:top]
        return ()


def _is_there(missing: Missing, event: Placed, spot: Spot | None) -> bool:
    """Piles are known by where they lie, other places by their name."""
    if not missing.place.startswith(PILE):
        return missing.place == event.place
    if spot is None or missing.spot is None:
        return False
    return dist(spot, missing.spot) <= LIMITS.same_spot
