"""Locates the card of a teaching picture at any size, with refined corners."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.geometry import intersection
from vision.networks.corners import LIMITS, CornerNetwork, RefinedCorners
from vision.networks.locator import Locator, standing
from vision.nms import SAME_CARD, suppress
from vision.sightings import Located

SIDES = (416, 320, 256, 208, 160, 128, 96, 64)  # px of the input; large cards need small ones
BEYOND = 0.02  # of the picture's longer side: a quad whose corners all lie further out has no edge
SCORE = 0.2  # least score of the locator; the corner network decides


class Closeup:
    """A locator for pictures that one card may fill; slower than the one for play."""

    def __init__(self, locator: Locator, corners: CornerNetwork) -> None:
        self._locator, self._corners = locator, corners

    def locate(self, bgr: np.ndarray, boxes: Sequence[np.ndarray] = ()) -> Located:
        """Everything in a picture (H, W, 3) uint8 BGR that may be a card, parts and wholes;
        scores: the probability of card and corners. `boxes`: further quads (4, 2) px to refine."""
        found = [self._locator.locate(bgr, side, SCORE).quads for side in SIDES]
        found += [np.asarray(box, np.float32)[None] for box in boxes]
        quads = np.concatenate(found)
        if len(quads) == 0:
            return Located.empty()
        seen = self._corners.refine(bgr, np.stack([standing(quad) for quad in quads]))
        # Half of a card may look like a card: overlapping quads are also tried as one.
        whole = self._corners.refine(bgr, _unions(quads))
        quads = np.concatenate([seen.quads, whole.quads])
        is_card = np.concatenate([seen.is_card, whole.is_card])
        sure = np.concatenate([_scores(seen), _scores(whole)])
        best = np.argsort(-sure)
        best = best[is_card[best] >= LIMITS.is_card]
        best = best[_has_edges(quads[best], bgr.shape)]
        best = best[suppress(quads[best], SAME_CARD.closeup)]
        return Located(quads[best], sure[best].astype(np.float32))


def _scores(seen: RefinedCorners) -> np.ndarray:
    return seen.is_card * (0.5 + 0.5 * seen.is_right)


def _has_edges(quads: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Which quads (N, 4, 2) px have a corner in the picture of `shape`, or nearly: (N,) bool."""
    size = np.array(shape[1::-1])
    margin = BEYOND * size.max()
    is_inside = (quads >= -margin).all(2) & (quads <= size + margin).all(2)
    return np.asarray(is_inside.any(1))


def _unions(quads: np.ndarray) -> np.ndarray:
    """Boxes (K, 4, 2) around the groups of quads (N, 4, 2) that overlap directly or by others."""
    left, boxes = set(range(len(quads))), []
    while left:
        group: set[int] = set()
        fresh = {left.pop()}
        while fresh:
            group |= fresh
            fresh = {k for k in left if any(intersection(quads[k], quads[j]) > 0 for j in fresh)}
            left -= fresh
        rim = cv2.minAreaRect(np.concatenate([quads[k] for k in group]))
        boxes.append(standing(cv2.boxPoints(rim)))
    return np.stack(boxes).astype(np.float32)
