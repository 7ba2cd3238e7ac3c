"""Names located cards: corners refined, set upright, nearest taught vector, a second look."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.crop import CORNER_MARGIN, cut, cut_to, inner_quad
from models.crop import HEIGHT as CROP_H
from models.crop import WIDTH as CROP_W
from models.gallery import BACK, Gallery
from models.weights import CORNERS, NAMER
from vision import second_look
from vision.engine import Engine
from vision.sightings import UNKNOWN

VERSION = 1
PASSES = 3  # of the corner network: each leaves a part of the error
SETTLED = 0.012  # a last step longer than this (of the crop) has not settled
BATCH = 16  # crops at once: bounds the memory
CANDIDATES = 5  # faces that a second look compares
CLEAR = 0.18  # margin of cosine above which no second look is needed
NEAR = 0.42  # least cosine of a face that may be named
DOUBT = 0.06  # least margin of a second look


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Faces of N cards with confidences (N,) 0..1, quads (N, 4, 2) px from the upright face's
    top-left corner clockwise, and face_up (N,) bool."""

    faces: tuple[str, ...]
    confidences: np.ndarray
    quads: np.ndarray
    face_up: np.ndarray


class Embedder:
    """The namer's two networks: crops to better corners, and crops to vectors."""

    def __init__(self, threads: int = 1, namer: Path = NAMER, corners: Path = CORNERS) -> None:
        self._namer = Engine(namer, VERSION, threads)
        self._corners = Engine(corners, VERSION, threads)
        self.checksum: str = self._namer.report["sha256"][:16]

    def look(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Vectors (N, V) of the cards at `quads` (N, 4, 2), each upright."""
        parts = [_input([cut(bgr, q)[0] for q in part]) for part in _batches(quads)]
        return np.concatenate([self._namer.run(part)[0] for part in parts])

    def refine(self, bgr: np.ndarray, quads: np.ndarray, aspect: float) -> tuple[np.ndarray, np.ndarray]:
        """The quads (N, 4, 2) with corners where the network sees them, and how unsure it is (N,).

        Where it does not settle, the box may be turned too far: other turns of the same card, of
        `aspect` (height / width), are tried, and the one that settles best is taken.
        """
        best, rest = self._settle(bgr, quads)
        for i in np.flatnonzero(rest > SETTLED):
            tried, left = self._settle(bgr, turned_boxes(quads[i], aspect))
            k = int(np.argmin(left))
            if left[k] < rest[i]:
                best[i], rest[i] = tried[k], left[k]
        return best, rest

    def _settle(self, bgr: np.ndarray, quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """PASSES times the corners; the last step's length, as a part of the crop, tells how sure."""
        inner = inner_quad(margin=CORNER_MARGIN)
        rest = np.zeros(len(quads))
        for _ in range(PASSES):
            better, moved = [], []
            for part in _batches(quads):
                cuts = [cut(bgr, q, CORNER_MARGIN) for q in part]
                offsets = self._corners.run(_input([crop for crop, _ in cuts]))[0].reshape(-1, 4, 2)
                corners = (inner + offsets * [CROP_W, CROP_H]).astype(np.float32)
                moved.append(np.abs(offsets).mean((1, 2)))
                for (_, to), points, old in zip(cuts, corners, part, strict=True):
                    new = cv2.perspectiveTransform(points[None], np.linalg.inv(to))[0]
                    better.append(new if cv2.isContourConvex(new) else old)
            quads, rest = np.stack(better).astype(np.float32), np.concatenate(moved)
        return quads, rest


def turned_boxes(quad: np.ndarray, aspect: float) -> np.ndarray:
    """Boxes (7, 4, 2) of a card of `aspect` at the quad's place and size, turned all around."""
    centre = quad.mean(0)
    height = float(np.sqrt(cv2.contourArea(np.float32(quad)) * aspect))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [height / aspect / 2, height / 2]
    start = np.arctan2(*(quad[3] - quad[0])[::-1]) - np.pi / 2
    angles = start + np.arange(7) * np.pi / 7
    return np.stack([
        half @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + centre for a in angles
    ]).astype(np.float32)  # fmt: skip


def _batches(quads: np.ndarray) -> list[np.ndarray]:
    return [quads[start : start + BATCH] for start in range(0, len(quads), BATCH)]


def _input(crops: list[np.ndarray]) -> np.ndarray:
    stack = np.stack(crops)[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(stack, np.float32) / np.float32(255)


class Namer:
    """Names the cards of one taught deck. `outline` and `aspect` (height / width) are the deck's."""

    def __init__(self, gallery: Gallery, outline: str, aspect: float, embedder: Embedder) -> None:
        self._gallery, self._embedder = gallery, embedder
        self._names = np.array(gallery.faces)
        self._looks = [second_look.normalised(look) for look in gallery.looks]
        self._ways = turns(outline, aspect)
        self._aspect = aspect
        self._tall = aspect > 1.12 and outline != "round"

    def name(self, bgr: np.ndarray, quads: np.ndarray) -> Named:
        """Names the cards at `quads` (N, 4, 2), any corner first, of the frame `bgr`."""
        n = len(quads)
        if n == 0:
            return Named(
                (), np.zeros(0, np.float32), np.zeros((0, 4, 2), np.float32), np.zeros(0, bool)
            )
        quads = np.stack([_standing(q) if self._tall else q for q in quads]).astype(np.float32)
        once, _ = self._embedder.refine(bgr, quads, self._aspect)
        better = np.stack([np.stack([turn(q) for q in once]) for turn in self._ways])
        vectors = self._embedder.look(bgr, better.reshape(-1, 4, 2).astype(np.float32))
        likeness = (vectors @ self._gallery.vectors.T).reshape(len(self._ways), n, -1)
        named = [self._one(bgr, likeness[:, i], better[:, i]) for i in range(n)]
        faces = tuple(name for name, _, _ in named)
        return Named(faces, np.float32([c for _, c, _ in named]), np.stack([q for _, _, q in named]),
                     np.array([f != BACK for f in faces]))  # fmt: skip

    def _one(
        self, bgr: np.ndarray, likeness: np.ndarray, quads: np.ndarray
    ) -> tuple[str, float, np.ndarray]:
        """Face, confidence and quad from likeness (ways, K) and quads (ways, 4, 2)."""
        way, first = np.unravel_index(int(likeness.argmax()), likeness.shape)
        top = float(likeness[way, first])
        others = likeness.max(0).copy()
        others[self._names == self._names[first]] = -1
        margin = top - float(others.max()) if (others > -1).any() else 1.0
        name = str(self._names[first])
        if margin < CLEAR:
            way, name, doubt, fit = self._look_again(bgr, likeness, quads)
            top = max(top, 0.5 * (top + fit))
            margin = max(margin, 0.0) * 0.5 + doubt
        confidence = _confidence(top, margin)
        return (name if top >= NEAR and confidence >= 0.5 else UNKNOWN), confidence, quads[way]

    def _look_again(
        self, bgr: np.ndarray, likeness: np.ndarray, quads: np.ndarray
    ) -> tuple[int, str, float, float]:
        """The near twins compared on the registered crop: way, name, margin, fit."""
        best: dict[str, tuple[float, int, int]] = {}
        for way, k in np.argwhere(likeness > likeness.max() - 2 * CLEAR):
            key = f"{self._names[k]}"
            value = (float(likeness[way, k]), int(way), int(k))
            best[key] = max(best.get(key, value), value)
        ranked = sorted(best.values(), reverse=True)[:CANDIDATES]
        crops = {way: _padded(bgr, quads[way]) for _, way, _ in ranked}
        fits = [second_look.aligned(crops[way], self._looks[k]) for _, way, k in ranked]
        chosen, margin = 0, 1.0
        for i in range(1, len(ranked)):
            a, b = ranked[chosen], ranked[i]
            won = second_look.duel(
                fits[chosen][0], self._looks[a[2]], fits[i][0], self._looks[b[2]]
            )
            if won < 0:
                chosen, margin = i, -won
            else:
                margin = min(margin, won)
        _, way, k = ranked[chosen]
        return way, str(self._names[k]), margin, fits[chosen][1]


def crop_to_corners(
    bgr: np.ndarray, quad: np.ndarray, width: int, height: int, pad: int
) -> np.ndarray:
    """The card cut to its corners, (height, width, 3) and `pad` px more on each side."""
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]]) + pad
    return cut_to(bgr, quad, corners, width + 2 * pad, height + 2 * pad)[0]


