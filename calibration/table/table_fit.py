"""The table's homography from the mat or from four corners."""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.lens.intrinsics import today
from calibration.store import Intrinsics, TableFit
from calibration.table import uncertainty
from rules.errors import FairdealError
from rules.table.layout import SIDES
from vision import mat as mats
from vision.homography import Points, apply, rectangle

MIN_COVER = 0.75  # least share of the mat between the visible markers
REFUSED_MM = 1.5  # largest rms error of the markers
REFUSED_PX = 1.0
UNCERTAIN_MM = 12.0  # largest uncertainty of a table without markers
_LENS_FIRST = "run `fairdeal calibrate camera` first: the lens distorts the picture"
_FLAT = "use the mat that `fairdeal print mat` makes, in one piece and flat, and hold still"


def from_mat(
    bgr: np.ndarray, lens: Intrinsics | None, scale: float = 1.0, made: str = ""
) -> tuple[TableFit, mats.Found]:
    """Fits the table to the printed mat's markers in a picture (H, W, 3) uint8.

    `scale` is printed length over nominal length. FairdealError if the mat is not whole in view,
    mirrored or not flat.
    """
    found = mats.find(bgr)
    if found is None or len(found.numbers) < 4:
        if mats.is_mirrored(bgr):
            raise FairdealError(
                "a picture that is not mirrored", "a mirrored one", "switch the mirroring off"
            )
        seen = 0 if found is None else len(found.numbers)
        raise FairdealError(
            "the table mat with its markers", f"{seen} of its markers",
            "lay the whole mat in view and light it, or use --corners or --cards",
        )  # fmt: skip
    mat = found.mat.scaled(scale)
    straight = undistorted(found.pixels, lens)
    homography = _fit(straight, found.points_mm * scale, lens is None)
    _refuse_partial(homography, found, mat, bgr.shape[1], bgr.shape[0], lens)
    error_mm, error_px = _residuals(homography, straight, found.points_mm * scale)
    if error_px > REFUSED_PX or error_mm > REFUSED_MM:
        todo = _LENS_FIRST if lens is None else _FLAT
        raise FairdealError(
            f"markers at their places on the mat, within {REFUSED_PX:g} px and {REFUSED_MM:g} mm",
            f"{error_px:.2f} px, {error_mm:.2f} mm", todo,
        )  # fmt: skip
    fit = _table(homography, mat.width_mm, mat.height_mm, f"mat {mat.name}", error_mm, lens, made)
    return fit, found


def from_corners(
    corners_px: Sequence[tuple[float, float]],
    width_mm: float,
    height_mm: float,
    lens: Intrinsics | None,
    size_px: tuple[int, int],
    made: str = "",
) -> TableFit:
    """Fits the table to its four corners, clockwise from the upper left as seat 1 sees them.

    `error_mm` is then the uncertainty by the clicks and, without a lens, by a usual distortion.
    FairdealError unless they form a convex quadrilateral in that order inside the picture, and for
    an uncertainty above UNCERTAIN_MM.
    """
    points = np.array(corners_px, np.float64).reshape(-1, 2)
    _check_corners(points, width_mm, height_mm, size_px)
    straight = undistorted(points, lens)
    if cv2.contourArea(straight.astype(np.float32)) < 0.02 * size_px[0] * size_px[1]:
        raise FairdealError(
            "a table that fills much of the picture", "less than 2 % of it",
            "move the camera closer or check the corners",
        )  # fmt: skip
    target = rectangle(width_mm, height_mm)
    homography = cv2.getPerspectiveTransform(straight.astype(np.float32), target.astype(np.float32))
    size_mm = (width_mm, height_mm)
    error_mm = uncertainty.of_corners(straight, size_mm, size_px, lens is not None)
    if error_mm > UNCERTAIN_MM:
        todo = _LENS_FIRST if lens is None else "move the camera closer to the table"
        raise FairdealError(
            f"a table certain to {UNCERTAIN_MM:g} mm", f"{error_mm:.0f} mm, by four corners", todo
        )
    return _table(homography, width_mm, height_mm, "corners", error_mm, lens, made)


def _check_corners(
    points: np.ndarray, width_mm: float, height_mm: float, size_px: tuple[int, int]
) -> None:
    """Refuses points (N, 2) px that are no table: see `from_corners`."""
    if len(points) != 4:
        raise FairdealError("four corners", f"{len(points)}", "give x,y four times")
    check_size(width_mm, height_mm)
    if not np.isfinite(points).all() or (points < 0).any() or (points >= size_px).any():
        raise FairdealError(
            f"corners inside the picture of {size_px[0]}x{size_px[1]} px",
            " ".join(f"{x:g},{y:g}" for x, y in points), "click or type them again",
        )  # fmt: skip
    turns = [_cross(points[i - 1], points[i], points[(i + 1) % 4]) for i in range(4)]
    if min(turns) <= 0:
        found = "an order that is counter-clockwise" if max(turns) < 0 else "corners that cross"
        raise FairdealError(
            "the table's corners clockwise from its upper left", found, "give them in that order"
        )


