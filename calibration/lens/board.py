"""The ChArUco board: its measures, its picture, and finding it in a photograph.

Source: OpenCV's aruco module, CharucoBoard and CharucoDetector.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from rules.errors import FairdealError

DICTIONARY = cv2.aruco.DICT_5X5_50
OTHER_DICTIONARIES = (
    cv2.aruco.DICT_4X4_1000, cv2.aruco.DICT_6X6_1000, cv2.aruco.DICT_5X5_1000,
    cv2.aruco.DICT_ARUCO_ORIGINAL, cv2.aruco.DICT_APRILTAG_36H11,
)  # fmt: skip
MIN_CORNERS = 12
# How far a marker may lie from where the board has it: a lens bends, another board is squares off.
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
        """The board as it came out of a printer that prints 100 mm as 100·scale mm."""
        return Board(self.columns, self.rows, self.square_mm * scale, self.marker_mm * scale)


@dataclass(frozen=True)
class View:
    """What one picture showed of the board: ids (N,), corners_px (N,2), points_mm (N,3)."""

    name: str
    ids: np.ndarray
    corners_px: np.ndarray
    points_mm: np.ndarray
    width: int
    height: int


@dataclass(frozen=True)
class NoView:
    """Why a picture is of no use: `reason` is none, blurred, mirrored, other or few."""

    name: str
    reason: str

    @property
    def words(self) -> str:
        return _REASONS[self.reason]


_REASONS = {
    "none": "no board to be seen",
    "blurred": "too blurred to read",
    "mirrored": "the picture is mirrored",
    "other": "another board than the one that is expected",
    "few": f"fewer than {MIN_CORNERS} corners of the board to be seen",
}


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

    A mirrored picture, another board and a blurred picture are told apart, never half read.
    `thorough` also knows the markers of other makers' boards, which takes as long again.
    """
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    view, markers = _read(board, gray, name)
    if view is not None:
        return view
    _, mirrored = _read(board, np.ascontiguousarray(gray[:, ::-1]), name)
    if mirrored > max(markers, 3):
        return NoView(name, "mirrored")
    if markers >= 4:
        return NoView(name, "few" if view_is_partial(board, gray) else "other")
    if thorough and _shows_other_markers(gray):
        return NoView(name, "other")
    return NoView(name, "blurred" if is_blurred(gray) else "none")


def _shows_other_markers(gray: np.ndarray) -> bool:
    for dictionary in OTHER_DICTIONARIES:
        detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(dictionary))
        _, ids, _ = detector.detectMarkers(gray)
        if ids is not None and len(ids) >= 4:
            return True
    return False


def view_is_partial(board: Board, gray: np.ndarray) -> bool:
    """True if the markers seen do lie as on this board, only too few of them."""
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
    """True if the markers lie to each other as on this board, lens bending allowed for."""
    printed = opencv_board(board)
    by_id = dict(
        zip(np.asarray(printed.getIds()).ravel().tolist(), printed.getObjPoints(), strict=True)
    )
    numbers = np.asarray(ids).ravel().tolist()
    known = [(by_id[n], c) for n, c in zip(numbers, corners, strict=True) if n in by_id]
    # One stray marker may be a misreading; more of them belong to a larger board.
    if len(known) < 4 or len(numbers) - len(known) > 2:
        return False
    target = np.concatenate([np.asarray(p)[:, :2] for p, _ in known]).astype(np.float32)
    source = np.concatenate([np.asarray(c).reshape(4, 2) for _, c in known]).astype(np.float32)
    limit = OFF_GRID_SQUARES * board.square_mm
    homography, inliers = cv2.findHomography(source, target, cv2.RANSAC, limit)
    return homography is not None and float(np.mean(inliers)) >= 0.85


def is_blurred(gray: np.ndarray) -> bool:
    """True if even the steepest edges take many pixels, of a picture that shows something."""
    if is_plain(gray):
        return False
    low, high = np.percentile(gray[::4, ::4], (1, 99))
    steps = np.abs(np.diff(cv2.GaussianBlur(gray, (5, 5), 0).astype(np.int16), axis=1))
    return float(np.percentile(steps, 99.9)) < 0.07 * (high - low)


def is_plain(gray: np.ndarray) -> bool:
    """True if the picture shows next to nothing: no edge by which to tell blur."""
    low, high = np.percentile(gray[::4, ::4], (1, 99))
    return bool(high - low <= 25)


def refuse_part(board: Board, views: Sequence[View]) -> None:
    """FairdealError if an outer row or column of the board shows in no view at all.

    A board with fewer rows has the same markers in the same places; only this tells it.
    """
    seen = np.zeros(board.corner_count, bool)
    for view in views:
        seen[view.ids] = True
    grid = seen.reshape(board.rows - 1, board.columns - 1)
    if not all(edge.any() for edge in (grid[0], grid[-1], grid[:, 0], grid[:, -1])):
        raise FairdealError(
            f"a board of {board.columns}x{board.rows} squares",
            "one whose edge shows in no picture",
            "use the board that `fairdeal print board` makes, wholly in view",
        )
