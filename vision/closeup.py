"""Finds the card of a teaching picture, however large it is, with its true corners."""

import numpy as np

from vision.corners import IS_CARD, Corners
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
        sure = seen.is_card * (0.5 + 0.5 * seen.is_right)
        best = np.argsort(-sure)
        best = best[seen.is_card[best] >= IS_CARD]
        best = best[drop_doubles(seen.quads[best], SAME_IOU)]
        return Located(seen.quads[best], sure[best].astype(np.float32))
