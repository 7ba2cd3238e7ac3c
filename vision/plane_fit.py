"""The table's plane from cards of known size: camera tilt and height by least squares.

Each card is a rectangle of the same size on one plane. A pinhole camera sees the plane with four
unknowns: height, two slopes, focal length. Priors hold the slopes and the focal length where few
cards cannot tell them, so one card is enough for a usable plane.
Solver: Levenberg-Marquardt with iteratively reweighted residuals (Geman-McClure).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.homography import Points, apply, rectangle
from vision.lens import Lens

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FitLimits:
    """Priors and noise of the fit."""

    slope: float = 0.6  # standard deviation of each slope: a tilt of 31°
    focal: float = 0.9  # focal length over picture width where the lens is unknown
    focal_spread: float = 0.35  # standard deviation of its logarithm
    outlier: float = 2.0  # standard deviations at which a card weighs a quarter
    subsets: int = 12  # subsets of the cards from which the fit is started
    rounds: int = 12  # most iterations from each start


LIMITS = FitLimits()
SUBSET = 3  # cards in a subset


@dataclass(frozen=True, slots=True, eq=False)
class PlaneFit:
    """A plane fitted to cards; the origin is the picture's centre, x along the picture's x axis.

    `homography` (3, 3) maps undistorted px to mm; `errors_px` (N,) is the rms corner error of each
    card; `weights` (N,) are 1 for a card that fits and near 0 for an outlier.
    """

    homography: Matrix
    errors_px: Matrix
    weights: Matrix
    _camera: _Camera
    _vector: Matrix
    _covariance: Matrix

    def deviations_mm(self, points_px: npt.ArrayLike) -> Matrix:
        """The standard error (N,) in mm of undistorted pixels (N, 2), by the fit's covariance."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        columns = _gradient(
            lambda vector: apply(self._camera.homography(vector), points),
            self._vector, self._camera.free,
        )  # fmt: skip
        variances = np.einsum("nki,ij,nkj->n", columns, self._covariance, columns)
        return np.sqrt(np.maximum(variances, 0.0))


def fit_cards(
    quads_px: npt.ArrayLike,
    card_mm: tuple[float, float],
    size_px: tuple[int, int],
    lens: Lens | None = None,
    noise_px: float = 1.5,
) -> PlaneFit:
    """Fits the plane to outlines (N, 4, 2) of cards, clockwise, any corner first.

    `quads_px` are undistorted; `card_mm` is width and height; `noise_px` is the standard deviation
    of a corner. ValueError without a card.
    """
    quads = np.asarray(quads_px, np.float64).reshape(-1, 4, 2)
    if not len(quads):
        raise ValueError("expected at least one card, found none")
    camera = _Camera.of(size_px, lens)
    card = rectangle(*card_mm) - np.array(card_mm) / 2
    starts = [_converged(camera, camera.start(some, card_mm), some, card, noise_px)
              for some in _subsets(quads)]  # fmt: skip
    best = min(starts, key=lambda start: _loss(camera, start, quads, card, noise_px))
    vector = _converged(camera, best, quads, card, noise_px)
    residuals = _residuals(camera, vector, quads, card)
    weights = _weights(residuals, noise_px)
    return PlaneFit(
        camera.homography(vector), np.sqrt((residuals**2).sum(axis=1) / 4), weights, camera, vector,
        _covariance(camera, vector, quads, card, noise_px),
    )  # fmt: skip


def _subsets(quads: Points) -> list[Points]:
    """All cards, and some three of them each: a start that no outlier has a part in."""
    if len(quads) <= SUBSET:
        return [quads]
    random = np.random.default_rng(0)
    picks = [random.choice(len(quads), SUBSET, replace=False) for _ in range(LIMITS.subsets)]
    return [quads, *(quads[pick] for pick in picks)]


def _loss(camera: _Camera, vector: Matrix, quads: Points, card: Points, noise_px: float) -> float:
    """The Geman-McClure loss of all cards, and the priors."""
    errors = (_residuals(camera, vector, quads, card) ** 2).mean(axis=1) / noise_px**2
    lost = errors / (1 + errors / LIMITS.outlier**2)
    return float(8 * lost.sum() + (camera.prior(vector) ** 2).sum())


def _converged(
    camera: _Camera, vector: Matrix, quads: Points, card: Points, noise_px: float
) -> Matrix:
    """The unknowns after Levenberg-Marquardt from `vector` with corners of this noise."""
    damping = 1e-3
    for _ in range(LIMITS.rounds):
        cost = _cost(camera, vector, quads, card, noise_px)
        stepped, damping = _step(cost, vector, camera.free, damping)
        moved, vector = float(np.abs(stepped - vector).max()), stepped
        if moved < 1e-3:
            break
    return vector


def _cost(
    camera: _Camera, vector: Matrix, quads: Points, card: Points, noise_px: float
) -> Callable[[Matrix], Matrix]:
    """The residuals in standard deviations as a function, with the weights of `vector`."""
    weights = np.sqrt(_weights(_residuals(camera, vector, quads, card), noise_px))[:, None]

    def cost(at: Matrix) -> Matrix:
        errors = _residuals(camera, at, quads, card) * weights / noise_px
        return np.concatenate([errors.ravel(), camera.prior(at)])

    return cost


