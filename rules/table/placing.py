"""What the grammars of all games share: distances between cards, and before which seat one lies.

Lengths are in millimetres or, where named so, in widths or lengths of a card.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, erf, exp, hypot, radians, sin, sqrt

from rules.table.layout import LandedCard, LyingCard, Pose, Side, Spot, Tabletop

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Distances at which grammars decide. Larger values join more cards to the same place."""

    chain_gap: float = 0.45  # card widths between two cards of one row, fan or column
    turned_gap: float = 0.1  # the same for a card that does not face the row's player
    pile_gap: float = 0.2  # card widths between two cards of one pile
    pile_near: float = 0.6  # card lengths between the centres of two cards of one pile
    pile_share: float = 0.08  # part of a card that overlaps a pile
    covered_share: float = 0.2  # part of a card that lies on the card it half covers
    back_again: float = 0.8  # card lengths to where an empty place was
    middle: float = 0.62  # depth of a seat's part of the table; 1 is half the shorter side
    middle_taken: float = 0.9  # the same once the pile in the middle lies elsewhere
    turned_from: float = 35.0  # degrees; a card turned further faces the seat less
    turned_to: float = 80.0  # degrees; from here on it does not face the seat at all
    turned_cost: float = 0.5  # depth that a card costs that does not face the seat
    hand_cost: float = 0.12  # depth that a hand from this side gains, from another side costs
    depth_scale: float = 0.06  # depth; a lead of 3.2 of it is 0.98 sure
    gap_scale: float = 0.06  # card widths; the same for gaps
    side_scale: float = 0.25  # card widths; the same beside a wash, and between two rows
    side_sigma: float = 0.33  # card widths; deviation of a seat's middle from its piles'


LIMITS = Thresholds()


def sureness(lead: float, scale: float) -> float:
    """How sure a choice is that leads the next one by `lead` >= 0: from 0.5 towards 1."""
    return 1.0 - 0.5 * exp(-max(lead, 0.0) / scale)


def side_sureness(lead: float) -> float:
    """How sure it is on which side of a seat's middle a pile belongs that lies `lead` card widths
    beyond it: the error has the tail of a normal distribution (docs/experiments.md)."""
    return 0.5 * (1.0 + erf(max(lead, 0.0) / (LIMITS.side_sigma * sqrt(2.0))))


def corners(pose: Pose, size: tuple[float, float]) -> list[Point]:
    """The card's corners (mm), clockwise from the upright face's top left one."""
    c, s = cos(radians(pose.degrees)), sin(radians(pose.degrees))
    half = size[0] / 2, size[1] / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [
        (
            pose.x + c * i * half[0] - s * j * half[1],
            pose.y + s * i * half[0] + c * j * half[1],
        )
        for i, j in signs
    ]


def share(a: Pose, b: Pose, size: tuple[float, float]) -> float:
    """The part of card `a` that card `b` covers, 0 to 1 (Sutherland and Hodgman's clipping)."""
    if hypot(a.x - b.x, a.y - b.y) >= hypot(*size):
        return 0.0
    polygon = corners(a, size)
    clip = corners(b, size)
    for begin, end in zip(clip, clip[1:] + clip[:1], strict=True):
        polygon = _clipped(polygon, begin, end)
        if not polygon:
            return 0.0
    area = sum(
        p[0] * q[1] - q[0] * p[1] for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True)
    )
    return min(1.0, abs(area) / 2 / (size[0] * size[1]))


def _clipped(polygon: list[Point], begin: Point, end: Point) -> list[Point]:
    """The part of a polygon to the right of a line, as seen with y down."""
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    sides = [dx * (y - begin[1]) - dy * (x - begin[0]) for x, y in polygon]
    kept: list[Point] = []
    for i, (point, side) in enumerate(zip(polygon, sides, strict=True)):
        before, side_before = polygon[i - 1], sides[i - 1]
        if (side >= 0) != (side_before >= 0):
            part = side_before / (side_before - side)
            x = before[0] + part * (point[0] - before[0])
            kept.append((x, before[1] + part * (point[1] - before[1])))
        if side >= 0:
            kept.append(point)
    return kept


