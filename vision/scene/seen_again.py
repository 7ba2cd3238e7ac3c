"""Lying cards that are seen again: they have not come."""

from __future__ import annotations

from vision import geometry
from vision.scene.candidates import Candidate, is_named
from vision.scene.scene import SAME_PLACE, Scene
from vision.scene.table import Card

COVERS = 0.2  # part of a card that another one covers


def is_seen_below(candidate: Candidate, scene: Scene) -> bool:
    """Whether a candidate is a lying card of which a part shows beside a card that is seen on it.

    What changed there is the card on it: a like one was laid, or it was pushed. A new card of this
    face would hide the others.
    """
    return any(
        card.face == candidate.best()[0]
        and geometry.iou(candidate.place, card.quad) >= SAME_PLACE
        and _is_covered(card, candidate, scene)
        for card in scene.table.cards
    )


def _is_covered(card: Card, candidate: Candidate, scene: Scene) -> bool:
    above = scene.occupancy.over(card.number) - {card.number}
    faces = {other.face for other in scene.table.cards if other.number in above} - {card.face}
    return any(
        other.best()[0] in faces
        and is_named(other, scene.settings)
        and other.seen_at >= candidate.seen_at
        and geometry.overlap(candidate.place, other.place) >= COVERS
        for other in scene.candidates.coming
    )
