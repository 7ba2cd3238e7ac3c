"""Whether the hand that brought a told card has let go of it."""

from __future__ import annotations

from vision.scene.background import Change
from vision.scene.hand_blobs import Cover
from vision.scene.held import is_touched
from vision.scene.scene import Scene


def has_let_go(scene: Scene, number: int, change: Change, cover: Cover) -> bool | None:
    """Whether no hand lies on a lying card, and it looks as remembered. None if it has gone, or its
    own hand seems to have laid another one on it: one of the two may be a misread of the other."""
    card = scene.table.card(number)
    if card is None:
        return None
    if any(_is_of_one_hand(scene, number, other) for other in scene.occupancy.above(number)):
        return None
    is_free = not is_touched(scene, cover, card.quad)
    return is_free and number not in scene.occupancy.doubts(change)


def _is_of_one_hand(scene: Scene, number: int, other: int) -> bool:
    """Whether the same seat laid both cards, as far as that is known."""
    own, its = scene.acts.get(number), scene.acts.get(other)
    return own is not None and its is not None and own.seat == its.seat
