"""Outlines freed of the camera's view: whitened contours, their rotations, their consensus."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.deck.segmentation import Points

Matrix = npt.NDArray[np.float64]

ANGLES = 360  # samples of a radial signature
TURN = 40  # degrees by which a hand-held picture may be rotated
SAME_CUT = 0.08  # residual (RMS) of radii up to which outlines come from one die; a disc has 2
CIRCLE = 0.02  # deviation of the radii up to which the outline is an ellipse
UPSIDE_DOWN = 0.75  # of the upright residual: below it a picture is turned by 180°
RIVAL = 1.6  # of the best residual: other rotations up to here are tried too
APART = 8  # degrees between two rotations that are tried
_TRIES = np.concatenate([np.arange(-TURN, TURN + 1), np.arange(180 - TURN, 181 + TURN)])


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A contour (N, 2) px, its centre (2,) px, the root of its second moments (2, 2) px, and its
    radii (ANGLES,) after both are taken out (whitening): what is left is a rotation."""

    contour: Points
    centre: Matrix
    root: Matrix
    radii: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """The die that most pictures share: its radii (ANGLES,), the root (2, 2) of its second moments
    with unit determinant, upright; `chosen`: each picture's shape, and `turns` its rotation in
    radians; None where no shape is like the die."""

    radii: Matrix
    root: Matrix
    chosen: tuple[Shape | None, ...]
    turns: tuple[float, ...]

    @property
    def polygon(self) -> Matrix:
        """The die's outline (ANGLES, 2) about the origin."""
        angle = np.arange(ANGLES) * 2 * np.pi / ANGLES
        return (self.radii[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)) @ self.root.T


def shape_of(contour: Points) -> Shape:
    """The contour (N, 2) px, whitened by the moments of its area."""
    x, y = contour.astype(np.float64).T
    nx, ny = np.roll(x, -1), np.roll(y, -1)
    cross = x * ny - nx * y
    area = cross.sum() / 2
    cx, cy = ((x + nx) * cross).sum() / (6 * area), ((y + ny) * cross).sum() / (6 * area)
    xx = ((x * x + x * nx + nx * nx) * cross).sum() / (12 * area) - cx * cx
    yy = ((y * y + y * ny + ny * ny) * cross).sum() / (12 * area) - cy * cy
    xy = ((x * ny + 2 * x * y + 2 * nx * ny + nx * y) * cross).sum() / (24 * area) - cx * cy
    centre, root = np.array([cx, cy]), square_root(np.array([[xx, xy], [xy, yy]]))
    return Shape(contour, centre, root, radii_of((contour - centre) @ np.linalg.inv(root).T))


def square_root(matrix: Matrix) -> Matrix:
    """The symmetric root of a symmetric positive matrix (2, 2)."""
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors @ np.diag(np.sqrt(np.maximum(values, 1e-9))) @ vectors.T)


