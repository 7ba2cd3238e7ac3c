"""Where a card that lands has lain before: faces of which there is one, and stacks."""

from __future__ import annotations

import numpy as np

from rules.table.event import Removed
from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.doubts import Act, weighed
from vision.scene.hand_blobs import Cover
from vision.scene.scene import Scene
from vision.scene.table import Card

_ENOUGH_PX = 6
BROUGHT_S = 3.0  # s in which a hand brings a card from its stack
FROM_STACK = 0.95  # how sure that is; the hand may have brought a like card of its own
AROUND = 1.3  # of a card's size: what changed when it was drawn out from among others
RESTS_S = 0.5  # s, after which what is seen at its place is no hand


def take_elsewhere(
    card: Candidate, face: str, change: Change, cover: Cover, scene: Scene
) -> Change:
    """A lone face lies at the card's place now: it went from where it lay, if that place has
    changed. One that was never named went from where all of its kind begin. Any other face went
    from the stack that showed it, if the hand was there."""
    if face not in scene.layout.lone_faces:
        _take_from_stack(card, face, scene)
        return change
    is_known = False
    for old in scene.table.cards:
        if old.face != face:
            continue
        is_known = True
        if geometry.intersection(old.quad, card.place) > 0 or not _has_changed(
            old, change, cover, scene
        ):
            continue  # it still lies there: one of the two names is wrong
        place = scene.footprint({old.number})
        side = card.side if card.fresh else None  # the hand that laid it has brought it
        scene.take(frozenset({old.number}), card.certainty(), side=side)
        change = _bared(place, change, cover, scene)
    if is_known or face in scene.named or not (card.fresh and scene.layout.is_playing()):
        return change
    return _take_from_home(card, face, change, cover, scene)


def begins_there(card: Candidate, scene: Scene) -> bool:
    """Whether a card of the first picture is one that lies on the table before it is played: no row
    of such cards is a fan in a hand."""
    has_home = card.best()[0] in scene.layout.homes and is_named(card, scene.settings)
    return has_home and not card.fresh and scene.is_first(card)


def _take_from_stack(card: Candidate, face: str, scene: Scene) -> None:
    """Takes the top card of a stack from which cards are only taken. The next one may differ by no
    more than a pip, so that the change does not tell."""
    if not card.fresh or card.side is None or not scene.layout.only_taken:
        return
    for old in scene.table.cards:
        if old.face != face or not (old.place or "").startswith(scene.layout.only_taken):
            continue
        place = scene.footprint({old.number})
        is_top = scene.occupancy.over(old.number) == {old.number}
        is_aside = geometry.intersection(old.quad, card.place) == 0
        since = card.since - BROUGHT_S
        if is_top and is_aside and scene.hands.was_over(place, card.side, since):
            scene.take(frozenset({old.number}), FROM_STACK, side=card.side)


def _waits_at(place: str, scene: Scene) -> bool:
    """Whether a card has lain at the place from the start and has no name yet."""
    return any(
        scene.is_first(other)
        and scene.layout.spot(other.place, scene.table, scene.size).place == place
        for other in scene.candidates.coming
    )


def _has_changed(old: Card, change: Change, cover: Cover, scene: Scene) -> bool:
    """Whether the place of a lying card looks otherwise, or a hand hides it. The part that no other
    card reaches tells: which of two cards found at once lies on top is not known."""
    place = scene.occupancy.visible(old.number)
    alone = place.copy()
    for other in scene.table.cards:
        if other.number != old.number:
            alone &= ~scene.occupancy.area(other.quad)
    if np.count_nonzero(alone) >= _ENOUGH_PX:
        place = alone
    count = np.count_nonzero(place)
    seen = (change.changed | cover.mask) & place
    return bool(np.count_nonzero(seen) >= scene.settings.doubt * count)


def _take_from_home(
    card: Candidate, face: str, change: Change, cover: Cover, scene: Scene
) -> Change:
    """The card lay among others at its home, and had no name there."""
    home = scene.layout.homes.get(face)
    if home is None or not (scene.table.at(home) or _waits_at(home, scene)):
        return change
    spot = scene.layout.spot(card.place, scene.table, scene.size, face=face, side=card.side)
    if spot.place == home:
        return change
    act = Act(scene.seat(card.side), card.certainty())
    scene.unseen.append(weighed(Removed(scene.at, face, home), act))
    bared: Mask = np.zeros_like(change.changed)
    for other in scene.table.at(home):
        bared |= scene.occupancy.area(other.quad, AROUND)
    return _bared(bared, change, cover, scene)


def _bared(place: Mask, change: Change, cover: Cover, scene: Scene) -> Change:
    """What a card that has gone laid bare is the table. Beside the border it looks like a hand that
    rests: it came with one."""
    is_hand = cover.mask & (change.still_s < RESTS_S)
    return scene.background.absorb(change, place & change.changed & ~is_hand)
