"""A view that slips slowly, held still: frames in the coordinates of the first picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame
from vision.scene.view_shift import SLIPS_PX, Watch

# In pixels of the watch's small picture, at its corners. A slip below SLIPS_PX may be the error of
# the look: following it would be a random walk.
AGREED = 0.7  # part of the points that must have slipped
AGREE_PX = 0.4  # two looks at a view at rest, or at a slow slip, differ by less
APART_S = 0.3  # between two looks that agree
FAR = 0.04  # of the picture's width; a view moved further shows another part of the table

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SteadyView:
    """Where the view is now. `to_now` (2, 3): from px of the first picture to px of a frame.

    What a stand does that gives way is followed, and a knock once the view rests again. A longer
    push is reported by the watch instead.
    """

    to_now: Matrix | None = None
    slipped: npt.NDArray[np.float64] | None = None
    said_at: float = float("-inf")

    def hold(self, frame: Frame) -> Frame:
        """The frame as the camera would give it from its first position."""
        if self.to_now is None:
            return frame
        size = (frame.width, frame.height)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        held = cv2.warpAffine(
            frame.bgr, self.to_now, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return Frame(np.asarray(held, np.uint8), frame.at, frame.number)

    def follow(self, watch: Watch) -> SteadyView:
        """The view after a look at a held frame. The same object where there is nothing to follow:
        too little, too much, or one look alone says so."""
        if not watch.corners or watch.said_at - self.said_at < APART_S:
            return self
        height, width = watch.reference.small.shape
        rest = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        slipped = np.asarray(watch.corners[-1], np.float64) - rest
        before, seen = self.slipped, replace(self, slipped=slipped, said_at=watch.said_at)
        is_small = np.abs(slipped).max() < SLIPS_PX
        is_far = np.abs(slipped).max() > FAR * width
        if is_small or is_far or watch.agreed < AGREED:
            return seen
        if before is None or np.abs(slipped - before).max() > AGREE_PX:
            return seen
        matrix, _ = cv2.estimateAffinePartial2D(rest, rest + slipped)
        if matrix is None:
            return seen
        whole = np.array(matrix, np.float64)
        whole[:, 2] /= watch.reference.scale
        return SteadyView(_after(self.to_now, whole), np.zeros_like(slipped), watch.said_at)


def _after(first: Matrix | None, then: Matrix) -> Matrix:
    """The mapping that applies `then` and afterwards `first`."""
    if first is None:
        return then
    whole = np.vstack([first, [0, 0, 1]]) @ np.vstack([then, [0, 0, 1]])
    return np.asarray(whole[:2], np.float64)
