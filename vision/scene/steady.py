"""A view that slips slowly, held still: frames in the coordinates of the first picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame
from vision.scene.slip import SEEN, Slip, motion_of, slip_of
from vision.scene.texture import BLOCK_PX, KeptTexture, keep
from vision.scene.view_shift import SLIPS_PX, Watch

# In pixels of the watch's small picture, at its corners. A slip below SLIPS_PX may be the error of
# the look: following it would be a random walk.
SURE = 6.0  # standard errors: blocks are no independent samples
AGREED = 0.7  # part of the blocks that must have slipped
AGREE_PX = 0.4  # two looks at a view at rest, or at a slow slip, differ by less
APART_S = 0.3  # between two looks that agree
FAR = 0.04  # of the picture's width; a view moved further shows another part of the table

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SteadyView:
    """Where the view is now. `to_now` (2, 3): from px of the first picture to px of a frame.

    What a stand does that gives way is followed, and a knock once the view rests again. A longer
    push is reported by the watch instead. `slip`: that of the last look, not followed yet, and
    `looked_at` its time (s).
    """

    to_now: Matrix | None = None
    kept: KeptTexture | None = None
    slip: Slip | None = None
    looked_at: float = float("-inf")

    @property
    def stands(self) -> bool:
        """Whether the last look saw most of the table where it was."""
        return self.slip is not None and self.slip.seen >= SEEN and not _slips(self.slip)

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
        """The view after a look at a held frame, with the same `to_now` where there is nothing to
        follow: too little, too much, or one look alone says so."""
        small = watch.before
        if small is None or min(small.shape) < BLOCK_PX:
            return self
        if watch.looked_at - self.looked_at < APART_S:
            return self
        if self.kept is None or self.kept.before.shape != small.shape:  # another size: a new view
            return SteadyView(kept=keep(small), looked_at=watch.looked_at)
        slip = slip_of(self.kept.texture, small, self._starts(watch))
        seen = replace(self, slip=slip, looked_at=watch.looked_at)
        if slip is None:
            return seen
        if not _slips(slip):
            return replace(seen, kept=self.kept.see(small, slip.fits))
        is_far = np.abs(slip.corners).max() > FAR * small.shape[1]
        if is_far or slip.agreed < AGREED or not _is_same(self.slip, slip):
            return seen
        whole = slip.matrix.copy()
        whole[:, 2] /= watch.reference.scale
        return replace(seen, to_now=_after(self.to_now, whole), slip=None)

    def _starts(self, watch: Watch) -> list[Matrix]:
        """Motions from which a fit may begin: the last look's, and what corners say."""
        starts = [] if self.slip is None else [self.slip.motion]
        if watch.corners and watch.said_at == watch.looked_at:
            starts.append(motion_of(watch.corners[-1], watch.reference.small.shape))
        return starts


def _slips(slip: Slip) -> bool:
    """Whether a look saw more than its own error."""
    return bool(np.abs(slip.corners).max() >= max(SLIPS_PX, SURE * slip.unsure_px))


def _is_same(before: Slip | None, slip: Slip) -> bool:
    """Whether two looks saw the view at the same place."""
    return before is not None and bool(np.abs(slip.corners - before.corners).max() <= AGREE_PX)


def _after(first: Matrix | None, then: Matrix) -> Matrix:
    """The mapping that applies `then` and afterwards `first`."""
    if first is None:
        return then
    whole = np.vstack([first, [0, 0, 1]]) @ np.vstack([then, [0, 0, 1]])
    return np.asarray(whole[:2], np.float64)
