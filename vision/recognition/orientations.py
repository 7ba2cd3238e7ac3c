"""The orientations in which a card may lie, given its outline and aspect."""

from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from models.crop import rectangle

Orientation = Callable[[np.ndarray], np.ndarray]  # a quad (4, 2) → the same card turned

SQUARE = 1.12  # aspect up to which a card may lie across its box
STEPS = 12  # orientations of a card whose outline does not tell any


def is_round(outline: str, aspect: float) -> bool:
    """Whether the outline does not tell the card's rotation."""
    return outline in ("round", "bubble") and aspect <= SQUARE


def orientations(outline: str, aspect: float) -> list[Orientation]:
    """Functions of a quad: as it lies and reversed; four for a square; STEPS for a round."""
    if is_round(outline, aspect):
        half = STEPS // 2
        return [partial(rotated, angle=k * np.pi / half, aspect=aspect) for k in range(STEPS)]
    count = 4 if aspect <= SQUARE else 2
    return [partial(np.roll, shift=-k * (4 // count), axis=0) for k in range(count)]


def rotated(quad: np.ndarray, angle: float, aspect: float) -> np.ndarray:
    """A card of `aspect` (height / width) at the place and size of the quad (4, 2), rotated
    clockwise by `angle` in radians."""
    size = np.sqrt(cv2.contourArea(quad.astype(np.float32)) / aspect) / 2
    corners = (rectangle(2, 2) - 1).astype(np.float64) * [1, aspect] * size
    across = quad[1] - quad[0] + quad[2] - quad[3]
    angle += np.arctan2(across[1], across[0])
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + quad.mean(0)).astype(np.float32)
