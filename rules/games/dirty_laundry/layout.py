"""Where Dirty Laundry's machines, clothesline, action cards and the seats' cards lie.

What lies at a machine or beside a hand wash is found first (`washes`). The faces tell action cards,
items and garments apart in the middle of the table.
"""

from rules.games.dirty_laundry.cards import (
    ACTION_PLACE,
    ACTIONS,
    CLOTHESLINE,
    DISCARD,
    FACES,
    ITEMS,
    MACHINES,
    are_sides,
)
from rules.games.dirty_laundry.washes import (
    MACHINE_PLACES,
    at_a_hand_wash,
    at_a_machine,
    is_hand_wash,
    is_machine,
)
from rules.table.layout import LandedCard, Layout, Pose, Side, Spot, Tabletop
from rules.table.placing import (
    LIMITS,
    depth,
    joined,
    local,
    nearest,
    nowhere,
    seat_of,
    share,
    sureness,
    where_it_was,
)

_ROWS = ("/items", "", "/garments")
_HAND_WASH = "hand-wash"
_MACHINES_APART = 1.7  # card widths, usually
# A card on a machine's or a hand wash's own card covers this part of it.
_ON_CARD = 0.4
# A hand wash card among the action cards covers this part of one.
_ON_PILE = 0.25
# Depth of a seat's part of the table: garments lie in several rows.
_SEAT_DEEP = 0.78
_HAND_WASH_DEEP = 1.1
# A garment from a wash that lies so far from its row, in card widths, hangs on the clothesline.
_OFF_THE_ROW = 0.8
_GUESS = 0.6  # sure
_ASIDE = 0.9  # sure; an item before a seat, face down or apart from the discard pile
_SHARED = (ACTION_PLACE, DISCARD, CLOTHESLINE)


def find(tabletop: Tabletop, card: LandedCard) -> Spot:
    """The machine, hand wash or row that the card joins; else its place by face and seat."""
    if card.face in MACHINES:
        return _machine(tabletop, card)
    on = None if card.face in ACTIONS else _on_a_card(tabletop, card)
    if on is not None:
        return on
    if card.face == _HAND_WASH:
        return _hand_wash(tabletop, card)
    if card.face in ACTIONS:
        return _action(tabletop, card)
    beside = at_a_machine(tabletop, card) or at_a_hand_wash(tabletop, card)
    if beside is not None:
        return beside
    joined = _joined(tabletop, card)
    if joined is not None:
        return joined
    seat, sure = seat_of(tabletop, card, _SEAT_DEEP)
    if seat is not None and card.face in FACES:
        return _before_a_seat(tabletop, card, seat, sure)
    if seat is not None and card.face in ITEMS:
        return _item_before_a_seat(tabletop, seat, sure)
    if seat is not None and _is_face_down_item(tabletop, card, seat):
        return Spot(f"seat/{seat}/hand-wash/items", min(sure, _ASIDE))
    return _in_the_middle(tabletop, card, sure)


def _machine(tabletop: Tabletop, card: LandedCard) -> Spot:
    """A machine's own card: the one that lies or lay here, else the next number."""
    width = min(tabletop.card_mm)
    near = [n for n in nearest(tabletop, card) if n.place in MACHINE_PLACES]
    if near and near[0].gap < 0:
        return joined(near, 0.0, width)
    again = where_it_was(tabletop, card, MACHINE_PLACES)
    if again is not None:
        return Spot(*again)
    free = [name for name in MACHINE_PLACES if name not in tabletop.known]
    if free:
        return Spot(min(free, key=lambda name: _disorder(tabletop, card, name)))
    lying = {other.place for other in tabletop.cards}
    left = [name for name in MACHINE_PLACES if name not in lying]
    return Spot(left[0], _GUESS) if left else nowhere(_GUESS)


def _disorder(tabletop: Tabletop, card: LandedCard, name: str) -> tuple[int, float]:
    """How badly this name fits: machines are numbered from left to right, the second one is in
    the middle of the table."""
    number, width = int(name[-1]), min(tabletop.card_mm)
    extent = tabletop.extent
    middle = Pose(
        (extent.left + extent.right) / 2, (extent.top + extent.bottom) / 2, card.pose.degrees
    )
    wrong = 0
    for other in (1, 2, 3):
        pose = tabletop.known.get(f"machine/{other}")
        if pose is not None:
            right, _ = local(card.pose, Pose(pose.x, pose.y, card.pose.degrees))
            wrong += (right > 0) != (number > other)
    right, _ = local(card.pose, middle)
    return wrong, abs(right / width / _MACHINES_APART - (number - 2))


def _on_a_card(tabletop: Tabletop, card: LandedCard) -> Spot | None:
    """A card that lies on a machine's or hand wash's own card: an unknown, or a wrong one."""
    for other in reversed(tabletop.cards):
        if not (is_machine(other) or is_hand_wash(other)) or other.place is None:
            continue
        shared = share(card.pose, other.pose, tabletop.card_mm)
        if shared >= _ON_CARD:
            return Spot(other.place, sureness(shared - _ON_CARD, LIMITS.gap_scale))
    return None


