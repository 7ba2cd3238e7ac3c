"""The cards of a film in which they are laid one by one: the sharpest still moment of each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.row_finding import SeveralFinder
from calibration.deck.segmentation import Image
from calibration.deck.sheets import LARGEST_PX, Sheet, SheetCard
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad
from vision.networks.locator import standing
from vision.sources import open_source

Vector = npt.NDArray[np.float32]

EVERY_S = 0.2  # between two looks
LONGEST_S = 1800.0
SIDE_PX = 320  # of the locator's input: the card is near
SCORE = 0.5  # least score of a card
SHARE = 0.01, 0.8  # of the picture's area that a card fills
STILL = 0.12  # of the card's length between two looks, below which card and camera are still
LOOKS = 3  # still looks that a card needs: fewer show it on its way
SAME = 0.9  # cosine from which two looks in a row show one card
REPEAT = 0.95  # cosine from which a card was laid before
PLACE = 0.5  # IoU from which two looks show one place
SHARP_PX = 160  # longer side of the card's picture whose sharpness is measured


class Namer(Protocol):
    """Tells how alike two cards look."""

    def embed(self, bgr: np.ndarray, quads: np.ndarray) -> np.ndarray:
        """Vectors (N, D) of length 1 of the cards at quads (N, 4, 2) px of (H, W, 3) BGR."""


@dataclass(slots=True, eq=False)
class _Seen:
    """A card that lies still: how it looks now, and its best picture so far."""

    quad: Quad
    vector: Vector
    looks: int = 1
    sharpness: float = -1.0
    bgr: Image = field(default_factory=lambda: np.zeros((1, 1, 3), np.uint8))
    best: Quad = field(default_factory=lambda: np.zeros((4, 2), np.float32))
    around: tuple[Quad, ...] = ()
    at: float = 0.0


def film_sheets(path: Path, finder: SeveralFinder, namer: Namer) -> list[Sheet]:
    """A sheet for each card of a film, in the order in which they were laid, at its sharpest still
    moment. The camera may be held in the hand. A card that was seen before is left out, what lies
    around a card is no part of its sheet. FairdealError where no card lies still."""
    known: list[_Seen] = []
    now: list[_Seen] = []
    for at, bgr in _looks(path):
        quads = _cards(bgr, finder)
        vectors = namer.embed(bgr, np.stack(quads)) if quads else np.zeros((0, 1), np.float32)
        now = [_follow(quad, vector, at, bgr, [q for q in quads if q is not quad], now)
               for quad, vector in zip(quads, vectors, strict=True)]  # fmt: skip
        for seen in now:
            if seen.looks == LOOKS:
                known.append(seen)
    first = _without_repeats(known)
    if not first:
        raise FairdealError("a film in which cards lie still", "none",
                            "lay each one down for a second", str(path))  # fmt: skip
    return [Sheet(f"{path} at {seen.at:.1f} s", seen.bgr, (SheetCard(seen.best),),
                  around=seen.around) for seen in first]  # fmt: skip


def _looks(path: Path) -> Iterator[tuple[float, Image]]:
    """The film's pictures, EVERY_S apart, with their times."""
    last = -EVERY_S
    with open_source(str(path)) as source:
        while (frame := source.read()) is not None:
            if frame.at > LONGEST_S:
                most = f"a film of at most {LONGEST_S / 60:.0f} minutes"
                raise FairdealError(most, "a longer one", "cut it", str(path))
            if frame.at - last < EVERY_S:
                continue
            last = frame.at
            less = LARGEST_PX / max(frame.bgr.shape[:2])
            bgr = frame.bgr if less >= 1 else cv2.resize(frame.bgr, None, fx=less, fy=less)
            yield frame.at, np.asarray(bgr, np.uint8)


def _cards(bgr: Image, finder: SeveralFinder) -> list[Quad]:
    found = finder.rough(bgr, SIDE_PX)
    area = float(bgr.shape[0] * bgr.shape[1])
    quads = [_upright(quad) for quad, score in zip(found.quads, found.scores, strict=True)
             if score >= SCORE and SHARE[0] < geometry.area(quad) / area < SHARE[1]]  # fmt: skip
    return list(finder.refined(bgr, np.stack(quads))) if quads else []


def _upright(quad: Quad) -> Quad:
    """The quad, its sides longer than its top, the top above."""
    stands = standing(quad)
    return min((stands, np.roll(stands, 2, axis=0)), key=lambda q: float(q[0, 1] + q[1, 1]))


def _follow(
    quad: Quad, vector: Vector, at: float, bgr: Image, around: list[Quad], before: list[_Seen]
) -> _Seen:
    """The card as it was followed until now, or a new one."""
    quad = _upright(quad)
    alike = [one for one in before if float(one.vector @ vector) >= SAME
             and geometry.iou(one.quad, quad) >= PLACE]  # fmt: skip
    seen = max(alike, key=lambda one: float(one.vector @ vector)) if alike else _Seen(quad, vector)
    moved = float(np.linalg.norm(geometry.centre(quad) - geometry.centre(seen.quad)))
    if alike and moved < STILL * geometry.length(quad):
        seen.looks += 1
    seen.quad, seen.vector = quad, vector
    sharpness = _sharpness(bgr, quad)
    if sharpness > seen.sharpness:
        seen.sharpness, seen.bgr, seen.best, seen.at = sharpness, bgr, quad, at
        seen.around = tuple(around)
    return seen


def _sharpness(bgr: Image, quad: Quad) -> float:
    """Variance of the Laplacian of the card's surroundings, at one size for all."""
    low = np.maximum(np.floor(quad.min(0)).astype(int), 0)
    high = np.ceil(quad.max(0)).astype(int)
    part = cv2.cvtColor(bgr[low[1] : high[1], low[0] : high[0]], cv2.COLOR_BGR2GRAY)
    scale = SHARP_PX / max(part.shape)
    if scale < 1:
        part = cv2.resize(part, None, fx=scale * 2, fy=scale * 2, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(part, cv2.CV_32F).var())


def _without_repeats(known: list[_Seen]) -> list[_Seen]:
    """Each card once, where it was first laid; of repeats the sharpest picture."""
    kept: list[_Seen] = []
    for seen in known:
        like = next((k for k, one in enumerate(kept)
                     if float(one.vector @ seen.vector) >= REPEAT), None)  # fmt: skip
        if like is None:
            kept.append(seen)
        elif seen.sharpness > kept[like].sharpness:
            kept[like] = seen
    return kept
