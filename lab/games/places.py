"""Where the places of a random game lie: as people lay them, not as parts of the picture."""

from collections.abc import Sequence
from random import Random

from models.drawing.steps import Spot

ASPECT = 16 / 9  # of the picture
# A pile's distance from all others that lie at the same time, in card lengths.
_APART = 1.5
_TRIES = 300


class Piles:
    """Suds' piles: each begins where there is room, somewhere in the middle of the table.

    `card`: a card's length as a part of the picture's height.
    """

    def __init__(self, rng: Random, card: float) -> None:
        self._rng, self._card = rng, card
        self.spots: dict[str, Spot] = {}

    def born(self, place: str, lying: Sequence[str]) -> None:
        """Chooses the spot of a new pile, apart from those at which cards lie."""
        if place in self.spots:
            return
        taken = [self.spots[other] for other in lying]
        found = [self._anywhere() for _ in range(_TRIES)]
        free = next((s for s in found if self._gap(s, taken) >= _APART * self._card), None)
        self.spots[place] = free or max(found, key=lambda spot: self._gap(spot, taken))

    def _anywhere(self) -> Spot:
        x, y = self._rng.uniform(0.16, 0.84), self._rng.uniform(0.2, 0.8)
        return Spot(round(x, 4), round(y, 4))

    def _gap(self, spot: Spot, taken: Sequence[Spot]) -> float:
        """The distance to the nearest spot, in parts of the picture's height."""
        gaps = (((spot.x - t.x) * ASPECT) ** 2 + (spot.y - t.y) ** 2 for t in taken)
        return min(gaps, default=9.0) ** 0.5
