"""What is in doubt about a card that came, beside its name and its place."""

from __future__ import annotations

import numpy as np

from vision import geometry
from vision.geometry import Mask, Quad
from vision.scene.background import Change
from vision.scene.candidates import Candidate
from vision.scene.doubts import Doubt
from vision.scene.order import brought_before, is_unsettled, rested_before, shows_nothing
from vision.scene.scene import SAME_PLACE, SAME_POSE, Scene
from vision.scene.seen_again import is_whole
from vision.scene.table import Card
from vision.sightings import UNKNOWN

LATE_S = 0.8  # s between the first change of a place and the rest of a card there
TWIN = 1.0  # card lengths from a lying card of its face, within which a new one may be that one
TURNED = 40.0  # degrees between the two, beyond which the new one is no lying card laid again
DEEP = 2  # cards on a lying one that would all have had to go at once
TWIN_S = 3.0  # s back, in which any hand may have brought one that may be a lying card


def doubts_of(
    card: Candidate, face: str, quad: Quad, change: Change, scene: Scene
) -> frozenset[Doubt]:
    """What is in doubt about a new card beside its name and place. The scene remembers the
    candidates that rested before it (`unsettled`)."""
    before = _rested_before(card, scene, change)
    at_once = _brought_before(card, scene, change) - before
    is_early = scene.is_postponed and is_unsettled(card, scene)
    is_early = is_early and not before & scene.unsettled  # the first of several settles it
    is_hurried = card.number in scene.hurried
    followed = {c.number for c in (*scene.candidates.coming, *scene.vanished)}
    scene.hurried = (at_once - scene.unsettled) | (scene.hurried - before) & followed
    scene.unsettled = before | at_once | scene.unsettled & followed
    is_open = _was_lifted_before(card, scene) or bool(before)
    scene.is_postponed |= is_open or bool(at_once)
    cards = [other for other in scene.table.cards if other.face == face]
    is_twin = any(_is_twin(other, card, quad, change, scene) for other in cards)
    found = {
        Doubt.NO_NAME: face == UNKNOWN,
        Doubt.ORDER: is_open and not is_early,
        Doubt.AT_ONCE: bool(at_once) and not (before or is_early),
        Doubt.EARLIER: is_early and not is_hurried,
        Doubt.PERHAPS_EARLIER: is_early and is_hurried,
        Doubt.STARTED: not card.fresh and scene.layout.is_playing(),
        Doubt.WHOSE: _is_whose_unsure(card, scene.occupancy.area(quad), change, scene, is_twin),
        Doubt.TWIN: is_twin,
        Doubt.IN_HAND: card.in_hand,
    }
    return frozenset(doubt for doubt, is_there in found.items() if is_there)


def _rested_before(card: Candidate, scene: Scene, change: Change) -> set[int]:
    """The candidates elsewhere that rested before the card and are not told yet."""
    empty = {c.number for c in scene.candidates.coming if shows_nothing(c, scene)}
    waited_for = card.waits_for - scene.explained - empty
    before = {number for number in waited_for if scene.table.card(number) is None}
    if scene.layout.in_turn:
        before |= {other.number for other in rested_before(card, scene, change)}
    return before


def _was_lifted_before(card: Candidate, scene: Scene) -> bool:
    """Whether other cards were lifted before it rested, and nobody knows yet whether they stay
    away. The scene remembers which."""
    if not scene.layout.in_turn:
        return False
    since = scene.rested_since(card)
    seen_s = scene.settings.settle_s  # after the card went, at least
    lifted = {number for number, at in scene.waiting.items() if at - seen_s < since}
    scene.outrun |= lifted
    return bool(lifted)


def _brought_before(card: Candidate, scene: Scene, change: Change) -> set[int]:
    """The candidates that another hand may have laid before the card."""
    if not scene.layout.in_turn:
        return set()
    return {other.number for other in brought_before(card, scene, change)}


def _is_whose_unsure(
    card: Candidate, place: Mask, change: Change, scene: Scene, is_twin: bool
) -> bool:
    """Whether two hands were there when the card came, or none that is known. A hand that stays
    makes it seem to rest later than it did, and a twin may have been told late. Then all hands
    count since its place first changed, or lately."""
    is_nobodys = card.fresh and scene.is_nobodys(scene.seat(card.side))
    since = scene.rested_since(card)
    if is_nobodys or scene.is_mixed(place, since):
        return True
    if not scene.layout.in_turn:
        return False
    if is_twin:
        return scene.hands.came_over(place, change.at - TWIN_S) > 1
    began = change.at - float(np.median(change.changed_s[place]))
    return since - began > LATE_S and scene.hands.came_over(place, began) > 1


def _is_twin(other: Card, card: Candidate, quad: Quad, change: Change, scene: Scene) -> bool:
    """Whether a new card of a lying card's face is rather that card, lifted or seen again."""
    if other.face in scene.layout.lone_faces:
        return True
    apart = np.linalg.norm(geometry.centre(quad) - geometry.centre(other.quad))
    is_near = bool(apart <= TWIN * geometry.length(other.quad))
    is_near = is_near and _turned(quad, other.quad) <= TURNED
    if not is_near or _lies_hidden(other, quad, scene) or _lies_below(other, card, scene):
        return False
    return not scene.still_shows(other, quad, change)


def _turned(a: Quad, b: Quad) -> float:
    """How far (degrees, 0 to 90) two cards (4, 2) are turned to each other, either way up."""
    (x, y), (u, v) = a[1] - a[0], b[1] - b[0]
    off = abs(np.degrees(np.arctan2(x * v - y * u, x * u + y * v)))
    return float(min(off, 180.0 - off))


def _lies_hidden(card: Card, quad: Quad, scene: Scene) -> bool:
    """Whether a lying card shows hardly and lies elsewhere than the quad, or under several others:
    nobody can have lifted it, nor is it seen again."""
    if not scene.occupancy.is_hidden(card.number):
        return False
    is_deep = len(scene.occupancy.above(card.number)) >= DEEP
    return is_deep or geometry.iou(card.quad, quad) < SAME_PLACE


def _lies_below(other: Card, card: Candidate, scene: Scene) -> bool:
    """Whether cards lie on a lying one, and the new one is seen whole, or its face by its picture,
    not exactly where that lies: it is on those."""
    is_elsewhere = geometry.iou(card.place, other.quad) < SAME_POSE
    if not is_elsewhere or not scene.occupancy.above(other.number):
        return False
    return is_whole(card) or scene.pictures.shows_elsewhere(other, scene.bgr)
