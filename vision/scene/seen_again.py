"""Lying cards that are seen again: they have not come."""

from __future__ import annotations

import numpy as np

from vision import geometry
from vision.geometry import Mask
from vision.scene.candidates import Candidate, is_named
from vision.scene.layers import HIDDEN_PART
from vision.scene.scene import SAME_PLACE, SAME_POSE, Scene
from vision.scene.table import Card

COVERS = 0.2  # part of a card that another one covers
WHOLE = 0.8  # part of a candidate where its own face shows, of one that is not covered
COVERED = 0.5  # part of a card that shows, of one that cannot be seen whole
ONE_CARD = 0.75  # IoU of two boxes of the same card


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


def may_be_seen_again(candidate: Candidate, scene: Scene) -> bool:
    """Whether a candidate may be a lying card of its face."""
    return any(
        card.face == candidate.best()[0]
        and geometry.iou(candidate.place, card.quad) >= SAME_PLACE
        and not is_hidden_elsewhere(card, candidate, scene)
        for card in scene.table.cards
    )


def is_hidden_elsewhere(card: Card, candidate: Candidate, scene: Scene) -> bool:
    """Whether others hide a lying card, and a candidate, which they do not, lies elsewhere. One of
    those still shows beside it: else they may have been pushed together, and those taken."""
    least = COVERED if is_whole(candidate) else HIDDEN_PART
    is_hidden = scene.occupancy.is_hidden(card.number, least)
    if not is_hidden or geometry.iou(candidate.place, card.quad) >= SAME_POSE:
        return False
    above = scene.occupancy.above(card.number)
    return any(
        scene.shows_beside(other, candidate.place)
        for other in scene.table.cards
        if other.number in above
    )


def is_another(candidate: Candidate, scene: Scene) -> bool:
    """Whether it shows whole, and others hide all lying cards of its face about there."""
    return is_whole(candidate) and all(
        is_hidden_elsewhere(card, candidate, scene)
        for card in scene.table.cards
        if card.face == candidate.best()[0]
        and geometry.intersection(candidate.place, card.quad) > 0
    )


def is_whole(candidate: Candidate) -> bool:
    """Whether nearly all of a candidate shows its own face, as of one that is not covered."""
    return candidate.showing() >= WHOLE


def coming_over(candidate: Candidate, scene: Scene) -> Mask:
    """(h, w): where other candidates may lie on a lying card that is seen again as `candidate`.
    What changed there is theirs."""
    over = np.zeros(scene.occupancy.owner.shape, bool)
    for other in scene.candidates.coming:
        if other.fresh and geometry.iou(other.quad, candidate.place) < ONE_CARD:
            over |= scene.occupancy.area(other.quad)
    return over


def _is_covered(card: Card, candidate: Candidate, scene: Scene) -> bool:
    above = scene.occupancy.above(card.number)
    faces = {other.face for other in scene.table.cards if other.number in above} - {card.face}
    return any(
        other.best()[0] in faces
        and is_named(other, scene.settings)
        and other.seen_at >= candidate.seen_at
        and geometry.overlap(candidate.place, other.place) >= COVERS
        for other in scene.candidates.coming
    )


def is_known_near(candidate: Candidate, scene: Scene) -> bool:
    """Whether a card of its face lies or has just lain about there, or it has no name."""
    if not is_named(candidate, scene.settings):
        return True
    return any(
        card.face == candidate.best()[0] and geometry.intersection(candidate.place, card.quad) > 0
        for card in (*scene.table.cards, *(gone.card for gone in scene.taken))
    )


def like(candidate: Candidate, scene: Scene) -> list[Card]:
    """The uncovered cards of its face that lie under a part of it: one was pushed there, or this
    is another one."""
    return [
        card
        for card in scene.table.cards
        if card.face == candidate.best()[0]
        and geometry.intersection(candidate.place, card.quad) > 0
        and scene.occupancy.over(card.number) == {card.number}
    ]
