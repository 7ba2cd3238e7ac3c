"""The places of a game in millimetres: its grammar asked for each card that lands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rules.layout import Extent, LandedCard, LyingCard, Pose, Side, Tabletop
from rules.layout import Layout as GameLayout
from vision import geometry
from vision.plane import Plane
from vision.scene.layout import Spot
from vision.scene.table import Table
from vision.sightings import UNKNOWN

# A plane that is not calibrated is fitted again when so many cards have landed.
FITTED_AT = (2, 4, 8)


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True, eq=False)
class GamePlaces:
    """The layout of one game on one table.

    `sides`: where seats 1 to N sit; `card_mm`: width and height of the deck's cards; `plane`: the
    calibrated plane, None: estimated from the lying cards; `is_playing`: whether `start` was
    pressed. `used` (place → quad of the card laid there last) grows with each card laid.
    """

    layout: GameLayout
    sides: tuple[Side, ...]
    card_mm: tuple[float, float]
    plane: Plane | None = None
    is_playing: Callable[[], bool] = _always
    used: dict[str, geometry.Quad] = field(default_factory=dict)
    _landed: list[geometry.Quad] = field(default_factory=list)
    _fitted: list[Plane] = field(default_factory=list)

    @property
    def turns(self) -> bool:
        """Whether cards are turned over in this game."""
        return self.layout.cards_turn

    @property
    def half_covers(self) -> frozenset[str]:
        """Faces that are laid half over another card."""
        return self.layout.half_covers

    def laid(self, place: str, quad: geometry.Quad) -> None:
        """A card was laid at a place."""
        self.used[place] = quad
        self._landed.append(quad)

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The place that the game's grammar finds for a card at `quad` (4, 2) px, upright."""
        plane = self.plane or self._estimated(quad)
        tabletop = Tabletop(
            tuple(
                LyingCard(card.number, card.face, card.place, _pose(plane, card.quad))
                for card in table.cards
            ),
            self.sides, self.card_mm, _extent(plane, size), self.is_playing(),
            self._known(plane),
        )  # fmt: skip
        landed = LandedCard(face, _pose(plane, quad), Side(side) if side else None, came_from)
        found = self.layout.find(tabletop, landed)
        return Spot(found.place, table.born, found.sure, found.on)

    def _known(self, plane: Plane) -> Mapping[str, Pose]:
        return {place: _pose(plane, quad) for place, quad in self.used.items()}

    def refine(self, size: tuple[int, int]) -> None:
        """Fits the plane to the cards that have landed, if enough came since the last fit.

        For a moment when nothing moves: a fit takes some 0.15 s.
        """
        is_due = len(self._fitted) < sum(len(self._landed) >= count for count in FITTED_AT)
        if self.plane is not None or not is_due:
            return
        quads = np.stack(self._landed[-FITTED_AT[-1] :])
        try:
            self._fitted.append(Plane.from_cards(quads, self.card_mm, size))
        except ValueError:  # no outline is a card's
            self._fitted.append(_straight_down(self._landed, self.card_mm))

    def _estimated(self, quad: geometry.Quad) -> Plane:
        """The fitted plane; before the first fit the camera is taken to look straight down."""
        if self._fitted:
            return self._fitted[-1]
        return _straight_down([*self._landed, quad], self.card_mm)


def _straight_down(quads: Sequence[geometry.Quad], card_mm: tuple[float, float]) -> Plane:
    """The plane of a camera that looks straight down, by the size of the cards."""
    usual = float(np.median([geometry.length(quad) for quad in quads]))
    scale = max(card_mm) / max(usual, 1.0)
    return Plane.of(np.diag([scale, scale, 1.0]))


def _pose(plane: Plane, quad: geometry.Quad) -> Pose:
    x, y, direction = plane.poses_mm(quad[None])[0]
    return Pose(float(x), float(y), float(np.degrees(direction)))


def _extent(plane: Plane, size: tuple[int, int]) -> Extent:
    width, height = size
    corners = plane.to_mm(np.array([[0, 0], [width, 0], [width, height], [0, height]]))
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    return Extent(float(left), float(top), float(right), float(bottom))
