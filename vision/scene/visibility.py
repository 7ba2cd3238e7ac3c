"""Whether the table can be seen at all."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry import Mask

_NEARLY_ALL = 0.8
_DETAIL = 6.0
_BLANK = 0.5  # grey levels: less than any sensor's noise, as in the grey picture of a broken stream


def is_lost(low: Image, changed: Mask, dark_level: float) -> bool:
    """Whether the view is lost: too dark, or nearly all covered by something without detail.

    `low` (h, w, 3) uint8: the small picture; `changed` (h, w): where it is not the table.
    """
    if float(low.mean()) < dark_level or detail(low) < _BLANK:
        return True
    if float(changed.mean()) < _NEARLY_ALL:
        return False
    return detail(low) < _DETAIL


def detail(low: Image) -> float:
    """How much there is to see: the strength of edges in the small picture, in grey levels."""
    grey = cv2.cvtColor(low, cv2.COLOR_BGR2GRAY)
    edges = cv2.Laplacian(grey, cv2.CV_16S)
    return float(np.sqrt(np.mean(np.square(edges, dtype=np.float32))))