@dataclass(frozen=True, slots=True)
class _Camera:
    """A pinhole camera above a plane.

    Unknowns: log of the height in mm, two slopes, log of the focal length over its first guess.
    The last one is not free where the lens is known.
    """

    fx: float
    fy: float
    cx: float
    cy: float
    free: int
    middle_px: tuple[float, float]

    @classmethod
    def of(cls, size_px: tuple[int, int], lens: Lens | None) -> _Camera:
        middle = np.array(size_px) / 2
        if lens is not None:
            x, y = lens.undistort(middle).tolist()
            return cls(lens.fx, lens.fy, lens.cx, lens.cy, 3, (x, y))
        focal, (x, y) = LIMITS.focal * max(size_px), middle.tolist()
        return cls(focal, focal, x, y, 4, (x, y))

    def start(self, quads: Points, card_mm: tuple[float, float]) -> Matrix:
        """No tilt, and the height at which the median outline has the card's area."""
        after = np.roll(quads, -1, axis=1)
        areas = np.abs((quads[..., 0] * after[..., 1] - after[..., 0] * quads[..., 1]).sum(1)) / 2
        mm_per_px = np.sqrt(card_mm[0] * card_mm[1] / max(float(np.median(areas)), 1e-6))
        return np.array([np.log(mm_per_px * self.fx), 0.0, 0.0, 0.0])

    def prior(self, vector: Matrix) -> Matrix:
        """Residuals (3,) of the priors, in standard deviations."""
        return vector[1:] / (LIMITS.slope, LIMITS.slope, LIMITS.focal_spread)

    def homography(self, vector: Matrix) -> Matrix:
        """(3, 3), undistorted px → mm."""
        height, slope_x, slope_y, focal = vector
        fx, fy = self.fx * np.exp(focal), self.fy * np.exp(focal)
        rays = np.array([[1 / fx, 0, -self.cx / fx], [0, 1 / fy, -self.cy / fy], [0, 0, 1]])
        normal = np.array([slope_x, slope_y, 1.0])
        along = np.array([1.0, 0.0, -slope_x])  # the picture's x axis laid into the plane
        along /= np.linalg.norm(along)
        down = np.cross(normal / np.linalg.norm(normal), along)
        scale = np.exp(height)
        out = np.stack([scale * along, scale * down, normal]) @ rays
        shift = np.eye(3)
        shift[:2, 2] = -apply(out, np.array(self.middle_px))
        out = shift @ out
        return out / out[2, 2]


def _residuals(camera: _Camera, vector: Matrix, quads: Points, card: Points) -> Matrix:
    """(N, 8) in px: each outline on the plane against the card laid on it as well as it goes."""
    mm = apply(camera.homography(vector), quads)
    centred = mm - mm.mean(axis=1, keepdims=True)
    # As complex numbers: the best rotation of the card has the angle of their inner product.
    outline = centred[..., 0] + 1j * centred[..., 1]
    target = card[:, 0] + 1j * card[:, 1]
    inner, inner_turned = (outline @ np.conj(np.roll(target, k)) for k in (0, 1))
    is_turned = np.abs(inner_turned) > np.abs(inner)
    inner = np.where(is_turned, inner_turned, inner)
    laid = np.where(is_turned[:, None], np.roll(target, 1), target)
    errors = outline - laid * (inner / np.maximum(np.abs(inner), 1e-12))[:, None]
    sides = np.abs(outline - np.roll(outline, -1, axis=1)).sum(axis=1)
    sides_px = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2).sum(axis=1)
    scaled = errors * (sides_px / np.maximum(sides, 1e-9))[:, None]
    return np.concatenate([scaled.real, scaled.imag], axis=1)


def _weights(residuals: Matrix, noise_px: float) -> Matrix:
    """(N,) Geman-McClure weights: an outlier, such as a half covered card, hardly counts."""
    errors = np.sqrt((residuals**2).mean(axis=1)) / noise_px
    return 1 / (1 + (errors / LIMITS.outlier) ** 2) ** 2


def _gradient(function: Callable[[Matrix], Matrix], vector: Matrix, free: int) -> Matrix:
    """Numeric derivatives of `function` (...,) by the first `free` unknowns: (..., free)."""
    step = 1e-6
    here, units = function(vector), np.eye(len(vector))[:free] * step
    columns = [(function(vector + unit) - here) / step for unit in units]
    return np.stack(columns, axis=-1)


def _step(
    function: Callable[[Matrix], Matrix], vector: Matrix, free: int, damping: float
) -> tuple[Matrix, float]:
    """One step of Levenberg-Marquardt: the better vector, or the same one, and the damping."""
    residual, jacobian = function(vector), _gradient(function, vector, free)
    normal, slope = jacobian.T @ jacobian, jacobian.T @ residual
    while damping < 1e9:
        change = np.zeros_like(vector)
        change[:free] = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), -slope)
        tried = function(vector + change)
        if tried @ tried < residual @ residual:
            return vector + change, max(damping / 10, 1e-9)
        damping *= 10
    return vector, damping


def _covariance(
    camera: _Camera, vector: Matrix, quads: Points, card: Points, noise_px: float
) -> Matrix:
    """(free, free): by the noise assumed, or by the residuals where these are larger."""
    cost = _cost(camera, vector, quads, card, noise_px)
    jacobian, residual = _gradient(cost, vector, camera.free), cost(vector)
    weights = _weights(_residuals(camera, vector, quads, card), noise_px)
    # Each card has 8 coordinates, of which place and direction take 3.
    excess = float(residual @ residual) / max(5 * float(weights.sum()) - camera.free, 1.0)
    return np.asarray(np.linalg.inv(jacobian.T @ jacobian) * max(excess, 1.0), np.float64)
