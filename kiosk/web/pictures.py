"""Pictures for the page: frames and single cards as JPEG, no wider than a screen shows."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

TABLE_WIDTH_PX = 720  # live; what is looked at closely is evidence
TABLE_QUALITY = 75
EVIDENCE_WIDTH_PX = 960
CARD_HEIGHT_PX = 360


def jpeg(bgr: Image, width: int = TABLE_WIDTH_PX, quality: int = TABLE_QUALITY) -> bytes:
    """A picture (H, W, 3) uint8 BGR as JPEG, shrunk to at most `width` px across."""
    done, coded = cv2.imencode(".jpg", shrunk(bgr, width), (cv2.IMWRITE_JPEG_QUALITY, quality))
    if not done:
        raise ValueError(f"expected a picture that JPEG can hold, found {bgr.shape}")
    return coded.tobytes()


def shrunk(bgr: Image, width: int) -> Image:
    """A picture (H, W, 3) at most `width` px across. It is halved while it can be, then
    interpolated: that takes an eighth of the time of averaging at an odd ratio."""
    while bgr.shape[1] >= 2 * width and bgr.shape[0] > 1:
        half = (bgr.shape[1] // 2, bgr.shape[0] // 2)
        bgr = np.asarray(cv2.resize(bgr, half, interpolation=cv2.INTER_AREA), np.uint8)
    if bgr.shape[1] <= width:
        return bgr
    size = (width, max(round(bgr.shape[0] * width / bgr.shape[1]), 1))
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def card_picture(bgr: Image, quad: npt.ArrayLike, height: int = CARD_HEIGHT_PX) -> Image:
    """The card at `quad` cut out upright: (height, W, 3) uint8.

    `quad`: (4, 2) px, clockwise from the upright face's top-left corner.
    """
    corners = np.asarray(quad, np.float32)
    across = float(
        np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
    )
    down = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1]))
    width = max(round(height * across / max(down, 1.0)), 8)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(corners - 0.5, target)
    upright = cv2.warpPerspective(bgr, warp, (width, height), flags=cv2.INTER_AREA)
    return np.asarray(upright, np.uint8)
