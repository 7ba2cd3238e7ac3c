"""Tells a hand that lies on the card of a teaching picture."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.edge_fit import resampled
from calibration.deck.segmentation import Image, Points

Flags = npt.NDArray[np.bool_]
Colours = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HandSettings:
    """Distances are shares of the card's size, the root of its area; colours are CIE Lab."""

    inside: tuple[float, ...] = (0.015, 0.025, 0.035)  # where colours are compared
    outside: tuple[float, ...] = (0.015, 0.025, 0.035, 0.045)
    blur: float = 0.006  # Gaussian sigma of the picture
    same: float = 10.0  # ΔE up to which a colour runs across the outline without an edge
    beside: int = 12  # points next to such a stretch, where card and table begin
    other: float = 10.0  # ΔE from which the card or the table beside it has another colour
    clear: float = 13.0  # the same of both at one of its ends
    fewest: int = 4  # points of a stretch
    least: float = 0.024  # share of the outline under a hand
    chroma: tuple[float, float] = (7.0, 65.0)  # of skin, in all tones and under tinted light
    hue: tuple[float, float] = (5.0, 88.0)  # degrees
    darkest: float = 8.0


SETTINGS = HandSettings()
POINTS = 400  # of the outline


def has_hand(bgr: Image, contour: Points) -> bool:
    """Whether a hand covers part of the card's outline (N, 2) px in (H, W, 3) uint8.

    A finger has the colour of skin, and the outline has no edge below it. Beside the finger the
    card and the table have other colours: a table like skin is no hand.
    """
    within, beyond = _rings(bgr, contour)
    both = np.concatenate([within, beyond], 1)
    middle = both.mean(1)
    is_same = np.linalg.norm(both - middle[:, None], axis=2).max(1) < SETTINGS.same
    total = 0
    for stretch in _stretches(is_same & _is_skin(middle)):
        if len(stretch) >= SETTINGS.fewest and _is_bounded(stretch, within, beyond):
            total += len(stretch)
    return total > SETTINGS.least * POINTS


def _rings(bgr: Image, contour: Points) -> tuple[Colours, Colours]:
    """Lab colours inside and outside the outline, (POINTS, M, 3) each."""
    size = float(np.sqrt(abs(cv2.contourArea(contour.astype(np.float32)))))
    soft = cv2.GaussianBlur(bgr, (0, 0), max(0.8, SETTINGS.blur * size))
    lab = cv2.cvtColor(soft.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    points = resampled(contour.astype(np.float64), POINTS)
    along = np.roll(points, -3, axis=0) - np.roll(points, 3, axis=0)
    normal = np.stack([along[:, 1], -along[:, 0]], 1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    x, y = points.T
    if float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) < 0:
        normal = -normal
    rings = []
    for steps in (-np.array(SETTINGS.inside), np.array(SETTINGS.outside)):
        at = (points[:, None] + steps[:, None] * size * normal[:, None] - 0.5).astype(np.float32)
        colours = cv2.remap(
            lab, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        rings.append(np.asarray(colours, np.float32))
    return rings[0], rings[1]


def _is_skin(colours: Colours) -> Flags:
    """Which Lab colours (N, 3) may be skin."""
    chroma = np.hypot(colours[:, 1], colours[:, 2])
    hue = np.degrees(np.arctan2(colours[:, 2], colours[:, 1]))
    is_toned = (chroma > SETTINGS.chroma[0]) & (chroma < SETTINGS.chroma[1])
    is_warm = (hue > SETTINGS.hue[0]) & (hue < SETTINGS.hue[1])
    return np.asarray(is_toned & is_warm & (colours[:, 0] > SETTINGS.darkest))


def _stretches(flags: Flags) -> Iterator[npt.NDArray[np.int_]]:
    """Indices of each run of a closed line (N,)."""
    if flags.all() or not flags.any():
        return
    order = np.roll(np.arange(len(flags)), -int(np.argmin(flags)))
    steps = np.diff(np.concatenate([[0], flags[order].astype(int), [0]]))
    for start, end in zip(np.flatnonzero(steps > 0), np.flatnonzero(steps < 0), strict=True):
        yield order[start:end]


def _is_bounded(stretch: npt.NDArray[np.int_], within: Colours, beyond: Colours) -> bool:
    """Whether card and table beside the stretch have other colours than the stretch."""
    own = np.median(np.concatenate([within, beyond], 1)[stretch].mean(1), axis=0)
    next_to = np.arange(1, SETTINGS.beside + 1)
    clear = False
    for side in (stretch[0] - next_to, stretch[-1] + next_to):
        card, table = (
            float(np.linalg.norm(ring[side % POINTS].mean(1) - own, axis=1).max())
            for ring in (within, beyond)
        )
        if max(card, table) < SETTINGS.other:
            return False
        clear |= min(card, table) > SETTINGS.clear
    return clear
