"""How far the positions of a fitted table may be off, in mm.

A residual says how well a fit explains its own points, not how right it is elsewhere.
"""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.homography import Points, apply, rectangle
from vision.lens import Lens

CLICK_PX = 2.0  # standard deviation of a typed or clicked corner
SAMPLES = 64
# Displacement by an uncalibrated lens at the picture's corner, of half the diagonal (a webcam).
UNKNOWN_LENS = 0.05


def grid_mm(width_mm: float, height_mm: float) -> Points:
    """Points (54, 2) all over the table."""
    xs, ys = np.meshgrid(np.linspace(0, width_mm, 9), np.linspace(0, height_mm, 6))
    return np.column_stack([xs.ravel(), ys.ravel()])


def of_corners(
    corners_px: Points, size_mm: tuple[float, float], size_px: tuple[int, int], has_lens: bool
) -> float:
    """The uncertainty of a table by four undistorted corners (4, 2): the worst point, mm.

    By the clicks' error and, without a lens, by the distortion of a usual one.
    """
    target = rectangle(*size_mm)
    base = _homography(corners_px, target)
    points = grid_mm(*size_mm)
    pixels = apply(np.linalg.inv(base), points)
    random = np.random.default_rng(0)
    shifted = [
        apply(_homography(corners_px + random.normal(0, CLICK_PX, (4, 2)), target), pixels)
        for _ in range(SAMPLES)
    ]
    spread = np.sqrt(((np.array(shifted) - points) ** 2).sum(axis=2).mean(axis=0))
    clicks = float(spread.max())
    if has_lens:
        return clicks
    width, height = size_px
    reach = float(np.hypot(width, height)) / 2 / width
    lens = Lens(width, width, width / 2, height / 2, (-UNKNOWN_LENS / reach**2, 0, 0, 0, 0))
    bent = _homography(lens.distort(corners_px), target)
    errors = np.linalg.norm(apply(bent, lens.distort(pixels)) - points, axis=1)
    return float(np.hypot(clicks, errors.max()))


def jackknife(
    count: int, fit_without: Callable[[int], Points | None], whole: Sequence[float] | Points
) -> float:
    """The largest standard error over points by leaving each of `count` observations out.

    `fit_without(k)` gives the points (N, 2) fitted without observation k, None where that fails;
    `whole` are the points fitted by all. Infinite where too few fits succeed. Source: Efron (1982).
    """
    fits = [points for k in range(count) if (points := fit_without(k)) is not None]
    if len(fits) < max(3, count // 2):
        return float("inf")
    moved = ((np.array(fits) - np.asarray(whole)) ** 2).sum(axis=2).sum(axis=0)
    return float(np.sqrt((len(fits) - 1) / len(fits) * moved).max())


def _homography(source: Points, target: Points) -> np.ndarray:
    return np.asarray(
        cv2.getPerspectiveTransform(source.astype(np.float32), target.astype(np.float32)),
        np.float64,
    )
