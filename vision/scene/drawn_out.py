"""Covered cards that are drawn out while those on them stay: their face shows whole in a hand, or
they show no more beside those."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision import geometry
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.departures import doubts_of_going
from vision.scene.hand_blobs import Cover
from vision.scene.held import is_touched
from vision.scene.occupancy import DRAWN_OUT
from vision.scene.scene import Scene
from vision.scene.seen_again import COVERED
from vision.scene.table import Card

AT_PLACE = 0.75  # IoU of the face in the hand with the place of a covered card, to be that card
SHOWS = 0.6  # part of its face that shows; fingers hide the rest
CERTAIN = 0.95  # of its name
SURE = 0.97  # how sure such a card has gone, once those on it are seen as they were
CHANGED = 0.8  # part of what shows of a card that must have changed,
CHANGED_S = 0.6  # and s since it has,
UNMOVED = 0.1  # and of each card on it at most
AFTER_S = 0.2  # s after which those show again,
LATEST_S = 2.5  # and at most
HAND_S = 1.5  # s before a place begins to differ, in which a hand was there,
NEAR = 1.3  # within so much of the card's size


@dataclass(frozen=True, slots=True)
class Sighting:
    """A covered card whose face showed whole at `at` (s), under a hand from `side`; the numbers of
    the cards that lay `above` it."""

    at: float
    side: str | None
    certainty: float
    above: frozenset[int]


class DrawnOut:
    """Takes covered cards that are drawn out; follows those that show whole in a hand."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._seen: dict[int, Sighting] = {}

    def see(self, change: Change, cover: Cover) -> Change:
        """Takes the cards that were drawn out. Returns the change without them."""
        scene = self._scene
        for candidate in scene.candidates.coming:
            self._follow(candidate, cover)
        for number, seen in tuple(self._seen.items()):
            card = scene.table.card(number)
            if (
                card is None
                or scene.at - seen.at > LATEST_S
                or scene.occupancy.above(number) != seen.above
            ):
                del self._seen[number]
            elif scene.at - seen.at >= AFTER_S and self._stays_on(card, change, cover):
                del self._seen[number]
                place = scene.footprint({number})
                scene.take(frozenset({number}), SURE * seen.certainty, side=seen.side)
                change = scene.background.absorb(change, place & change.changed & ~cover.mask)
        return self._take_uncovered(change, cover)

    def _take_uncovered(self, change: Change, cover: Cover) -> Change:
        """Takes the cards that show no more beside others which lie on them and look as they did.
        What shows of such a card is often too little to compare with what lay there before."""
        scene = self._scene
        for number, since in scene.occupancy.doubts(change).items():
            part = scene.occupancy.visible(number)
            if scene.at - since < CHANGED_S or change.changed[part].mean() < CHANGED:
                continue
            if self._shows_no_more(number, since, change, cover):
                gone = frozenset({number})
                scene.take(gone, SURE, doubts_of_going(gone, scene, change))
                return scene.background.absorb(change, part & change.changed)
        return change

    def _shows_no_more(self, number: int, since: float, change: Change, cover: Cover) -> bool:
        """Whether a covered card shows no more and no hand is on it. `since` (s): when its place
        began to differ; a hand must have been there shortly before. Who lays cards on it may shift
        it, but not so far that a wide part is hidden."""
        scene = self._scene
        card, above = scene.table.card(number), scene.occupancy.above(number)
        if card is None or not above:
            return False
        near = scene.occupancy.area(card.quad, NEAR)
        if scene.hands.last_at(near) < since - HAND_S:
            return False
        is_wide = scene.occupancy.exposed(number) >= DRAWN_OUT
        shown = [scene.occupancy.visible(n) for n in above]
        if any(change.changed[part].mean() > UNMOVED for part in shown if part.any()):
            return False
        laid_at = max(scene.laid_at.get(n, -np.inf) for n in above)
        if not is_wide and scene.hands.last_at(scene.occupancy.visible(number)) <= laid_at:
            return False
        quads = [other.quad for other in scene.table.cards if other.number in above]
        if any(is_touched(scene, cover, quad) for quad in (card.quad, *quads)):
            return False
        pictures, bgr = scene.pictures, scene.bgr
        is_gone = is_wide and pictures.is_gone(card, quads, bgr)
        return is_gone or pictures.is_bare(card, quads, bgr)

    def _follow(self, candidate: Candidate, cover: Cover) -> None:
        """Remembers a covered card that a hand shows whole, where it lay."""
        scene, face = self._scene, candidate.best()[0]
        if candidate.seen_at != scene.at or not is_named(candidate, scene.settings):
            return
        if candidate.certainty() < CERTAIN or candidate.showing() < SHOWS:
            return
        is_held = candidate.number in scene.held.attached
        if not is_held and not is_touched(scene, cover, candidate.place):
            return
        for card in scene.table.cards:
            is_it = card.face == face and geometry.iou(candidate.place, card.quad) >= AT_PLACE
            if is_it and self._is_covered(card):
                above = scene.occupancy.above(card.number)
                seen = Sighting(scene.at, candidate.side, candidate.certainty(), above)
                self._seen[card.number] = seen

    def _is_covered(self, card: Card) -> bool:
        occupancy = self._scene.occupancy
        return bool(occupancy.above(card.number)) and occupancy.exposed(card.number) < COVERED

    def _stays_on(self, card: Card, change: Change, cover: Cover) -> bool:
        """Whether all that lies on a card is seen as it was, and nothing of it any more."""
        scene = self._scene
        above = scene.occupancy.above(card.number)
        if not above.isdisjoint(scene.occupancy.doubts(change)):
            return False
        on_it = [other for other in scene.table.cards if other.number in above]
        if any(is_touched(scene, cover, other.quad) for other in (card, *on_it)):
            return False
        if scene.pictures.may_show(card, on_it, scene.bgr):
            return False
        return not any(
            other.best()[0] == card.face and geometry.intersection(other.place, card.quad) > 0
            for other in scene.candidates.coming
        )