def gap(a: Pose, b: Pose, size: tuple[float, float]) -> float:
    """The distance (mm) between two cards; below 0 where they overlap: minus the shared part in
    widths of a card."""
    shared = share(a, b, size)
    if shared > 0:
        return -shared * size[0]
    p, q = corners(a, size), corners(b, size)
    return min(_to_outline(p, q), _to_outline(q, p))


def _to_outline(points: list[Point], outline: list[Point]) -> float:
    edges = list(zip(outline, outline[1:] + outline[:1], strict=True))
    return min(_to_edge(point, *edge) for point in points for edge in edges)


def _to_edge(point: Point, begin: Point, end: Point) -> float:
    dx, dy = end[0] - begin[0], end[1] - begin[1]
    along = ((point[0] - begin[0]) * dx + (point[1] - begin[1]) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - begin[0] - along * dx, point[1] - begin[1] - along * dy)


def apart(a: Pose, b: Pose) -> float:
    """The distance (mm) between two centres."""
    return hypot(a.x - b.x, a.y - b.y)


def turned(card: LandedCard, degrees: float) -> float:
    """How far a card is turned from a direction, 0 to 180. One whose face is not known may lie
    upside down as well: 0 to 90."""
    off = abs((card.pose.degrees - degrees + 180) % 360 - 180)
    return min(off, 180 - off) if card.face in ("unknown", "back") else off


def local(pose: Pose, origin: Pose) -> Point:
    """A card's centre as seen from another card: (to the right, downwards), in mm."""
    dx, dy = pose.x - origin.x, pose.y - origin.y
    c, s = cos(radians(origin.degrees)), sin(radians(origin.degrees))
    return c * dx + s * dy, -s * dx + c * dy


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest card of a place, and its gap (mm, below 0 where they overlap)."""

    place: str
    gap: float
    card: LyingCard


def nearest(tabletop: Tabletop, card: LandedCard) -> list[Near]:
    """For every place with cards its nearest one, the nearest place first.

    The gap of cards that lie more than a diagonal apart is a lower bound.
    """
    best: dict[str, Near] = {}
    diagonal = hypot(*tabletop.card_mm)
    for lying in tabletop.cards:
        if lying.place is None:
            continue
        found = apart(card.pose, lying.pose) - diagonal
        if found < diagonal:
            found = gap(card.pose, lying.pose, tabletop.card_mm)
        # Of two cards alike the upper one counts.
        if lying.place not in best or found <= best[lying.place].gap:
            best[lying.place] = Near(lying.place, found, lying)
    return sorted(best.values(), key=lambda near: near.gap)


def lead_of(near: list[Near], place: str, limit: float, width: float) -> float:
    """How sure it is that a card belongs to this near place: by the limit and the next place."""
    mine = next(n.gap for n in near if n.place == place)
    others = [n.gap for n in near if n.place != place]
    lead = min(limit * width - mine, min(others, default=9 * width) - mine)
    return sureness(lead / width, LIMITS.gap_scale)


def joined(near: list[Near], limit: float, width: float) -> Spot:
    """The nearest place; if not there, the card lies at the next one within the limit."""
    first, *others = near
    sure = lead_of(near, first.place, limit, width)
    is_near = bool(others) and others[0].gap <= limit * width
    return Spot(first.place, sure, other=others[0].place if is_near else None)


def seats_cost(tabletop: Tabletop, card: LandedCard) -> dict[int, float]:
    """What it costs to say that a card lies before a seat: its depth, direction and hand."""
    costs = {}
    for seat, side in enumerate(tabletop.sides, 1):
        cost = depth(tabletop, card.pose, side) + _beside(tabletop, card.pose, seat)
        off = turned(card, side.degrees) - LIMITS.turned_from
        cost += LIMITS.turned_cost * min(
            1.0, max(0.0, off / (LIMITS.turned_to - LIMITS.turned_from))
        )
        if card.side is not None:
            cost += -LIMITS.hand_cost if card.side == side else LIMITS.hand_cost
        costs[seat] = cost
    return costs


def depth(tabletop: Tabletop, pose: Pose, side: Side) -> float:
    """How far from a side; 1 is half the shorter side of the table."""
    extent = tabletop.extent
    far = {
        Side.BOTTOM: extent.bottom - pose.y,
        Side.TOP: pose.y - extent.top,
        Side.LEFT: pose.x - extent.left,
        Side.RIGHT: extent.right - pose.x,
    }[side]
    return 2 * far / min(extent.width, extent.height)


def along(tabletop: Tabletop, pose: Pose, seat: int) -> float:
    """How far (mm) to the right of the middle of a seat's part of its side, as its player sees."""
    side, extent = tabletop.sides[seat - 1], tabletop.extent
    x, y = pose.x - extent.left, pose.y - extent.top
    at, length = {
        Side.BOTTOM: (x, extent.width),
        Side.TOP: (extent.width - x, extent.width),
        Side.LEFT: (y, extent.height),
        Side.RIGHT: (extent.height - y, extent.height),
    }[side]
    sharing = tabletop.sides.count(side)
    before = tabletop.sides[: seat - 1].count(side)
    # Clockwise around the table is from right to left as the players of a side see it.
    return at - length * (sharing - before - 0.5) / sharing


