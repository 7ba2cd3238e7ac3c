"""Finds the card of a teaching picture, however large it is, with its true corners."""

import cv2
import numpy as np

from vision.geometry import intersection, iou
from vision.networks.corners import IS_CARD, Cornered, Corners
from vision.networks.locator import Locator, standing
from vision.sightings import Located

SIDES = (416, 320, 256, 208, 160, 128)  # px of the input: a large card is found at a small one
SCORE = 0.2  # of the locator; the corner network decides
SAME = 0.85  # intersection over union: one find


class Closeup:
    """A locator for pictures of which one card may fill most; slower than the running one."""

    def __init__(self, locator: Locator, corners: Corners) -> None:
        self._locator, self._corners = locator, corners

    def locate(self, bgr: np.ndarray) -> Located:
        """All that may be a card of a picture (H, W, 3) uint8 BGR, a part of one and its whole
        too; scores: how sure card and corners are."""
        found = [self._locator.locate(bgr, side, SCORE).quads for side in SIDES]
        quads = np.concatenate(found)
        if len(quads) == 0:
            return Located.empty()
        seen = self._corners.find(bgr, np.stack([standing(quad) for quad in quads]))
        # Half of a card may look like a card: what hangs together is tried as one.
        whole = self._corners.find(bgr, _unions(quads))
        quads = np.concatenate([seen.quads, whole.quads])
        is_card = np.concatenate([seen.is_card, whole.is_card])
        sure = np.concatenate([_sure(seen), _sure(whole)])
        best = np.argsort(-sure)
        best = best[is_card[best] >= IS_CARD]
        best = best[_distinct(quads[best])]
        return Located(quads[best], sure[best].astype(np.float32))


def _distinct(quads: np.ndarray) -> np.ndarray:
    """The numbers of those quads (N, 4, 2) that are none of those before them."""
    kept: list[int] = []
    for i, quad in enumerate(quads):
        if all(iou(quad, quads[k]) < SAME for k in kept):
            kept.append(i)
    return np.array(kept, np.intp)


def _sure(seen: Cornered) -> np.ndarray:
    return seen.is_card * (0.5 + 0.5 * seen.is_right)


def _unions(quads: np.ndarray) -> np.ndarray:
    """Boxes (K, 4, 2) about the quads (N, 4, 2) that overlap, directly or by others."""
    left, boxes = set(range(len(quads))), []
    while left:
        group, fresh = set(), {left.pop()}
        while fresh:
            group |= fresh
            fresh = {k for k in left if any(intersection(quads[k], quads[j]) > 0 for j in fresh)}
            left -= fresh
        rim = cv2.minAreaRect(np.concatenate([quads[k] for k in group]))
        boxes.append(standing(cv2.boxPoints(rim)))
    return np.stack(boxes).astype(np.float32)
