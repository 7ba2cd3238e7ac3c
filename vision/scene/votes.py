"""Whether followed points went as one rigid view: a rotation, a translation, and who agrees."""

from __future__ import annotations

import cv2
import numpy as np

MIN_POINTS = 8
TELLS_PX = 0.2  # a point that a shift takes so far tells whether the view shifted
INNER = 0.3  # of the picture's sides from its middle, beyond which hands hold cards
MOST = 0.5  # of the points, weighed by ninths, that went with a view that moved
AROUND = 5  # ninths of the whole picture, more than two hands are at
NEARLY = 0.9  # of the points at the border, where hands may hold cards
FEWEST = 3  # points that speak for a ninth
LEAST = 7  # points that tell a shift, or that the view stands
UNMOVED_PX = 0.3  # that a point moves at most which stands
NINTHS, SPREAD = 3, 0.3  # of the picture, over which the points that agree lie at least


def rigid(source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rotation (2, 2) and translation (2,) between points (N, 2): a stand does not zoom."""
    middle, other = source.mean(axis=0), target.mean(axis=0)
    u, _, vt = np.linalg.svd((source - middle).T @ (target - other))
    turned = (u @ np.diag([1.0, np.linalg.det(u @ vt)]) @ vt).T
    return turned, other - turned @ middle


def votes(source: np.ndarray, target: np.ndarray, taken: np.ndarray, shape: tuple) -> float:
    """The part of the points (N, 2) that went as the shift says rather than stood still.

    The mean over the ninths of the picture's inner part: fans in two hands are many points at its
    border. Where little is seen there, over those of the whole picture, if it is most of them.
    """
    size = np.array(shape[::-1], np.float64)
    told = np.linalg.norm(taken - source, axis=1) > TELLS_PX
    follows = np.linalg.norm(target - taken, axis=1) < np.linalg.norm(target - source, axis=1)
    return share_of(source, follows, told, size)


def share_of(source: np.ndarray, follows: np.ndarray, told: np.ndarray, size: np.ndarray) -> float:
    """The part of the points (N, 2) px that follow, of those that tell; `size` (width, height)."""
    inner = told & (np.abs(source / size - 0.5) < INNER).all(axis=1)
    if np.count_nonzero(inner) > FEWEST:
        return _mean_of_ninths(source, follows, inner, size, INNER, 1)
    around = _mean_of_ninths(source, follows, told, size, 0.5, AROUND)
    return around if around >= NEARLY else 0.0


def _mean_of_ninths(
    source: np.ndarray, follows: np.ndarray, where: np.ndarray, size: np.ndarray,
    half: float, fewest: int,
) -> float:  # fmt: skip
    """The mean over the ninths of a part of the picture, `half` of its sides from its middle; over
    its points where few ninths have FEWEST points; 0 with points in fewer than `fewest` ninths."""
    column, row = ((source / size - 0.5 + half) / (2 * half) * 3).astype(int).T
    ninth = column + 3 * row
    told_by = [follows[where & (ninth == k)] for k in np.unique(ninth[where])]
    shares = [float(one.mean()) for one in told_by if len(one) >= FEWEST]
    if len(told_by) < fewest:
        return 0.0
    return float(np.mean(shares)) if shares else float(follows[where].mean())


def contradict(pairs: np.ndarray, taken: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Whether many points stand quite still where a shift would take them on: cards were pushed, or
    like ones came to lie at other places.

    `pairs`: (N, 4) px, where points were and are; `taken`: (4, 2), where the shift takes the
    corners of the picture (h, w).
    """
    if len(pairs) < LEAST:
        return False
    matrix, _ = cv2.estimateAffinePartial2D(corners_of(shape), taken)
    if matrix is None:
        return False
    source, target = pairs[:, :2], pairs[:, 2:]
    still = source[np.linalg.norm(target - source, axis=1) < UNMOVED_PX]
    ought = np.linalg.norm(still @ matrix[:, :2].T + matrix[:, 2] - still, axis=1)
    return bool(np.count_nonzero(ought > 2 * UNMOVED_PX) >= LEAST)


def corners_of(shape: tuple[int, ...]) -> np.ndarray:
    """The corners (4, 2) px of a picture (h, w)."""
    height, width = shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def is_all_over(points: np.ndarray, shape: tuple[int, ...]) -> bool:
    """Whether points (N, 2) px lie all over the picture (h, w), not at one spot."""
    height, width = shape[:2]
    ninths = {(int(x * 3 / width), int(y * 3 / height)) for x, y in points}
    return len(ninths) >= NINTHS and float(np.ptp(points, axis=0).max()) >= SPREAD * width
