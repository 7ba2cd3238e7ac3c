"""Where the fits of a deck's outline begin, and the best of them."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.edge_fit import SETTINGS, EdgeFit, Matrix, fit_outline
from calibration.deck.outline_shapes import Consensus, Shape, rotation, rotations
from calibration.deck.teach import upright
from vision import geometry
from vision.geometry import Quad

CONFIRMED = 0.94  # least share of the outline on an edge
FAINT = 0.7  # of the deck's median contrast: below it other starts are tried
QUADS = 6  # best quads of the networks from which a fit starts
FILLED = 0.75  # area of an outline, in areas of a quad around it
SCALES = 0.94, 1.06, 1.12  # of a weak fit, which may lie on a printed frame
WIDE = (0.1, 0.07)  # of the size: reaches of a fit from a rough start


def likely_starts(die: Consensus, k: int) -> list[Matrix]:
    """Likely homographies from the die's plane to the picture `k`."""
    shape = die.chosen[k]
    if shape is None:
        return []
    turns, _ = rotations(shape.radii, die.radii)
    lean = turns[0] - np.degrees(die.turns[k])
    return [_start(shape, turn - lean, die) for turn in turns]


def best_fit(
    soft: npt.NDArray[np.float32],
    starts: Sequence[Matrix],
    polygon: Matrix,
    reaches: tuple[float, ...],
) -> EdgeFit | None:
    fits = [fit_outline(soft, polygon, start, reaches) for start in starts]
    usable = [fit for fit in fits if np.isfinite(fit.points).all()]
    return max(usable, key=_strength, default=None)


def usual_fit(
    fits: Sequence[EdgeFit | None], softs: Sequence[npt.NDArray[np.float32]]
) -> tuple[float, float]:
    """The median contrast, and the median size as a share of the picture's diagonal."""
    known = [(fit, soft) for fit, soft in zip(fits, softs, strict=True) if fit is not None]
    sizes = [
        np.sqrt(abs(np.linalg.det(fit.to[:2, :2]))) / np.hypot(*soft.shape[:2])
        for fit, soft in known
    ]
    return float(np.median([fit.contrast for fit, _ in known])), float(np.median(sizes))


def retried(
    fit: EdgeFit | None,
    soft: npt.NDArray[np.float32],
    shapes: Sequence[Shape],
    quads: Sequence[Quad],
    die: Consensus,
    polygon: Matrix,
    usual: tuple[float, float],
) -> EdgeFit | None:
    """The fit; a weak one is tried again from all regions and quads, and in the usual size."""
    contrast, size = usual
    if fit is not None and fit.share >= CONFIRMED and fit.contrast >= FAINT * contrast:
        return fit
    starts = [
        _start(shape, turn, die)
        for shape in shapes
        for turn in rotations(shape.radii, die.radii)[0]
    ]
    starts += [_quad_start(quad, polygon) for quad in quads[:QUADS]]
    px = size * float(np.hypot(*soft.shape[:2]))
    middles = [shape.centre for shape in shapes] + [quad.mean(0) for quad in quads[:QUADS]]
    starts += [_upright_start(middle, px) for middle in middles]
    unit = float(np.sqrt(cv2.contourArea(polygon.astype(np.float32)) / FILLED))
    starts += [_upright_start(quad.mean(0), geometry.area(quad) ** 0.5 / unit) for quad in quads]
    if fit is not None:
        starts += [fit.to @ np.diag([scale, scale, 1.0]) for scale in SCALES]
    again = best_fit(soft, starts, polygon, (*WIDE, *SETTINGS.reaches))
    found = [one for one in (fit, again) if one is not None]
    return max(found, key=_strength, default=None)


def _strength(fit: EdgeFit) -> float:
    return fit.contrast * fit.share**4


def _start(shape: Shape, turn: float, die: Consensus) -> Matrix:
    to = np.eye(3)
    to[:2, :2] = shape.root @ rotation(np.radians(turn)) @ np.linalg.inv(die.root)
    to[:2, 2] = shape.centre
    return to


def _quad_start(quad: Quad, polygon: Matrix) -> Matrix:
    """The homography that lays the outline's box into a quad, as it stands in the picture."""
    low, high = polygon.min(0), polygon.max(0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    stands = upright(quad, None if np.ptp(high - low) < 0.1 * high[1] else 2.0)
    return np.asarray(cv2.getPerspectiveTransform(box, stands.astype(np.float32)), np.float64)


def _upright_start(middle: npt.NDArray[np.floating], size: float) -> Matrix:
    to = np.diag([size, size, 1.0])
    to[:2, 2] = middle
    return to
