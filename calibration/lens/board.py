"""The ChArUco board: its dimensions, its picture, and its detection in a photograph.

Source: OpenCV's aruco module, CharucoBoard and CharucoDetector.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import cv2
import numpy as np

from rules.errors import FairdealError

DICTIONARY = cv2.aruco.DICT_5X5_50
OTHER_DICTIONARIES = (
    cv2.aruco.DICT_4X4_1000, cv2.aruco.DICT_6X6_1000, cv2.aruco.DICT_5X5_1000,
    cv2.aruco.DICT_ARUCO_ORIGINAL, cv2.aruco.DICT_APRILTAG_36H11,
)  # fmt: skip
BLURRED = 0.07  # steepest edges below it are out of focus, in parts of the contrast
MIN_CORNERS = 12  # detected corners that a view needs
# Distance of a marker from its place on the board, in squares: lens distortion stays below this,
# while markers of another board are whole squares off.
OFF_GRID_SQUARES = 0.35


@dataclass(frozen=True)
class Board:
    """A ChArUco board of `columns`×`rows` squares; lengths in millimetres as printed."""

    columns: int = 7
    rows: int = 10
    square_mm: float = 24.0
    marker_mm: float = 18.0

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the pattern, without its margin."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corner_count(self) -> int:
        return (self.columns - 1) * (self.rows - 1)

    def scaled(self, scale: float) -> "Board":
        """The board as printed by a printer that makes 100·scale mm of 100 mm."""
        return Board(self.columns, self.rows, self.square_mm * scale, self.marker_mm * scale)


@dataclass(frozen=True)
class View:
    """The board in one picture: ids (N,), corners_px (N, 2), points_mm (N, 3)."""

    name: str
    ids: np.ndarray
    corners_px: np.ndarray
    points_mm: np.ndarray
    width: int
    height: int


class Reason(Enum):
    """Why a picture cannot be used: what is wrong, and the remedy."""

    NONE = ("no board visible", "hold the printed board in view, in even light")
    BLURRED = ("too blurred to read", "hold the board still, in more light, and focus")
    MIRRORED = ("the picture is mirrored", "switch the camera's mirroring off")
    OTHER = ("not the expected board", "use the board that `fairdeal print board` makes")
    FEW = (f"fewer than {MIN_CORNERS} board corners visible", "keep the whole board in view")


@dataclass(frozen=True)
class NoView:
    """A picture that cannot be used."""

    name: str
    reason: Reason

    @property
    def words(self) -> str:
        return self.reason.value[0]

    @property
    def todo(self) -> str:
        return self.reason.value[1]


@lru_cache(maxsize=8)
def opencv_board(board: Board) -> cv2.aruco.CharucoBoard:
    """OpenCV's own object for this board."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard(
        (board.columns, board.rows), board.square_mm, board.marker_mm, dictionary
    )


@lru_cache(maxsize=8)
def _detector(board: Board) -> cv2.aruco.CharucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.CharucoDetector(opencv_board(board), cv2.aruco.CharucoParameters(), parameters)


def picture(board: Board, px_per_mm: float) -> np.ndarray:
    """The pattern as (H, W) uint8, without a margin, `px_per_mm` pixels a millimetre."""
    width, height = board.size_mm
    size = (round(width * px_per_mm), round(height * px_per_mm))
    return opencv_board(board).generateImage(size, marginSize=0)


def find(board: Board, bgr: np.ndarray, name: str = "", thorough: bool = False) -> View | NoView:
    """Finds the board in a picture (H, W, 3) or (H, W), uint8.

    Returns the reason if the picture is mirrored or blurred, or shows another board or none.
    `thorough` also detects markers of other board makers, in twice the time.
    """
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    view, markers = _read(board, gray, name)
    if view is not None:
        return view
    _, mirrored = _read(board, np.ascontiguousarray(gray[:, ::-1]), name)
    if mirrored > max(markers, 3):
        return NoView(name, Reason.MIRRORED)
    if markers >= 4:
        return NoView(name, Reason.FEW if view_is_partial(board, gray) else Reason.OTHER)
    if thorough and _shows_other_markers(gray):
        return NoView(name, Reason.OTHER)
    return NoView(name, Reason.BLURRED if is_blurred(gray) else Reason.NONE)


