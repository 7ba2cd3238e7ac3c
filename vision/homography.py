"""Homographies of the plane, in double precision."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]


def apply(homography: npt.ArrayLike, points: npt.ArrayLike) -> Points:
    """Points (..., 2) mapped by a homography (3, 3)."""
    source = np.asarray(points, np.float64)
    ones = np.ones((*source.shape[:-1], 1))
    mapped = np.concatenate([source, ones], axis=-1) @ np.asarray(homography, np.float64).T
    return mapped[..., :2] / mapped[..., 2:]


def rectangle(width: float, height: float) -> Points:
    """The corners (4, 2) of a rectangle at the origin, clockwise from the upper left (y down)."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
