"""One look at the table: the picture, a small one, the cards, and what moved since the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Frame, Image
from vision.sightings import Located

SMALL_PX = 320  # width of the small picture
MOVED = 16  # levels of the small picture, of any colour
CALM_PART = 0.004  # of the small picture that may move while the table rests
RESTS_S = 0.5  # s without motion, after which the table is looked at
LIT = 12  # level, below which nothing can be said of brightness
SAME_PLACE = 0.06  # card lengths that a lying card may seem to move
Small = npt.NDArray[np.uint8]  # (h, w, 3) BGR
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A located card: quad (4, 2) px, score, and since when (s) it has lain there."""

    quad: npt.NDArray[np.float32]
    score: float
    since: float

    @property
    def centre(self) -> npt.NDArray[np.float32]:
        """Its middle, px."""
        return geometry.centre(self.quad)

    @property
    def length(self) -> float:
        """Its longer side, px."""
        return geometry.length(self.quad)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A frame as the check sees it. `rests_since` (s): nothing moved since then."""

    bgr: Image
    at: float
    number: int
    small: Small
    cards: tuple[Lying, ...]
    rests_since: float

    @property
    def rest_s(self) -> float:
        """How long nothing has moved."""
        return self.at - self.rests_since

    @property
    def scale(self) -> float:
        """Small pixels in one of the frame."""
        return self.small.shape[1] / self.bgr.shape[1]

    def part(self, card: Lying) -> npt.NDArray[np.float64]:
        """A card's middle in parts of the picture."""
        return np.asarray(card.centre, np.float64) / self.bgr.shape[1::-1]

    def mask(self, quads: Sequence[npt.NDArray[np.float32]]) -> Mask:
        """The small pixels (h, w) that these quads cover."""
        filled = np.zeros(self.small.shape[:2], np.uint8)
        for quad in quads:
            cv2.fillConvexPoly(filled, np.round(quad * self.scale).astype(np.int32), 1)
        return filled.astype(bool)


def look(frame: Frame, located: Located, before: View | None) -> View:
    """The view of a frame whose cards are `located`, after the one `before`."""
    small = small_of(frame.bgr)
    rests_since = frame.at
    if before is not None and before.small.shape == small.shape:
        is_calm = float(moved(before.small, small).mean()) <= CALM_PART
        rests_since = before.rests_since if is_calm else frame.at
    known = before.cards if before is not None else ()
    cards = tuple(
        _lying(quad, float(score), frame.at, known)
        for quad, score in zip(located.quads, located.scores, strict=True)
    )
    return View(frame.bgr, frame.at, frame.number, small, cards, rests_since)


def small_of(bgr: Image) -> Small:
    """The picture SMALL_PX wide, freed of the sensor's noise."""
    height = max(1, round(bgr.shape[0] * SMALL_PX / bgr.shape[1]))
    small = cv2.resize(bgr, (SMALL_PX, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def gain(before: Small, now: Small, where: Mask | None = None) -> float:
    """How much brighter the picture has become: the median ratio of green, 1 for none."""
    return _gain(before[..., 1], now[..., 1], where)


def _gain(before: Small, now: Small, where: Mask | None) -> float:
    good = before >= LIT
    if where is not None:
        good &= where
    if np.count_nonzero(good) < 50:
        return 1.0
    return float(np.median(now[good].astype(np.float32) / before[good]))


def moved(before: Small, now: Small) -> Mask:
    """Where the small picture changed, but for the brightness of each colour as a whole."""
    gains = [_gain(before[..., k], now[..., k], None) for k in range(3)]
    evened = np.clip(before * np.array(gains, np.float32), 0, 255).astype(np.uint8)
    changed = (cv2.absdiff(evened, now).max(axis=2) > MOVED).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened, np.uint8).astype(bool)


def from_border(changed: Mask) -> Mask:
    """The parts of a change that reach in from the picture's border."""
    closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    _, labels = cv2.connectedComponents(closed, connectivity=8)
    edge = np.concatenate([labels[:3].ravel(), labels[-3:].ravel(),
                           labels[:, :3].ravel(), labels[:, -3:].ravel()])  # fmt: skip
    return np.isin(labels, np.setdiff1d(edge, [0]))


def near(cards: Sequence[Lying], where: npt.NDArray[np.float32], within_px: float) -> Lying | None:
    """The card nearest to a point (x, y) px, if it is so near."""
    best = min(cards, key=lambda card: _far(card, where), default=None)
    return best if best is not None and _far(best, where) <= within_px else None


def _far(card: Lying, where: npt.NDArray[np.float32]) -> float:
    return float(np.linalg.norm(card.centre - where))


def _lying(quad: npt.NDArray[np.float32], score: float, at: float, known: Sequence[Lying]) -> Lying:
    centre, length = geometry.centre(quad), geometry.length(quad)
    same = near(known, centre, SAME_PLACE * length)
    return Lying(quad, score, same.since if same is not None else at)
