"""Compares a crop with templates: local normalisation, shift, registration, pairwise margin."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.matching.occlusion import CELLS

WIDTH, HEIGHT = 120, 160  # px of a template
PAD = 5  # px; how far a crop is shifted to find its best match


@dataclass(frozen=True, slots=True)
class Windows:
    """Sizes in px of a template (WIDTH, HEIGHT)."""

    normalisation: int = 23  # box filters of the local mean and contrast; larger keeps shading
    correlation: int = 21  # box of the local correlation that tells where the face is visible
    registration: int = 5  # Gaussian of ECC; larger widens its reach and blunts its result
    cell: int = 20  # a cell of `better_half`
    difference: int = 5  # box that widens the places where two faces differ
    edge: int = 4  # rim that a pairwise comparison leaves out: it may show the table


@dataclass(frozen=True, slots=True)
class MatchLimits:
    """Correlations -1..1 and shares 0..1."""

    visible: float = 0.5  # local correlation from which a place shows the face
    compared: float = 0.02  # share of two faces' difference that must be visible to compare them
    occluded: float = 0.4  # a cell that correlates less shows another card
    plain: float = 0.3  # of the mean contrast; a cell with less says nothing
    fewest_cells: int = 6  # a smaller occluded region is noise
    disagreement: float = 0.01  # weight of a margin whose two measures disagree
    residual_unseen: float = 3.0  # residual where the difference cannot be seen


WINDOWS = Windows()
LIMITS = MatchLimits()
_SUM = np.ones((1, 3), np.float32)  # cv2.transform sums the colours in a tenth of numpy's time


def normalised(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) uint8 → float32, less the local mean and divided by the local contrast."""
    x = picture.astype(np.float32)
    mean = _softened(x)
    spread = _softened((x - mean) ** 2)
    grey = np.sqrt(np.maximum(cv2.transform(spread, _SUM / 3), 0)) + 6.0
    return np.clip((x - mean) / grey[..., None], -3, 3)


def _softened(x: np.ndarray) -> np.ndarray:
    """Two box filters: nearly a Gaussian, in a sixth of its time."""
    size = (WINDOWS.normalisation, WINDOWS.normalisation)
    return cv2.blur(cv2.blur(x, size), size)


def half_turned(template: np.ndarray) -> np.ndarray:
    """A picture (H, W, 3) turned by 180°."""
    return cv2.flip(template, -1)


def summed(picture: np.ndarray) -> np.ndarray:
    """The sum of the colours of a normalised picture (H, W, 3): (H, W)."""
    return cv2.transform(picture, _SUM)


