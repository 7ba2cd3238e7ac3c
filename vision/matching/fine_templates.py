"""The taught pictures of a deck at a card's own resolution, and where pairs of them differ."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np


@dataclass(frozen=True, slots=True)
class FineLimits:
    """Shares of the card's height, grey levels, and counts."""

    patch: float = 0.1  # side of a patch; larger aligns better, smaller leaves out other marks
    reach: float = 0.015  # shift of a patch; larger forgives misalignment, and merges near marks
    sigma: float = 0.027  # width of the local normalisation
    floor: float = 4.0  # grey levels of contrast that noise has; less contrast is not amplified
    patches: int = 8  # most patches of a pair; more cost time
    tried: int = 36  # places of each face that are tried for a patch
    differs: float = 0.02  # least mean squared difference of a patch that tells the faces apart
    lightest: float = 0.05  # of the heaviest patch's weight; lighter patches are left out
    spread: float = 1.0  # px over which a pixel's difference counts for its neighbours
    visible: float = 0.9  # share of a patch that must not be occluded
    long_px: float = 260.0  # a card this long or longer is compared at the finer level
    checked: int = 24  # most patches of the whole card that are checked for marks of another face
    checked_patch: float = 0.08  # side of these; smaller sees smaller marks, and more noise
    cover: float = 0.6  # squared difference from which a place at the card's edge is occluded
    cover_width: float = 0.025  # over which that difference is averaged
    strong: float = 24.0  # grey levels of contrast of a mark that counts in full
    softness: float = 0.45  # px of blur for each px that a card is enlarged


LIMITS = FineLimits()
LEVELS = ((320, 240), (480, 360))  # px H × W of a comparison
BLURS = (0.0, 0.8, 1.5, 2.5, 4.0, 6.0, 9.0)  # px of the first level; standard deviations
PLANS = 4096  # pairs whose patches are kept, about 0.5 kB each
PICTURES = 16  # normalised templates that are kept, 0.6 or 1.4 MB each
SHARP = 12  # and such without blur, from which plans are made


class View(NamedTuple):
    """A template's `number`, and whether it is turned by 180°."""

    number: int
    is_turned: bool


class Plan(NamedTuple):
    """Patches that tell two faces apart, at the first level: their top-left corners in the one and
    where the other matches them best, (P, 2) px each, x first; weights (P,) that sum to 1."""

    at: np.ndarray
    other_at: np.ndarray
    weights: np.ndarray


class FineTemplates:
    """The taught pictures (K, H, W) uint8 luminance of a deck."""

    def __init__(self, pictures: np.ndarray) -> None:
        self._pictures = pictures
        self._normal = lru_cache(PICTURES)(self._make_normal)
        self._sharp = lru_cache(SHARP)(lambda number: self._make_normal(number, 0, 0.0))
        self._plan = lru_cache(PLANS)(self._make_plan)

    def normal(self, view: View, level: int, blur: float = 0.0) -> np.ndarray:
        """The template at LEVELS[level], blurred (one of the BLURS), locally normalised (H, W)
        float32."""
        normal = self._normal(view.number, level, blur)[0]
        return normal[::-1, ::-1] if view.is_turned else normal

    def contrast(self, view: View, level: int, blur: float = 0.0) -> np.ndarray:
        """The contrast of `normal` in grey levels (H, W)."""
        contrast = self._normal(view.number, level, blur)[1]
        return contrast[::-1, ::-1] if view.is_turned else contrast

    def plan(self, a: View, b: View) -> Plan:
        """The patches that tell two views apart."""
        if a.number > b.number:
            plan = self.plan(b, a)
            return Plan(plan.other_at, plan.at, plan.weights)
        # Turning both by 180° turns the patches: one plan serves both.
        plan = self._plan(a.number, b.number, a.is_turned != b.is_turned)
        if not a.is_turned:
            return plan
        h, w = LEVELS[0]
        last = np.array([w, h]) - patch_side(0)
        return Plan(last - plan.at, last - plan.other_at, plan.weights)

    def _make_normal(self, number: int, level: int, blur: float) -> tuple[np.ndarray, np.ndarray]:
        h, w = LEVELS[level]
        picture = cv2.resize(self._pictures[number], (w, h), interpolation=cv2.INTER_AREA)
        if blur:
            picture = cv2.GaussianBlur(picture, (0, 0), blur * h / LEVELS[0][0])
        return normalised(picture)

    def _make_plan(self, a: int, b: int, is_turned: bool) -> Plan:
        (pa, ca), (pb, cb) = (self._sharp(one) for one in (a, b))
        if is_turned:
            pb, cb = pb[::-1, ::-1].copy(), cb[::-1, ::-1].copy()
        strength = np.minimum(np.maximum(ca, cb) / LIMITS.strong, 1.0) ** 2
        found = _differences(pa, pb, strength)
        found += [(by, there, at) for by, at, there in _differences(pb, pa, strength)]
        found.sort(key=lambda one: -one[0])
        kept: list[_Difference] = []
        for one in found:
            if len(kept) == LIMITS.patches or one[0] < LIMITS.lightest * found[0][0]:
                break
            if all(_is_apart(one[1], other[1]) for other in kept):
                kept.append(one)
        weights = np.array([one[0] for one in kept])
        at, there = (np.array([one[k] for one in kept], np.intp).reshape(-1, 2) for k in (1, 2))
        return Plan(at, there, weights / max(float(weights.sum()), 1e-9))


