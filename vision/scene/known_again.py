"""Lying cards that a new box of their face shows again, as their own pictures tell."""

from __future__ import annotations

from vision import geometry
from vision.geometry import Quad
from vision.scene.interpretation import Landing
from vision.scene.restacked import course_of
from vision.scene.scene import Scene

OVER = 0.5  # IoU of the box with where the card lay


def bared(scene: Scene, quad: Quad, face: str) -> Landing | None:
    """A covered card of this face at `quad` (4, 2) px that was pushed with those on it and laid
    bare: the drawings of these show no more beside it."""
    for card in scene.table.cards:
        above = scene.occupancy.above(card.number)
        if card.face != face or not above or geometry.iou(card.quad, quad) < OVER:
            continue
        on_it = [other for other in scene.table.cards if other.number in above]
        if all(scene.pictures.is_gone(other, (quad,), scene.bgr) for other in on_it):
            return Landing("revealed", card.number, above, is_pushed=True)
    return None


def as_it_lay(scene: Scene, quad: Quad, face: str) -> Landing | None:
    """The top card of this face whose own picture shows it where it lay: a hand over it made
    another box, `quad` (4, 2) px, of it."""
    for card in scene.table.cards:
        is_top = scene.occupancy.over(card.number) == {card.number}
        if card.face != face or not is_top or geometry.iou(card.quad, quad) < OVER:
            continue
        found = course_of(scene, card)
        if found is not None and found.kind in ("still", "nudged"):
            return Landing("seen", card.number)
    return None
