"""Where on the table a card lies: piles that are born where cards land, or named areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rules.layout import Area
from vision import geometry
from vision.scene.table import Card, Table
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for one card and how sure it is (0 to 1).

    `born`: how many piles were born with it, all in all; `on`: the face that the card half covers.
    """

    place: str | None
    born: int = 0
    sure: float = 1.0
    on: str | None = None


class Layout(Protocol):
    """Finds the place of a card that has come to rest."""

    @property
    def turns(self) -> bool:
        """Whether cards are turned over in this game (another face at the very same place)."""

    @property
    def half_covers(self) -> frozenset[str]:
        """Faces that are laid half over another card, whose face their event names."""

    def laid(self, place: str, quad: geometry.Quad) -> None:
        """A card was laid at a place, where `spot` had found it."""

    def refine(self, size: tuple[int, int]) -> None:
        """Called while nothing moves: a moment for slow work."""

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The place of a card at `quad` (4, 2) px, upright, in a picture of `size` (width, height).

        `face`: its name; `side`: the side of the picture from which the hand came; `came_from`: the
        place from which a card of this face was taken last.
        """


@dataclass(frozen=True, slots=True)
class Piles:
    """A pile is born where a card lands away from all others, with the next number.

    `near`: in card lengths, from centre to centre; `share`: the part of the card that overlaps.
    Numbers are not used again.
    """

    near: float = 0.6
    share: float = 0.08
    turns: bool = False
    half_covers: frozenset[str] = frozenset()

    def laid(self, place: str, quad: geometry.Quad) -> None:
        """The table itself tells what lies where."""

    def refine(self, size: tuple[int, int]) -> None:
        """Nothing to do."""

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The pile with which the card shares most, else a new one."""
        best, most = None, 0.0
        for card in table.cards:
            shared = self._shared(quad, card)
            if card.place is not None and shared >= max(most, 1e-6):
                best, most = card.place, shared
        if best is not None:
            return Spot(best, table.born)
        return Spot(f"pile/{table.born + 1}", table.born + 1)

    def _shared(self, quad: geometry.Quad, card: Card) -> float:
        other = card.quad
        apart = float(np.linalg.norm(geometry.centre(quad) - geometry.centre(other)))
        reach = geometry.length(other)
        if apart > 2.0 * reach:
            return 0.0
        overlap = geometry.overlap(quad, other)
        nearness = 1.0 - apart / (2.0 * reach)
        if overlap >= self.share or apart <= self.near * reach:
            return overlap + 0.1 * nearness
        return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """Named areas; the first that holds the card's centre is its place.

    `homography` (3, 3): picture px → the areas' units (mm); None: the areas are in fractions
    of the picture's width and height.
    """

    areas: tuple[Area, ...]
    homography: npt.NDArray[np.float64] | None = None
    turns: bool = False
    half_covers: frozenset[str] = field(default_factory=frozenset)

    def laid(self, place: str, quad: geometry.Quad) -> None:
        """The table itself tells what lies where."""

    def refine(self, size: tuple[int, int]) -> None:
        """Nothing to do."""

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The area that holds the card's centre; no place where there is none."""
        middle = geometry.centre(quad)
        if self.homography is None:
            point = np.array([middle[0] / size[0], middle[1] / size[1]], np.float32)
        else:
            point = geometry.mapped(middle, self.homography)
        for area in self.areas:
            if geometry.holds(area.polygon, point):
                return Spot(area.place, table.born)
        return Spot(None, table.born)


def covered_face(quad: geometry.Quad, place: str | None, table: Table) -> str | None:
    """The face that lies most under the card at its place, if it covers at least a fifth."""
    below: Sequence[Card] = () if place is None else table.at(place)
    shares = [(geometry.overlap(quad, card.quad), at) for at, card in enumerate(below)]
    # The one on top counts where two are covered alike.
    most, at = max(shares, default=(0.0, 0))
    return below[at].face if most >= 0.2 else None