def rotation(angle: float) -> Matrix:
    """The rotation (2, 2) by an angle in radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def radii_of(points: npt.NDArray[np.floating]) -> Matrix:
    """Largest radius of a contour (N, 2) about the origin in each of ANGLES directions."""
    share = np.arange(8)[:, None, None] / 8
    dense = (points + share * (np.roll(points, -1, axis=0) - points)).reshape(-1, 2)
    angle = np.degrees(np.arctan2(dense[:, 1], dense[:, 0])) % 360
    radius = np.linalg.norm(dense, axis=1)
    most = np.zeros(ANGLES)
    np.maximum.at(most, (angle * ANGLES / 360).astype(int) % ANGLES, radius)
    known = np.flatnonzero(most > 0)
    return np.interp(np.arange(ANGLES), known, most[known], period=ANGLES)


def consensus(shapes: Sequence[Sequence[Shape]]) -> Consensus | None:
    """The die that explains most pictures, each with the shapes of its regions; None if fewer
    than half of the pictures have a shape of it.

    The mean rotation is 0: people photograph cards upright.
    """
    owners = np.repeat(np.arange(len(shapes)), [len(own) for own in shapes])
    flat = [shape for own in shapes for shape in own]
    if not flat:
        return None
    radii = np.stack([shape.radii for shape in flat])
    common = radii[_medoid(_residuals(radii, radii).min(2), owners, len(shapes))]
    chosen: list[int | None] = []
    degrees = np.zeros(len(shapes))
    for _ in range(3):
        apart = _residuals(radii, common[None])[:, 0]
        best = apart.min(1)
        chosen = [_nearest(best, owners == k) for k in range(len(shapes))]
        known = [k for k, own in enumerate(chosen) if own is not None]
        if 2 * len(known) < len(shapes):
            return None
        for k in known:
            degrees[k] = turns_of(apart[chosen[k]], common)[0]
        lean = round(float(np.median((degrees[known] + 90) % 180 - 90)))
        degrees[known] -= lean
        common = np.median([np.roll(radii[chosen[k]], -round(degrees[k])) for k in known], axis=0)
    owned = tuple(None if own is None else flat[own] for own in chosen)
    turns = tuple(float(turn) for turn in np.radians(degrees))
    return Consensus(common, _common_root(owned, turns), owned, turns)


def turns_of(residuals: Matrix, common: Matrix) -> list[float]:
    """The likely rotations in degrees, the likeliest first, by the residuals of `_TRIES`."""
    if common.std() < CIRCLE * common.mean():
        return [0.0]
    weighed = residuals.copy()
    half = len(_TRIES) // 2
    upright = float(residuals[:half].min())
    if upright <= SAME_CUT or residuals[half:].min() >= UPSIDE_DOWN * upright:
        weighed[half:] = np.inf
    found: list[float] = []
    limit = RIVAL * float(weighed.min())
    for k in np.argsort(weighed):
        if weighed[k] > limit or len(found) == 3:
            break
        if all(abs(float(_TRIES[k]) - other) >= APART for other in found):
            found.append(float(_TRIES[k]))
    return found


def rotations(radii: Matrix, common: Matrix) -> tuple[list[float], float]:
    """The likely rotations of radii (ANGLES,) in degrees, and the least residual (RMS)."""
    residuals = _residuals(radii[None], common[None])[0, 0]
    return turns_of(residuals, common), float(residuals.min())


def _nearest(residuals: Matrix, own: npt.NDArray[np.bool_]) -> int | None:
    if not own.any():
        return None
    k = int(np.where(own, residuals, np.inf).argmin())
    return k if residuals[k] <= SAME_CUT else None


def _medoid(apart: Matrix, owners: npt.NDArray[np.int_], count: int) -> int:
    """The shape that most pictures have a like one of, by residuals (M, M)."""
    nearest = np.full((len(apart), count), 4 * SAME_CUT)
    for k in range(count):
        own = apart[:, owners == k]
        if own.shape[1]:
            nearest[:, k] = np.minimum(own.min(1), 4 * SAME_CUT)
    return int(nearest.mean(1).argmin())


def _residuals(a: Matrix, b: Matrix) -> Matrix:
    """RMS differences of radii a (N, ANGLES), turned back by each of _TRIES, and b (M, ANGLES)."""
    spectrum = np.fft.rfft(a)[:, None] * np.conj(np.fft.rfft(b))[None]
    product = np.fft.irfft(spectrum, ANGLES)[..., _TRIES % ANGLES]
    square = (a**2).sum(1)[:, None, None] + (b**2).sum(1)[None, :, None] - 2 * product
    return np.asarray(np.sqrt(np.maximum(square, 0) / ANGLES))


def _common_root(shapes: Sequence[Shape | None], turns: Sequence[float]) -> Matrix:
    """Root of the die's second moments, upright and of unit area: the mean over its pictures."""
    total = np.zeros((2, 2))
    for shape, turn in zip(shapes, turns, strict=True):
        if shape is not None:
            back = rotation(turn).T @ (shape.root @ shape.root) @ rotation(turn)
            total += back / np.sqrt(np.linalg.det(back))
    root = square_root(total)
    return np.asarray(root / np.sqrt(np.linalg.det(root)))
