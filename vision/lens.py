"""A calibrated lens: it removes distortion from pixels and adds it again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.homography import Points


class LensModel(StrEnum):
    """How distance from the principal point depends on the angle of the ray.

    Sources: Brown (1966), Kannala and Brandt (2006), both as OpenCV implements them.
    """

    BROWN = "brown"  # k1, k2, p1, p2, k3
    FISHEYE = "fisheye"  # k1, k2, k3, k4


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths and principal point in px; the distortion coefficients of its model."""

    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...] = ()
    model: LensModel = LensModel.BROWN

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """The camera matrix (3, 3)."""
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1.0]])

    def undistort_picture(self, bgr: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """A picture (H, W, 3) with the distortion removed, in the same size."""
        distortion = np.array(self.distortion)
        if self.model is LensModel.FISHEYE:
            out = cv2.fisheye.undistortImage(bgr, self.matrix, distortion, Knew=self.matrix)
        else:
            out = cv2.undistort(bgr, self.matrix, distortion)
        return np.asarray(out, np.uint8)

    def undistort(self, points_px: npt.ArrayLike) -> Points:
        """Pixels (..., 2) of the picture → pixels of the same camera without distortion."""
        points = np.asarray(points_px, np.float64)
        if not points.size:
            return points.copy()
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-9)
        flat, distortion = points.reshape(-1, 1, 2), np.array(self.distortion)
        if self.model is LensModel.FISHEYE:
            straight = cv2.fisheye.undistortPoints(
                flat, self.matrix, distortion, P=self.matrix, criteria=criteria
            )
        else:
            straight = cv2.undistortPoints(
                flat, self.matrix, distortion, P=self.matrix, criteria=criteria
            )
        return np.asarray(straight, np.float64).reshape(points.shape)

    def distort(self, points_px: npt.ArrayLike) -> Points:
        """The inverse of `undistort`."""
        points = np.asarray(points_px, np.float64)
        if not points.size:
            return points.copy()
        flat = points.reshape(-1, 2)
        rays = (flat - (self.cx, self.cy)) / (self.fx, self.fy)
        distortion = np.array(self.distortion)
        if self.model is LensModel.FISHEYE:
            bent = cv2.fisheye.distortPoints(rays.reshape(-1, 1, 2), self.matrix, distortion)
        else:
            zero = np.zeros(3)
            rays = np.column_stack([rays, np.ones(len(rays))])
            bent, _ = cv2.projectPoints(rays, zero, zero, self.matrix, distortion)
        return np.asarray(bent, np.float64).reshape(points.shape)
