"""Where the places of a random game lie: as people lay them, not as fixed parts of the picture.

Lengths here are parts of the picture's height. A seat's own coordinates: `along` its side from
its player's left (0) to right (1), `deep` from the edge towards the middle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from models.drawing.steps import Spot

ASPECT = 16 / 9  # of the picture
CARD_WIDTH = 63 / 88  # of a card's length
# A pile's distance from all others that lie at the same time, in card lengths.
_APART = 1.5
_TRIES = 300


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat's side of the table, with its own coordinates."""

    side: str

    @property
    def length(self) -> float:
        """Of the side."""
        return ASPECT if self.side in ("bottom", "top") else 1.0

    def spot(self, along: float, deep: float, step: float = 0.0, inward: float = 0.0) -> Spot:
        """A spot; each further card lies `step` along and `inward` towards the middle."""
        x, y = self._at(along, deep)
        x1, y1 = self._at(along + step / self.length, deep + inward)
        return Spot(round(x, 4), round(y, 4), round(x1 - x, 4), round(y1 - y, 4))

    def _at(self, along: float, deep: float) -> tuple[float, float]:
        across = deep / ASPECT
        return {
            "bottom": (along, 1 - deep), "left": (across, along),
            "top": (1 - along, deep), "right": (1 - across, 1 - along),
        }[self.side]  # fmt: skip


class Piles:
    """Suds' piles: each begins where there is room, somewhere in the middle of the table."""

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


def family_places(game: str, rng: Random, sides: Sequence[str], card: float) -> dict[str, Spot]:
    """The spots of all places of a game but Suds, for seats at these sides. `card`: its length."""
    makers = {
        "sooty": _sooty, "cat-in-the-hat": _cat, "soda": _soda, "dirty-laundry": _laundry,
    }  # fmt: skip
    return makers[game](rng, [Seat(side) for side in sides], card)


def _middle(rng: Random, x: float, y: float, step: float = 0.0) -> Spot:
    """A spot near this part of the picture, its cards nearly on one another."""
    return Spot(
        round(x + rng.uniform(-0.02, 0.02), 4), round(y + rng.uniform(-0.02, 0.02), 4),
        round(step / ASPECT + rng.uniform(0.0, 0.004), 4), round(rng.uniform(-0.003, 0.003), 4),
    )  # fmt: skip


def _sooty(rng: Random, seats: list[Seat], card: float) -> dict[str, Spot]:
    """Two sets before each seat, each a row or a fan; the first one at either hand."""
    spots = {"discard": _middle(rng, rng.uniform(0.42, 0.58), 0.5)}
    wide = card * CARD_WIDTH
    for number, seat in enumerate(seats, 1):
        long = seat.length == ASPECT
        step = wide * (rng.uniform(0.95, 1.05) if long and rng.random() < 0.5 else 0.33)
        step = step if long else min(step, 0.3 * wide)
        width = (3 * step + wide) / seat.length
        gap = rng.uniform(0.6, 1.0) * wide / seat.length
        start = 0.5 - width - gap / 2 + wide / 2 / seat.length
        firsts = [start, start + width + gap]
        if rng.random() < 0.5:
            firsts.reverse()
        for which, first in enumerate(firsts, 1):
            deep = card * rng.uniform(0.62, 0.72)
            spots[f"seat/{number}/set/{which}"] = seat.spot(first, deep, step)
    return spots


def _cat(rng: Random, seats: list[Seat], card: float) -> dict[str, Spot]:
    """Two piles before each seat, left and right; the discard pile in the middle."""
    spots = {"discard": _middle(rng, 0.5, 0.5)}
    for number, seat in enumerate(seats, 1):
        middle = 0.5 + rng.uniform(-0.08, 0.08)
        apart = card * rng.uniform(0.62, 1.1) / seat.length
        for name, along in (("left", middle - apart), ("right", middle + apart)):
            deep = card * rng.uniform(0.65, 0.85)
            step, inward = rng.uniform(-0.006, 0.006), rng.uniform(-0.003, 0.006)
            spots[f"seat/{number}/{name}"] = seat.spot(along, deep, step, inward)
    return spots


def _soda(rng: Random, seats: list[Seat], card: float) -> dict[str, Spot]:
    """Four scoring stacks and the cards of the hand in the middle, what is won before each seat."""
    wide, y = card * CARD_WIDTH, rng.uniform(0.36, 0.4)
    apart = wide * rng.uniform(1.15, 1.4) / ASPECT
    spots = {
        f"score/{suit}": Spot(round(0.5 + (k - 1.5) * apart, 4), round(y, 4), 0.0006, -0.0006)
        for k, suit in enumerate("cdhs")
    }
    spots["play"] = _middle(rng, rng.uniform(0.4, 0.56), y + card * 1.3, rng.choice((0.004, 0.02)))
    spots["discard"] = _middle(rng, 0.72, y + card * 1.3)
    for number, seat in enumerate(seats, 1):
        at = 0.5 + rng.choice((-1, 1)) * (0.19 if seat.length == ASPECT else 0.13)
        hand = 1 - at - 2 * wide * 0.4 / seat.length
        deep = card * 0.65
        spots[f"seat/{number}/won"] = seat.spot(at, deep, wide * 0.25)
        spots[f"seat/{number}/hand"] = seat.spot(hand, deep, wide * 0.4)
    return spots


def _laundry(rng: Random, seats: list[Seat], card: float) -> dict[str, Spot]:
    """Machines in the middle, items above and garments below; the clothesline at a free side."""
    wide = card * CARD_WIDTH
    spots: dict[str, Spot] = {}
    apart = wide * rng.uniform(1.6, 1.9) / ASPECT
    for number in (1, 2, 3):
        x = 0.5 + (number - 2) * apart
        spots[f"machine/{number}"] = Spot(round(x, 4), 0.5)
        left, step = x - 0.2 * wide / ASPECT, round(0.3 * wide / ASPECT, 4)
        spots[f"machine/{number}/items"] = Spot(round(left, 4), round(0.5 - card * 1.06, 4), step)
        spots[f"machine/{number}/garments"] = Spot(
            round(left, 4), round(0.5 + card * 1.06, 4), step
        )
    spots["actions"] = _middle(rng, 0.5 - 2.1 * apart, 0.5, 0.003)
    spots["discard"] = _middle(rng, 0.5 + 2.0 * apart, 0.4, 0.003)
    free = next(side for side in ("top", "right") if side not in {seat.side for seat in seats})
    line = Seat(free)
    step = wide * 0.98 if free == "top" else wide * 0.45
    spots["clothesline"] = line.spot(0.12, card * 0.6, step)
    for number, seat in enumerate(seats, 1):
        spots |= _laundry_seat(number, seat, card)
    return spots


def _laundry_seat(number: int, seat: Seat, card: float) -> dict[str, Spot]:
    wide, name = card * CARD_WIDTH, f"seat/{number}"
    if seat.length == ASPECT:
        spots = {f"{name}/garments": seat.spot(0.2, card * 0.6, wide * 0.98)}
        begin, deep, apart = 0.64, card * 0.6, wide * 1.1 / ASPECT
    else:
        spots = {f"{name}/garments": seat.spot(0.3, card * 0.6, wide * 0.36)}
        begin, deep, apart = 0.36, card * 1.75, wide * 1.3
    for k, part in enumerate(("hand-wash/items", "hand-wash", "hand-wash/garments")):
        spots[f"{name}/{part}"] = seat.spot(begin + k * apart, deep, 0.1 * wide)
    return spots