def _shows_other_markers(gray: np.ndarray) -> bool:
    for dictionary in OTHER_DICTIONARIES:
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary))
        _, ids, _ = detector.detectMarkers(gray)
        if ids is not None and len(ids) >= 4:
            return True
    return False


def view_is_partial(board: Board, gray: np.ndarray) -> bool:
    """True if the visible markers lie as on this board, though there are too few."""
    _, _, corners, ids = _detector(board).detectBoard(gray)
    return ids is not None and _lies_as_printed(board, corners, ids)


def _read(board: Board, gray: np.ndarray, name: str) -> tuple[View | None, int]:
    found, found_ids, corners, ids = _detector(board).detectBoard(gray)
    if ids is None:
        return None, 0
    count = len(ids)
    if found_ids is None or len(found_ids) < MIN_CORNERS:
        return None, count
    if not _lies_as_printed(board, corners, ids):
        return None, count
    chosen = np.asarray(found_ids).ravel().astype(int)
    points = np.asarray(opencv_board(board).getChessboardCorners(), np.float32)[chosen]
    height, width = gray.shape
    pixels = np.asarray(found, np.float32).reshape(-1, 2)
    if cv2.contourArea(cv2.convexHull(pixels)) < 0.004 * width * height:
        return None, count
    return View(name, chosen, pixels, points, width, height), count


def _lies_as_printed(board: Board, corners: Sequence, ids: np.ndarray) -> bool:
    """True if the markers lie relative to each other as on this board, up to distortion."""
    printed = opencv_board(board)
    by_id = dict(
        zip(np.asarray(printed.getIds()).ravel().tolist(), printed.getObjPoints(), strict=True)
    )
    numbers = np.asarray(ids).ravel().tolist()
    known = [(by_id[n], c) for n, c in zip(numbers, corners, strict=True) if n in by_id]
    # One or two stray markers may be misread; more of them mean a larger board.
    if len(known) < 4 or len(numbers) - len(known) > 2:
        return False
    target = np.concatenate([np.asarray(p)[:, :2] for p, _ in known]).astype(np.float32)
    source = np.concatenate([np.asarray(c).reshape(4, 2) for _, c in known]).astype(np.float32)
    limit = OFF_GRID_SQUARES * board.square_mm
    homography, inliers = cv2.findHomography(source, target, cv2.RANSAC, limit)
    return homography is not None and float(np.mean(inliers)) >= 0.85


def is_blurred(gray: np.ndarray) -> bool:
    """True if even the steepest edges of a picture with contrast span many pixels."""
    return not is_plain(gray) and steepness(gray) < BLURRED


def steepness(gray: np.ndarray) -> float:
    """The steepest edges' change from pixel to pixel, in parts of the picture's contrast."""
    low, high = np.percentile(gray[::4, ::4], (1, 99))
    steps = np.abs(np.diff(cv2.GaussianBlur(gray, (5, 5), 0).astype(np.int16), axis=1))
    return float(np.percentile(steps, 99.9)) / max(float(high - low), 1.0)


def is_plain(gray: np.ndarray) -> bool:
    """True if the picture has too little contrast to measure blur."""
    low, high = np.percentile(gray[::4, ::4], (1, 99))
    return bool(high - low <= 25)


def refuse_part(board: Board, views: Sequence[View]) -> None:
    """FairdealError if an outer row or column of the board is visible in no view.

    A board with fewer rows has the same markers at the same places; only this distinguishes it.
    """
    seen = np.zeros(board.corner_count, bool)
    for view in views:
        seen[view.ids] = True
    grid = seen.reshape(board.rows - 1, board.columns - 1)
    if not all(edge.any() for edge in (grid[0], grid[-1], grid[:, 0], grid[:, -1])):
        raise FairdealError(
            f"a board of {board.columns}x{board.rows} squares",
            "one whose edge is visible in no picture",
            "use the board that `fairdeal print board` makes, and keep it whole in view",
        )
