"""Where a table has room: for things, elbows and fans, away from the places of the game."""

from collections.abc import Mapping, Sequence
from random import Random

from lab.games.places import ASPECT
from models.drawing.steps import Spot

_ROW = 6  # cards that a row may come to have
_NEAR = 1.35  # that far from a card's centre a thing lies free, in card lengths
_FAN = 1.25  # half a fan with the hand that holds it, in card lengths
_PILE = 0.15  # cards of a pile lie so near to each other at most, in card lengths


class Room:
    """The room around the places. `sides` of seats 1 to N, `card`: its length; parts of the
    picture's height."""

    def __init__(
        self, rng: Random, spots: Mapping[str, Spot], sides: Sequence[str], card: float
    ) -> None:
        self._rng, self._spots, self._sides, self._card = rng, spots, sides, card
        self._busy = [
            (spot.x + spot.dx * k, spot.y + spot.dy * k)
            for spot in spots.values()
            for k in (range(_ROW) if self._is_row(spot) else range(1))
        ]

    def _is_row(self, spot: Spot) -> bool:
        return abs(spot.dx) * ASPECT + abs(spot.dy) > _PILE * self._card

    def is_pile(self, place: str) -> bool:
        """Whether a place's cards lie on one another."""
        return place in self._spots and not self._is_row(self._spots[place])

    def _gap(self, x: float, y: float) -> float:
        """To the nearest card of the game, in card lengths."""
        gaps = (((x - a) * ASPECT) ** 2 + (y - b) ** 2 for a, b in self._busy)
        return min(gaps, default=9.0) ** 0.5 / self._card

    def free(self, count: int) -> list[Spot]:
        """Spots for things, as many as have room."""
        made: list[Spot] = []
        for _ in range(400):
            x, y = self._rng.uniform(0.06, 0.94), self._rng.uniform(0.08, 0.92)
            apart = (
                min((((x - s.x) * ASPECT) ** 2 + (y - s.y) ** 2 for s in made), default=9.0) ** 0.5
            )
            if self._gap(x, y) >= _NEAR and apart >= _NEAR * self._card and len(made) < count:
                made.append(Spot(round(x, 4), round(y, 4)))
        return made

    def at_edge(self, seat: int, deep: float) -> Spot:
        """The freest spot at a seat's side; `deep`: card lengths inside the picture."""
        found = [self._inward(seat, self._rng.uniform(0.08, 0.92), deep) for _ in range(20)]
        x, y = max(found, key=lambda at: min(self._gap(*at), 1.6))
        return Spot(round(x, 4), round(y, 4))

    def fan_at(self, seat: int) -> tuple[float, float]:
        """Where along a seat's side, and how deep (card lengths), a fan hides no card."""
        best = (-9.0, 0.5, 0.0)
        for _ in range(40):
            along, deep = self._rng.uniform(0.1, 0.9), self._rng.uniform(0.2, 0.9)
            gap = self._gap(*self._inward(seat, along, deep))
            if gap >= _FAN + 0.5:
                return round(along, 3), round(deep, 3)
            best = max(best, (gap, along, deep))
        gap, along, deep = best
        return round(along, 3), round(max(-0.2, min(deep, deep + gap - _FAN - 0.3)), 3)

    def _inward(self, seat: int, along: float, deep: float) -> tuple[float, float]:
        side = self._sides[(seat - 1) % len(self._sides)]
        inside = deep * self._card
        across = inside / ASPECT
        return {
            "bottom": (along, 1 - inside), "left": (across, along),
            "top": (along, inside), "right": (1 - across, along),
        }[side]  # fmt: skip
