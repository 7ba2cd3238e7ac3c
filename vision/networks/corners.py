"""Refines a card's corners at full resolution, and says whether a card lies there."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from models.crop import COARSE, FINE, HEIGHT, WIDTH, cut
from models.weights import CORNERS
from vision.geometry import aspect as aspect_of
from vision.networks.engine import Engine
from vision.networks.locator import standing

VERSION = 2
BATCH = 16  # crops in one run; bounds the memory
TURNS = 7  # orientations tried for a box that shows no card


@dataclass(frozen=True, slots=True)
class CornerLimits:
    """When corners are looked for again, and when a quad is not a whole card."""

    is_card: float = 0.5  # probability; below, other orientations are tried, or no card lies there
    settled: float = 0.01  # of the diagonal; a corner that moved further gets a second pass
    aspect_off: float = 0.12  # log ratio; above, the quad has not the deck's aspect
    tilt: float = 0.2  # log ratio; how far a tilted camera changes an aspect (Gaussian's width)


@dataclass(frozen=True, slots=True)
class Shifts:
    """How far boxes are moved if the corners from a box went astray."""

    shift: float = 0.15  # of the card's side
    turn: float = 0.2  # radians


LIMITS = CornerLimits()
SHIFTS = Shifts()


@dataclass(frozen=True, slots=True, eq=False)
class RefinedCorners:
    """Quads (N, 4, 2) px with refined corners; `is_card` (N,) 0..1, the probability that a card
    lies there; `is_right` (N,) 0..1, the probability that its corners are right; `coarse`
    (N, 4, 2): the corners before the fine passes."""

    quads: np.ndarray
    is_card: np.ndarray
    is_right: np.ndarray
    coarse: np.ndarray

    def where(self, chosen: np.ndarray) -> "RefinedCorners":
        """A selection by mask or numbers."""
        parts = (self.quads, self.is_card, self.is_right, self.coarse)
        return RefinedCorners(*(part[chosen] for part in parts))

    @classmethod
    def empty(cls) -> "RefinedCorners":
        """No cards."""
        none = np.zeros((0, 4, 2), np.float32)
        return cls(none, np.zeros(0), np.zeros(0), none)


class CornerNetwork:
    """The corner network: a coarse pass on a wide crop, then fine passes on close ones."""

    def __init__(self, weights: Path = CORNERS, threads: int = 1) -> None:
        self._engine = Engine(weights, VERSION, threads, "corners")

    def refine(
        self, bgr: np.ndarray, quads: np.ndarray, aspect: float | None = None
    ) -> RefinedCorners:
        """The true corners near each of the quads (N, 4, 2), which may be off by a fifth.

        If no card seems to lie there, the box may have a wrong angle. Other orientations of a card
        of `aspect` (height / width; the quad's own if None) are tried, and the surest is kept.
        """
        if len(quads) == 0:
            return RefinedCorners.empty()
        better, is_card, _ = self._infer(bgr, quads, COARSE)
        for i in np.flatnonzero(is_card < LIMITS.is_card):
            tries = rotated_boxes(quads[i], aspect or aspect_of(quads[i]))
            tried, likely, _ = self._infer(bgr, tries, COARSE)
            k = int(np.argmax(likely))
            if likely[k] > is_card[i]:
                better[i], is_card[i] = tried[k], likely[k]
        return self._settled(bgr, better, is_card)

    def refine_likeliest(
        self, bgr: np.ndarray, quads: np.ndarray, aspect: float, most: int = 3
    ) -> RefinedCorners:
        """The true corners of up to `most` of the quads (N, 4, 2): those that are most probably
        cards of that aspect (height / width)."""
        better, is_card, _ = self._infer(bgr, quads, COARSE)
        off = np.array([np.log(aspect_of(standing(quad)) / aspect) for quad in better])
        likely = is_card * np.exp(-((off / LIMITS.tilt) ** 2))
        best = np.argsort(-likely, kind="stable")[:most]
        best = best[is_card[best] >= LIMITS.is_card]
        if len(best) == 0:
            return RefinedCorners.empty()
        return self._settled(bgr, better[best], is_card[best])

    def coarse(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Corners (K, 4, 2) near those of the quads (N, 4, 2) that may show a card, by one pass on
        wide crops."""
        found, is_card, _ = self._infer(bgr, quads, COARSE)
        return found[is_card >= LIMITS.is_card]

    def _settled(self, bgr: np.ndarray, better: np.ndarray, is_card: np.ndarray) -> RefinedCorners:
        """A fine pass on each quad, and a second one where that moved a corner."""
        fine, sure, is_right = self._infer(bgr, better, FINE)
        far = np.flatnonzero(_moved(better, fine) > LIMITS.settled)
        if len(far):
            fine[far], sure[far], is_right[far] = self._infer(bgr, fine[far], FINE)
        return RefinedCorners(fine, np.minimum(is_card, sure), is_right, better)

    def _infer(
        self, bgr: np.ndarray, quads: np.ndarray, margin: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One pass on each quad: refined quads, and both probabilities."""
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
    """How far the worst corner of each quad moved, in diagonals of the card, (N,)."""
    size = np.linalg.norm(old[:, 2] - old[:, 0], axis=1)
    return np.linalg.norm(new - old, axis=2).max(1) / np.maximum(size, 1e-6)


def as_input(crops: list[np.ndarray]) -> np.ndarray:
    """Crops (H, W, 3) uint8 BGR as a network's input (N, 3, H, W) float32 RGB 0..1."""
    stack = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


def rotated_boxes(quad: np.ndarray, aspect: float) -> np.ndarray:
    """Boxes (TURNS, 4, 2) of a card of `aspect` at the quad's place and size, at even angles."""
    centre = quad.mean(0)
    height = float(np.sqrt(cv2.contourArea(np.array(quad, np.float32)) * aspect))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [height / aspect / 2, height / 2]
    start = np.arctan2(*(quad[3] - quad[0])[::-1]) - np.pi / 2
    angles = start + np.arange(TURNS) * np.pi / TURNS
    return np.stack([
        half @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + centre for a in angles
    ]).astype(np.float32)  # fmt: skip


def shifted_boxes(box: np.ndarray, aspect: float, height: float) -> np.ndarray:
    """Boxes (27, 4, 2) of a card of `aspect` and `height` px about a standing box (4, 2): shifted
    along both sides and turned, a little each way."""
    side = box[3] - box[0] + box[2] - box[1]
    angle = np.arctan2(side[1], side[0]) - np.pi / 2
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [height / aspect / 2, height / 2]
    made = []
    for turn in (0.0, -SHIFTS.turn, SHIFTS.turn):
        c, s = np.cos(angle + turn), np.sin(angle + turn)
        to = np.array([[c, s], [-s, c]])
        for x, y in product((0.0, -SHIFTS.shift, SHIFTS.shift), repeat=2):
            made.append((half + np.array([x / aspect, y]) * height) @ to + box.mean(0))
    return np.stack(made).astype(np.float32)


def other_extents(quad: np.ndarray, aspect: float) -> np.ndarray:
    """Quads (K, 4, 2) of a card of `aspect`, if the quad covers only a part of it, or too much.

    One side is moved so that the result has the aspect, for a card along the quad and across it.
    """
    by = aspect / aspect_of(quad)  # above 1: too wide
    across = aspect * aspect_of(quad)
    # The side that moves, the side that stays, and the factor for their distance.
    moves = [((0, 3), (1, 2), across), ((1, 2), (0, 3), across)]
    if abs(np.log(by)) > LIMITS.aspect_off:
        moves += [((0, 1), (3, 2), by), ((3, 2), (0, 1), by),
                  ((0, 3), (1, 2), 1 / by), ((1, 2), (0, 3), 1 / by)]  # fmt: skip
    made = []
    for side, other, stretch in moves:
        new = quad.astype(np.float64).copy()
        ends = new[list(other)]
        new[list(side)] = ends + (new[list(side)] - ends) * stretch
        made.append(new)
    return np.stack(made).astype(np.float32)
