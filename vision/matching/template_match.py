"""Tells near twins apart: the crop laid on the taught pictures, compared where these differ."""

import cv2
import numpy as np

from vision.matching.occlusion import CELLS

WIDTH, HEIGHT = 120, 160  # px of a look
PAD = 5  # px, how far the crop is shifted to find its best place
UNDECIDED = 0.01  # of what is left of a duel that the two measures see differently
LIKE = 0.5  # correlation from which on a place can be said to show the face
SHOWN = 0.02  # of what two faces differ in, without which nothing is told
HIDDEN = 3.0  # the misfit of what cannot be seen
_AROUND = 21  # px
_SOFT = 23  # px
_BLUR = 5  # px, widens the reach of the registration
_CELL = 20  # px, a place of a look
_FEWEST = 6  # cells: less of a card is not hidden by another
_PLAIN = 0.3  # of the mean contrast: a cell with less tells nothing
UNLIKE = 0.4  # correlation below which a cell is of another card
_SUM = np.ones((1, 3), np.float32)  # of the colours; numpy's own takes ten times as long


def normalised(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) uint8 → float32, each place freed of its surroundings' light and contrast."""
    x = picture.astype(np.float32)
    mean = _softened(x)
    spread = _softened((x - mean) ** 2)
    grey = np.sqrt(np.maximum(cv2.transform(spread, _SUM / 3), 0)) + 6.0
    return np.clip((x - mean) / grey[..., None], -3, 3)


def _softened(x: np.ndarray) -> np.ndarray:
    """Nearly a Gaussian blur, at a sixth of its time."""
    return cv2.blur(cv2.blur(x, (_SOFT, _SOFT)), (_SOFT, _SOFT))


