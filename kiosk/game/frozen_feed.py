"""Notices a live camera that gives the very same picture again and again.

No sensor is without noise: two pictures with the same bytes are one picture, and the driver or
the network behind it has stopped. Time is an argument.
"""

from __future__ import annotations

import numpy as np

from vision.frame import Frame, Image
from vision.sources import Lost

FROZEN_S = 2.5  # as long as a silent camera may be silent
EVERY_PX = 16  # a part of the picture tells most pictures apart


class Frozen:
    """Told of each frame; the first one of its kind is kept."""

    def __init__(self) -> None:
        self._first: Frame | None = None
        self._part: Image | None = None

    def see(self, frame: Frame) -> Lost | None:
        """The camera counts as lost while this picture is older than `FROZEN_S`."""
        part = np.ascontiguousarray(frame.bgr[::EVERY_PX, ::EVERY_PX])
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
        return (
            Lost(frame.at, f"the same picture for {same_s:.1f} s") if same_s >= FROZEN_S else None
        )
