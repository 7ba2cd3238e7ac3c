"""Finds the card of a teaching picture, however large it is, with its true corners."""

import cv2
import numpy as np

from vision.corners import IS_CARD, Cornered, Corners
from vision.geometry import intersection
from vision.locate import SAME_IOU, Locator, drop_doubles, standing
from vision.sightings import Located

SIDES = (416, 256, 160)  # px of the input: a card that fills the picture is found at a small one
SCORE = 0.2  # of the locator; the corner network decides


class Closeup:
    """A locator for pictures of which one card may fill most; slower than the running one."""

    def __init__(self, locator: Locator, corners: Corners) -> None:
        self._locator, self._corners = locator, corners

    def locate(self, bgr: np.ndarray) -> Located:
        """The cards of a picture (H, W, 3) uint8 BGR; scores: how sure card and corners are."""
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
        best = best[drop_doubles(quads[best], SAME_IOU)]
        return Located(quads[best], sure[best].astype(np.float32))


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
