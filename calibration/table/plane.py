"""From pixels to millimetres and back, through the lens and the table's homography."""

import cv2
import numpy as np

from calibration.store import Calibration, Intrinsics
from rules.errors import FairdealError


def undistort(points_px: np.ndarray, lens: Intrinsics | None) -> np.ndarray:
    """(N, 2) pixels of the picture → (N, 2) pixels of a lens without distortion."""
    points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
    if lens is None or not len(points):
        return points.reshape(-1, 2)
    distortion = np.array(lens.distortion)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-9)
    straight = cv2.undistortPoints(
        points, lens.matrix, distortion, P=lens.matrix, criteria=criteria
    )
    return straight.reshape(-1, 2)


def distort(points_px: np.ndarray, lens: Intrinsics | None) -> np.ndarray:
    """The inverse of `undistort`."""
    points = np.asarray(points_px, np.float64).reshape(-1, 2)
    if lens is None or not len(points):
        return points
    rays = np.column_stack(
        [
            (points[:, 0] - lens.cx) / lens.fx,
            (points[:, 1] - lens.cy) / lens.fy,
            np.ones(len(points)),
        ]
    )
    zero = np.zeros(3)
    bent, _ = cv2.projectPoints(rays, zero, zero, lens.matrix, np.array(lens.distortion))
    return bent.reshape(-1, 2)


def apply(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(3, 3) applied to (N, 2)."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    out = np.column_stack([points, np.ones(len(points))]) @ np.asarray(homography, np.float64).T
    return out[:, :2] / out[:, 2:]


def to_mm(calibration: Calibration, points_px: np.ndarray) -> np.ndarray:
    """(N, 2) pixels of the picture → (N, 2) millimetres on the table."""
    return apply(_homography(calibration), undistort(points_px, calibration.intrinsics))


def to_px(calibration: Calibration, points_mm: np.ndarray) -> np.ndarray:
    """(N, 2) millimetres on the table → (N, 2) pixels of the picture."""
    inverse = np.linalg.inv(_homography(calibration))
    return distort(apply(inverse, points_mm), calibration.intrinsics)


def _homography(calibration: Calibration) -> np.ndarray:
    if calibration.table is None:
        raise FairdealError("a calibrated table", "none", "run `fairdeal calibrate table`")
    return np.array(calibration.table.homography, np.float64)
