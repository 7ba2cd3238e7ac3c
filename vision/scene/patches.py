"""A card's grey patch, by which rest is checked: which part of it looks as it did."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.crop import crop_to_corners
from vision.frame import Image
from vision.geometry import Mask, Quad

CELL_PX = 8
CELLS = (8, 6)  # rows and columns of a patch
_SIZE = (CELLS[1] * CELL_PX, CELLS[0] * CELL_PX)
_SHIFT = 9.0  # grey levels by which an unchanged cell's mean may differ
_TEXTURE = 5.0  # grey levels, mean deviation within a cell that shows something
_FEWEST = 8  # cells
_ERROR = 8.0  # grey levels, mean absolute difference of an unchanged cell about its mean
_LEFT = 0.65  # the same as a part of what the cell showed


def patch_of(bgr: Image, quad: Quad) -> Image:
    """The card's grey crop, (64, 48) uint8."""
    crop = crop_to_corners(bgr, quad, *_SIZE, 0)
    return np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), np.uint8)


def unchanged(patch: Image, bgr: Image, quad: Quad, visible: Mask | None = None) -> float:
    """The part of the card's textured and `visible` CELLS that look as in its patch, 0 to 1.

    Plain cells count only where there are hardly others: a white border looks alike anywhere.
    """
    now, before = (x.astype(np.float32) for x in (patch_of(bgr, quad), patch))
    apart = now - before
    shift, error = _mean(apart), _mean(np.abs(apart - _widened(_mean(apart))))
    texture = _mean(np.abs(before - _widened(_mean(before))))
    textured = texture >= _TEXTURE
    # In dim light a print is faint: a cell without it differs by as much as it showed.
    most = np.where(textured, np.minimum(_ERROR, _LEFT * texture), _ERROR)
    same = (np.abs(shift) <= _SHIFT) & (error <= most)
    bare = np.ones_like(same) if visible is None else _mean(visible.astype(np.float32)) > 0.5
    told = next(
        (cells for cells in (textured & bare, textured) if np.count_nonzero(cells) >= _FEWEST),
        np.ones_like(same),
    )
    return float(same[told].mean())


def _mean(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(pixels, CELLS[::-1], interpolation=cv2.INTER_AREA), np.float32)


def _widened(cells: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(cells, _SIZE, interpolation=cv2.INTER_NEAREST), np.float32)
