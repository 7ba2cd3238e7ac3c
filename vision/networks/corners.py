"""Lays corners on a card's true sides, at full resolution, and says whether a card lies there."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.crop import COARSE, FINE, HEIGHT, WIDTH, cut
from models.weights import CORNERS
from vision.geometry import aspect as aspect_of
from vision.networks.engine import Engine
from vision.networks.locator import standing

VERSION = 2
BATCH = 16  # crops at once: bounds the memory
ODD = 0.12  # logarithm of an aspect that is not the deck's
TILT = 0.2  # logarithm of what a tilted camera makes of an aspect
SETTLED = 0.01  # a corner that moved further, as a part of the diagonal, is looked for once more
IS_CARD = 0.5  # probability below which a box may be turned too far, or hold no card


@dataclass(frozen=True, slots=True, eq=False)
class Cornered:
    """Cards with corners where they truly are: quads (N, 4, 2) px; `is_card` (N,) 0..1, how
    surely a card lies there; `is_right` (N,) 0..1, how surely its corners are right."""

    quads: np.ndarray
    is_card: np.ndarray
    is_right: np.ndarray


class Corners:
    """The corner network."""

    def __init__(self, weights: Path = CORNERS, threads: int = 1) -> None:
        self._engine = Engine(weights, VERSION, threads)

    def find(self, bgr: np.ndarray, quads: np.ndarray, aspect: float | None = None) -> Cornered:
        """The true corners near each of the quads (N, 4, 2), which may be a fifth off.

        Where no card seems to lie so, the box may be turned too far: other turns of the same card,
        of `aspect` (height / width; the quad's own if None), are tried, and the surest is taken.
        """
        if len(quads) == 0:
            return Cornered(np.zeros((0, 4, 2), np.float32), np.zeros(0), np.zeros(0))
        better, is_card, _ = self._look(bgr, quads, COARSE)
        for i in np.flatnonzero(is_card < IS_CARD):
            tries = turned_boxes(quads[i], aspect or aspect_of(quads[i]))
            tried, likely, _ = self._look(bgr, tries, COARSE)
            k = int(np.argmax(likely))
            if likely[k] > is_card[i]:
                better[i], is_card[i] = tried[k], likely[k]
        return self._settle(bgr, better, is_card)

    def likeliest(
        self, bgr: np.ndarray, quads: np.ndarray, aspect: float, most: int = 3
    ) -> Cornered:
        """The true corners of `most` of the quads (N, 4, 2), where cards of that aspect (height /
        width) lie most surely."""
        better, is_card, _ = self._look(bgr, quads, COARSE)
        odd = np.array([np.log(aspect_of(standing(quad)) / aspect) for quad in better])
        likely = is_card * np.exp(-((odd / TILT) ** 2))
        best = np.argsort(-likely, kind="stable")[:most]
        best = best[is_card[best] >= IS_CARD]
        if len(best) == 0:
            return Cornered(np.zeros((0, 4, 2), np.float32), np.zeros(0), np.zeros(0))
        return self._settle(bgr, better[best], is_card[best])

    def _settle(self, bgr: np.ndarray, better: np.ndarray, is_card: np.ndarray) -> Cornered:
        """A closer look at each card, and one more where that moved a corner."""
        fine, sure, is_right = self._look(bgr, better, FINE)
        far = np.flatnonzero(_moved(better, fine) > SETTLED)
        if len(far):
            fine[far], sure[far], is_right[far] = self._look(bgr, fine[far], FINE)
        return Cornered(fine, np.minimum(is_card, sure), is_right)

    def _look(
        self, bgr: np.ndarray, quads: np.ndarray, margin: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One look at each quad: better quads, and both probabilities."""
        found, chances = [], []
        for start in range(0, len(quads), BATCH):
            part = quads[start : start + BATCH]
            cuts = [cut(bgr, quad, margin) for quad in part]
            corners, logits = self._engine.run(as_input([crop for crop, _ in cuts]))
            chances.append(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
            points = corners.reshape(-1, 4, 2) * np.array([WIDTH, HEIGHT], np.float32)
            for (_, to), seen, old in zip(cuts, points, part, strict=True):
                new = cv2.perspectiveTransform(seen[None], np.linalg.inv(to))[0]
                found.append(new if cv2.isContourConvex(new.astype(np.float32)) else old)
        sure = np.concatenate(chances)
        return np.stack(found).astype(np.float32), sure[:, 0].copy(), sure[:, 1].copy()


def _moved(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """How far the worst corner of each quad moved, as a part of the card's size, (N,)."""
    size = np.linalg.norm(old[:, 2] - old[:, 0], axis=1)
    return np.linalg.norm(new - old, axis=2).max(1) / np.maximum(size, 1e-6)


def as_input(crops: list[np.ndarray]) -> np.ndarray:
    """Crops (H, W, 3) uint8 BGR as a network's input (N, 3, H, W) float32 RGB 0..1."""
    stack = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


def turned_boxes(quad: np.ndarray, aspect: float) -> np.ndarray:
    """Boxes (7, 4, 2) of a card of `aspect` at the quad's place and size, turned all around."""
    centre = quad.mean(0)
    height = float(np.sqrt(cv2.contourArea(np.array(quad, np.float32)) * aspect))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [height / aspect / 2, height / 2]
    start = np.arctan2(*(quad[3] - quad[0])[::-1]) - np.pi / 2
    angles = start + np.arange(7) * np.pi / 7
    return np.stack([
        half @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + centre for a in angles
    ]).astype(np.float32)  # fmt: skip


def other_extents(quad: np.ndarray, aspect: float) -> np.ndarray:
    """Quads (K, 4, 2) of a card of `aspect` of which the quad may show a part, or too much: one
    side moved to give the aspect to a card that stands as the quad does, or lies across it."""
    by = aspect / aspect_of(quad)  # above 1: too wide
    across = aspect * aspect_of(quad)
    # The side that moves, the one that stays, and how far apart they then are.
    moves = [((0, 3), (1, 2), across), ((1, 2), (0, 3), across)]
    if abs(np.log(by)) > ODD:
        moves += [((0, 1), (3, 2), by), ((3, 2), (0, 1), by),
                  ((0, 3), (1, 2), 1 / by), ((1, 2), (0, 3), 1 / by)]  # fmt: skip
    made = []
    for side, other, stretch in moves:
        new = quad.astype(np.float64).copy()
        ends = new[list(other)]
        new[list(side)] = ends + (new[list(side)] - ends) * stretch
        made.append(new)
    return np.stack(made).astype(np.float32)
