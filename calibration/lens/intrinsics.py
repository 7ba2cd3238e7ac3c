"""Intrinsics from views of the ChArUco board, and which views are still missing."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.lens.board import Board, View, refuse_part
from calibration.lens.models import Fit, corner_deviations_px, fit_lens, is_monotone
from calibration.store import Intrinsics
from rules.errors import FairdealError
from vision.lens import Lens

GOOD_PX = 0.5  # mean reprojection error up to which a lens is good
REFUSED_PX = 1.0  # and above which it is refused
MIN_VIEWS = 6
ENOUGH_VIEWS = 10
FOCAL_DOUBT = 0.005  # largest two standard deviations of a focal length, relative
TILT_DEG = 15.0  # tilt that a set should contain in each direction
LEAST_TILT_DEG = 10.0  # below it distance and focal length cannot be separated
CORNER_ASKED, CORNER_REFUSED = 0.002, 0.008  # standard deviation there, of the picture's width
_CORNERS = ("upper left", "upper right", "lower right", "lower left")
_CELLS = ("upper left", "top", "upper right", "left", "middle", "right",
          "lower left", "bottom", "lower right")  # fmt: skip


@dataclass(frozen=True)
class Solved:
    """A lens, the error of each used and dropped view in px, and the views still missing.

    `corner_px`: the standard deviation of the lens at the least certain corner of the picture.
    """

    lens: Intrinsics
    errors: tuple[tuple[str, float], ...]
    dropped: tuple[tuple[str, float], ...]
    missing: tuple[str, ...]
    corner_px: float


def solve(views: Sequence[View], board: Board | None = None, made: str = "") -> Solved:
    """Solves the lens from views of one size; drops the worst views.

    FairdealError for too few views, a mean error above REFUSED_PX, an uncertain focal length, or a
    model that is not valid up to the picture's corners.
    """
    sizes = {(view.width, view.height) for view in views}
    if len(sizes) > 1:
        found = ", ".join(f"{w}x{h}" for w, h in sorted(sizes))
        raise FairdealError("pictures of one resolution", found, "take them all with one setting")
    missing = missing_views(views)
    if len(views) < MIN_VIEWS:
        raise FairdealError(
            f"at least {MIN_VIEWS} pictures that show the board", f"{len(views)}", _wish(missing)
        )
    refuse_part(board or Board(), views)
    kept = list(views)
    dropped: list[tuple[str, float]] = []
    fit = fit_lens(kept)
    spare = min(len(views) // 3, len(views) - MIN_VIEWS)
    while len(dropped) < spare:
        worst = int(np.argmax(fit.per_view))
        if fit.per_view[worst] <= max(2.5 * float(np.median(fit.per_view)), GOOD_PX):
            break
        dropped.append((kept.pop(worst).name, float(fit.per_view[worst])))
        fit = fit_lens(kept)
    _refuse_bad(fit, kept, dropped, missing)
    corners = corner_deviations_px(fit, kept)
    missing = (*missing, *_missing_corners(corners, kept[0].width))
    _refuse_corners(fit, corners, kept[0])
    lens = _intrinsics(fit, len(kept), made or today())
    errors = tuple(zip((v.name for v in kept), fit.per_view.tolist(), strict=True))
    return Solved(lens, errors, tuple(dropped), missing, float(corners.max()))


def today() -> str:
    """The local date and time to the minute, ISO 8601."""
    return datetime.datetime.now().astimezone().isoformat(timespec="minutes")


def _refuse_bad(
    fit: Fit, kept: Sequence[View], dropped: list[tuple[str, float]], missing: tuple[str, ...]
) -> None:
    named = dropped + sorted(
        ((v.name, float(e)) for v, e in zip(kept, fit.per_view, strict=True)), key=lambda p: -p[1]
    )
    worst = ", ".join(f"{name} ({error:.2f} px)" for name, error in named[:3])
    if not np.isfinite(fit.mean) or fit.mean > REFUSED_PX:
        raise FairdealError(
            f"a mean reprojection error of at most {REFUSED_PX:g} px", f"{fit.mean:.2f} px",
            f"glue the board on something flat and take sharp pictures; worst: {worst}",
        )  # fmt: skip
    lens = fit.lens
    fx, fy, cx, cy = lens.fx, lens.fy, lens.cx, lens.cy
    width, height = kept[0].width, kept[0].height
    doubt = 2 * float(max(fit.deviations[0] / fx, fit.deviations[1] / fy))
    centre = 2 * float(max(fit.deviations[2], fit.deviations[3])) / width
    if not np.isfinite(doubt) or max(doubt, centre) > FOCAL_DOUBT:
        raise FairdealError(
            f"views that determine the lens to {FOCAL_DOUBT:.1%}", f"{max(doubt, centre):.1%}",
            _wish(missing),
        )  # fmt: skip
    steepest = max(max(map(abs, tilt(view, lens))) for view in kept)
    if steepest < LEAST_TILT_DEG:
        raise FairdealError(
            f"a board tilted by {TILT_DEG:g} degrees and more", f"{steepest:.0f} at most",
            _wish(missing),
        )  # fmt: skip
    if abs(fx / fy - 1) > 0.02:
        raise FairdealError(
            "square squares on the board", f"squares off by {abs(fx / fy - 1):.1%}",
            "print at 100 % with the same scale in both directions, and do not stretch pictures",
        )  # fmt: skip
    if not (0.3 < cx / width < 0.7 and 0.3 < cy / height < 0.7):
        raise FairdealError(
            "the principal point near the picture's centre", f"({cx:.0f}, {cy:.0f})",
            "use uncropped pictures and more tilted views",
        )  # fmt: skip


def _wish(missing: Sequence[str]) -> str:
    if not missing:
        return "take more pictures, each from another direction"
    return "add these views: " + ", ".join(missing)


def missing_corners(views: Sequence[View]) -> tuple[str, ...]:
    """The corners of the picture where a lens of these views would be uncertain, in words."""
    try:
        fit = fit_lens(views)
    except FairdealError:
        return ()
    return _missing_corners(corner_deviations_px(fit, views), views[0].width)


def _missing_corners(corners: np.ndarray, width: int) -> tuple[str, ...]:
    """The corners of the picture where the lens is still uncertain, in words."""
    pairs = zip(_CORNERS, corners, strict=True)
    bare = [name for name, px in pairs if px > CORNER_ASKED * width]
    if not bare:
        return ()
    return (f"the board in the picture's corners, where it may be cut off: {', '.join(bare)}",)


def _refuse_corners(fit: Fit, corners: np.ndarray, view: View) -> None:
    """FairdealError for a model that folds back inside the picture, or is a guess in a corner."""
    wish = "add views with the board in the picture's corners, where it may be cut off"
    if not is_monotone(fit.lens, (view.width, view.height)):
        raise FairdealError(
            "a lens model that is valid up to the picture's corners", "one that folds back", wish
        )
    worst = float(corners.max())
    if not worst <= CORNER_REFUSED * view.width:
        raise FairdealError(
            f"a lens certain to {CORNER_REFUSED * view.width:.0f} px in the picture's corners",
            f"{worst:.0f} px", wish,
        )  # fmt: skip


def _intrinsics(fit: Fit, views: int, made: str) -> Intrinsics:
    lens = fit.lens
    return Intrinsics(
        lens.fx, lens.fy, lens.cx, lens.cy, lens.distortion, fit.mean, views, made, lens.model
    )


def missing_views(views: Sequence[View]) -> tuple[str, ...]:
    """The views that a good set still lacks, in words; empty if it is complete."""
    wishes = []
    cells = covered(views)
    bare = [name for name, seen in zip(_CELLS, cells, strict=True) if not seen]
    if bare:
        wishes.append("the board at the picture's " + ", ".join(bare))
    tilts = [tilt(view) for view in views]
    for words, axis, sign in (
        ("tilted to the left", 0, -1), ("tilted to the right", 0, 1),
        ("tilted forward", 1, -1), ("tilted backward", 1, 1),
    ):  # fmt: skip
        if not any(t[axis] * sign >= TILT_DEG for t in tilts):
            wishes.append(f"the board {words} by some 30 degrees")
    if len(views) < ENOUGH_VIEWS:
        wishes.append(f"{ENOUGH_VIEWS - len(views)} more of any kind")
    return tuple(wishes)


def covered(views: Sequence[View]) -> tuple[bool, ...]:
    """Which of the picture's 3×3 cells, row by row, contain a corner of the board."""
    seen = np.zeros((3, 3), bool)
    for view in views:
        # The corner cells are larger: a whole board in view does not reach the outermost tenth.
        share = (view.corners_px / (view.width, view.height)).clip(0, 0.999)
        cell = np.where(share < 0.3, 0, np.where(share > 0.7, 2, 1))
        seen[cell[:, 1], cell[:, 0]] = True
    return tuple(bool(v) for v in seen.ravel())


def tilt(view: View, lens: Lens | None = None) -> tuple[float, float]:
    """The board's tilt away from the camera in degrees: to the right, and downward.

    Uses the given lens, or a typical one.
    """
    if lens is None:
        focal = 0.9 * view.width
        lens = Lens(focal, focal, view.width / 2, view.height / 2)
    ok, rotation, _ = cv2.solvePnP(
        view.points_mm.astype(np.float64), lens.undistort(view.corners_px), lens.matrix, None
    )
    if not ok:
        return 0.0, 0.0
    normal = cv2.Rodrigues(rotation)[0][:, 2]
    normal = normal if normal[2] < 0 else -normal
    return (
        float(np.degrees(np.arctan2(normal[0], -normal[2]))),
        float(np.degrees(np.arctan2(normal[1], -normal[2]))),
    )
