"""Compares a card with the taught faces it may be, on a crop registered on the likeliest."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.crop import crop_to_corners
from vision import second_look
from vision.geometry import intersection, scaled
from vision.second_look import HEIGHT, PAD, WIDTH

FITS = 0.96  # a crop that fits so well needs no registration
LIKE = 0.8  # a registration that leaves even the better half less alike is of another card
SIZES = (0.8, 1.25)  # a registration that changes the card's area by more has gone astray,
FAR = 0.09  # or one that moves a corner further, as a part of the diagonal

RIM = 1.04  # of a covering card's size: its edge and shadow tell nothing

_BOX = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A taught `face`, a `look` at it, normalised, and where its corners would lie: quad (4, 2)
    px. A face may have several looks: these are no rivals."""

    face: str
    look: np.ndarray
    quad: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The candidate that won, its registered quad (4, 2) px, how far its corners `moved` for that
    (a part of the card's diagonal), and the evidence: `fit`, `half`, `duel`, `misfit`."""

    chosen: int
    quad: np.ndarray
    moved: float
    fit: float
    half: float
    duel: float
    misfit: float


def compare(
    bgr: np.ndarray, candidates: list[Candidate], covering: Sequence[np.ndarray] = ()
) -> Compared:
    """Lays the candidates, the likeliest first, over the card and lets them compete where they
    differ; all in one crop, as two ways of one card differ at their places on the table. What
    lies under the `covering` quads (4, 2) counts for nothing."""
    place = candidates[0].quad
    looks = [_as_seen(one, place) for one in candidates]
    parts, bare = _aligned(bgr, place, looks, covering)
    best = max(range(len(parts)), key=lambda i: parts[i][1])
    to: np.ndarray = np.eye(3)
    if parts[best][1] < FITS:
        better = _registered(bgr, place, looks[best], covering)
        if better is not None:
            again, still_bare = _aligned(bgr, better, looks, covering)
            half = second_look.best_half(again[best][0], looks[best] * still_bare)
            if again[best][1] > parts[best][1] and half > LIKE:
                parts, bare = again, still_bare
                to = cv2.getPerspectiveTransform(place.astype(np.float32), better)
    chosen, duel, misfit = 0, 1.0, 0.0
    for i in range(1, len(candidates)):
        if candidates[i].face == candidates[chosen].face:
            chosen = max(chosen, i, key=lambda k: parts[k][1])
            continue
        won, off = second_look.duel(parts[chosen][0], looks[chosen], parts[i][0], looks[i], bare)
        if won < 0:
            chosen, duel, misfit = i, -won, off
        elif won < duel:
            duel, misfit = won, off
    part, fit = parts[chosen]
    old = candidates[chosen].quad.astype(np.float32)
    quad = cv2.perspectiveTransform(old[None], to)[0]
    half = second_look.best_half(part, looks[chosen] * bare)
    return Compared(chosen, quad, _moved(old, quad), fit, half, duel, misfit)


def _aligned(
    bgr: np.ndarray, quad: np.ndarray, looks: list[np.ndarray], covering: Sequence[np.ndarray]
) -> tuple[list[tuple[np.ndarray, float]], np.ndarray]:
    """The crop as it fits each look best, with how well; and what is bare of it, (H, W, 1)."""
    crop, bare = _padded(bgr, quad, covering)
    inner = bare[PAD:-PAD, PAD:-PAD]
    return [second_look.aligned(crop, look * inner) for look in looks], inner


def _registered(
    bgr: np.ndarray, quad: np.ndarray, look: np.ndarray, covering: Sequence[np.ndarray]
) -> np.ndarray | None:
    """Where the card's corners lie for `look` to fit best, (4, 2) float32, if that is sensible."""
    crop, bare = _padded(bgr, quad, covering)
    to = second_look.registered(crop, look * bare[PAD:-PAD, PAD:-PAD])
    if to is None:
        return None
    half = np.float32(0.5)  # a picture's first pixel has its middle there
    inside = cv2.perspectiveTransform((_BOX - half)[None], to.astype(np.float64))[0] + half
    back = cv2.getPerspectiveTransform(_BOX + np.float32(PAD), quad.astype(np.float32))
    found = cv2.perspectiveTransform(inside[None].astype(np.float32), back)[0]
    grown = cv2.contourArea(found) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    is_sensible = SIZES[0] < grown < SIZES[1] and _moved(quad, found) < FAR
    return found if is_sensible and cv2.isContourConvex(found) else None


def _moved(old: np.ndarray, new: np.ndarray) -> float:
    """How far the corner moved that moved furthest, as a part of the diagonal."""
    return float(np.linalg.norm(new - old, axis=1).max() / np.linalg.norm(old[2] - old[0]))


def _as_seen(candidate: Candidate, place: np.ndarray) -> np.ndarray:
    """The look of a card that lies at its quad, as it appears in a crop cut at `place`."""
    if np.array_equal(candidate.quad, place):
        return candidate.look
    here, there = (
        cv2.getPerspectiveTransform(quad.astype(np.float32), _BOX - np.float32(0.5))
        for quad in (candidate.quad, place)
    )
    turn = there @ np.linalg.inv(here)
    return cv2.warpPerspective(
        candidate.look, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE
    )


def fits(
    bgr: np.ndarray, quad: np.ndarray, look: np.ndarray, covering: Sequence[np.ndarray]
) -> tuple[float, float]:
    """How well a look fits what is bare of the card at `quad`, -1..1; and how much is, 0..1."""
    [(_, fit)], bare = _aligned(bgr, quad, [look], covering)
    return fit, float(bare.mean())


def cropped(bgr: np.ndarray, quad: np.ndarray, covering: Sequence[np.ndarray] = ()) -> np.ndarray:
    """The card at `quad`, as looks are: (HEIGHT, WIDTH, 3), normalised, 0 where it is covered."""
    return _padded(bgr, quad, covering)[0][PAD:-PAD, PAD:-PAD]


def _padded(
    bgr: np.ndarray, quad: np.ndarray, covering: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """What is compared: PAD px wider than a look on each side, normalised, 0 where it is covered;
    and 1 where it is bare, 0 elsewhere, (H, W, 1)."""
    crop = second_look.normalised(crop_to_corners(bgr, quad, WIDTH, HEIGHT, PAD))
    bare = np.ones((*crop.shape[:2], 1), np.float32)
    over = [other for other in covering if intersection(quad, other) > 0]
    if over:
        to = cv2.getPerspectiveTransform(quad.astype(np.float32), _BOX + np.float32(PAD))
        for other in over:
            lies = cv2.perspectiveTransform(scaled(other, RIM)[None].astype(np.float32), to)[0]
            cv2.fillConvexPoly(bare, np.rint(lies).astype(np.int32), 0)
    return crop * bare, bare
