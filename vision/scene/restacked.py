"""A card of the same face that was laid on another, or taken from it: only the face has moved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.table.event import Placed, Way
from vision import geometry
from vision.geometry import Quad
from vision.scene.background import Change
from vision.scene.before import Before
from vision.scene.doubts import Act, Doubt
from vision.scene.hand_blobs import Cover
from vision.scene.lost_tops import LostTops
from vision.scene.same_face import Course
from vision.scene.scene import FOOTPRINT, Scene
from vision.scene.table import Card, corners_of
from vision.sightings import UNKNOWN

OVER = 0.15  # part of a card under a hand that may act there
STILL_S = 0.1  # s for which its place rests afterwards
AGAIN_S, LATEST_S = 0.12, 1.2  # s between looks, and after the hand until the last one
BELOW = 0.5  # IoU of a card with the one on it that hides it
OPEN = 0.4  # how likely a like card was laid where the picture does not tell it from a push
SURE = 0.97  # how sure a course is that the picture tells


def cards_below(scene: Scene, card: Card) -> Sequence[Card]:
    """The cards that lie under a card, from the bottom up."""
    cards = scene.table.cards
    lower = cards[: cards.index(card)]
    return [other for other in lower if geometry.iou(other.quad, card.quad) >= BELOW]


def course_of(scene: Scene, card: Card, over: Card | None = None) -> Course | None:
    """What became of a card whose face is seen now; `over`: the one on it, if that may be gone."""
    return scene.pictures.course(card, cards_below(scene, card), scene.bgr, over)


def lay_like(scene: Scene, upon: Card, face: str, quad: Quad, change: Change) -> Change:
    """Another card of a face lies on a card, at `quad` (4, 2) px."""
    place = scene.occupancy.area(quad)
    side = scene.hands.taker(place, scene.at)
    seat = scene.seat(side)
    doubts = frozenset({Doubt.SAME_FACE})
    if scene.is_nobodys(seat) or scene.is_mixed(place, scene.at):
        doubts |= {Doubt.WHOSE}
    rivals = scene.rivals(place, scene.at, seat, side) if Doubt.WHOSE in doubts else ()
    card = Card(scene.candidates.number(), face, upon.place, corners_of(quad), upon.on)
    before = Before(scene.background.rest, change.light)
    sure = scene.names.get(upon.number, 1.0) if face == upon.face else SURE
    scene.lay(card, before, scene.table.born, Act(seat, sure, 1.0, doubts, rivals), sure)
    scene.pictures.keep(card, scene.bgr)
    return scene.background.absorb(change, scene.occupancy.area(quad, FOOTPRINT) & change.changed)


class Restacked:
    """Looks at the top cards that hands were over, once these have gone."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._over: dict[int, tuple[float, float]] = {}  # by card: the hand's last s, the next look
        self._lost_tops = LostTops(scene)

    def see(self, change: Change, cover: Cover) -> Change:
        """Lays and takes cards of which only the moved face tells. Returns the change without
        them."""
        scene = self._scene
        self._lost_tops.see()
        if not self._over and not cover.mask.any():
            return change
        near = set(np.unique(scene.occupancy.owner[cover.mask]))
        for index, card in enumerate(scene.table.cards):
            if index + 1 not in near and card.number not in self._over:
                continue
            if not self._is_open(card):
                self._over.pop(card.number, None)
                continue
            place = scene.occupancy.area(card.quad)
            hidden = float(cover.mask[place].mean()) if place.any() else 1.0
            if hidden >= OVER:
                self._over[card.number] = change.at, change.at + AGAIN_S
            if hidden > 0 or card.number not in self._over:
                continue
            last, due = self._over[card.number]
            if change.at < due or float(change.still_s[place].min()) < STILL_S:
                if change.at - last > LATEST_S:
                    del self._over[card.number]
                continue
            self._over[card.number] = last, change.at + AGAIN_S
            found = course_of(scene, card)
            if found is not None or change.at - last > LATEST_S:
                del self._over[card.number]
            if found is None and card.number not in self._over:
                self._lost_tops.look(card, last)
            if found is not None:
                change = self._follow(card, found, change, cover)
        return change

    def _is_open(self, card: Card) -> bool:
        """Whether the card lies on top, was seen whole, and nothing else tells what came on it."""
        scene = self._scene
        if card.face == UNKNOWN or card.number in scene.hidden:
            return False
        if card.place is None or card.place.startswith(scene.layout.only_taken):
            return False
        return scene.occupancy.over(card.number) == {card.number}

    def _follow(self, card: Card, found: Course, change: Change, cover: Cover) -> Change:
        scene = self._scene
        if found.kind == "laid":
            return lay_like(scene, card, card.face, found.corners, change)
        if found.kind == "gone":
            place = scene.footprint({card.number})
            scene.take(frozenset({card.number}), SURE, frozenset({Doubt.SAME_FACE}))
            return scene.background.absorb(change, place & change.changed & ~cover.mask)
        if found.kind in ("nudged", "open"):
            scene.push(card, corners_of(found.corners))
        if found.kind == "open" and card.place is not None:
            place = scene.occupancy.area(card.quad)
            seat = scene.seat(scene.hands.taker(place, scene.at))
            scene.suspected.append(Way(OPEN, (Placed(scene.at, card.face, card.place, seat),)))
        return change
