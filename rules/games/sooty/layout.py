"""Where Sooty's sets and its discard pile lie.

A set is a chain of cards, a row, a fan or a column, each near or on another one. The first chain
before a seat is its set 1, the next one apart its set 2. A set that has gone keeps its name for a
chain at its place.
"""

from collections import Counter
from dataclasses import replace
from math import cos, radians, sin

from rules.games.sooty.state import DUST, INDEX, WAND, owner_of
from rules.table.layout import LandedCard, Layout, Pose, Spot, Tabletop
from rules.table.placing import (
    LIMITS,
    Near,
    covered,
    lead_of,
    local,
    nearest,
    nowhere,
    seat_of,
    share,
    turned,
    where_it_was,
)
from rules.table.rows import of_two_rows

PLACES_TEXT = "seat/N/set/1, seat/N/set/2, discard"
_HALF_COVERS = frozenset({DUST, WAND})
_THIRD_SET = 0.6  # sure; both sets lie, and the card is near neither
_POINTS = 12  # along a side of a card, that tell what it covers
_SECOND_DISCARD = 0.9  # sure; a card in the middle, apart from the discard pile


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    return place == "discard" or INDEX.get(place, 99) < 2 * players


def find(tabletop: Tabletop, card: LandedCard) -> Spot:
    """The chain or pile that the card joins; else a set is born before a seat."""
    width = min(tabletop.card_mm)
    near = [n for n in nearest(tabletop, card) if n.gap <= _reach(tabletop, card, n) * width]
    if near:
        spot = _joined(tabletop, card, near)
        if card.face in _HALF_COVERS and spot.place is not None:
            return replace(spot, on=_laid_on(tabletop, card, spot.place))
        return spot
    if card.face == "back":
        return nowhere()
    again = where_it_was(tabletop, card, ("discard",))
    if again is not None:
        return Spot(*again)
    lies = any(other.place == "discard" for other in tabletop.cards)
    seat, sure = seat_of(tabletop, card, LIMITS.middle_taken if lies else LIMITS.middle)
    if seat is None:
        return Spot("discard", min(sure, _SECOND_DISCARD) if lies else sure)
    lying = {other.place for other in tabletop.cards}
    sets = [f"seat/{seat}/set/{number}" for number in (1, 2)]
    free = [place for place in sets if place not in lying]
    again = where_it_was(tabletop, card, free)
    if again is not None:
        return Spot(again[0], min(sure, again[1]))
    if free:
        unused = [place for place in free if place not in tabletop.known]
        return Spot((unused or free)[0], sure)
    own = next(n.place for n in nearest(tabletop, card) if n.place in sets)
    return Spot(own, min(sure, _THIRD_SET))


def _joined(tabletop: Tabletop, card: LandedCard, near: list[Near]) -> Spot:
    """The nearest chain; of two sets that the card touches, the one that it continues."""
    place = near[0].place
    if len(near) > 1 and "discard" not in (place, near[1].place):
        return of_two_rows(tabletop, card, place, near[1].place)
    width = min(tabletop.card_mm)
    return Spot(place, lead_of(near, place, _reach(tabletop, card, near[0]), width))


def _laid_on(tabletop: Tabletop, card: LandedCard, place: str) -> str | None:
    """The face that an Oofle or wand is laid on.

    A wand lies on the Oofle that it covers, whatever else it covers: on that Oofle's suit card
    where several Oofles lie. Beside all of them it tells a suit card only if an Oofle lies on that
    one. An Oofle lies on a suit card of which it covers what shows; one that continues a fan beyond
    another Oofle tells no card.
    """
    dusts = [other for other in tabletop.cards if (other.place, other.face) == (place, DUST)]
    over = [share(card.pose, dust.pose, tabletop.card_mm) for dust in dusts]
    if card.face != WAND:
        return _shows_under(tabletop, card, place) if dusts else covered(tabletop, card, place)
    suits = tuple(other for other in tabletop.cards if other.face not in _HALF_COVERS)
    oofled = [
        covered(replace(tabletop, cards=suits), LandedCard(DUST, dust.pose), place)
        for dust in dusts
    ]
    if max(over, default=0.0) < LIMITS.covered_share:
        suit = covered(tabletop, card, place)
        return suit if suit in oofled or not dusts else None
    return DUST if len(dusts) == 1 else oofled[over.index(max(over))]


def _shows_under(tabletop: Tabletop, card: LandedCard, place: str) -> str | None:
    """The suit card at this place of which the card covers most that shows, if it is enough."""
    lying = [other for other in tabletop.cards if other.place == place]
    points = _points(card.pose, tabletop.card_mm)
    shown: Counter[int] = Counter()
    for point in points:
        over = [n for n, other in enumerate(lying) if _is_on(point, other.pose, tabletop.card_mm)]
        shown.update(over[-1:])
    suits = [(count, n) for n, count in shown.items() if lying[n].face not in _HALF_COVERS]
    most, at = max(suits, default=(0, 0))
    return lying[at].face if most >= LIMITS.covered_share * len(points) else None


def _points(pose: Pose, size: tuple[float, float]) -> list[Pose]:
    """Points all over a card."""
    c, s = cos(radians(pose.degrees)), sin(radians(pose.degrees))
    steps = [(k + 0.5) / _POINTS - 0.5 for k in range(_POINTS)]
    inside = [(x * size[0], y * size[1]) for x in steps for y in steps]
    return [Pose(pose.x + c * x - s * y, pose.y + s * x + c * y, 0.0) for x, y in inside]


def _is_on(point: Pose, pose: Pose, size: tuple[float, float]) -> bool:
    right, down = local(point, pose)
    return abs(right) <= size[0] / 2 and abs(down) <= size[1] / 2


def _reach(tabletop: Tabletop, card: LandedCard, near: Near) -> float:
    """The widest gap, in card widths, over which a card joins a place."""
    if near.place == "discard":
        return LIMITS.pile_gap
    facing = tabletop.sides[owner_of(near.place) - 1].degrees
    if card.face not in _HALF_COVERS and turned(card, facing) > LIMITS.turned_to:
        return LIMITS.turned_gap
    return LIMITS.chain_gap


LAYOUT = Layout(
    strips={"set/1": (0.0, 0.5), "set/2": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
    grammar=find,
    drawn_from="discard",
)
