"""The places of a game in millimetres: its grammar asked for each card that lands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rules.table.layout import Extent, LandedCard, LyingCard, Pose, Side, Tabletop
from rules.table.layout import Layout as GameLayout
from vision import geometry
from vision.plane import Plane, TablePlane
from vision.scene.layout import Spot
from vision.scene.table import Card, Table
from vision.sightings import UNKNOWN

# A plane that is not calibrated is fitted again when so many cards have landed.
FITTED_AT = (2, 4, 8)
# A calibrated plane by which most cards are wrong in size by more than this share is not used.
MOVED = 0.3
# A card whose centre lies so near a place that people moved belongs to it, in card lengths.
MOVED_REACH = 0.6
REMEMBERED = 8  # cards of a place that were laid last

# Places that people moved: place → its centre, in parts of the picture's width and height.
MovedPlaces = Mapping[str, tuple[float, float]]


def _always() -> bool:
    return True


def _unmoved() -> MovedPlaces:
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class GamePlaces:
    """The layout of one game on one table.

    `sides`: where seats 1 to N sit; `card_mm`: width and height of the deck's cards; `tables`: the
    calibrated planes, one for each size of picture; without one, or where the cards contradict it,
    the plane is estimated from the lying cards. `is_playing`: whether `start` was pressed;
    `moved`: asked for each card. `used` (place → quad of the card laid there last) grows with each
    card laid, as `lately` does (place → its last cards: number, where they were laid, from which
    side).
    """

    layout: GameLayout
    sides: tuple[Side, ...]
    card_mm: tuple[float, float]
    tables: tuple[TablePlane, ...] = ()
    is_playing: Callable[[], bool] = _always
    moved: Callable[[], MovedPlaces] = _unmoved
    used: dict[str, geometry.Quad] = field(default_factory=dict)
    lately: dict[str, list[tuple[int, geometry.Quad, Side | None]]] = field(default_factory=dict)
    _landed: list[geometry.Quad] = field(default_factory=list)
    _fitted: list[Plane] = field(default_factory=list)

    @property
    def turns(self) -> bool:
        """Whether cards are turned over in this game."""
        return self.layout.sides is not None

    def are_sides(self, face: str, other: str) -> bool:
        """Whether two faces are those of one card."""
        return self.layout.sides is not None and self.layout.sides(face, other)

    @property
    def drawn_from(self) -> str | None:
        """The place whose top card a turn may take and lay again."""
        return self.layout.drawn_from

    @property
    def only_taken(self) -> tuple[str, ...]:
        """How the names of places begin on which no card is laid while the game runs."""
        return self.layout.only_taken if self.is_playing() else ()

    @property
    def lone_faces(self) -> frozenset[str]:
        """Faces of which there is one card."""
        return self.layout.lone_faces

    @property
    def homes(self) -> Mapping[str, str]:
        """Of lone faces: the place where each lies before it is played."""
        return self.layout.homes

    @property
    def in_turn(self) -> bool:
        """Whether it matters which of two cards at different places was laid first."""
        return self.layout.in_turn

    def owner(self, place: str | None) -> int | None:
        """The seat that lays nearly all cards at a place; None where others do as well."""
        return self.layout.owner(place)

    def laid(self, place: str, number: int, quad: geometry.Quad, side: str | None = None) -> None:
        """The card `number` was laid at a place, by a hand from a side of the picture, if seen."""
        self.used[place] = quad
        here = (number, quad, None if side is None else Side(side))
        self.lately[place] = [*self.lately.get(place, ()), here][-REMEMBERED:]
        self._landed.append(quad)

    def rename(self, old: str, new: str) -> None:
        """A place is called otherwise from now on."""
        if old in self.used:
            self.used[new] = self.used.pop(old)
        if old in self.lately:
            self.lately[new] = self.lately.pop(old)

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The place that the game's grammar finds for a card at `quad` (4, 2) px, upright."""
        table_plane = self._calibrated(size, quad)
        plane = self._estimated(quad) if table_plane is None else table_plane.plane
        extent = _extent(plane, size) if table_plane is None else Extent(0, 0, *table_plane.size_mm)
        tabletop = Tabletop(
            tuple(
                LyingCard(card.number, card.face, card.place, _pose(plane, card.quad))
                for card in table.cards
            ),
            self.sides, self.card_mm, extent, self.is_playing(),
            self._known(plane), self._laid_from(table),
        )  # fmt: skip
        landed = LandedCard(face, _pose(plane, quad), Side(side) if side else None, came_from)
        found = self.layout.find(tabletop, landed)
        if face == UNKNOWN and side is None and found.place not in {c.place for c in table.cards}:
            found = replace(found, place=None)  # a thing that lies there, as likely as a card
        there = self._moved_to(plane, quad, size)
        if there is not None:
            found = replace(found, place=there, sure=1.0, other=None)
        return Spot(found.place, table.born, found.sure, found.on, found.other, found.renames)

    def seen(self, size: tuple[int, int]) -> TablePlane | Plane | None:
        """The calibrated table of such pictures, else the fitted plane; None before a fit."""
        return self._calibrated(size) or (self._fitted[-1] if self._fitted else None)

    def misfit(self, quad: geometry.Quad, size: tuple[int, int]) -> float | None:
        """By how much the sides of an upright quad (4, 2) px differ from a card's on this table, at
        most, as a logarithm; None where the table's plane is not known."""
        found = self.seen(size)
        if found is None:
            return None
        plane = found.plane if isinstance(found, TablePlane) else found
        corners = plane.to_mm(quad)
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
        return float(np.abs(np.log(np.maximum(sides, 1e-6) / np.tile(self.card_mm, 2))).max())

    def _laid_from(self, table: Table) -> dict[str, Side]:
        """The side from which the top card of each place was laid, where that is known. The last
        one that was laid may have been taken back. A card that was laid bare has a number of its
        own: it was laid where it lies."""
        found = {}
        for place, laid in self.lately.items():
            top = next((card for card in reversed(table.cards) if card.place == place), None)
            _, _, side = laid[-1] if top is None else max(reversed(laid), key=_likeness(top))
            if side is not None:
                found[place] = side
        return found

    def _moved_to(self, plane: Plane, quad: geometry.Quad, size: tuple[int, int]) -> str | None:
        """The nearest place that people moved to where this card lies."""
        centre = plane.to_mm(np.mean(quad, axis=0))
        gaps = [
            (float(np.linalg.norm(plane.to_mm(np.multiply(at, size)) - centre)), place)
            for place, at in self.moved().items()
        ]
        gap, place = min(gaps, default=(np.inf, None))
        return place if gap <= MOVED_REACH * max(self.card_mm) else None

    def _known(self, plane: Plane) -> Mapping[str, Pose]:
        return {place: _pose(plane, quad) for place, quad in self.used.items()}

    def refine(self, size: tuple[int, int]) -> None:
        """Fits the plane to the cards that have landed, if enough came since the last fit.

        For a moment when nothing moves: a fit takes some 0.15 s.
        """
        is_due = len(self._fitted) < sum(len(self._landed) >= count for count in FITTED_AT)
        if not is_due or self._calibrated(size) is not None:
            return
        quads = np.stack(self._landed[-FITTED_AT[-1] :])
        try:
            self._fitted.append(Plane.from_cards(quads, self.card_mm, size))
        except ValueError:  # no outline is a card's
            self._fitted.append(_straight_down(self._landed, self.card_mm))

    def _calibrated(self, size: tuple[int, int], *more: geometry.Quad) -> TablePlane | None:
        """The calibrated table for pictures of this size, unless most cards contradict it: the
        camera or the mat was moved since."""
        table = next((table for table in self.tables if table.picture == size), None)
        quads = [*self._landed[-FITTED_AT[-1] :], *more]
        if table is None or not quads:
            return table
        fits = table.plane.have_card_size(np.stack(quads), self.card_mm, MOVED)
        return table if fits.mean() >= 0.5 else None

    def _estimated(self, quad: geometry.Quad) -> Plane:
        """The fitted plane; before the first fit the camera is taken to look straight down."""
        if self._fitted:
            return self._fitted[-1]
        return _straight_down([*self._landed, quad], self.card_mm)


