"""Fits an outline of known shape to the edges of a teaching picture (active shape model)."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.segmentation import Image

Matrix = npt.NDArray[np.float64]

POINTS = 300  # of an outline


@dataclass(frozen=True, slots=True)
class EdgeFitSettings:
    """Lengths are shares of the card's size, which is the root of its area."""

    reaches: tuple[float, ...] = (0.045, 0.03, 0.02, 0.014, 0.01, 0.01)  # of the edge search
    samples: int = 41  # of a profile across the outline
    affine: float = 0.3  # prior deviation of an affine step
    tilted: float = 0.08  # prior deviation of a perspective step
    noise: float = 0.004  # deviation of an edge from the outline
    least: float = 5.0  # slope (grey levels in 1 % of the size, three channels) of an edge
    clear: float = 40.0  # slope from which an edge has full weight
    most: float = 160.0  # slope beyond which an edge is preferred no more
    shadow: float = 0.006  # of the size: distance over which a shadow's edge is told
    shade: tuple[float, float] = (0.45, 0.97)  # brightness in a shadow, as a share
    tint: float = 0.1  # difference of these shares between the channels
    dark: float = 8.0  # grey levels that keep dark places from deciding
    doubted: float = 0.45  # weight of an edge that may be a shadow's
    on: float = 0.008  # distance to the outline of an edge that confirms it
    beside: tuple[float, ...] = (0.006, 0.012, 0.018)  # where colours are compared across it
    different: float = 30.0  # ΔE (CIE 1976) across the outline beyond which more does not count


SETTINGS = EdgeFitSettings()


@dataclass(frozen=True, slots=True, eq=False)
class EdgeFit:
    """`to` (3, 3): the outline's plane → picture px; `points` (N, 2) px: the outline there;
    `offsets` (N,): distance of the strongest edge near each point outwards, as a share of the
    size, and its `weights` 0..1; `share`: of the outline on an edge, 0..1; `contrast`: mean ΔE
    across it."""

    to: Matrix
    points: Matrix
    offsets: Matrix
    weights: Matrix
    share: float
    contrast: float


def edge_offsets(
    soft: npt.NDArray[np.float32], outline: Matrix, to: Matrix, reach: float
) -> tuple[Matrix, Matrix]:
    """For each point of the outline (N, 2), laid by `to` (3, 3): how far outwards the strongest
    edge within `reach` lies, as a share of the size, and its weight 0..1."""
    unit = float(np.sqrt(_area(outline)))
    plain = outline / unit
    points, normal, size = _laid(plain, _normals(plain), to @ np.diag([unit, unit, 1.0]))
    offsets, weights = _edges(soft, points, normal, reach * size)
    return offsets / size, weights


def soft_picture(bgr: Image, size: float) -> npt.NDArray[np.float32]:
    """The picture (H, W, 3) float32, noise suppressed for edges of a card of `size` px."""
    sigma = max(0.7, 0.002 * size)
    return cv2.GaussianBlur(bgr, (0, 0), sigma).astype(np.float32)


def fit_outline(
    soft: npt.NDArray[np.float32],
    outline: Matrix,
    to: Matrix,
    reaches: tuple[float, ...] = SETTINGS.reaches,
    counts: npt.NDArray[np.bool_] | None = None,
) -> EdgeFit:
    """Moves the homography `to` (3, 3) so that the closed `outline` (N, 2) lies on edges.

    Each round looks for edges along the normals, then solves for a small homography by weighted
    least squares with Tukey's weights. `counts` (N,): the points that may move it.
    """
    used = np.ones(len(outline), bool) if counts is None else counts
    unit = float(np.sqrt(_area(outline)))
    plain = outline / unit  # a plane in which the outline has area 1
    to = to @ np.diag([unit, unit, 1.0])
    normals = _normals(plain)
    for reach in reaches:
        points, normal, size = _laid(plain, normals, to)
        offsets, weights = _edges(soft, points, normal, reach * size)
        offsets = offsets / size
        limit = max(2.5 * SETTINGS.noise, reach)
        weights = weights * used * (1 - np.minimum(1, (offsets / limit) ** 2)) ** 2
        step = _step(plain, normals, offsets, weights)
        to = to @ step
        to = to / to[2, 2]
    points, normal, size = _laid(plain, normals, to)
    offsets, weights = _edges(soft, points, normal, reaches[-1] * size)
    offsets = offsets / size
    confirmed = (weights > 0) & (np.abs(offsets) < SETTINGS.on)
    share = float(confirmed[used].mean())
    contrast = float(_contrast(soft, points[used], normal[used], size).mean())
    back = np.diag([1 / unit, 1 / unit, 1.0])
    return EdgeFit(to @ back, points, offsets, weights, share, contrast)


