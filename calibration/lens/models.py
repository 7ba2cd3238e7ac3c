"""Fits of lens models to views of the board, and how far each fit can be trusted.

Sources: Zhang (2000) with Brown's distortion, and Kannala and Brandt (2006) for wide lenses, both
as OpenCV implements them. The uncertainty in the corners is a jackknife (Efron 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens.board import View
from rules.errors import FairdealError
from vision.homography import Points, rectangle
from vision.lens import Lens, LensModel

Array = npt.NDArray[np.float64]
GROUPS = 4  # of the jackknife
K3_GAIN = 30.0  # least fall of the squared error, in its own variances, that earns k3 its place
HOPELESS_PX = 1.5  # mean error above which Brown's model is not refined
FISHEYE_TRIED_PX = 0.3  # mean error of Brown's model from which the fisheye model is tried
FISHEYE_GAIN = 0.7  # the fisheye's mean error, over Brown's, below which it is taken
WIDEST = 1.4  # radians from the axis: rays beyond it never meet a table in view
STEPS = 2000  # of the radius, when the model is checked to be monotone


@dataclass(frozen=True, eq=False)
class Fit:
    """A lens; the standard deviations of fx, fy, cx, cy; each view's and the mean error in px."""

    lens: Lens
    deviations: Array
    per_view: Array
    mean: float


def fit_lens(views: Sequence[View]) -> Fit:
    """The model that fits best. FairdealError if the views determine none."""
    size = (views[0].width, views[0].height)
    brown = _best_brown(views)
    if brown.mean <= FISHEYE_TRIED_PX and is_monotone(brown.lens, size):
        return brown
    fisheye = fit_fisheye(views)
    if fisheye is None or not is_monotone(fisheye.lens, size):
        return brown
    is_better = fisheye.mean < FISHEYE_GAIN * brown.mean
    return fisheye if is_better or not is_monotone(brown.lens, size) else brown


def _best_brown(views: Sequence[View]) -> Fit:
    """With k3 only if that reduces the error clearly: otherwise it distorts the corners."""
    plain = fit_brown(views, cv2.CALIB_FIX_K3)
    if plain.mean > HOPELESS_PX:
        return plain
    free = fit_brown(views, 0)
    corners = sum(len(view.ids) for view in views)
    gain = (plain.mean**2 - free.mean**2) * corners / max(free.mean**2, 1e-9)
    return free if gain > K3_GAIN and free.deviations[0] < 2 * plain.deviations[0] else plain


def fit_brown(views: Sequence[View], flags: int) -> Fit:
    """Brown's model. FairdealError if the views determine none."""
    objects = [view.points_mm.reshape(-1, 1, 3).astype(np.float32) for view in views]
    images = [view.corners_px.reshape(-1, 1, 2).astype(np.float32) for view in views]
    size = (views[0].width, views[0].height)
    try:
        _, matrix, distortion, _, _, deviations, _, per_view = cv2.calibrateCameraExtended(
            objects, images, size, np.eye(3), np.zeros(5), flags=flags,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9),
        )  # fmt: skip
    except cv2.error:
        raise FairdealError(
            "views that determine a lens", "views that are all alike",
            "tilt the board in each direction",
        ) from None  # fmt: skip
    lens = _lens(matrix, np.asarray(distortion).ravel()[:5], LensModel.BROWN)
    per_view = np.asarray(per_view, np.float64).ravel()
    return Fit(
        lens, np.asarray(deviations, np.float64).ravel()[:4], per_view, _mean(views, per_view)
    )


def fit_fisheye(views: Sequence[View]) -> Fit | None:
    """The fisheye model; None if it does not converge. Deviations are those of the jackknife."""
    lens = _fisheye(views)
    if lens is None:
        return None
    others = [_fisheye(group) for group in _without_groups(views)]
    known = [(o.fx, o.fy, o.cx, o.cy) for o in others if o is not None]
    if len(known) < GROUPS:
        return None
    deviations = np.sqrt((GROUPS - 1) / GROUPS * ((known - np.mean(known, axis=0)) ** 2).sum(0))
    per_view = np.array([_view_error(lens, view) for view in views])
    return Fit(lens, deviations, per_view, _mean(views, per_view))


def _fisheye(views: Sequence[View]) -> Lens | None:
    objects = [view.points_mm.reshape(1, -1, 3).astype(np.float64) for view in views]
    images = [view.corners_px.reshape(1, -1, 2).astype(np.float64) for view in views]
    width, height = views[0].width, views[0].height
    start = np.array([[0.5 * width, 0, width / 2], [0, 0.5 * width, height / 2], [0, 0, 1.0]])
    flags = 0
    for name in ("RECOMPUTE_EXTRINSIC", "FIX_SKEW", "USE_INTRINSIC_GUESS"):
        # OpenCV 5 keeps the flags in cv2, OpenCV 4 in cv2.fisheye with other values.
        place = cv2.fisheye if hasattr(cv2.fisheye, f"CALIB_{name}") else cv2
        flags |= int(getattr(place, f"CALIB_{name}"))
    try:
        _, matrix, distortion, _, _ = cv2.fisheye.calibrate(
            objects, images, (width, height), start, np.zeros((4, 1)), flags=flags,
            criteria=(cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 200, 1e-10),
        )  # fmt: skip
    except cv2.error:
        return None
    return _lens(matrix, np.asarray(distortion).ravel()[:4], LensModel.FISHEYE)