def _beside(tabletop: Tabletop, pose: Pose, seat: int) -> float:
    """What a card costs that lies in the neighbour's part of a shared side."""
    side, extent = tabletop.sides[seat - 1], tabletop.extent
    sharing = tabletop.sides.count(side)
    if sharing == 1:
        return 0.0
    length = extent.width if side in (Side.BOTTOM, Side.TOP) else extent.height
    over = abs(along(tabletop, pose, seat)) - length / sharing / 2
    return max(0.0, 2 * over / min(extent.width, extent.height))


def seat_of(
    tabletop: Tabletop, card: LandedCard, middle: float = LIMITS.middle
) -> tuple[int | None, float]:
    """Before which seat a card lies on bare table, None for the middle; and how sure that is."""
    ranked = sorted(
        (
            _cost_near_the_side(cost, depth(tabletop, card.pose, tabletop.sides[seat - 1]), middle),
            seat,
        )
        for seat, cost in seats_cost(tabletop, card).items()
    )
    near, seat = ranked[0]
    lead = ranked[1][0] - near if len(ranked) > 1 else math.inf
    if near >= middle:
        return None, sureness(near - middle, LIMITS.depth_scale)
    return seat, sureness(min(lead, middle - near), LIMITS.depth_scale)


def _cost_near_the_side(cost: float, far: float, middle: float) -> float:
    """The cost of a seat. Near a side a card lies before that seat, whoever laid it and whichever
    way it faces: both count less there."""
    share = min(1.0, max(far, 0.0) / middle) ** 2
    return far + share * (cost - far) if cost > far else cost


def where_it_was(
    tabletop: Tabletop, card: LandedCard, places: Iterable[str]
) -> tuple[str, float] | None:
    """The place out of these, empty now, at which a card lay here before, and how sure."""
    length = max(tabletop.card_mm)
    lying = {other.place for other in tabletop.cards}
    found = [
        (apart(card.pose, tabletop.known[place]) / length, place)
        for place in places
        if place in tabletop.known and place not in lying
    ]
    far, place = min(found, default=(9.0, ""))
    if far > LIMITS.back_again:
        return None
    return place, sureness(LIMITS.back_again - far, LIMITS.gap_scale)


def covered(tabletop: Tabletop, card: LandedCard, place: str | None) -> str | None:
    """The face at this place that lies most under the card, if enough is covered."""
    shares = [
        (share(card.pose, lying.pose, tabletop.card_mm), at)
        for at, lying in enumerate(tabletop.cards)
        if place is not None and lying.place == place
    ]
    most, at = max(shares, default=(0.0, 0))
    return tabletop.cards[at].face if most >= LIMITS.covered_share else None


def nowhere(sure: float = 1.0) -> Spot:
    """A card that lies at no place of the game."""
    return Spot(None, sure)
