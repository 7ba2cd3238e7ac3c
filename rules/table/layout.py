"""Where the places of a game lie: sides, default areas, and the grammar by which places are born.

Units: millimetres on the table as seen from above, x to the right and y down (towards the bottom
side). Degrees run clockwise as seen, from the x axis. All values are frozen.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Side(StrEnum):
    """A side of the table as pictured, in clockwise order."""

    BOTTOM = "bottom"
    LEFT = "left"
    TOP = "top"
    RIGHT = "right"

    @property
    def degrees(self) -> float:
        """The direction of a card that faces a player at this side (see `Pose`)."""
        return 90.0 * SIDES.index(self)


SIDES = tuple(Side)
# A seat's own strip is this part of the table deep.
STRIP_DEPTH = 0.28
PILE = "pile/"  # so begin the places that are born where cards land; all others have fixed names


def default_sides(players: int) -> tuple[Side, ...]:
    """The sides of seats 1 to N, clockwise. From five players on, two share a long side."""
    if players <= len(SIDES):
        return SIDES[:players]
    top = (Side.TOP,) * (players - 4)
    return (Side.BOTTOM, Side.BOTTOM, Side.LEFT, *top, Side.RIGHT)


@dataclass(frozen=True, slots=True)
class Pose:
    """A card on the table: its centre (mm) and its direction.

    `degrees`: where the upper edge of the face runs to, from its left corner to its right one,
    seen upright. 0 faces the bottom side, 90 the left side, 180 the top, 270 the right.
    """

    x: float
    y: float
    degrees: float = 0.0


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle of the table plane (mm)."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right (mm)."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom (mm)."""
        return self.bottom - self.top


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card that lies on the table. `place` None: at no place of the game."""

    number: int
    face: str
    place: str | None
    pose: Pose


@dataclass(frozen=True, slots=True)
class LandedCard:
    """A card that has just come to rest.

    `side`: where the hand came from, None if not seen. `came_from`: the place from which a card of
    this face was removed last, while none has come to rest since; None if there is none.
    """

    face: str
    pose: Pose
    side: Side | None = None
    came_from: str | None = None


@dataclass(frozen=True, slots=True)
class Tabletop:
    """What a grammar may know when a card lands.

    `cards`: those that lie now, in the order in which they were laid (bottom to top).
    `sides`: where seats 1 to N sit. `card_mm`: width and height of a card. `extent`: the part of
    the table in view. `is_playing`: whether `start` was pressed. `known`: every place that was
    ever used in this game with the pose of the card that was laid there last, empty places too.
    `laid_from`: of these places, the side of the hand that laid that card, where it was seen.
    """

    cards: tuple[LyingCard, ...]
    sides: tuple[Side, ...]
    card_mm: tuple[float, float]
    extent: Extent
    is_playing: bool = False
    known: Mapping[str, Pose] = field(default_factory=dict)
    laid_from: Mapping[str, Side] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spot:
    """The answer of a grammar: the card's place (None: none of the game's) and how sure (0 to 1).

    `on`: the face that the card half covers, if the game asks for it. `other`: where it lies if
    not there; None: at no place that is judged, or nobody knows. `renames`: a place and what it is
    called from now on, as this card tells it.
    """

    place: str | None
    sure: float = 1.0
    on: str | None = None
    other: str | None = None
    renames: tuple[str, str] | None = None


# Questions change nothing: the caller adds the card to `cards` and its place to `known`.
Grammar = Callable[[Tabletop, LandedCard], Spot]


@dataclass(frozen=True, slots=True)
class Area:
    """A named part of the table. `polygon`: corners (x, y), 0 to 1 from the top left corner."""

    place: str
    polygon: tuple[tuple[float, float], ...]


# From the left to the right, as parts of a strip; left, top, right, bottom, as parts of a box.
Span = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where a game's places lie.

    `strips`: places of every seat (without `seat/N/`) as parts of the strip before it, as its
    player sees it. `middles`: the other places as parts of the middle of the table. Both make the
    default areas, which a mat or a user may replace. `grammar`: tells the place of a card that
    lands on a table without areas; without a grammar the default areas decide. `sides`: whether
    two faces are those of one card, which may be turned over where it lies; None: no card is.
    `only_taken`: places, by the beginning of their names, that lie before the start and lose their
    top card now and then: no card is laid on them.
    `drawn_from`: the place whose top card a turn may take, and lay there again. `lone_faces`: faces
    of which there is one card; where it lies now, it lies nowhere else. `homes`: of such faces, the
    place where each lies before it is played. `in_turn`: whether it matters which of two cards at
    different places was laid first. `decided_at`: of places, by how their names end, the place
    whose cards decide what is right there. `owned`: places of a seat, by how their names end, on
    which hardly anybody else lays cards.
    """

    strips: Mapping[str, Span] = field(default_factory=dict)
    middles: Mapping[str, Box] = field(default_factory=dict)
    sides: Callable[[str, str], bool] | None = None
    grammar: Grammar | None = None
    only_taken: tuple[str, ...] = ()
    drawn_from: str | None = None
    lone_faces: frozenset[str] = frozenset()
    homes: Mapping[str, str] = field(default_factory=dict)
    in_turn: bool = True
    decided_at: Mapping[str, str] = field(default_factory=dict)
    owned: tuple[str, ...] = ()

    def owner(self, place: str | None) -> int | None:
        """The seat that lays nearly all cards at a place; None where others do as well."""
        if place is None or not place.startswith("seat/") or not place.endswith(self.owned):
            return None
        return int(place.split("/")[1])

    def find(self, tabletop: Tabletop, card: LandedCard) -> Spot:
        """The place of a card that lands on a table without a mat or areas drawn by hand."""
        if self.grammar is not None:
            return self.grammar(tabletop, card)
        extent = tabletop.extent
        x = (card.pose.x - extent.left) / extent.width
        y = (card.pose.y - extent.top) / extent.height
        return Spot(area_at(self.areas(tabletop.sides), x, y))

    def areas(self, sides: Sequence[Side]) -> tuple[Area, ...]:
        """The default areas with seats 1 to N at these sides."""
        areas = []
        for index, side in enumerate(sides):
            share, sharing = sides[:index].count(side), sides.count(side)
            for part, (left, right) in self.strips.items():
                # Clockwise around the table is from right to left as the players of a side see it.
                start = (sharing - 1 - share) / sharing
                span = (start + left / sharing, start + right / sharing)
                areas.append(Area(f"seat/{index + 1}/{part}", _strip(side, *span)))
        return (*areas, *(Area(place, _middle(box)) for place, box in self.middles.items()))


