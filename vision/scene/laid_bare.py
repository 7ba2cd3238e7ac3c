"""Covered cards that are seen whole where they lie: what lay on them has gone, told or not."""

from __future__ import annotations

from vision import geometry
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.hand_blobs import Cover
from vision.scene.scene import SAME_POSE, Scene
from vision.scene.table import Card

CERTAIN = 0.98  # of its name
SHOWS = 0.95  # part of its face that shows
COVERED = 0.15  # part of it that the cards on it cover
RESTS_S = 0.4  # s for which it is seen so
SURE = 0.97  # how sure those have gone


def take_from(change: Change, cover: Cover, scene: Scene) -> Change:
    """Takes the cards that lie on no card any more. Returns the change without them.

    Where the picture from before they came is not known, as of a card that was covered while a hand
    still lay on it, the place alone does not tell.
    """
    for candidate in scene.candidates.coming:
        if not _is_seen_whole(candidate, scene):
            continue
        for card in scene.table.cards:
            gone = _gone_from(card, candidate, scene)
            if gone:
                place = scene.footprint(gone)
                scene.take(gone, SURE * candidate.certainty())
                # What rests there as long is no hand, though a hand that was there left it.
                bared = place & change.changed & (~cover.mask | (change.still_s >= RESTS_S))
                return scene.background.absorb(change, bared)
    return change


def _is_seen_whole(candidate: Candidate, scene: Scene) -> bool:
    if candidate.seen_at != scene.at or scene.at - candidate.since < RESTS_S:
        return False
    if not is_named(candidate, scene.settings) or candidate.certainty() < CERTAIN:
        return False
    return min(candidate.showing(), candidate.shown) >= SHOWS


def _gone_from(card: Card, candidate: Candidate, scene: Scene) -> frozenset[int]:
    """The cards on a card that is seen whole; none where their drawings may still show."""
    is_it = card.face == candidate.best()[0]
    if not is_it or geometry.iou(card.quad, candidate.place) < SAME_POSE:
        return frozenset()
    above = scene.occupancy.above(card.number)
    if not above or scene.occupancy.exposed(card.number) > 1.0 - COVERED:
        return frozenset()
    lying = [other for other in scene.table.cards if other.number in above]
    are_gone = all(_is_gone(other, card, scene) for other in lying)
    return above if are_gone else frozenset()


def _is_gone(other: Card, card: Card, scene: Scene) -> bool:
    """Whether a card is gone from one that is seen whole: it does not show beside, or would hide
    that one wherever it lay."""
    pictures, bgr, over = scene.pictures, scene.bgr, card.quad
    return pictures.is_gone(other, (over,), bgr) or not pictures.is_beside(other, over, bgr)