def undistorted(points_px: np.ndarray, lens: Intrinsics | None) -> Points:
    """Pixels (..., 2) with the lens's distortion removed; unchanged without a lens."""
    return np.asarray(points_px, np.float64) if lens is None else lens.lens.undistort(points_px)


def _distorted(points_px: np.ndarray, lens: Intrinsics | None) -> Points:
    return points_px if lens is None else lens.lens.distort(points_px)


def check_size(width_mm: float, height_mm: float) -> None:
    """FairdealError unless this is a plausible size of a table."""
    if not (100 <= width_mm <= 3000 and 100 <= height_mm <= 3000):
        raise FairdealError(
            "a table of 100 to 3000 mm a side", f"{width_mm:g}x{height_mm:g}",
            "give --size WIDTHxHEIGHT in millimetres",
        )  # fmt: skip


def picture_sides(
    homography: np.ndarray, width_mm: float, height_mm: float, lens: Intrinsics | None
) -> tuple[str, ...]:
    """The side of the picture of each seat 1 to 4 (seat 1: the table's lower side)."""
    mat = mats.Mat("", width_mm, height_mm, 1.0, 0)
    pixels = _distorted(apply(np.linalg.inv(homography), mat.seats_mm()), lens)
    middle = pixels.mean(axis=0)
    first = pixels[0] - middle
    angle = np.degrees(np.arctan2(first[0], first[1]))
    start = round(-angle / 90) % 4
    return tuple(SIDES[(start + i) % 4] for i in range(4))


def _fit(source: np.ndarray, target: np.ndarray, bent: bool) -> np.ndarray:
    homography, inliers = cv2.findHomography(target, source, cv2.RANSAC, 3.0)
    if homography is None or float(np.mean(inliers)) < 0.8:
        raise FairdealError(
            "markers at their places on the mat", "markers at other places",
            _LENS_FIRST if bent else _FLAT,
        )  # fmt: skip
    keep = inliers.ravel().astype(bool)
    # Fitted from mm to px, because the noise is in px, and then inverted.
    homography, _ = cv2.findHomography(target[keep], source[keep], 0)
    inverse = np.linalg.inv(homography)
    return inverse / inverse[2, 2]


def _residuals(
    homography: np.ndarray, straight: np.ndarray, points_mm: np.ndarray
) -> tuple[float, float]:
    """Root mean square error in mm and in px."""
    mm = np.linalg.norm(apply(homography, straight) - points_mm, axis=1)
    px = np.linalg.norm(apply(np.linalg.inv(homography), points_mm) - straight, axis=1)
    return float(np.sqrt((mm**2).mean())), float(np.sqrt((px**2).mean()))


def _refuse_partial(
    homography: np.ndarray,
    found: mats.Found,
    mat: mats.Mat,
    width: int,
    height: int,
    lens: Intrinsics | None,
) -> None:
    """FairdealError if part of the mat would be extrapolated."""
    hull = cv2.convexHull(found.points_mm.astype(np.float32))
    whole = cv2.convexHull(
        np.concatenate([m.corners_mm for m in found.mat.markers()]).astype(np.float32)
    )
    cover = cv2.contourArea(hull) / cv2.contourArea(whole)
    corners = rectangle(mat.width_mm, mat.height_mm)
    pixels = _distorted(apply(np.linalg.inv(homography), corners), lens)
    slack = 0.03 * width
    outside = (pixels < -slack).any(axis=1) | (pixels > (width + slack, height + slack)).any(axis=1)
    if cover < MIN_COVER or outside.any():
        raise FairdealError(
            "the whole mat in view",
            f"{cover:.0%} of it between the {len(found.numbers)} visible markers, "
            f"{int(outside.sum())} of its corners outside the picture",
            "move the camera or the mat, and take hands and cards off the markers",
        )  # fmt: skip


def _table(
    homography: np.ndarray, width_mm: float, height_mm: float, method: str, error_mm: float,
    lens: Intrinsics | None, made: str,
) -> TableFit:  # fmt: skip
    rows = tuple(tuple(float(v) for v in row) for row in homography)
    seats = picture_sides(homography, width_mm, height_mm, lens)
    return TableFit(
        rows, float(width_mm), float(height_mm), method, float(error_mm), seats, made or today()
    )


def _cross(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Positive where a→b→c turns clockwise in a picture (y downward)."""
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
