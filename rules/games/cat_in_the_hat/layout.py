"""Where the two piles of each seat and the discard pile lie.

A seat's piles lie left and right of each other as its player sees them. Of a single pile the
middle of the seat's side tells which one it is, and until the other one is born it is not sure.
That one may tell that the first has the wrong name.
"""

from dataclasses import replace

from rules.contract.game import seats
from rules.games.cat_in_the_hat.state import DISCARD, LETTERS
from rules.table.layout import LandedCard, Layout, Pose, Spot, Tabletop
from rules.table.placing import (
    LIMITS,
    along,
    depth,
    joined,
    nearest,
    nowhere,
    seat_of,
    side_sureness,
    where_it_was,
)

PLACES_TEXT = "seat/N/left, seat/N/right, discard"
# An early letter is more often begun on the left: card widths to the left for an A.
_LETTER = 0.3
# Left and right are told apart from this distance on, in card widths.
_APART = 0.5
_SECOND_DISCARD = 0.9  # sure; a card in the middle, apart from the discard pile
_BESIDE, _IN_LINE = 2.5, 0.4  # card widths, lengths: how far a seat's two piles lie apart
_BEFORE = 0.8  # sure; a card lies before a seat where an empty discard pile is said to be,
_NO_DISCARD = 0.9  # and it is no discard
_SURE = 0.993  # which pile a single one is, from which on the second one does not rename it
_RENAMED = 0.888  # that a single one has the other's name, from which on a card on it renames it
_EMPTIED = 0.95  # sure; a pile that was taken away is laid again elsewhere
_SWAPPED = 0.5  # sure; which pile is which is not known


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    if place == DISCARD:
        return True
    parts = place.split("/")
    if len(parts) != 3 or parts[0] != "seat" or parts[2] not in ("left", "right"):
        return False
    return parts[1] in seats(players)


def find(tabletop: Tabletop, card: LandedCard) -> Spot:
    """The pile on which the card lies; else a pile is born in the middle or before a seat."""
    width = min(tabletop.card_mm)
    near = nearest(tabletop, card)
    if near and near[0].gap <= LIMITS.pile_gap * width:
        spot = joined(near, LIMITS.pile_gap, width)
        named_right = _named_right(tabletop, near[0].place)
        if named_right <= 1.0 - _RENAMED:
            place = _other(near[0].place)
            spot = replace(spot, place=place, renames=(near[0].place, place))
            named_right = 1.0 - named_right
        return _perhaps_swapped(spot, named_right)
    if card.face == "back":
        return nowhere()
    again = where_it_was(tabletop, card, tabletop.known)
    # A card that was laid before another's seat and taken back may have been called a discard.
    was_discard = again is not None and again[0] == DISCARD
    is_elsewhere = DISCARD in tabletop.known and not was_discard
    middle = LIMITS.middle_taken if is_elsewhere else LIMITS.middle
    seat, sure = seat_of(tabletop, card, middle)
    if was_discard and seat is not None and sure >= _BEFORE:
        spot = _before_seat(tabletop, card, seat, min(sure, _NO_DISCARD))
        # There never was a discard pile: the next card in the middle begins it.
        renames = spot.renames or (DISCARD, str(spot.place))
        return replace(spot, other=spot.other if spot.renames else DISCARD, renames=renames)
    if again is not None:
        return _perhaps_swapped(Spot(*again), _named_right(tabletop, again[0]))
    beside = _seat_beside(tabletop, card) if seat is None else None
    if beside is not None:
        return replace(_before_seat(tabletop, card, beside, _NO_DISCARD), other=DISCARD)
    if seat is None:
        return Spot(DISCARD, min(sure, _SECOND_DISCARD) if DISCARD in tabletop.known else sure)
    return _before_seat(tabletop, card, seat, sure)


def _seat_beside(tabletop: Tabletop, card: LandedCard) -> int | None:
    """The seat whose pile lies beside the card, as far from its side, whoever laid the card."""
    width, length = min(tabletop.card_mm), max(tabletop.card_mm)
    half = min(tabletop.extent.width, tabletop.extent.height) / 2
    for other in tabletop.cards:
        if other.place is None or not other.place.startswith("seat/"):
            continue
        seat = int(other.place.split("/")[1])
        side = tabletop.sides[seat - 1]
        aside = along(tabletop, card.pose, seat) - along(tabletop, other.pose, seat)
        deeper = depth(tabletop, card.pose, side) - depth(tabletop, other.pose, side)
        if abs(aside) <= _BESIDE * width and abs(deeper) * half <= _IN_LINE * length:
            return seat
    return None


