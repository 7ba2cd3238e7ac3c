"""Which cards lie at a machine or beside a hand wash in Dirty Laundry.

A machine's own card says where the machine is. Items lie above it and garments below it, as the
card is read; beside a hand wash card the items lie above or to the left, the garment below or to
the right.
"""

from rules.games.dirty_laundry.cards import FACES, ITEMS
from rules.table.layout import LandedCard, LyingCard, Spot, Tabletop
from rules.table.placing import LIMITS, lead_of, local, nearest, sureness, turned
from rules.table.rows import of_two_rows

MACHINE_PLACES = ("machine/1", "machine/2", "machine/3")
# The rows of a machine, in card lengths from its centre along its own upright.
_ROW_FROM, _ROW_TO = 0.55, 1.9
# A card in a machine's row may lie so far beside it, in card widths.
_ROW_WIDE = 1.15
# What a place gains for a card of its own that the new one covers, and for one that is near.
_COVERS, _TOUCHES = 0.6, 0.25


def at_a_machine(tabletop: Tabletop, card: LandedCard) -> Spot | None:
    """The items or garments of the machine in whose row the card lies."""
    width, length = min(tabletop.card_mm), max(tabletop.card_mm)
    costs: list[tuple[float, str]] = []
    for machine in tabletop.cards:
        if not is_machine(machine):
            continue
        right, down = local(card.pose, machine.pose)
        if not _ROW_FROM <= abs(down) / length <= _ROW_TO:
            continue
        part = _part(card.face, down > 0)
        cost = abs(right) / width / 2 - _bonus(tabletop, card, f"{machine.place}/{part}")
        if cost <= _ROW_WIDE / 2:
            costs.append((cost, f"{machine.place}/{part}"))
    if not costs:
        return None
    costs.sort()
    place = costs[0][1]
    others = [each for each in costs if each[1] != place]
    other = others[0][1] if others else None
    if other and all(_bonus(tabletop, card, each) > 0.0 for each in (place, other)):
        return of_two_rows(tabletop, card, place, other)
    lead = min(_ROW_WIDE / 2, others[0][0] if others else 9.0) - costs[0][0]
    return Spot(place, sureness(lead, LIMITS.gap_scale), other=other)


def _part(face: str, below: bool) -> str:
    """Items above, garments below. Position decides, for a wrong card has to be seen."""
    return "garments" if below else "items"


def _bonus(tabletop: Tabletop, card: LandedCard, place: str) -> float:
    near = [n for n in nearest(tabletop, card) if n.place == place]
    if not near:
        return 0.0
    width = min(tabletop.card_mm)
    covers = max(0.0, -near[0].gap / width)
    return _COVERS * covers + (_TOUCHES if near[0].gap <= LIMITS.pile_gap * width else 0.0)


def at_a_hand_wash(tabletop: Tabletop, card: LandedCard) -> Spot | None:
    """The items or the garment beside a hand wash card."""
    width, length = min(tabletop.card_mm), max(tabletop.card_mm)
    for near in nearest(tabletop, card):
        bucket = next(
            (
                other
                for other in tabletop.cards
                if is_hand_wash(other)
                and near.place in (other.place, f"{other.place}/items", f"{other.place}/garments")
            ),
            None,
        )
        if near.gap > LIMITS.chain_gap * width:
            return None
        if bucket is None:
            if _continues_row(tabletop, card, near.place):
                return None
            continue
        if near.place != bucket.place:
            return Spot(near.place, lead_of([near], near.place, LIMITS.chain_gap, width))
        right, down = local(card.pose, bucket.pose)
        below = (right / width + down / length) > 0
        if card.face in FACES and not below:
            return None  # the row of the seat's own garments ends here
        part = "garments" if below and card.face not in (*ITEMS, "back") else "items"
        lead = abs(right / width + down / length)
        return Spot(f"{bucket.place}/{part}", sureness(lead, LIMITS.side_scale))
    return None


def _continues_row(tabletop: Tabletop, card: LandedCard, place: str) -> bool:
    """Whether a garment may belong to this row: it faces the row's seat."""
    if card.face not in FACES or not place.startswith("seat/"):
        return False
    side = tabletop.sides[int(place.split("/")[1]) - 1]
    return turned(card, side.degrees) <= LIMITS.turned_to


def is_machine(card: LyingCard) -> bool:
    """Whether it is a machine's own card."""
    return card.place in MACHINE_PLACES


def is_hand_wash(card: LyingCard) -> bool:
    """Whether it is a hand wash's own card."""
    return card.place is not None and card.place.endswith("/hand-wash")