def aligned(crop: np.ndarray, look: np.ndarray) -> tuple[np.ndarray, tuple[int, int], float]:
    """The part of `crop` (PAD wider on each side) that fits `look` best, where it begins (x, y),
    and how well it fits, -1..1."""
    # The sum of the colours tells the place, at a third of the time.
    match = cv2.matchTemplate(
        cv2.transform(crop, _SUM), cv2.transform(look, _SUM), cv2.TM_CCOEFF_NORMED
    )
    _, _, _, (x, y) = cv2.minMaxLoc(match)
    part = crop[y : y + look.shape[0], x : x + look.shape[1]]
    return part, (x, y), correlation(part, look)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Of all colours together, each less its mean, -1..1: OpenCV's own takes twenty times as long
    for a single place."""
    n = a.shape[0] * a.shape[1]
    (ma, mb), (fa, fb) = (cv2.mean(a)[:3], cv2.mean(b)[:3]), (a.ravel(), b.ravel())
    both, aa, bb = (
        float(np.dot(x, y)) - n * float(np.dot(mx, my))
        for x, y, mx, my in ((fa, fb, ma, mb), (fa, fa, ma, ma), (fb, fb, mb, mb))
    )
    return both / float(np.sqrt(max(aa * bb, 1e-9)))


def registered(crop: np.ndarray, look: np.ndarray) -> np.ndarray | None:
    """The homography (3, 3) from `look` to `crop` (PAD wider on each side, near its place) that
    makes them most alike; None where there is none better than the place itself."""
    wide, narrow = cv2.transform(crop, _SUM), cv2.transform(look, _SUM)
    start = np.array([[1, 0, PAD], [0, 1, PAD], [0, 0, 1]], np.float32)
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 25, 1e-4)
    try:
        before = cv2.computeECC(narrow, wide[PAD:-PAD, PAD:-PAD])
        after, to = cv2.findTransformECC(
            narrow, wide, start, cv2.MOTION_HOMOGRAPHY, stop, None, _BLUR
        )  # type: ignore[call-overload]
    except cv2.error:  # it did not converge
        return None
    return to if after > before else None


def best_half(part: np.ndarray, look: np.ndarray) -> float:
    """How well the better half of the places fits, -1..1: high for the right face though something
    lies on the other half. Both (HEIGHT, WIDTH, 3), normalised and aligned."""
    size = (WIDTH // _CELL, HEIGHT // _CELL)
    alike, seen, taught = (
        cv2.resize(product, size, interpolation=cv2.INTER_AREA).ravel()
        for product in _products(part, look)
    )
    # Where the face is plain or covered, nothing is told.
    told = taught >= 0.3 * taught.sum() / max(1, np.count_nonzero(taught))
    if not told.any():
        return 0.0
    cells = np.sort(alike[told] / np.sqrt(seen[told] * taught[told] + 1e-3))
    return float(cells[len(cells) // 2 :].mean())


def shown(part: np.ndarray, look: np.ndarray) -> np.ndarray:
    """Which CELLS of a face can be seen, bool: where another card lies on it, from beyond its edge,
    the crop is nothing like it. Both (HEIGHT, WIDTH, 3), normalised and aligned."""
    rows, columns = CELLS
    alike, seen, taught = (
        cv2.blur(cv2.resize(product, (columns, rows), interpolation=cv2.INTER_AREA), (3, 3))
        for product in _products(part, look)
    )
    told = np.maximum(seen, taught) >= _PLAIN * max(float(seen.mean()), float(taught.mean()))
    hidden = (told & (alike < UNLIKE * np.sqrt(np.maximum(seen * taught, 0)))).astype(np.uint8)
    hidden = cv2.morphologyEx(hidden, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, numbers, boxes, _ = cv2.connectedComponentsWithStats(hidden, connectivity=4)
    left, top, width, height, size = boxes.T
    is_inside = (left > 0) & (top > 0) & (left + width < columns) & (top + height < rows)
    return (hidden == 0) | (is_inside | (size < _FEWEST))[numbers]


def duel(
    crop_a: np.ndarray,
    look_a: np.ndarray,
    crop_b: np.ndarray,
    look_b: np.ndarray,
    bare: np.ndarray | None = None,
) -> tuple[float, float]:
    """Above 0 where the crop is more like `a` than `b`, weighted by where the two differ: -1..1,
    near 0 where distance and correlation do not agree on that; and how far the winner is off
    there, in units of local contrast: 1 is good, 3 is nothing like it. Where the crop is like
    neither, as where a hand lies on it, or it is not `bare` (H, W, 1), nothing is compared."""
    differ = cv2.transform((look_a - look_b) ** 2, _SUM)
    weight = np.maximum(cv2.blur(differ, (5, 5)), 0) ** 1.5
    edge = 4
    weight[:edge], weight[-edge:], weight[:, :edge], weight[:, -edge:] = 0, 0, 0, 0
    total = float(weight.sum()) + 1e-6
    if bare is not None:
        weight *= bare[..., 0]
    weight[np.maximum(_local(crop_a, look_a), _local(crop_b, look_b)) < LIKE] = 0
    left = float(weight.sum())
    if left < SHOWN * total:
        return 0.0, HIDDEN
    flat = weight.ravel() / left
    error_a, error_b = _misfit(crop_a, look_a, flat), _misfit(crop_b, look_b, flat)
    near = (error_b - error_a) / (error_a + error_b + 1e-6)
    unlike_a, unlike_b = _unlike(crop_a, look_a, flat), _unlike(crop_b, look_b, flat)
    alike = (unlike_b - unlike_a) / (unlike_a + unlike_b + 1e-6)
    agreed = near * alike
    won = float(np.copysign(agreed**0.5, near)) if agreed > 0 else UNDECIDED * (near + alike)
    return won, min(error_a, error_b)


def _local(crop: np.ndarray, look: np.ndarray) -> np.ndarray:
    """The correlation around each place, (HEIGHT, WIDTH) -1..1."""
    both, crops, looks = (
        cv2.blur(product, (_AROUND, _AROUND)) for product in _products(crop, look)
    )
    return both / np.sqrt(crops * looks + 1e-3)


def _misfit(crop: np.ndarray, look: np.ndarray, weight: np.ndarray) -> float:
    """The mean distance, weighted (H × W,)."""
    return float(cv2.transform(cv2.absdiff(crop, look), _SUM).ravel() @ weight)


def _unlike(crop: np.ndarray, look: np.ndarray, weight: np.ndarray) -> float:
    """1 - the correlation, weighted (H × W,): free of how strong the crop's contrast is."""
    both, crops, looks = (float(product.ravel() @ weight) for product in _products(crop, look))
    return 1.0 - both / float(np.sqrt(crops * looks) + 1e-6)


def _products(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, ...]:
    """a·b, a·a and b·b at each place, (H, W) each: what a correlation is made of."""
    return tuple(cv2.transform(x * y, _SUM) for x, y in ((a, b), (a, a), (b, b)))