def _padded(bgr: np.ndarray, quad: np.ndarray) -> np.ndarray:
    """What a second look compares: PAD px wider than a look on each side, normalised."""
    return second_look.normalised(
        crop_to_corners(bgr, quad, second_look.WIDTH, second_look.HEIGHT, second_look.PAD)
    )


def _confidence(top: float, margin: float) -> float:
    """0..1 from the likeness and the margin; 0.5 where a name is as likely wrong as right."""
    return float(1 / (1 + np.exp(-(10 * (top - NEAR) + 25 * (margin - DOUBT)))))


def _standing(quad: np.ndarray) -> np.ndarray:
    """The quad's corners shifted so that its sides are longer than its top."""
    top = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])
    side = np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, -1, axis=0) if top > side else quad


def turns(outline: str, aspect: float):
    """The ways in which a card may lie, as functions of its quad: upside down too; a square four
    ways; a round one all around."""
    if outline == "round" and aspect < 1.12:
        return [lambda q, a=a: _spun(q, a) for a in np.arange(12) * np.pi / 6]
    count = 4 if aspect <= 1.12 else 2
    return [lambda q, k=k: np.roll(q, -k * (4 // count), axis=0) for k in range(count)]


def _spun(quad: np.ndarray, angle: float) -> np.ndarray:
    centre = quad.mean(0)
    half = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[0])) / 4
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = np.cos(angle), np.sin(angle)
    return (corners @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)
