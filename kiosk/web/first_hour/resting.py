"""Cards are located only in a picture at rest, and once: that search takes a second or more."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.proposals import Finder
from vision.frame import Frame, Image
from vision.sightings import Located

WIDTH_PX = 160  # of the small picture that shows whether something moves
LEVEL = 12.0  # grey levels of change of a pixel that counts as one; noise is below
SHARE = 0.002  # of the pixels that changed, above which something moves
REST_S = 0.3  # without a move before the picture is at rest

Small = npt.NDArray[np.float32]


class RestingFinder:
    """The cards of a camera's frames, in order; None while something moves."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._last: Small | None = None
        self._searched: tuple[Small, Located] | None = None
        self._since = 0.0

    def located(self, frame: Frame) -> Located | None:
        """The cards of this frame, searched for where it differs from the last picture at rest."""
        small = _small(frame.bgr)
        if self._last is None or _is_other(small, self._last):
            self._since = frame.at
        self._last = small
        if frame.at - self._since < REST_S:
            return None
        if self._searched is None or _is_other(small, self._searched[0]):
            self._searched = (small, self._finder.locate(frame.bgr))
        return self._searched[1]


def _small(bgr: Image) -> Small:
    size = (WIDTH_PX, max(round(bgr.shape[0] * WIDTH_PX / bgr.shape[1]), 1))
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _is_other(a: Small, b: Small) -> bool:
    if a.shape != b.shape:
        return True
    return float((np.abs(a - b) > LEVEL).mean()) > SHARE
