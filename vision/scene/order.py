"""Cards that may have been laid before another one, though they are told after it."""

from __future__ import annotations

from dataclasses import replace

from vision import geometry
from vision.scene.candidates import Candidate
from vision.scene.scene import Scene


def with_unsettled(card: Candidate, scene: Scene) -> Candidate:
    """The card, which also waits for those that others hold still since before it was seen.

    A hand that stays on a card shakes its box: it rests anew, and may have been laid long before.
    """
    if not scene.layout.in_turn:
        return card
    held = {
        other.number
        for other in scene.candidates.coming
        if other.number < card.number and other.side != card.side
        if other.fresh and other.looks and not other.is_double and other.seen_at >= card.seen_at
        if geometry.intersection(other.place, card.place) == 0 and not scene.is_known(other)
        if scene.is_in_view(other.place)
    }
    return replace(card, waits_for=card.waits_for | held)
