"""A pile that was lifted whole and set down again: only its top card is seen to come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision import geometry
from vision.geometry import Mask, Quad
from vision.scene.before import Before
from vision.scene.occupancy import HIDDEN
from vision.scene.scene import Scene
from vision.scene.table import Card, corners_of


def set_down(scene: Scene, pile: Sequence[Card], top: Card) -> None:
    """The `pile`, from the bottom up, lies there again, moved as its last card was, which is the
    lying card `top` now. Nothing happens if one of its cards went too long ago."""
    gone = {each.card.number: each for each in scene.taken}
    if not all(card.number in gone for card in pile):
        return
    move = _move(pile[-1].quad, top.quad)
    lower = [replace(card, corners=_moved(card.quad, move)) for card in pile[:-1]]
    place = np.logical_or.reduce(
        [scene.occupancy.area(card.quad, HIDDEN) for card in (*lower, top)]
    )
    bare = scene.occupancy.under(top.number)
    small = np.column_stack([move[:, :2], move[:, 2] * scene.scale])
    under = {lower[0].number: bare}
    for card, old in zip((*lower[1:], top), pile[1:], strict=True):
        under[card.number] = _moved_picture(gone[old.number].under, small, bare, place)
    scene.occupancy.insert_below(top.number, lower, under)
    numbers = {card.number for card in pile}
    scene.taken = tuple(each for each in scene.taken if each.card.number not in numbers)
    for card in lower:
        scene.lifted.pop(card.face, None)


def _move(old: Quad, new: Quad) -> np.ndarray:
    """The rotation and translation (2, 3) that takes a card to where it lies now, from whichever
    corner that is told: the one that turns it least."""
    old_middle, new_middle = geometry.centre(old), geometry.centre(new)
    before = old - old_middle
    rolls = [np.roll(new, k, axis=0) - new_middle for k in range(4)]
    after = min(rolls, key=lambda quad: float(np.abs(quad - before).sum()))
    across = float((before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]).sum())
    angle = np.arctan2(across, float((before * after).sum()))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.column_stack([turn, new_middle - turn @ old_middle])


def _moved(quad: Quad, move: np.ndarray) -> tuple[tuple[float, float], ...]:
    return corners_of(cv2.transform(quad[None], move)[0])


def _moved_picture(
    under: Before | None, move: np.ndarray, bare: Before | None, place: Mask
) -> Before | None:
    """What lay below a card, moved (2, 3) in px of the small picture, on the table `bare`."""
    if under is None or bare is None or under.hole is not None:
        return None
    height, width = place.shape
    there = cv2.warpAffine(
        under.shown(bare.light), move, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    return Before(np.where(place[..., None], there, bare.picture), bare.light)