def _likeness(card: Card) -> Callable[[tuple[int, geometry.Quad, Side | None]], float]:
    """How well a card that was laid is this one: by its number (2), else by its place (IoU)."""
    return lambda one: 2.0 if one[0] == card.number else geometry.iou(one[1], card.quad)


def _straight_down(quads: Sequence[geometry.Quad], card_mm: tuple[float, float]) -> Plane:
    """The plane of a camera that looks straight down, by the size of the cards."""
    usual = float(np.median([geometry.length(quad) for quad in quads]))
    scale = max(card_mm) / max(usual, 1.0)
    return Plane.of(np.diag([scale, scale, 1.0]))


def _pose(plane: Plane, quad: geometry.Quad) -> Pose:
    x, y, direction = plane.poses_mm(quad[None])[0]
    return Pose(float(x), float(y), float(np.degrees(direction)))


def _extent(plane: Plane, size: tuple[int, int]) -> Extent:
    """The table in view: from the middle of one side of the picture to that of the opposite side.

    The corners of a tilted picture lie far off the table.
    """
    width, height = size
    middles = [[0, height / 2], [width, height / 2], [width / 2, 0], [width / 2, height]]
    left, right, top, bottom = plane.to_mm(np.array(middles))
    return Extent(float(left[0]), float(top[1]), float(right[0]), float(bottom[1]))