def _lens(camera: npt.ArrayLike, coefficients: npt.ArrayLike, model: LensModel) -> Lens:
    matrix, distortion = np.asarray(camera, np.float64), np.asarray(coefficients, np.float64)
    return Lens(
        float(matrix[0, 0]), float(matrix[1, 1]), float(matrix[0, 2]), float(matrix[1, 2]),
        tuple(float(value) for value in distortion), model,
    )  # fmt: skip


def _view_error(lens: Lens, view: View) -> float:
    """The rms reprojection error of one view, px: its pose is fitted on undistorted pixels."""
    straight = lens.undistort(view.corners_px)
    if not np.isfinite(straight).all():
        return float("inf")
    points = view.points_mm.astype(np.float64)
    ok, turn, shift = cv2.solvePnP(points, straight, lens.matrix, None)
    if not ok:
        return float("inf")
    seen, _ = cv2.projectPoints(points, turn, shift, lens.matrix, None)
    errors = lens.distort(seen.reshape(-1, 2)) - view.corners_px
    return float(np.sqrt((errors**2).sum(axis=1).mean()))


def _mean(views: Sequence[View], per_view: Array) -> float:
    counts = np.array([len(view.ids) for view in views])
    return float(np.sqrt((per_view**2 * counts).sum() / counts.sum()))


def _without_groups(views: Sequence[View]) -> list[list[View]]:
    return [[v for i, v in enumerate(views) if i % GROUPS != k] for k in range(GROUPS)]


def is_monotone(lens: Lens, size_px: tuple[int, int]) -> bool:
    """Whether the distorted radius grows with the ray's angle up to the picture's corners.

    A model that folds back shows two rays in one pixel there, and removes distortion wrongly.
    """
    reach = float(np.linalg.norm(_normalised(lens, rectangle(*size_px)), axis=1).max())
    angles = np.linspace(0, WIDEST, STEPS)
    k = np.array([*lens.distortion, 0.0, 0.0, 0.0, 0.0, 0.0])
    if lens.model is LensModel.FISHEYE:
        seen = angles * (1 + k[0] * angles**2 + k[1] * angles**4 + k[2] * angles**6
                         + k[3] * angles**8)  # fmt: skip
    else:
        r = np.tan(angles)
        seen = r * (1 + k[0] * r**2 + k[1] * r**4 + k[4] * r**6)
    rises = np.diff(seen) > 0
    top = float(seen[-1] if rises.all() else seen[int(np.argmin(rises))])
    return top >= reach


def _normalised(lens: Lens, points_px: Points) -> Points:
    return np.asarray((points_px - (lens.cx, lens.cy)) / (lens.fx, lens.fy))


def corner_deviations_px(fit: Fit, views: Sequence[View]) -> Array:
    """(4,) the uncertainty of the model at the picture's corners, clockwise from the upper left.

    In px, one standard deviation: the lens is fitted again without each quarter of the views, and
    once with Brown's model of the other order. Where no view reached, those fits disagree.
    """
    corners = rectangle(views[0].width, views[0].height)
    straight = fit.lens.undistort(corners)
    if not np.isfinite(straight).all() or not is_monotone(
        fit.lens, (views[0].width, views[0].height)
    ):
        return np.full(4, np.inf)
    rays = _normalised(fit.lens, straight)

    def moved(other: Lens | None) -> Array:
        if other is None:
            return np.full(4, np.inf)
        pixels = other.distort(rays * (other.fx, other.fy) + (other.cx, other.cy))
        return np.asarray(np.linalg.norm(pixels - corners, axis=1))

    spread = np.array([moved(_again(fit.lens, group)) for group in _without_groups(views)])
    jackknife = np.sqrt((GROUPS - 1) / GROUPS * (spread**2).sum(axis=0))
    if fit.lens.model is LensModel.FISHEYE:
        return np.asarray(jackknife)
    return np.asarray(np.maximum(jackknife, moved(_other_order(fit.lens, views))))


def _again(lens: Lens, views: Sequence[View]) -> Lens | None:
    if lens.model is LensModel.FISHEYE:
        return _fisheye(views)
    try:
        return fit_brown(views, 0 if _has_k3(lens) else cv2.CALIB_FIX_K3).lens
    except FairdealError:
        return None


def _other_order(lens: Lens, views: Sequence[View]) -> Lens | None:
    try:
        return fit_brown(views, cv2.CALIB_FIX_K3 if _has_k3(lens) else 0).lens
    except FairdealError:
        return None


def _has_k3(lens: Lens) -> bool:
    return len(lens.distortion) > 4 and lens.distortion[4] != 0
