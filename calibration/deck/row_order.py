"""The reading order of cards that lie in rows: upright, row by row, each from the left."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.geometry import Quad

Matrix = npt.NDArray[np.float64]

AGREED = 0.8  # resultant (0..1) of the cards' directions from which they tell the rows' direction
FIELD = 5  # cards from which the direction may change across the picture
ACROSS = 0.5  # of a card's height: how far a neighbour in the row may lie above or below


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Cards in reading order. quads (N, 4, 2) px, each from the upper left of the card as it lies
    in its row; rows: the numbers of each row's cards, from the left."""

    quads: Quad
    rows: tuple[tuple[int, ...], ...]


def in_reading_order(quads: Sequence[Quad]) -> Rows:
    """The cards (4, 2) px each, in rows. A row follows the cards' own direction, within 45° of the
    picture's: it may be bowed, slanted, and have gaps."""
    centres = np.stack([geometry.centre(quad) for quad in quads]).astype(np.float64)
    angles = _directions(quads, centres)
    upright = [_from_upper_left(quad, angle) for quad, angle in zip(quads, angles, strict=True)]
    groups = _groups(upright, centres, angles)
    ordered = sorted(groups, key=lambda row: _height(row, centres, angles))
    rows, first = [], 0
    for row in ordered:
        rows.append(tuple(range(first, first + len(row))))
        first += len(row)
    return Rows(np.stack([upright[k] for row in ordered for k in row]), tuple(rows))


def _directions(quads: Sequence[Quad], centres: Matrix) -> Matrix:
    """The rows' direction at each card, (N,) radians: the quads' own, if they agree up to 90°, else
    that to the nearest neighbours. It changes linearly across the picture."""
    own = np.array([np.arctan2(*(q[1] - q[0] + q[2] - q[3])[::-1]) for q in quads], np.float64)
    turns = np.exp(4j * own)
    if abs(turns.mean()) < AGREED and len(quads) > 1:
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        towards = centres[apart.argmin(1)] - centres
        turns = np.exp(4j * np.arctan2(towards[:, 1], towards[:, 0]))
    middle = float(np.angle(turns.mean())) / 4
    lean = np.angle(turns * np.exp(-4j * middle)) / 4
    if len(quads) < FIELD:
        return np.full(len(quads), middle + float(np.median(lean)))
    spread = max(1e-6, float(np.ptp(centres, axis=0).max()))
    at = np.column_stack([np.ones(len(quads)), (centres - centres.mean(0)) / spread])
    weights = np.ones(len(quads))
    fit = np.zeros(3)
    for _ in range(4):  # iteratively reweighted: a card that lies askew tells nothing
        fit = np.linalg.lstsq(at * weights[:, None], lean * weights, rcond=None)[0]
        off = np.abs(lean - at @ fit)
        weights = 1 / np.sqrt(1 + (off / np.radians(2)) ** 2)
    return np.asarray(middle + at @ fit)


def _from_upper_left(quad: Quad, angle: float) -> Quad:
    """The corners, begun where the card's upper left is if its rows run along `angle`."""
    down = np.array([-np.sin(angle), np.cos(angle)])
    starts = [np.roll(quad, -k, axis=0) for k in range(4)]
    return max(starts, key=lambda q: float((q[3] + q[2] - q[0] - q[1]) @ down))


def _groups(quads: Sequence[Quad], centres: Matrix, angles: Matrix) -> list[list[int]]:
    """Each row's cards from the left: each card joins the nearest one to its right."""
    count = len(quads)
    tall = np.array([np.linalg.norm(q[3] - q[0] + q[2] - q[1]) / 2 for q in quads])
    right_of: dict[int, int] = {}
    for k in range(count):
        along, across = _seen_from(k, centres, angles)
        ahead = [j for j in range(count) if j != k and along[j] > 0
                 and abs(across[j]) < ACROSS * min(tall[j], tall[k])]  # fmt: skip
        if ahead:
            right_of[k] = min(ahead, key=lambda j: float(along[j] + 2 * abs(across[j])))
    owner = list(range(count))
    for k, j in right_of.items():
        old, new = owner[j], owner[k]
        owner = [new if each == old else each for each in owner]
    groups = [[k for k in range(count) if owner[k] == name] for name in sorted(set(owner))]
    middle = float(np.median(angles))
    to_right = centres @ np.array([np.cos(middle), np.sin(middle)])
    return [sorted(group, key=lambda k: float(to_right[k])) for group in groups]


def _seen_from(k: int, centres: Matrix, angles: Matrix) -> tuple[Matrix, Matrix]:
    """How far each card lies to the right of card `k` and below it, along the rows there, (N,)."""
    angle = (angles + angles[k]) / 2
    away = centres - centres[k]
    c, s = np.cos(angle), np.sin(angle)
    return away[:, 0] * c + away[:, 1] * s, away[:, 1] * c - away[:, 0] * s


def _height(row: Sequence[int], centres: Matrix, angles: Matrix) -> float:
    """Where the row would cross the picture's middle, px from the top."""
    middle = float(np.median(angles))
    c, s = np.cos(middle), np.sin(middle)
    turned = (centres - centres.mean(0)) @ np.array([[c, -s], [s, c]])
    slopes = np.tan(angles - middle)
    return float(np.mean([turned[k, 1] - slopes[k] * turned[k, 0] for k in row]))
