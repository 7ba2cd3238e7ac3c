"""Compares look-alikes at the card's own resolution, patch by patch, where the two faces differ.

Templates of 120×160 px lose a suit mark or a numeral: 60 px in a photograph are 10 px there. Here a
pair of faces is compared on few patches, where the two differ most after alignment. Within a patch
only the pixels count in which they differ. Each patch is aligned by itself, on locally normalised
luminance, so that glare, shadow, tint and a small misalignment change little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from models.crop import crop_to_corners, rectangle
from vision.geometry import Mask, intersection, length
from vision.matching.fine_templates import (
    BLURS,
    LEVELS,
    LIMITS,
    FineTemplates,
    View,
    in_px,
    normalised,
    patch_reach,
    patch_side,
)
from vision.matching.occlusion import Occluder


class FineMargin(NamedTuple):
    """How much better a card matches face `a` than face `b` where they differ.

    margin: -1..1, above 0 for `a`; residual: the better face's mean squared difference there, 0 to
    about 2; visible: the share of the difference that can be seen, 0..1.
    """

    margin: float
    residual: float
    visible: float


UNSEEN = FineMargin(0.0, 1.0, 0.0)


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
        (h, w), pad = LEVELS[level], patch_reach(level)
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
    ta, tb = (taught.normal(one, level, crop.blur) for one in (a, b))
    off = np.zeros((len(plan.weights), 2))
    seen = np.zeros(len(plan.weights))
    corners = zip(_scaled(plan.at, level), _scaled(plan.other_at, level), strict=True)
    for i, (in_a, in_b) in enumerate(corners):
        if cv2.mean(_cut(crop.mask, in_a, level, patch_reach(level)))[0] < LIMITS.visible:
            continue
        seen[i] = 1.0
        patches = _cut(ta, in_a, level), _cut(tb, in_b, level)
        weight = _pixel_weights(*patches)
        off[i] = [
            _weighted_distance(
                _cut(crop.normal, at, level, 0, 2 * patch_reach(level)), patch, weight
            )
            for at, patch in zip((in_a, in_b), patches, strict=True)
        ]
    weights = plan.weights * seen
    visible = float(weights.sum())
    if visible <= 0:
        return UNSEEN
    to_a, to_b = (float(one) for one in weights @ off)
    margin = (to_b - to_a) / (to_a + to_b + 1e-9)
    return FineMargin(margin, min(to_a, to_b) / visible, visible)


def _scaled(at: np.ndarray, level: int) -> np.ndarray:
    """Corners (P, 2) px of patches of the first level, at this level, inside the card."""
    h, w = LEVELS[level]
    scaled = np.rint(at * (h / LEVELS[0][0])).astype(int)
    return np.clip(scaled, 0, np.array([w, h]) - patch_side(level))


def _cut(
    picture: np.ndarray, at: np.ndarray, level: int, shift: int = 0, wider: int = 0
) -> np.ndarray:
    """A patch of a picture (H, W) at its corner (x, y), `shift` px on, and `wider` by so much."""
    (x, y), side = at + shift, patch_side(level) + wider
    return picture[y : y + side, x : x + side]


def _pixel_weights(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How much each pixel of two aligned patches tells them apart: (S, S), sum 1."""
    weight = cv2.GaussianBlur((a - b) ** 2, (0, 0), LIMITS.spread)
    return np.asarray(weight / max(float(weight.sum()), 1e-9), np.float32)


def _weighted_distance(window: np.ndarray, patch: np.ndarray, weight: np.ndarray) -> float:
    """The least squared difference of the patch and a window over all shifts, with weights of
    the patch's pixels that sum to 1."""
    # |x - p|² = x² - 2 x p + p², each summed with the weights.
    flat = np.ascontiguousarray(weight * patch)
    both = cv2.matchTemplate(window, flat, cv2.TM_CCORR)
    power = cv2.matchTemplate(window * window, weight, cv2.TM_CCORR)
    return max(0.0, float((power - 2 * both).min() + (flat * patch).sum()))


def disagreement(crop: FineCrop, taught: FineTemplates, view: View, visible_cells: Mask) -> float:
    """How badly the worst visible place of the card matches a taught view: 0 to about 3.

    About 0.2 for the right face; 0.8 or more where it lacks a mark or shows another one, as a card
    does whose face was not taught. `visible_cells` (rows, columns): where its face can be seen.
    Few patches are aligned: those that differ most as they lie.
    """
    level = crop.level
    side, pad = in_px(LIMITS.checked_patch, level), patch_reach(level)
    template = np.ascontiguousarray(taught.normal(view, level, crop.blur))
    h, w = template.shape
    inner = (slice(pad, pad + h), slice(pad, pad + w))
    strength = np.maximum(crop.contrast[inner], taught.contrast(view, level, crop.blur))
    weight = np.minimum(strength / LIMITS.strong, 1.0) ** 2
    off = weight * (crop.normal[inner] - template) ** 2
    cells = cv2.resize(visible_cells.astype(np.float32), (w, h), interpolation=cv2.INTER_NEAREST)
    visible = crop.mask[inner] * cells * ~_covered(off, level)
    apart = cv2.blur(off, (side, side))
    apart[cv2.blur(visible, (side, side)) < LIMITS.visible] = 0
    half, step = side // 2, side // 3
    ys, xs = np.mgrid[half : h - half - 1 : step, half : w - half - 1 : step]
    order = np.argsort(-apart[ys, xs].ravel(), kind="stable")[: LIMITS.checked]
    worst = 0.0
    for x, y in zip(xs.ravel()[order] - half, ys.ravel()[order] - half, strict=True):
        if apart[y + half, x + half] <= worst:
            break  # alignment only lowers a distance
        window = crop.normal[y : y + side + 2 * pad, x : x + side + 2 * pad]
        here = (slice(y, y + side), slice(x, x + side))
        patch = np.ascontiguousarray(template[here])
        dx, dy = cv2.minMaxLoc(cv2.matchTemplate(window, patch, cv2.TM_SQDIFF))[2]
        near = window[dy : dy + side, dx : dx + side]
        worst = max(worst, float(((near - patch) ** 2 * weight[here]).mean()))
    return worst


def _covered(off: np.ndarray, level: int) -> np.ndarray:
    """Where something lies on the card, (H, W) bool: a region that differs and reaches the edge, as
    the corner of another card does. A mark of another face lies inside."""
    size = max(1, in_px(LIMITS.cover_width, level) // 2)
    small = cv2.resize(off, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    differs = (cv2.blur(small, (size, size)) > LIMITS.cover).astype(np.uint8)
    count, numbers = cv2.connectedComponents(differs, connectivity=4)
    reaches = np.zeros(count, bool)
    for side in (numbers[0], numbers[-1], numbers[:, 0], numbers[:, -1]):
        reaches[side] = True
    reaches[0] = False
    covered = reaches[numbers].astype(np.uint8)
    return cv2.resize(covered, off.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