def best_shift(
    crop: np.ndarray, template: np.ndarray, crop_sum: np.ndarray | None = None
) -> tuple[np.ndarray, float]:
    """The part of `crop` (PAD wider on each side) that matches `template` best, and their
    correlation, -1..1. `crop_sum`: the crop `summed`, if it is known."""
    # The sum of the colours gives the place in a third of the time.
    crop_sum = summed(crop) if crop_sum is None else crop_sum
    scores = cv2.matchTemplate(crop_sum, summed(template), cv2.TM_CCOEFF_NORMED)
    _, _, _, (x, y) = cv2.minMaxLoc(scores)
    part = crop[y : y + template.shape[0], x : x + template.shape[1]]
    return part, correlation(part, template)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Zero-mean normalised correlation of all colours together, -1..1.

    OpenCV's function takes twenty times as long for a single place.
    """
    n = a.shape[0] * a.shape[1]
    (ma, mb), (fa, fb) = (cv2.mean(a)[:3], cv2.mean(b)[:3]), (a.ravel(), b.ravel())
    both, aa, bb = (
        float(np.dot(x, y)) - n * float(np.dot(mx, my))
        for x, y, mx, my in ((fa, fb, ma, mb), (fa, fa, ma, ma), (fb, fb, mb, mb))
    )
    return both / float(np.sqrt(max(aa * bb, 1e-9)))


def registered(crop: np.ndarray, template: np.ndarray) -> np.ndarray | None:
    """The homography (3, 3) from `template` to `crop` (PAD wider on each side) by ECC (Evangelidis
    and Psarakis 2008); None if it does not converge or does not raise the correlation."""
    wide, narrow = cv2.transform(crop, _SUM), cv2.transform(template, _SUM)
    start = np.array([[1, 0, PAD], [0, 1, PAD], [0, 0, 1]], np.float32)
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 25, 1e-3)
    try:
        before = cv2.computeECC(narrow, wide[PAD:-PAD, PAD:-PAD])
        after, to = cv2.findTransformECC(
            narrow, wide, start, cv2.MOTION_HOMOGRAPHY, stop, None, WINDOWS.registration
        )  # type: ignore[call-overload]
    except cv2.error:  # it did not converge
        return None
    return to if after > before else None


def better_half(part: np.ndarray, template: np.ndarray) -> float:
    """The mean correlation of the better half of the cells, -1..1: high for the right face, though
    half of the card is occluded. Both (HEIGHT, WIDTH, 3), normalised and aligned."""
    size = (WIDTH // WINDOWS.cell, HEIGHT // WINDOWS.cell)
    alike, seen, taught = (
        cv2.resize(product, size, interpolation=cv2.INTER_AREA).ravel()
        for product in _products(part, template)
    )
    # Plain and occluded cells say nothing.
    counts = taught >= LIMITS.plain * taught.sum() / max(1, np.count_nonzero(taught))
    if not counts.any():
        return 0.0
    cells = np.sort(alike[counts] / np.sqrt(seen[counts] * taught[counts] + 1e-3))
    return float(cells[len(cells) // 2 :].mean())


def visible_cells(part: np.ndarray, template: np.ndarray) -> np.ndarray:
    """In which CELLS the face can be seen, bool.

    Hidden cells do not correlate with the template, and reach the card's edge, as the card on top
    does. Both pictures (HEIGHT, WIDTH, 3), normalised and aligned.
    """
    rows, columns = CELLS
    alike, seen, taught = (
        cv2.blur(cv2.resize(product, (columns, rows), interpolation=cv2.INTER_AREA), (3, 3))
        for product in _products(part, template)
    )
    counts = np.maximum(seen, taught) >= LIMITS.plain * max(
        float(seen.mean()), float(taught.mean())
    )
    is_unlike = alike < LIMITS.occluded * np.sqrt(np.maximum(seen * taught, 0))
    hidden = cv2.morphologyEx(
        (counts & is_unlike).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)
    )
    _, numbers, boxes, _ = cv2.connectedComponentsWithStats(hidden, connectivity=4)
    left, top, width, height, size = boxes.T
    is_inside = (left > 0) & (top > 0) & (left + width < columns) & (top + height < rows)
    return (hidden == 0) | (is_inside | (size < LIMITS.fewest_cells))[numbers]


def pair_margin(
    crop_a: np.ndarray,
    template_a: np.ndarray,
    crop_b: np.ndarray,
    template_b: np.ndarray,
    visible: np.ndarray | None = None,
) -> tuple[float, float]:
    """How much better `a` matches than `b` where the two templates differ, and the residual.

    The margin, -1..1, is above 0 for `a`, and near 0 if distance and correlation disagree. The
    residual is the winner's mean distance there in units of local contrast: 1 is good, 3 is no
    match. Places that match neither (a hand, say) or are not `visible` (H, W, 1) are left out.
    """
    differ = cv2.transform((template_a - template_b) ** 2, _SUM)
    size = (WINDOWS.difference, WINDOWS.difference)
    weight = np.maximum(cv2.blur(differ, size), 0) ** 1.5
    edge = WINDOWS.edge
    weight[:edge], weight[-edge:], weight[:, :edge], weight[:, -edge:] = 0, 0, 0, 0
    total = float(weight.sum()) + 1e-6
    if visible is not None:
        weight *= visible[..., 0]
    products_a, products_b = _products(crop_a, template_a), _products(crop_b, template_b)
    local = np.maximum(_local_correlation(products_a), _local_correlation(products_b))
    weight[local < LIMITS.visible] = 0
    left = float(weight.sum())
    if left < LIMITS.compared * total:
        return 0.0, LIMITS.residual_unseen
    flat = weight.ravel() / left
    error_a, error_b = _distance(crop_a, template_a, flat), _distance(crop_b, template_b, flat)
    near = (error_b - error_a) / (error_a + error_b + 1e-6)
    unlike_a, unlike_b = _unlike(products_a, flat), _unlike(products_b, flat)
    alike = (unlike_b - unlike_a) / (unlike_a + unlike_b + 1e-6)
    agreed = near * alike
    margin = (
        float(np.copysign(agreed**0.5, near))
        if agreed > 0
        else LIMITS.disagreement * (near + alike)
    )
    return margin, min(error_a, error_b)


def _local_correlation(products: tuple[np.ndarray, ...]) -> np.ndarray:
    """The correlation around each place, (HEIGHT, WIDTH) -1..1, of two pictures' `_products`."""
    size = (WINDOWS.correlation, WINDOWS.correlation)
    both, crops, templates = (cv2.blur(product, size) for product in products)
    return both / np.sqrt(crops * templates + 1e-3)


def _distance(crop: np.ndarray, template: np.ndarray, weight: np.ndarray) -> float:
    """The mean absolute difference with weights (H × W,)."""
    return float(cv2.transform(cv2.absdiff(crop, template), _SUM).ravel() @ weight)


def _unlike(products: tuple[np.ndarray, ...], weight: np.ndarray) -> float:
    """1 - the correlation with weights (H × W,), of two pictures' `_products`: independent of the
    crop's contrast."""
    both, crops, templates = (float(product.ravel() @ weight) for product in products)
    return 1.0 - both / float(np.sqrt(crops * templates) + 1e-6)


def _products(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, ...]:
    """a·b, a·a and b·b at each place, (H, W) each: the terms of a correlation."""
    return tuple(cv2.transform(x * y, _SUM) for x, y in ((a, b), (a, a), (b, b)))
