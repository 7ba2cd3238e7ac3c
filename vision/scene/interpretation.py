"""What a card that has come to rest means: a new one, or one that was known all along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision import geometry
from vision.geometry import Mask, Quad
from vision.scene.background import Change
from vision.scene.layout import Layout
from vision.scene.occupancy import Occupancy
from vision.scene.table import Card
from vision.sightings import BACK, UNKNOWN

_SAME_PLACE = 0.8
_NEAR = 0.1
_UNMOVED = 0.9  # IoU of a card with itself, seen again after a hand
EXACT = 0.95  # so exactly no hand lays a like card on one that others lie on
_UNREADABLE = 0.1  # part of a card that may show, of which no face is told
_HIDES = 0.3  # part of a card under another one that hides its print
_REVEALED = 0.5
_CLEAR = 0.95  # part of a card that must show: what touches its edge does not lie on it
_RIM_PX = 10
_PART = 0.85  # part of a card's area, up to which a box shows a part of the card
_INSIDE = 0.95  # part of such a box that lies within the card
_STILL_COVERED = 0.3  # part of the covering cards that may have changed


@dataclass(frozen=True, slots=True)
class Landing:
    """What came to rest.

    `kind`: "new"; "known" (the card `number`, perhaps pushed a little); "seen" (the visible part
    of the card `number`, which lies under others); "revealed" (the cards `taken` are gone from
    it); "turned" (the card `number` shows another face); "bared" (the card `number` went, and this
    one lay under it all the time). `is_told`: whether the picture tells it from a card of its face
    laid on it. `is_pushed`: whether a revealed card lies elsewhere now; `is_exact`: whether it is
    seen just where it lay, hidden.
    """

    kind: str
    number: int | None = None
    taken: frozenset[int] = frozenset()
    is_told: bool = True
    is_pushed: bool = False
    is_exact: bool = False


def meaning(
    quad: Quad,
    face: str,
    stacks: Occupancy,
    doubts: dict[int, float],
    change: Change,
    layout: Layout,
    shows_other: Callable[[Mask], bool],
    still_shows: Callable[[Card], bool],
    is_elsewhere: Callable[[Card], bool],
) -> Landing:
    """What a named card (quad (4, 2) px) at rest means beside the cards that are remembered.

    `shows_other`: whether a place (h, w) of the small picture looks otherwise than the remembered
    table, though it may have been pushed a little. `still_shows`: whether a card is seen beside
    the quad, as it was before. `is_elsewhere`: whether others hide a card, and not what is seen.
    """
    overlapping = _overlapping(quad, stacks)
    for shared, card in (one for one in overlapping if one[1].face == face):
        above = stacks.above(card.number)
        were_it = shared > _NEAR and _are_unnamed(above, stacks)
        were_it = were_it and not still_shows(card)  # it was pushed
        if were_it or (shared >= _REVEALED and _are_gone(quad, above, stacks, doubts, change)):
            return Landing("revealed", card.number, above)
        if above and shared >= EXACT:
            return _seen_exactly(card, above, stacks)
        is_under = above and shared >= _REVEALED and _still_covers(quad, above, stacks, change)
        if is_under and not is_elsewhere(card):
            return Landing("seen", card.number)
        is_pushed = not above and _is_pushed(quad, shared, card, stacks, doubts, change)
        if is_pushed and not still_shows(card):
            return Landing("known", card.number, is_told=_is_told(quad, shared, card, stacks))
    return _at_place_of(quad, face, overlapping, stacks, change, layout, shows_other)


def _seen_exactly(card: Card, above: frozenset[int], stacks: Occupancy) -> Landing:
    """A face is seen exactly where a card lies under others: beside these, or, if they would leave
    too little of it to be read, they are gone."""
    others = (other for other in stacks.table.cards if other.number in above)
    hide = frozenset(o.number for o in others if geometry.overlap(card.quad, o.quad) >= _HIDES)
    if not hide or not stacks.is_hidden(card.number, _UNREADABLE):
        return Landing("known", card.number)
    return Landing("revealed", card.number, hide, is_exact=True)


def _at_place_of(
    quad: Quad, face: str, overlapping: list[tuple[float, Card]], stacks: Occupancy,
    change: Change, layout: Layout, shows_other: Callable[[Mask], bool],
) -> Landing:  # fmt: skip
    """What it means that no card of this face lay where the card rests, by those that did."""
    for shared, card in overlapping:
        is_clear = stacks.exposed(card.number) >= _CLEAR
        # Where cards are turned over: one from below others lies on top afterwards.
        is_back = card.face == BACK and face not in (BACK, UNKNOWN) and shared >= _UNMOVED
        is_other = UNKNOWN != face != card.face
        is_bared = is_other and (card.place or "").startswith(layout.only_taken)
        if is_bared and is_clear and shared >= _REVEALED:  # cards of a stack lie askew
            return Landing("bared", card.number)
        is_turned = layout.turns and (face == UNKNOWN or layout.are_sides(card.face, face))
        is_there = shared >= _SAME_PLACE or (is_turned and is_other and _is_part(quad, card))
        if not is_there or not (is_clear or (layout.turns and is_back)):
            continue
        # A card without a name that looks as it did has its name now; else another lies on it.
        is_named_now = card.face == UNKNOWN and not shows_other(stacks.visible(card.number))
        if (is_turned or is_named_now) and not _rim_stays(quad, card, stacks, change):
            return Landing("turned", card.number)
    return Landing("new")


def _is_part(quad: Quad, card: Card) -> bool:
    """Whether the quad lies within the card and is smaller: the hand that turned the card over
    hides the rest of it."""
    is_smaller = geometry.area(quad) <= _PART * geometry.area(card.quad)
    return is_smaller and geometry.overlap(quad, card.quad) >= _INSIDE


def _are_gone(
    quad: Quad,
    above: frozenset[int],
    stacks: Occupancy,
    doubts: dict[int, float],
    change: Change,
) -> bool:
    """A like card laid on them leaves their rims as they were; taking them does not. A card of the
    colour of what lay below it may change at its rim only."""
    rims = {number: _rim_changed(quad, number, stacks, change) for number in above}
    shown = [share for share in rims.values() if share is not None]
    hidden = [number for number, share in rims.items() if share is None]
    are_moot = all(_is_moot(number, stacks, doubts) for number in hidden)
    return are_moot and bool(shown) and min(shown) >= 0.5


def _are_unnamed(numbers: frozenset[int], stacks: Occupancy) -> bool:
    """Whether there are such cards, and none of them ever got a name."""
    faces = {card.face for card in stacks.table.cards if card.number in numbers}
    return faces == {UNKNOWN}


def _overlapping(quad: Quad, stacks: Occupancy) -> list[tuple[float, Card]]:
    """The cards that overlap the quad with their IoU, the largest first."""
    shares = [(geometry.iou(quad, card.quad), card) for card in stacks.table.cards]
    return sorted((one for one in shares if one[0] > 0.0), key=lambda one: -one[0])


def _still_covers(quad: Quad, numbers: frozenset[int], stacks: Occupancy, change: Change) -> bool:
    """Whether the cards that lie over a card stay as they were: nothing was laid on them."""
    place = stacks.area(quad)
    shown = np.zeros_like(place)
    for number in numbers:
        shown |= stacks.visible(number)
    shown &= place
    if np.count_nonzero(shown) < _RIM_PX:
        return False
    return float(change.changed[shown].mean()) < _STILL_COVERED


def _is_moot(number: int, stacks: Occupancy, doubts: dict[int, float]) -> bool:
    return number in doubts or stacks.exposed(number) < 0.02


def _rim(quad: Quad, card: Card, stacks: Occupancy) -> Mask:
    return stacks.visible(card.number) & ~stacks.area(quad, 1.06)


def _rim_stays(quad: Quad, card: Card, stacks: Occupancy, change: Change) -> bool:
    """Whether the part of the card that sticks out under the quad is still there."""
    rim = _rim(quad, card, stacks)
    if np.count_nonzero(rim) < _RIM_PX:
        return False
    return float(change.changed[rim].mean()) < 0.5


def _rim_changed(quad: Quad, number: int, stacks: Occupancy, change: Change) -> float | None:
    """The part of what sticks out of a card under the quad that has changed; None if too little
    sticks out."""
    card = stacks.table.card(number)
    rim = None if card is None else _rim(quad, card, stacks)
    if rim is None or np.count_nonzero(rim) < _RIM_PX:
        return None
    return float(change.changed[rim].mean())


def _is_told(quad: Quad, shared: float, card: Card, stacks: Occupancy) -> bool:
    """Whether the card did not move, or shows enough beside the quad to tell that it went."""
    is_misplaced = shared < _SAME_PLACE
    rim = np.count_nonzero(_rim(quad, card, stacks))
    return is_misplaced or shared >= _UNMOVED or bool(rim >= _RIM_PX)


def _is_pushed(
    quad: Quad,
    shared: float,
    card: Card,
    stacks: Occupancy,
    doubts: dict[int, float],
    change: Change,
) -> bool:
    if shared >= _SAME_PLACE:
        return not _rim_stays(quad, card, stacks, change)
    # A like card laid on this one leaves its rim as it was; a push does not.
    rim = _rim(quad, card, stacks)
    if np.count_nonzero(rim) < _RIM_PX:
        return True  # it is smaller than a card: its pose was taken under a hand
    if card.number not in doubts:
        return False
    return float(change.changed[rim].mean()) >= 0.5
