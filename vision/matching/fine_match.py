"""Compares look-alikes at the card's own resolution, patch by patch, where the two faces differ.

Templates of 120×160 px lose a suit mark or a numeral: 60 px in a photograph are 10 px there. Here a
pair of faces is compared on few patches. A patch lies where one face has a mark and the other has
no matching mark nearby. Each patch is aligned by itself, on locally normalised luminance, so that
glare, shadow, tint and a small misalignment change little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np

from models.crop import crop_to_corners, rectangle
from vision.geometry import Mask, intersection, length
from vision.matching.occlusion import Occluder


@dataclass(frozen=True, slots=True)
class FineLimits:
    """Shares of the card's height, grey levels, and counts."""

    patch: float = 0.09  # side of a patch; larger needs larger marks, smaller is noisier
    reach: float = 0.015  # shift of a patch; larger forgives misalignment, and merges near marks
    sigma: float = 0.027  # width of the local normalisation
    floor: float = 4.0  # grey levels of contrast that noise has; less contrast is not amplified
    patches: int = 12  # most patches of a pair; more cost time
    tried: int = 36  # places of each face that are tried for a patch
    differs: float = 0.1  # least 1 - correlation of a patch that tells the faces apart
    plain: float = 0.02  # of the strongest mark's power; weaker places hold no mark
    lightest: float = 0.05  # of the heaviest patch's weight; lighter patches are left out
    visible: float = 0.9  # share of a patch that must not be occluded
    long_px: float = 260.0  # a card this long or longer is compared at the finer level
    checked: int = 16  # most patches of the whole card that are checked for marks of another face
    strong: float = 24.0  # grey levels of contrast of a mark that counts in full
    softness: float = 0.45  # px of blur for each px that a card is enlarged


LIMITS = FineLimits()
LEVELS = ((320, 240), (480, 360))  # px H × W of a comparison
BLURS = (0.0, 0.8, 1.5, 2.5, 4.0, 6.0, 9.0)  # px of the first level; standard deviations
PLANS = 4096  # pairs whose patches are kept, about 0.5 kB each
PICTURES = 16  # normalised templates that are kept, 0.6 or 1.4 MB each
SHARP = 12  # and such without blur, from which plans are made


class FineMargin(NamedTuple):
    """How much better a card matches face `a` than face `b` where they differ.

    margin: -1..1, above 0 for `a`; residual: the better face's mean squared difference there, 0 to
    about 2; visible: the share of the difference that can be seen, 0..1.
    """

    margin: float
    residual: float
    visible: float


UNSEEN = FineMargin(0.0, 1.0, 0.0)


class View(NamedTuple):
    """A template's `number`, and whether it is turned by 180°."""

    number: int
    is_turned: bool


class Plan(NamedTuple):
    """Patches that tell two faces apart, at the first level: top-left corners (P, 2) px, x first,
    and weights (P,) that sum to 1."""

    at: np.ndarray
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
        # Turning both by 180° turns the patches: one plan serves both.
        plan = self._plan(a.number, b.number, a.is_turned != b.is_turned)
        if not a.is_turned:
            return plan
        h, w = LEVELS[0]
        return Plan(np.array([w, h]) - _side(0) - plan.at, plan.weights)

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
        found = sorted(_unmatched(pa, ca, pb) + _unmatched(pb, cb, pa), reverse=True)
        rows = np.array(found, np.float64).reshape(-1, 3)
        rows = rows[rows[:, 0] >= LIMITS.lightest * rows[:, 0].max(initial=0.0)]
        is_left = np.ones(len(rows), bool)
        kept: list[int] = []
        for i in range(len(rows)):
            if len(kept) == LIMITS.patches:
                break
            if is_left[i]:
                kept.append(i)
                is_left &= np.abs(rows[:, 1:] - rows[i, 1:]).max(1) >= _side(0) // 2
        rows = rows[kept]
        return Plan(rows[:, 1:].astype(np.intp), rows[:, 0] / max(rows[:, 0].sum(), 1e-9))


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


@dataclass(frozen=True, slots=True, eq=False)
class FineCrop:
    """A card at LEVELS[level], and wider by the reach of a patch: normalised luminance (H, W)
    float32; its contrast in grey levels; the mask, 0 where it is occluded; and the blur that
    templates need to be as soft."""

    normal: np.ndarray
    contrast: np.ndarray
    mask: np.ndarray
    level: int
    blur: float

    @classmethod
    def cut(
        cls, bgr: np.ndarray, quad: np.ndarray, occluders: Sequence[Occluder], softness: float
    ) -> "FineCrop":
        """The card at `quad` (4, 2) of a frame, under those `occluders`. `softness`: its blur as a
        share of its height (a Gaussian's standard deviation)."""
        level = int(length(quad) >= LIMITS.long_px)
        (h, w), pad = LEVELS[level], _reach(level)
        grey = cv2.cvtColor(crop_to_corners(bgr, quad, w, h, pad), cv2.COLOR_BGR2GRAY)
        mask = np.ones(grey.shape, np.float32)
        to = cv2.getPerspectiveTransform(quad.astype(np.float32), rectangle(w, h) + pad)
        for one in occluders:
            if intersection(quad, one.quad) > 0:
                mask = one.masked(mask, to)
        first = LEVELS[0][0]
        wanted = max(softness * first, LIMITS.softness * first / max(length(quad), 1.0))
        blur = min(BLURS, key=lambda one: abs(one - wanted))
        return cls(*normalised(grey), mask, level, blur)


