"""Finds cards in a picture: YOLO oriented boxes at a small input, and nothing found twice."""

from pathlib import Path

import cv2
import numpy as np

from models.weights import LOCATOR
from vision.networks.engine import Engine
from vision.sightings import Located

VERSION = 2
STRIDES = (8, 16, 32)  # px of the input to a cell of each level
LONG_SIDE = 416  # px; a card of 150 px in a frame of 1280 is then 49 px long
SCORE = 0.35
PART, LARGER = 0.75, 1.2  # so much of it in one so much larger: a part of that card
SAME_IOU = 0.5  # two cards half over each other share a third; one found twice shares more


class Locator:
    """The trained locator."""

    def __init__(self, weights: Path = LOCATOR, threads: int = 1) -> None:
        self._engine = Engine(weights, VERSION, threads)

    def locate(self, bgr: np.ndarray, long_side: int = LONG_SIDE, score: float = SCORE) -> Located:
        """The cards of a picture (H, W, 3) uint8 BGR, at least `score` sure. `long_side`: the
        input's longer side in px, a multiple of 32."""
        array, scale = prepare(bgr, long_side)
        return decode(read_rows(self._engine.run(array), score), scale)


def prepare(bgr: np.ndarray, long_side: int) -> tuple[np.ndarray, float]:
    """The picture as the network's input (1, 3, H, W) float32 RGB 0..1, and its scale."""
    h, w = bgr.shape[:2]
    scale = long_side / max(h, w)
    size = (max(32, round(w * scale)), max(32, round(h * scale)))
    small = bgr
    # Halved as often as can be, then the rest: an eighth of the time of the mean of all pixels.
    while min(small.shape[1] / size[0], small.shape[0] / size[1]) >= 2:
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = cv2.resize(small, half, interpolation=cv2.INTER_AREA)
    small = cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)
    right, below = -size[0] % 32, -size[1] % 32
    if right or below:
        small = cv2.copyMakeBorder(
            small, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114)
        )
    array = np.empty((1, 3, *small.shape[:2]), np.float32)
    for channel, plane in enumerate(cv2.split(small)):
        np.multiply(plane, np.float32(1 / 255), out=array[0, 2 - channel])
    return array, scale


def read_rows(maps: list[np.ndarray], score: float) -> np.ndarray:
    """Rows (N, 6) of x, y, w, h, score, angle (input px, radians) of the cells that are at least
    `score` sure. `maps`: of each level sides (1, 4, H, W) as distances from the cell's centre in
    cells, logits (1, 1, H, W) and arrows (1, 2, H, W) of twice the angle.

    Read here and not in the network: a hundred small steps for thousands of cells are then a few
    for dozens.
    """
    least = np.log(score / (1 - score))
    found = []
    for level, stride in enumerate(STRIDES):
        sides, logits, arrows = (one[0] for one in maps[3 * level : 3 * level + 3])
        row, column = np.nonzero(logits[0] >= least)
        seen = [part[:, row, column] for part in (sides, logits, arrows)]
        found.append(np.vstack([*seen, column + 0.5, row + 0.5, np.full(len(row), stride)]))
    left, top, right, bottom, logit, cosine, sine, x, y, strides = np.hstack(found)
    angle = np.arctan2(sine, cosine) / 2
    c, s = np.cos(angle), np.sin(angle)
    along, across = (right - left) / 2, (bottom - top) / 2
    x, y = x + along * c - across * s, y + along * s + across * c
    boxes = np.stack([x, y, left + right, top + bottom], 1) * strides[:, None]
    return np.column_stack([boxes, 1 / (1 + np.exp(-logit)), angle]).astype(np.float32)


def decode(rows: np.ndarray, scale: float) -> Located:
    """Rows (N, 6) of x, y, w, h, score, angle (input px, radians) as quads of the frame, the best
    first and none twice."""
    rows = rows[np.argsort(-rows[:, 4])]
    c, s = np.cos(rows[:, 5]), np.sin(rows[:, 5])
    along = np.stack([c, s], 1) * rows[:, 2:3] / 2
    across = np.stack([-s, c], 1) * rows[:, 3:4] / 2
    centre = rows[:, :2]
    quads = np.stack([centre - along - across, centre + along - across, centre + along + across,
                      centre - along + across], 1)  # fmt: skip
    keep = drop_doubles(quads, SAME_IOU)
    return Located((quads[keep] / scale).astype(np.float32), rows[keep, 4].astype(np.float32))


def drop_doubles(quads: np.ndarray, limit: float | np.ndarray) -> np.ndarray:
    """Indices of the quads (best first) that are not another, better one or a part of it. `limit`:
    the intersection over union from which on they are, of all or of each with each (N, N)."""
    limits = np.broadcast_to(limit, (len(quads), len(quads)))
    quads = quads.astype(np.float32)
    centres = quads.mean(1)
    reach = np.linalg.norm(quads - centres[:, None], axis=2).max(1, initial=0)
    areas = [cv2.contourArea(q) for q in quads]
    is_left = np.ones(len(quads), bool)
    kept: list[int] = []
    for i, (quad, area) in enumerate(zip(quads, areas, strict=True)):
        if not is_left[i]:
            continue
        kept.append(i)
        apart = np.hypot(*(centres - centres[i]).T)
        is_near = is_left & (apart <= 0.5 * (reach + reach[i]))
        for j in i + 1 + np.flatnonzero(is_near[i + 1 :]):
            shared = cv2.intersectConvexConvex(quads[j], quad)[0]
            is_part = shared > PART * areas[j] and area > LARGER * areas[j]
            if is_part or shared > limits[j, i] * (area + areas[j] - shared):
                is_left[j] = False
    return np.array(kept, np.intp)


def standing(quad: np.ndarray) -> np.ndarray:
    """The quad's corners (4, 2) shifted so that its sides are longer than its top."""
    top = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])
    side = np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, -1, axis=0) if top > side else quad