def _before_seat(tabletop: Tabletop, card: LandedCard, seat: int, sure: float) -> Spot:
    """The pile that is born before a seat."""
    renames = _renamed(tabletop, card, seat)
    if renames is not None:
        return Spot(renames[0], sure, renames=renames)
    name, which = _which_pile(tabletop, card, seat)
    return _perhaps_swapped(Spot(f"seat/{seat}/{name}", sure), which)


def _renamed(tabletop: Tabletop, card: LandedCard, seat: int) -> tuple[str, str] | None:
    """A seat's only pile and the name that it should have, if the second one is born on the wrong
    side of it, and it was never sure which one the first is."""
    piles = {name: _pose(tabletop, f"seat/{seat}/{name}") for name in ("left", "right")}
    known = {name: pose for name, pose in piles.items() if pose is not None}
    if len(known) != 1:
        return None
    ((name, pose),) = known.items()
    width = min(tabletop.card_mm)
    at = along(tabletop, pose, seat) / width
    beside = along(tabletop, card.pose, seat) / width - at
    is_wrong = (beside if name == "left" else -beside) <= -_APART
    if not is_wrong or _by_its_side(name, at) >= _SURE:
        return None
    return f"seat/{seat}/{name}", _other(f"seat/{seat}/{name}")


def _by_its_side(name: str, at: float) -> float:
    """How likely a seat's only pile, `at` card widths to the right of the middle, is the one of
    this name."""
    lead = -at if name == "left" else at
    sure = side_sureness(abs(lead))
    return sure if lead >= 0 else 1.0 - sure


def _other(place: str) -> str:
    """The other pile of the same seat."""
    before, _, name = place.rpartition("/")
    return f"{before}/{'right' if name == 'left' else 'left'}"


def _which_pile(tabletop: Tabletop, card: LandedCard, seat: int) -> tuple[str, float]:
    """Left or right, for a pile that is born before a seat, and how sure that is."""
    width = min(tabletop.card_mm)
    at = along(tabletop, card.pose, seat) / width
    found = {name: _pose(tabletop, f"seat/{seat}/{name}") for name in ("left", "right")}
    known = {
        name: along(tabletop, pose, seat) / width
        for name, pose in found.items()
        if pose is not None
    }
    covered = {other.place for other in tabletop.cards}
    lying = [name for name in known if f"seat/{seat}/{name}" in covered]
    only = list(known) if len(known) == 1 else lying
    if len(only) == 1:
        other, side = ("right", 1) if only[0] == "left" else ("left", -1)
        if side * (at - known[only[0]]) >= _APART:
            # A seat has no third pile: the other one is born, or was taken away and laid again.
            return other, _EMPTIED if other in known else 1.0
        if other not in known:
            return other, _SWAPPED
    if known:
        return min(known, key=lambda name: (abs(at - known[name]), name == "left")), _SWAPPED
    if card.face in LETTERS:
        at += _LETTER * (2 * LETTERS.index(card.face) / (len(LETTERS) - 1) - 1)
    return ("left" if at < 0 else "right"), side_sureness(abs(at))


def _perhaps_swapped(spot: Spot, named_right: float) -> Spot:
    """The spot, if left and right are told apart as surely as that."""
    if named_right >= spot.sure or spot.place is None:
        return replace(spot, sure=spot.sure * named_right)
    return replace(spot, sure=spot.sure * named_right, other=_other(spot.place))


def _named_right(tabletop: Tabletop, place: str) -> float:
    """How sure it is that a pile is the left or the right one, as it is called."""
    if place == DISCARD:
        return 1.0
    seat = int(place.split("/")[1])
    left, right = (_pose(tabletop, f"seat/{seat}/{name}") for name in ("left", "right"))
    width = min(tabletop.card_mm)
    if left is not None and right is not None:
        beside = along(tabletop, right, seat) - along(tabletop, left, seat)
        return 1.0 if beside >= _APART * width else _SWAPPED
    pose = left or right
    if pose is None:
        return 1.0
    name = "right" if left is None else "left"
    return _by_its_side(name, along(tabletop, pose, seat) / width)


def _pose(tabletop: Tabletop, place: str) -> Pose | None:
    """Where a pile lies or lay."""
    lying = [card.pose for card in tabletop.cards if card.place == place]
    return lying[-1] if lying else tabletop.known.get(place)


LAYOUT = Layout(
    strips={"left": (0.0, 0.5), "right": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
    grammar=find,
    owned=("/left", "/right"),
)
