"""Locates cards in a picture: YOLO with oriented boxes at a small input, then NMS."""

from pathlib import Path

import cv2
import numpy as np

from models.weights import LOCATOR
from vision.networks.engine import Engine
from vision.nms import PART_OF_CARD, SAME_CARD, PartOfCard, suppress
from vision.settings import ONNX
from vision.sightings import Located

VERSION = 2
STRIDES = (8, 16, 32)  # px of the input in one cell of each level
LONG_SIDE = 416  # px of the input; a card of 150 px in a frame of 1280 is then 49 px long
SCORE = 0.35  # least score of a box, 0 to 1; lower finds more cards and more false positives


class Locator:
    """The trained locator."""

    def __init__(self, weights: Path = LOCATOR, threads: int = 1, engine: str = ONNX) -> None:
        self._engine = Engine(weights, VERSION, threads, "locator", engine)

    def locate(
        self,
        bgr: np.ndarray,
        long_side: int = LONG_SIDE,
        score: float = SCORE,
        part: PartOfCard | None = PART_OF_CARD,
        same: float = SAME_CARD.box,
    ) -> Located:
        """The cards of a picture (H, W, 3) uint8 BGR with at least this `score`.

        `long_side`: the input's longer side in px, a multiple of 32. `part`: which boxes are left
        out as parts of larger ones; None keeps them, as a fan may be the larger one. `same`: the
        IoU from which two boxes are one card.
        """
        array, scale = prepare(bgr, long_side)
        return to_located(read_boxes(self._engine.run(array), score), scale, part, same)


def prepare(bgr: np.ndarray, long_side: int) -> tuple[np.ndarray, float]:
    """The picture as the network's input (1, 3, H, W) float32 RGB 0..1, and its scale."""
    h, w = bgr.shape[:2]
    scale = long_side / max(h, w)
    size = (max(32, round(w * scale)), max(32, round(h * scale)))
    small = bgr
    # Repeated halving, then one resize, takes an eighth of the time of one INTER_AREA resize.
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


def read_boxes(maps: list[np.ndarray], score: float) -> np.ndarray:
    """Rows (N, 6) of x, y, w, h, score, angle (input px, radians) with at least this `score`.

    `maps`, three for each level: sides (1, 4, H, W) as distances from the cell's centre in cells,
    logits (1, 1, H, W) and (1, 2, H, W) the cosine and sine of twice the angle. The graph leaves
    this step out: here it takes a few operations on dozens of cells instead of thousands.
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


def to_located(
    rows: np.ndarray,
    scale: float,
    part: PartOfCard | None = PART_OF_CARD,
    same: float = SAME_CARD.box,
) -> Located:
    """Rows (N, 6) of x, y, w, h, score, angle (input px, radians) as quads of the frame after NMS,
    best first."""
    rows = rows[np.argsort(-rows[:, 4])]
    c, s = np.cos(rows[:, 5]), np.sin(rows[:, 5])
    along = np.stack([c, s], 1) * rows[:, 2:3] / 2
    across = np.stack([-s, c], 1) * rows[:, 3:4] / 2
    centre = rows[:, :2]
    quads = np.stack([centre - along - across, centre + along - across, centre + along + across,
                      centre - along + across], 1)  # fmt: skip
    keep = suppress(quads, same, part)
    return Located((quads[keep] / scale).astype(np.float32), rows[keep, 4].astype(np.float32))


def standing(quad: np.ndarray) -> np.ndarray:
    """The quad's corners (4, 2) rolled so that its sides are longer than its top."""
    top = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])
    side = np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, -1, axis=0) if top > side else quad
