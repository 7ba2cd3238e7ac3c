"""Simple layouts for tests of the scene: piles, and fixed areas of the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.layout import SIDES, Area, Side
from vision import geometry
from vision.scene.layout import Layout, Spot
from vision.scene.table import Card, Table
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class Piles:
    """A pile is born where a card lands away from all others, with the next number.

    `near`: in card lengths, from centre to centre; `share`: the part of the card that overlaps.
    Numbers are not used again.
    """

    near: float = 0.6
    share: float = 0.08
    turns: bool = False
    only_taken: tuple[str, ...] = ()
    drawn_from: str | None = None
    lone_faces: frozenset[str] = frozenset()
    homes: Mapping[str, str] = field(default_factory=dict)
    in_turn: bool = False

    def are_sides(self, face: str, other: str) -> bool:
        """No card is turned over."""
        return False

    def laid(self, place: str, number: int, quad: geometry.Quad, side: str | None = None) -> None:
        """The table itself tells what lies where."""

    def misfit(self, quad: geometry.Quad, size: tuple[int, int]) -> float | None:
        """The table's plane is not known."""
        return None

    def refine(self, size: tuple[int, int]) -> None:
        """Nothing to do."""

    def owner(self, place: str | None) -> int | None:
        """Anybody lays cards anywhere."""
        return None

    def is_playing(self) -> bool:
        """What lies at first is told as any card."""
        return False

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
    only_taken: tuple[str, ...] = ()
    drawn_from: str | None = None
    lone_faces: frozenset[str] = frozenset()
    homes: Mapping[str, str] = field(default_factory=dict)
    in_turn: bool = False
    sides: frozenset[str] | None = None

    def are_sides(self, face: str, other: str) -> bool:
        """Whether both are `sides`; without these, any two faces."""
        return self.turns and (self.sides is None or {face, other} <= self.sides)

    def laid(self, place: str, number: int, quad: geometry.Quad, side: str | None = None) -> None:
        """The table itself tells what lies where."""

    def misfit(self, quad: geometry.Quad, size: tuple[int, int]) -> float | None:
        """The table's plane is not known."""
        return None

    def refine(self, size: tuple[int, int]) -> None:
        """Nothing to do."""

    def owner(self, place: str | None) -> int | None:
        """Anybody lays cards anywhere."""
        return None

    def is_playing(self) -> bool:
        """What lies at first is told as any card."""
        return False

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


def layout_for(
    game: str,
    seats: Sequence[str],
    homography: npt.NDArray[np.float64] | None = None,
    size_mm: tuple[float, float] | None = None,
) -> Layout:
    """The layout of a game. `homography` (3, 3) px → mm needs `size_mm`, the table's size from
    its top-left corner as pictured; without both, places are parts of the picture.

    Raises FairdealError for a side that is none.
    """
    for side in seats:
        if side not in SIDES:
            raise FairdealError(f"sides out of {', '.join(SIDES)}", f"{side!r}", "mend --seats")
    layout = game_named(game).layout
    if not layout.strips and not layout.middles:
        return Piles()
    across, down = size_mm if homography is not None and size_mm is not None else (1.0, 1.0)
    areas = tuple(
        Area(area.place, tuple((x * across, y * down) for x, y in area.polygon))
        for area in layout.areas([Side(side) for side in seats])
    )
    return Areas(areas, homography, layout.sides is not None)
