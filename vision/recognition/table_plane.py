"""The table's plane from the cards that are recognised on it: how large a card is at each place."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from vision.geometry import Quad, length
from vision.homography import Points, apply, rectangle
from vision.plane_fit import fit_cards


@dataclass(frozen=True, slots=True)
class PlaneLimits:
    """Counts, a weight 0..1 of `fit_cards`, and a share of a card's length."""

    candidates: int = 6  # of the surest cards, three that lie far apart are fitted
    fitted: int = 3  # cards; more take ten times as long
    weight: float = 0.3  # of each of them, else they lie on no common plane
    tries: int = 3  # to find three that do
    corner: float = 0.015  # standard deviation of a corner


LIMITS = PlaneLimits()


class TablePlane:
    """A plane on which lie cards of `aspect` (height / width)."""

    def __init__(self, to_table: Points, aspect: float) -> None:
        self._to_table, self._to_picture = to_table, np.linalg.inv(to_table)
        self._card = rectangle(1.0, aspect) - np.array([0.5, aspect / 2])

    @classmethod
    def of(cls, quads: list[Quad], aspect: float, size: tuple[int, int]) -> "TablePlane | None":
        """The plane of cards at `quads` (4, 2), surest first, in a picture of `size` (W, H). None
        without cards, and if they do not lie on one plane."""
        for some in _far_apart(quads)[: LIMITS.tries]:
            noise = LIMITS.corner * float(np.median([length(quad) for quad in some]))
            fit = fit_cards(np.array(some), (1.0, aspect), size, noise_px=noise)
            if fit.weights.min() >= LIMITS.weight:
                return cls(fit.homography, aspect)
        return None

    def card_at(self, middle: Points) -> Quad:
        """The corners (4, 2) of a card around a place (2,) of the picture, px."""
        place = apply(self._to_table, middle)
        return np.asarray(apply(self._to_picture, self._card + place), np.float32)


def _far_apart(quads: list[Quad]) -> list[tuple[Quad, ...]]:
    """The surest quads, three at a time if there are more, first those that lie farthest apart:
    they tell the slope best."""
    surest = quads[: LIMITS.candidates]

    def nearest(some: tuple[Quad, ...]) -> float:
        pairs = combinations([quad.mean(0) for quad in some], 2)
        return min((float(np.linalg.norm(a - b)) for a, b in pairs), default=0.0)

    groups = combinations(surest, min(LIMITS.fitted, len(surest))) if surest else ()
    return sorted(groups, key=nearest, reverse=True)