def area_at(areas: Sequence[Area], x: float, y: float) -> str | None:
    """The place of the first area that holds the point, 0 to 1; None where there is none."""
    return next((area.place for area in areas if _holds(area.polygon, x, y)), None)


def _middle(box: Box) -> tuple[tuple[float, float], ...]:
    size = 1 - 2 * STRIP_DEPTH
    left, top, right, bottom = (STRIP_DEPTH + size * at for at in box)
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _strip(side: Side, left: float, right: float) -> tuple[tuple[float, float], ...]:
    """A part of the strip at a side, from `left` to `right` as its player sees it."""
    if side in (Side.LEFT, Side.RIGHT):  # between the strips at the top and at the bottom
        left, right = (STRIP_DEPTH + (1 - 2 * STRIP_DEPTH) * at for at in (left, right))
    corners = ((left, STRIP_DEPTH), (right, STRIP_DEPTH), (right, 0.0), (left, 0.0))
    if side is Side.BOTTOM:
        return tuple((u, 1 - v) for u, v in corners)
    if side is Side.LEFT:
        return tuple((v, u) for u, v in corners)
    if side is Side.TOP:
        return tuple((1 - u, v) for u, v in corners)
    return tuple((1 - v, 1 - u) for u, v in corners)


def _holds(polygon: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    """Whether a point lies in a polygon: a ray to the right crosses its sides an odd time."""
    inside = False
    before_x, before_y = polygon[-1]
    for at_x, at_y in polygon:
        if (at_y > y) != (before_y > y):
            inside ^= x < at_x + (y - at_y) * (before_x - at_x) / (before_y - at_y)
        before_x, before_y = at_x, at_y
    return inside