def resampled(outline: Matrix, count: int = POINTS) -> Matrix:
    """A closed outline (N, 2) as `count` points of equal steps."""
    closed = np.concatenate([outline, outline[:1]])
    steps = np.linalg.norm(np.diff(closed, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0, along[-1], count, endpoint=False)
    return np.stack([np.interp(at, along, closed[:, k]) for k in (0, 1)], 1)


def moved(outline: Matrix, offsets: Matrix) -> Matrix:
    """The closed outline (N, 2), its points moved outwards by shares (N,) of its size."""
    return outline + (offsets * np.sqrt(_area(outline)))[:, None] * _normals(outline)


def mapped(to: Matrix, points: Matrix) -> Matrix:
    """Points (N, 2) under a homography (3, 3)."""
    flat = np.column_stack([points, np.ones(len(points))]) @ to.T
    return np.asarray(flat[:, :2] / flat[:, 2:])


def _area(points: Matrix) -> float:
    x, y = points.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _normals(points: Matrix) -> Matrix:
    """Outward unit normals (N, 2) of a closed outline (N, 2)."""
    along = np.roll(points, -2, axis=0) - np.roll(points, 2, axis=0)
    normal = np.stack([along[:, 1], -along[:, 0]], 1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    x, y = points.T
    is_clockwise = float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0
    return normal if is_clockwise else -normal


def _laid(plain: Matrix, normals: Matrix, to: Matrix) -> tuple[Matrix, Matrix, float]:
    """The outline's points and unit normals in the picture, and the card's size there in px."""
    points = mapped(to, plain)
    tip = mapped(to, plain + 1e-3 * normals)
    normal = _normals(points)
    if float(((tip - points) * normal).sum()) < 0:
        normal = -normal
    return points, normal, float(np.sqrt(_area(points)))


def _edges(
    soft: npt.NDArray[np.float32], points: Matrix, normal: Matrix, reach: float
) -> tuple[Matrix, Matrix]:
    """For each point, the distance in px to the steepest place within `reach` px along its
    normal, and the weight of that edge, 0..1. Places near the point count more."""
    half = SETTINGS.samples // 2
    steps = np.arange(-half - 1, half + 2) / half * reach
    at = (points[:, None] + steps[:, None] * normal[:, None] - 0.5).astype(np.float32)
    profiles = np.asarray(
        cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )
    size = float(np.sqrt(_area(points)))
    slope = (
        np.abs(profiles[:, 2:] - profiles[:, :-2]).sum(2)
        * (0.01 * size)
        / (2 * (steps[1] - steps[0]))
    )
    height, width = soft.shape[:2]
    x, y = points.T
    is_inside = (x > 1) & (y > 1) & (x < width - 2) & (y < height - 2)
    slope *= _lit(profiles, round(SETTINGS.shadow * size / (steps[1] - steps[0])))
    nearness = np.exp(-0.5 * (steps[1:-1] / (0.6 * reach)) ** 2)
    padded = np.pad(slope, ((0, 0), (1, 1)))
    is_peak = (slope >= padded[:, :-2]) & (slope >= padded[:, 2:])
    best = (np.minimum(slope, SETTINGS.most) * nearness * is_peak).argmax(1)
    rows = np.arange(len(points))
    peak = slope[rows, best]
    left, right = (slope[rows, np.clip(best + k, 0, slope.shape[1] - 1)] for k in (-1, 1))
    bend = left - 2 * peak + right
    shift = np.where(bend < -1e-6, 0.5 * (left - right) / np.minimum(bend, -1e-6), 0.0)
    offsets = steps[1:-1][best] + np.clip(shift, -0.5, 0.5) * (steps[1] - steps[0])
    weights = np.clip((peak - SETTINGS.least) / SETTINGS.clear, 0, 1)
    return offsets, np.where(is_inside, weights, 0.0)


def _lit(profiles: npt.NDArray[np.float32], apart: int) -> npt.NDArray[np.float32]:
    """Weights (N, M - 2) of the inner samples of profiles (N, M, 3), from inside outwards: small
    where the inside may be the outside in a shadow, so all channels are darker by one factor."""
    samples = profiles.shape[1]
    middle = np.arange(1, samples - 1)
    inside = profiles[:, np.maximum(middle - apart, 0)]
    outside = profiles[:, np.minimum(middle + apart, samples - 1)]
    share = (inside + SETTINGS.dark) / (outside + SETTINGS.dark)
    least, most = share.min(2), share.max(2)
    is_shadow = (least > SETTINGS.shade[0]) & (most < SETTINGS.shade[1])
    is_shadow &= most - least < SETTINGS.tint
    return np.where(is_shadow, SETTINGS.doubted, 1.0).astype(np.float32)


def _contrast(
    soft: npt.NDArray[np.float32], points: Matrix, normal: Matrix, size: float
) -> npt.NDArray[np.float32]:
    """ΔE across the outline at each point, (N,), at most SETTINGS.different."""
    sides = []
    for sign in (-1, 1):
        steps = sign * np.array(SETTINGS.beside) * size
        at = (points[:, None] + steps[:, None] * normal[:, None] - 0.5).astype(np.float32)
        colours = cv2.remap(soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR,
                            borderMode=cv2.BORDER_REPLICATE).mean(1)  # fmt: skip
        sides.append(cv2.cvtColor(colours[:, None] / 255, cv2.COLOR_BGR2Lab)[:, 0])
    apart = np.linalg.norm(sides[0] - sides[1], axis=1)
    return np.minimum(apart, SETTINGS.different).astype(np.float32)


def _step(plain: Matrix, normals: Matrix, offsets: Matrix, weights: Matrix) -> Matrix:
    """The small homography (3, 3) of the plane that moves the outline by `offsets` along its
    normals; the priors keep what no edge shows."""
    x, y = plain.T
    nx, ny = normals.T
    radial = nx * x + ny * y
    terms = np.stack([nx * x, nx * y, nx, ny * x, ny * y, ny, -radial * x, -radial * y], 1)
    sigma = np.array([SETTINGS.affine] * 6 + [SETTINGS.tilted] * 2)
    scale = len(plain) / 100  # neighbours are not independent: as if 100 edges were measured
    row = weights / (scale * SETTINGS.noise**2)
    normal_matrix = terms.T @ (terms * row[:, None]) + np.diag(1 / sigma**2)
    a, b, c, d, e, f, g, h = np.linalg.solve(normal_matrix, terms.T @ (row * offsets))
    return np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1.0]])
