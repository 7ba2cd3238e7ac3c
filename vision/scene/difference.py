"""How two small pictures of one table differ, whatever their light, noise and fit."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask

_EVERY = 9
_GAINS = (0.6, 1.7)
_BAND = np.ones((3, 3), np.uint8)  # px around one that half a pixel of misfit can mix into it


@dataclass(frozen=True, slots=True)
class Structure:
    """When the finer lines of a place differ, though its brightness hardly does: a pale card on
    pale cards. Larger `times`, `least` and `rest_s` see fewer changes.

    `around`: px of the window whose median is taken off; `spread`: px over which the rest is
    averaged; `gaps`: px between two lines that are filled; `times`: the picture's own noise;
    `least`: grey levels; `most`: grey levels, beyond which the brightness tells; `rest_s`: s that
    a pixel has been still, because compression blurs what moves; `every`: px between samples of
    the noise.
    """

    around: int = 9
    spread: int = 3
    gaps: int = 5
    times: float = 6.0
    least: float = 3.5
    most: int = 20
    rest_s: float = 0.1
    every: int = 5


STRUCTURE = Structure()
_MIDDLE = 128
_LIT = 15  # px of a neighbourhood in one light: wider than the lines of a print
_EDGE = np.ones((7, 7), np.uint8)  # px about a pixel in which a light ends, if it is near
_STEPS = 64  # of a ratio, in an octave
_LOG = _STEPS * np.log2(np.arange(256, dtype=np.float32) + 4.0)  # steps
_GAIN = np.exp2((_MIDDLE - np.arange(256, dtype=np.float32)) / _STEPS)
_SHADOW = 0.45  # part of the light that the darkest shadow leaves
_TINT = 1.3  # between the factors of two channels; more is another colour
_REST = 0.5  # part of a shaded place that differs by more than the shade


def beyond(a: Image, b: Image) -> npt.NDArray[np.int16]:
    """By how much `a` differs from `b` (h, w) or (h, w, 3) where it may lie half a pixel aside.

    No view is held still to a tenth of a small picture's pixel: at the lines of a card's print a
    smaller misfit than half a pixel differs by more than many a card from the next.
    """
    lower = cv2.addWeighted(b, 0.5, cv2.erode(b, _BAND), 0.5, 0)
    upper = cv2.addWeighted(b, 0.5, cv2.dilate(b, _BAND), 0.5, 0)
    return cv2.subtract(a, cv2.min(cv2.max(a, lower), upper), dtype=cv2.CV_16S)  # type: ignore[return-value]


def distance(a: Image, b: Image) -> npt.NDArray[np.uint8]:
    """The largest difference of the three channels, (h, w) uint8."""
    return _largest(cv2.absdiff(a, b))


def distance_beyond(a: Image, b: Image) -> npt.NDArray[np.uint8]:
    """The largest difference of the three channels beyond half a pixel of misfit, (h, w) uint8."""
    return _largest(cv2.convertScaleAbs(beyond(a, b)))


def energy(apart: npt.NDArray[np.uint8]) -> float:
    """The sum of the squares of differences, grey levels squared."""
    return float(np.square(apart, dtype=np.float32).sum())


def _largest(apart: npt.NDArray[np.uint8] | cv2.typing.MatLike) -> npt.NDArray[np.uint8]:
    blue, green, red = cv2.split(apart)
    return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]


def structure(a: Image, b: Image) -> npt.NDArray[np.float32]:
    """How much the lines of two pictures differ (grey levels), whatever their brightness, also
    where light falls on a part of the table only."""
    known = cv2.cvtColor(b, cv2.COLOR_BGR2GRAY)
    apart = beyond(_relit(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), known), known)  # type: ignore[arg-type]
    limits = _MIDDLE - STRUCTURE.most, _MIDDLE + STRUCTURE.most
    grey = np.clip(apart + _MIDDLE, *limits).astype(np.uint8)
    # The median keeps what changes as a whole from spreading beyond its edge.
    lines = cv2.absdiff(grey, cv2.medianBlur(grey, STRUCTURE.around))
    return cv2.blur(lines.astype(np.float32), (STRUCTURE.spread,) * 2)  # type: ignore[return-value]


def _relit(grey: cv2.typing.MatLike, known: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """A picture (h, w) in the light of a known one: over each neighbourhood, the median of their
    ratio is taken out. At the edge of a light, whatever lies between those of its two sides."""
    brighter = cv2.subtract(cv2.LUT(grey, _LOG), cv2.LUT(known, _LOG))
    steps = cv2.add(brighter, _MIDDLE, dtype=cv2.CV_8U)  # type: ignore[call-overload]
    light = cv2.medianBlur(steps, _LIT)
    least, most = cv2.erode(light, _EDGE), cv2.dilate(light, _EDGE)
    light = cv2.max(cv2.min(steps, most), least)
    return cv2.convertScaleAbs(cv2.multiply(grey, cv2.LUT(light, _GAIN), dtype=cv2.CV_32F))


def changed_lines(lines: npt.NDArray[np.float32], noise: float) -> Mask:
    """Where `structure` is more than the picture's noise, with the gaps between lines filled."""
    found = lines > max(STRUCTURE.least, STRUCTURE.times * noise)
    kernel = np.ones((STRUCTURE.gaps,) * 2, np.uint8)
    return cv2.morphologyEx(found.view(np.uint8), cv2.MORPH_CLOSE, kernel).view(bool)


def differs(a: Image, b: Image, level: int, noise: float) -> Mask:
    """Where two pictures in the same light differ: by `level` in a channel, or in their lines."""
    return np.asarray((distance_beyond(a, b) > level) | changed_lines(structure(a, b), noise))


def ratio(
    picture: Image, reference: Image, where: Mask | None = None
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Per channel: how many times brighter `picture` is than `reference`, the median of its
    pixels."""
    seen, known = picture[::_EVERY, ::_EVERY], reference[::_EVERY, ::_EVERY]
    if where is not None:
        chosen = where[::_EVERY, ::_EVERY]
        seen, known = seen[chosen], known[chosen]
    if seen.size < 60:
        return np.ones(3)
    each = (seen.reshape(-1, 3).T + np.float32(4.0)) / (known.reshape(-1, 3).T + np.float32(4.0))
    middle = each.shape[1] // 2
    return np.partition(each, middle, axis=1)[:, middle].astype(np.float64)


def gain(picture: Image, reference: Image, where: Mask | None = None) -> npt.NDArray[np.float64]:
    """The same, as far as the light of a table changes between two frames."""
    return np.clip(ratio(picture, reference, where), *_GAINS)


def in_light_of(picture: Image, gains: npt.NDArray[np.float64]) -> Image:
    """The picture with its gains taken out again."""
    if np.abs(gains - 1.0).max() < 0.015:
        return picture
    bright = np.arange(256)[:, None] / gains
    table = np.clip(np.rint(bright), 0, 255).astype(np.uint8)
    return cv2.LUT(picture, table.reshape(256, 1, 3))  # type: ignore[return-value]


def is_shadow(now: Image, before: Image, level: int) -> bool:
    """Whether the pixels (N, 3) uint8 are those of before (N, 3), only darker: by one factor in
    all channels, and by no more than a hand's shadow."""
    factors = np.median((now + np.float32(4.0)) / (before + np.float32(4.0)), axis=0)
    if factors.min() < _SHADOW or factors.max() > 1.0 or factors.max() > _TINT * factors.min():
        return False
    apart = np.abs(now - before * factors).max(axis=1)
    return float((apart > level).mean()) < _REST
