"""Notices a live camera that repeats one picture.

Every sensor has noise, so two pictures with the same bytes are one picture: the driver or the
network has stopped. Time is an argument.
"""

from __future__ import annotations

import numpy as np

from kiosk.game.limits import LIMITS
from vision.frame import Frame, Image
from vision.sources import Lost


class FrozenFeed:
    """Sees each frame and keeps the first one of a run of equal pictures."""

    def __init__(self) -> None:
        self._first: Frame | None = None
        self._part: Image | None = None

    def see(self, frame: Frame) -> Lost | None:
        """`Lost` while the picture has been the same for `LIMITS.frozen_s` or longer."""
        step = LIMITS.frozen_step_px
        part = np.ascontiguousarray(frame.bgr[::step, ::step])
        first = self._first
        if (
            first is None
            or self._part is None
            or not np.array_equal(part, self._part)
            or not np.array_equal(frame.bgr, first.bgr)
        ):
            self._first, self._part = frame, part
            return None
        same_s = frame.at - first.at
        if same_s < LIMITS.frozen_s:
            return None
        return Lost(frame.at, f"the same picture for {same_s:.1f} s")
