"""Notices, while a game runs, that a marked mat was moved on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision import mat
from vision.scene.shift_estimate import WIDTH_PX
from vision.scene.view_shift import MOVED_PX

MARKERS_EVERY_S = 1.0
MARKERS_WIDTH_PX = 960


@dataclass(frozen=True)
class MatWatch:
    """Where each of the mat's markers lay; `moved_px` (full frame) once they lie elsewhere."""

    places: dict[int, np.ndarray]
    looked_at: float = float("-inf")
    shifts: tuple[float, ...] = ()
    moved_px: float | None = None


def watch_mat(bgr: np.ndarray) -> MatWatch | None:
    """A watch over the mat in this picture; None where fewer than three markers can be seen."""
    places = _markers(bgr)
    return MatWatch(places) if len(places) >= 3 else None


def look_at_mat(watch: MatWatch, bgr: np.ndarray, at: float) -> MatWatch:
    """The watch after a frame of time `at` (s); the same object if it is not yet time to look."""
    if at - watch.looked_at < MARKERS_EVERY_S:
        return watch
    here = _markers(bgr)
    both = here.keys() & watch.places.keys()
    if len(both) < 2:
        return replace(watch, looked_at=at)
    way = [float(np.linalg.norm(here[n] - watch.places[n], axis=1).max()) for n in both]
    shifts = (*watch.shifts, float(np.median(way)))[-2:]
    limit = MOVED_PX * bgr.shape[1] / WIDTH_PX
    moved = float(min(shifts)) if len(shifts) == 2 and min(shifts) > limit else None
    return replace(watch, looked_at=at, shifts=shifts, moved_px=moved)


def _markers(bgr: np.ndarray) -> dict[int, np.ndarray]:
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, MARKERS_WIDTH_PX / gray.shape[1])
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = mat.find(small)
    if found is None:
        return {}
    quads = found.pixels.reshape(-1, 4, 2) / scale
    return dict(zip(found.numbers, quads, strict=True))