def compare(crop: FineCrop, taught: FineTemplates, a: View, b: View) -> FineMargin:
    """Compares the card with two taught views on the patches that tell them apart."""
    plan, level = taught.plan(a, b), crop.level
    side, pad = _side(level), _reach(level)
    ta, tb = (taught.normal(one, level, crop.blur) for one in (a, b))
    scale = LEVELS[level][0] / LEVELS[0][0]
    off = np.zeros((len(plan.at), 2))
    seen = np.zeros(len(plan.at))
    for i, (x, y) in enumerate(np.rint(plan.at * scale).astype(int)):
        x, y = min(x, ta.shape[1] - side), min(y, ta.shape[0] - side)
        mask = crop.mask[y + pad : y + pad + side, x + pad : x + pad + side]
        if cv2.mean(mask)[0] < LIMITS.visible:
            continue
        seen[i] = 1.0
        window = crop.normal[y : y + side + 2 * pad, x : x + side + 2 * pad]
        off[i] = [_distance(window, t[y : y + side, x : x + side]) for t in (ta, tb)]
    weights = plan.weights * seen
    visible = float(weights.sum())
    if visible <= 0:
        return UNSEEN
    to_a, to_b = (float(one) for one in weights @ off)
    margin = (to_b - to_a) / (to_a + to_b + 1e-9)
    return FineMargin(margin, min(to_a, to_b) / visible, visible)


def disagreement(crop: FineCrop, taught: FineTemplates, view: View, visible_cells: Mask) -> float:
    """How badly the worst visible place of the card matches a taught view: 0 to about 3.

    About 0.5 for the right face; 1 or more where it lacks a mark or shows another one, as a card
    does whose face was not taught. `visible_cells` (rows, columns): where its face can be seen.
    Few patches are aligned: those that differ most as they lie.
    """
    level = crop.level
    side, pad = _side(level), _reach(level)
    template = np.ascontiguousarray(taught.normal(view, level, crop.blur))
    h, w = template.shape
    inner = (slice(pad, pad + h), slice(pad, pad + w))
    strength = np.maximum(crop.contrast[inner], taught.contrast(view, level, crop.blur))
    weight = np.minimum(strength / LIMITS.strong, 1.0) ** 2
    cells = cv2.resize(visible_cells.astype(np.float32), (w, h), interpolation=cv2.INTER_NEAREST)
    weight[cv2.blur(crop.mask[inner] * cells, (side, side)) < LIMITS.visible] = 0
    apart = weight * cv2.blur((crop.normal[inner] - template) ** 2, (side, side))
    half, step = side // 2, side // 3
    ys, xs = np.mgrid[half : h - half - 1 : step, half : w - half - 1 : step]
    order = np.argsort(-apart[ys, xs].ravel(), kind="stable")[: LIMITS.checked]
    worst = 0.0
    for x, y in zip(xs.ravel()[order] - half, ys.ravel()[order] - half, strict=True):
        if apart[y + half, x + half] <= worst:
            break  # alignment only lowers a distance
        window = crop.normal[y : y + side + 2 * pad, x : x + side + 2 * pad]
        off = _distance(window, template[y : y + side, x : x + side])
        worst = max(worst, float(weight[y + half, x + half]) * off)
    return worst


def _distance(window: np.ndarray, patch: np.ndarray) -> float:
    """The least mean squared difference of the patch and a window over all shifts."""
    scores = cv2.matchTemplate(window, np.ascontiguousarray(patch), cv2.TM_SQDIFF)
    return float(cv2.minMaxLoc(scores)[0]) / patch.size


def _unmatched(
    pa: np.ndarray, contrast: np.ndarray, pb: np.ndarray
) -> list[tuple[float, int, int]]:
    """Patches of `pa` without a match nearby in `pb`: weight, x and y."""
    side, reach = _side(0), _reach(0)
    step, half = side // 3, side // 2
    apart = cv2.boxFilter((pa - pb) ** 2, -1, (side, side))
    power = cv2.boxFilter(contrast**2, -1, (side, side))
    power[power < LIMITS.plain * power.max()] = 0
    promise = np.minimum(apart, 2.0) * power
    ys, xs = np.mgrid[half : pa.shape[0] - half : step, half : pa.shape[1] - half : step]
    grid = promise[ys, xs].ravel()
    order = np.argsort(-grid, kind="stable")[: LIMITS.tried]
    found = []
    for k in order[grid[order] > 0]:
        x, y = int(xs.ravel()[k]) - half, int(ys.ravel()[k]) - half
        x0, y0 = max(0, x - reach), max(0, y - reach)
        window = pb[y0 : y + side + reach, x0 : x + side + reach]
        scores = cv2.matchTemplate(window, pa[y : y + side, x : x + side], cv2.TM_CCOEFF_NORMED)
        unlike = 1 - float(cv2.minMaxLoc(scores)[1])
        if unlike > LIMITS.differs:
            found.append((unlike * float(power[y + half, x + half]), x, y))
    return found


def _side(level: int) -> int:
    return round(LIMITS.patch * LEVELS[level][0])


def _reach(level: int) -> int:
    return round(LIMITS.reach * LEVELS[level][0])
