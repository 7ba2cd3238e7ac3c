"""Whether followed points went as one rigid view: a rotation, a translation, and who agrees."""

from __future__ import annotations

import numpy as np

MIN_POINTS = 8
TELLS_PX = 0.2  # a point that a shift takes so far tells whether the view shifted
INNER = 0.3  # of the picture's sides from its middle, beyond which hands hold cards
MOST = 0.5  # of the points, weighed by ninths, that went with a view that moved
AROUND = 5  # ninths of the whole picture, more than two hands are at
NEARLY = 0.9  # of the points at the border, where hands may hold cards
FEWEST = 3  # points that speak for a ninth


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
