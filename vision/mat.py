"""The table mat: ArUco markers at known millimetres, seats, and finding it in a picture."""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

DICTIONARY = cv2.aruco.DICT_4X4_50


@dataclass(frozen=True)
class Marker:
    """One marker: its number, and its upper left corner and side in millimetres."""

    number: int
    x_mm: float
    y_mm: float
    side_mm: float

    @property
    def corners_mm(self) -> np.ndarray:
        """(4, 2), clockwise from the upper left."""
        x, y, s = self.x_mm, self.y_mm, self.side_mm
        return np.array([[x, y], [x + s, y], [x + s, y + s], [x, y + s]], np.float64)


@dataclass(frozen=True)
class Mat:
    """A mat of `width_mm`×`height_mm`; seat 1 sits at its lower side, then clockwise."""

    name: str
    width_mm: float
    height_mm: float
    marker_mm: float
    first: int

    def markers(self) -> tuple[Marker, ...]:
        """Four in the corners, two more on each long side, one on each short side."""
        s, w, h = self.marker_mm, self.width_mm, self.height_mm
        inset = s / 4
        left, right, top, bottom = inset, w - inset - s, inset, h - inset - s
        thirds = (left + (right - left) / 3, left + (right - left) * 2 / 3)
        middle = (top + bottom) / 2
        places = [(left, top), (thirds[0], top), (thirds[1], top), (right, top), (right, middle),
                  (right, bottom), (thirds[1], bottom), (thirds[0], bottom), (left, bottom),
                  (left, middle)]  # fmt: skip
        return tuple(Marker(self.first + i, x, y, s) for i, (x, y) in enumerate(places))

    def seats_mm(self) -> np.ndarray:
        """(4, 2): the middle of each side, in the order of `SIDES`."""
        w, h = self.width_mm, self.height_mm
        return np.array([[w / 2, h], [0, h / 2], [w / 2, 0], [w, h / 2]])

    def scaled(self, scale: float) -> "Mat":
        """The mat as it came out of a printer that prints 100 mm as 100·scale mm."""
        return replace(
            self, width_mm=self.width_mm * scale, height_mm=self.height_mm * scale,
            marker_mm=self.marker_mm * scale,
        )  # fmt: skip


# Each mat has its own marker numbers, so that a picture tells which one it is.
MATS = {
    "table": Mat("table", 700.0, 450.0, 40.0, 0),
    "a3": Mat("a3", 400.0, 265.0, 28.0, 10),
    "a4": Mat("a4", 260.0, 180.0, 20.0, 20),
}


@dataclass(frozen=True)
class Found:
    """A mat in a picture: pixels (N, 2) of marker corners and their millimetres (N, 2)."""

    mat: Mat
    numbers: tuple[int, ...]
    pixels: np.ndarray
    points_mm: np.ndarray


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # The window must stay inside a small marker's black border, one sixth of its side.
    parameters.relativeCornerRefinmentWinSize = 0.3
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def marker_picture(number: int, side_px: int) -> np.ndarray:
    """(side_px, side_px) uint8."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.generateImageMarker(dictionary, number, side_px)


def marker_bits(number: int) -> np.ndarray:
    """(6, 6) bool, True where black: the border and the 4×4 bits."""
    return marker_picture(number, 6) < 128


def picture(mat: Mat, px_per_mm: float) -> np.ndarray:
    """The mat as (H, W) uint8, white ground, markers and seat marks."""
    size = (round(mat.height_mm * px_per_mm), round(mat.width_mm * px_per_mm))
    out = np.full(size, 245, np.uint8)
    for marker in mat.markers():
        x, y = round(marker.x_mm * px_per_mm), round(marker.y_mm * px_per_mm)
        side = round((marker.x_mm + marker.side_mm) * px_per_mm) - x
        out[y : y + side, x : x + side] = marker_picture(marker.number, side)
    return out


def find(bgr: np.ndarray) -> Found | None:
    """Finds the markers of one mat in a picture (H, W[, 3]) uint8; None if there are none.

    Where markers of two mats lie in view, the one with more of them counts.
    """
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(gray)
    if ids is None:
        return None
    numbers = [int(n) for n in np.asarray(ids).ravel()]
    best: Found | None = None
    for mat in MATS.values():
        by_number = {marker.number: marker for marker in mat.markers()}
        own = [(n, c) for n, c in zip(numbers, corners, strict=True) if n in by_number]
        if not own or (best and len(own) <= len(best.numbers)):
            continue
        pixels = np.concatenate([np.asarray(c, np.float64).reshape(4, 2) for _, c in own])
        points = np.concatenate([by_number[n].corners_mm for n, _ in own])
        best = Found(mat, tuple(n for n, _ in own), pixels, points)
    return best


def is_mirrored(bgr: np.ndarray) -> bool:
    """True if the mat can be read only in the mirror."""
    here, there = find(bgr), find(np.ascontiguousarray(bgr[:, ::-1]))
    return there is not None and (here is None or len(there.numbers) > 2 * len(here.numbers) + 2)