def normalised(grey: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Luminance (H, W) uint8 less its local mean and divided by its local contrast, float32; and
    that contrast in grey levels."""
    x = grey.astype(np.float32)
    side = 2 * round(LIMITS.sigma * x.shape[0] * 0.85) + 1  # two boxes: nearly that Gaussian
    mean = _softened(x, side)
    contrast = np.sqrt(np.maximum(_softened((x - mean) ** 2, side), 0))
    return (x - mean) / (contrast + LIMITS.floor), contrast


def _softened(x: np.ndarray, side: int) -> np.ndarray:
    return cv2.blur(cv2.blur(x, (side, side)), (side, side))


_Difference = tuple[float, tuple[int, int], tuple[int, int]]  # how much, where, where in the other


def _differences(pa: np.ndarray, pb: np.ndarray, strength: np.ndarray) -> list[_Difference]:
    """Patches in which `pa` differs from the best match nearby in `pb`; `strength` (H, W) 0..1 of
    the marks."""
    side, reach = patch_side(0), patch_reach(0)
    step, half = side // 3, side // 2
    promise = cv2.boxFilter((pa - pb) ** 2 * strength, -1, (side, side))
    ys, xs = np.mgrid[half : pa.shape[0] - half : step, half : pa.shape[1] - half : step]
    grid = promise[ys, xs].ravel()
    order = np.argsort(-grid, kind="stable")[: LIMITS.tried]
    found: list[_Difference] = []
    for k in order[grid[order] > LIMITS.differs]:
        x, y = int(xs.ravel()[k]) - half, int(ys.ravel()[k]) - half
        x0, y0 = max(0, x - reach), max(0, y - reach)
        window = pb[y0 : y + side + reach, x0 : x + side + reach]
        patch = np.ascontiguousarray(pa[y : y + side, x : x + side])
        scores = cv2.matchTemplate(window, patch, cv2.TM_SQDIFF)
        dx, dy = cv2.minMaxLoc(scores)[2]
        near = window[dy : dy + side, dx : dx + side]
        by = float(((patch - near) ** 2 * strength[y : y + side, x : x + side]).mean())
        if by > LIMITS.differs:
            found.append((by, (x, y), (x0 + dx, y0 + dy)))
    return found


def _is_apart(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two patches share less than half."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= patch_side(0) // 2


def patch_side(level: int) -> int:
    """The side of a patch in px of LEVELS[level]."""
    return in_px(LIMITS.patch, level)


def in_px(share: float, level: int) -> int:
    """A share of the card's height in px of LEVELS[level]."""
    return round(share * LEVELS[level][0])


def patch_reach(level: int) -> int:
    """How far a patch may be shifted, in px of LEVELS[level]."""
    return round(LIMITS.reach * LEVELS[level][0])
