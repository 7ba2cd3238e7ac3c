"""A locator and a namer that know the truth, and err as real ones do: for tests only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision import geometry
from vision.sightings import Located, Named


@dataclass(frozen=True, eq=False)
class TrueCard:
    """A card of the truth: it lies from `placed_s` until `lifted_s`, at quad (4, 2) px."""

    face: str
    quad: np.ndarray
    placed_s: float
    lifted_s: float = float("inf")
    place: str = ""


class NoisyEyes:
    """Finds the true cards of a moment with jitter, dropouts, parts and false boxes, `tight` times
    as long as the cards."""

    def __init__(
        self, cards, faces, seed=0, jitter_px=1.5, dropout=0.1, false_boxes=0.2, tight=1.0
    ):
        self._cards, self._faces = cards, faces
        self._random = np.random.default_rng(seed)
        self._jitter, self._dropout, self._false = jitter_px, dropout, false_boxes
        self._tight = tight
        self.at = 0.0

    def lying(self):
        return [c for c in self._cards if c.placed_s <= self.at < c.lifted_s]

    def locate(self, at, size, hands=None):
        """Located cards; `hands`: mask (H, W) of what is under a hand (those are missed)."""
        self.at = at
        lying, quads = self.lying(), []
        for index, card in enumerate(lying):
            hidden = max(
                (geometry.overlap(card.quad, o.quad) for o in lying[index + 1 :]), default=0
            )
            under = 0.0 if hands is None else hands[geometry.filled(card.quad, hands.shape)].mean()
            if self._random.random() < self._dropout + 0.9 * (hidden > 0.75) + 0.8 * (under > 0.3):
                continue
            quad = card.quad
            if hidden > 0.4 and self._random.random() < 0.5:
                quad = self._part(quad)
            if self._random.random() < 0.5:
                quad = np.roll(quad, int(self._random.integers(4)), axis=0)
            quad = quad.mean(0) + (quad - quad.mean(0)) * self._tight
            quads.append(quad + self._random.normal(0, self._jitter, (4, 2)))
        if self._random.random() < self._false:
            quads.append(self._false_box(size, hands))
        found = np.array(quads, np.float32).reshape(-1, 4, 2)
        return Located(found, self._random.uniform(0.4, 0.95, len(found)).astype(np.float32))

    def name(self, bgr, quads, quick=False, known=None):
        """Faces of the top cards at the quads; a wrong or unknown one where nothing fits."""
        faces, sure, upright = [], [], []
        for quad in quads:
            fitting = [c for c in self.lying() if geometry.iou(quad, c.quad) > 0.6]
            if fitting and self._random.random() > 0.1:
                faces.append(fitting[-1].face)
                sure.append(self._random.uniform(0.6, 1.0))
                upright.append(fitting[-1].quad)
            else:
                wrong = self._random.random() < 0.3
                faces.append(str(self._random.choice(self._faces)) if wrong else "unknown")
                sure.append(self._random.uniform(0.1, 0.5))
                upright.append(quad)
        count = len(faces)
        return Named(
            tuple(faces),
            np.array(sure, np.float32),
            np.array(upright, np.float32).reshape(-1, 4, 2),
            np.ones(count, bool),
        )

    def _part(self, quad):
        keep = self._random.uniform(0.3, 0.6)
        a, b, c, d = quad
        return np.array([a, a + (b - a) * keep, d + (c - d) * keep, d])

    def _false_box(self, size, hands):
        middle = self._random.uniform((60, 60), (size[0] - 60, size[1] - 60))
        if hands is not None and hands.any():
            ys, xs = np.nonzero(hands)
            k = int(self._random.integers(len(ys)))
            middle = np.array([xs[k], ys[k]], float)
        half = np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]], float)
        return middle + half