def _hand_wash(tabletop: Tabletop, card: LandedCard) -> Spot:
    """A hand wash card lies before its seat, or among the action cards."""
    width = min(tabletop.card_mm)
    near = [n for n in nearest(tabletop, card) if n.place in (ACTION_PLACE, DISCARD)]
    if near and near[0].gap <= -_ON_PILE * width:
        return Spot(near[0].place, sureness(-near[0].gap / width - _ON_PILE, LIMITS.side_scale))
    seat, sure = seat_of(tabletop, card, _HAND_WASH_DEEP)
    return _action(tabletop, card) if seat is None else Spot(f"seat/{seat}/hand-wash", sure)


def _action(tabletop: Tabletop, card: LandedCard) -> Spot:
    """Action cards are laid at one place and discarded at another."""
    near = [n for n in nearest(tabletop, card) if n.place in (ACTION_PLACE, DISCARD)]
    width = min(tabletop.card_mm)
    if near and near[0].gap <= LIMITS.chain_gap * width:
        return joined(near, LIMITS.chain_gap, width)
    again = where_it_was(tabletop, card, (ACTION_PLACE, DISCARD))
    if again is not None:
        return Spot(*again)
    return Spot(DISCARD if card.came_from == ACTION_PLACE else ACTION_PLACE)


def _joined(tabletop: Tabletop, card: LandedCard) -> Spot | None:
    """A row or pile near by that such a card may continue: no item hangs among garments."""
    width = min(tabletop.card_mm)
    rows = ("/garments", CLOTHESLINE) if card.face not in (*ITEMS, "back") else ()
    near = [
        n
        for n in nearest(tabletop, card)
        if n.place.endswith((*rows, ACTION_PLACE, DISCARD)) and not n.place.startswith("machine/")
    ]
    if not near or near[0].gap > LIMITS.chain_gap * width:
        return None
    return joined(near, LIMITS.chain_gap, width)


def _before_a_seat(tabletop: Tabletop, card: LandedCard, seat: int, sure: float) -> Spot:
    """A garment in front of a seat; apart from that seat's row, or nearer to a side at which nobody
    sits, it may begin the clothesline."""
    row = f"seat/{seat}/garments"
    far = depth(tabletop, card.pose, tabletop.sides[seat - 1])
    free = [depth(tabletop, card.pose, side) for side in Side if side not in tabletop.sides]
    if free and min(free) < far and CLOTHESLINE not in tabletop.known:
        return Spot(CLOTHESLINE, sureness(far - min(free), LIMITS.depth_scale), other=row)
    gaps = [n.gap for n in nearest(tabletop, card) if n.place == row]
    came = card.came_from or ""
    is_washed = came.startswith("machine/") or came.endswith("hand-wash/garments")
    if is_washed and gaps and gaps[0] > _OFF_THE_ROW * min(tabletop.card_mm):
        return Spot(CLOTHESLINE, sure * _GUESS, other=row)
    return Spot(row, sure)


def _item_before_a_seat(tabletop: Tabletop, seat: int, sure: float) -> Spot:
    """An item that shows its face goes with a hand wash that is not down, or is discarded."""
    sure = min(sure, _ASIDE if DISCARD in tabletop.known else _GUESS)
    return Spot(f"seat/{seat}/hand-wash/items", sure, other=DISCARD)


def _is_face_down_item(tabletop: Tabletop, card: LandedCard, seat: int) -> bool:
    """Whether a card face down is an item that a player lays before the own seat: nobody discards
    face down."""
    is_own = card.side is not None and card.side == tabletop.sides[seat - 1]
    return tabletop.is_playing and card.face == "back" and is_own


def _in_the_middle(tabletop: Tabletop, card: LandedCard, sure: float) -> Spot:
    if card.face in FACES:
        return Spot(CLOTHESLINE, sure)
    if card.face in ITEMS:
        return Spot(DISCARD, sure)
    if card.face != "unknown":
        return nowhere()
    near = [n for n in nearest(tabletop, card) if n.place in _SHARED]
    return Spot(near[0].place if near else ACTION_PLACE, _GUESS)


LAYOUT = Layout(
    strips={
        "garments": (0.0, 0.55),
        "hand-wash/items": (0.55, 0.7),
        "hand-wash": (0.7, 0.85),
        "hand-wash/garments": (0.85, 1.0),
    },
    middles={
        "discard": (0.0, 0.0, 0.15, 0.5),
        "actions": (0.0, 0.5, 0.15, 1.0),
        "clothesline": (0.75, 0.0, 1.0, 1.0),
        **{
            f"machine/{k + 1}{part}": (0.15 + 0.2 * k, row / 3, 0.35 + 0.2 * k, (row + 1) / 3)
            for k in range(3)
            for row, part in enumerate(_ROWS)
        },
    },
    sides=are_sides,
    grammar=find,
    lone_faces=frozenset(FACES),
    homes={card: f"seat/{face.owner}/garments" for card, face in FACES.items() if not face.ruined},
)
