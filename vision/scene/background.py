"""The resting table in a small picture: what has changed against it, and what moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask
from vision.settings import VisionSettings

_EVERY = 9
_GAINS = (0.6, 1.7)


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
_NUDGE = 4  # px of the small picture
_SHADOW = 0.45  # part of the light that the darkest shadow leaves
_TINT = 1.3  # between the factors of two channels; more is another colour
_REST = 0.5  # part of a shaded place that differs by more than the shade
_SEEN_S = 1.0  # s that a pixel stays as remembered to be the table: a hand rests for less
_SEEN = 0.8  # part of a place that must be so


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One frame in small: `low` (h, w, 3) uint8 in the light of the resting table.

    `changed`: differs from the resting table; `moved`: differs from the frame before.
    `still_s`, `changed_s` (h, w) float32: for how long a pixel has not moved, and has differed.
    `lines` (h, w) bool: where fine lines differ, as no shadow makes them; `noise` (grey levels):
    what the lines of an unchanged place differ by.
    """

    low: Image
    changed: Mask
    moved: Mask
    still_s: npt.NDArray[np.float32]
    changed_s: npt.NDArray[np.float32]
    lines: Mask
    noise: float
    at: float


def shrink(bgr: Image, width: int) -> Image:
    """The picture at `width` px across; each pixel is the mean of four (ten times as fast as
    the mean of all, and quiet enough)."""
    height = max(round(bgr.shape[0] * width / bgr.shape[1]), 1)
    return cv2.resize(bgr, (width, height), interpolation=cv2.INTER_LINEAR)  # type: ignore[return-value]


def distance(a: Image, b: Image) -> npt.NDArray[np.uint8]:
    """The largest difference of the three channels, (h, w) uint8."""
    blue, green, red = cv2.split(cv2.absdiff(a, b))
    return cv2.max(cv2.max(blue, green), red)  # type: ignore[return-value]


def structure(a: Image, b: Image) -> npt.NDArray[np.float32]:
    """How much the lines of two pictures differ (grey levels), whatever their brightness."""
    before = cv2.cvtColor(b, cv2.COLOR_BGR2GRAY)
    apart = np.subtract(cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), before, dtype=np.int16)
    limits = _MIDDLE - STRUCTURE.most, _MIDDLE + STRUCTURE.most
    grey = np.clip(apart + _MIDDLE, *limits).astype(np.uint8)
    # The median keeps what changes as a whole from spreading beyond its edge.
    lines = cv2.absdiff(grey, cv2.medianBlur(grey, STRUCTURE.around))
    return cv2.blur(lines.astype(np.float32), (STRUCTURE.spread,) * 2)  # type: ignore[return-value]


def changed_lines(lines: npt.NDArray[np.float32], noise: float) -> Mask:
    """Where `structure` is more than the picture's noise, with the gaps between lines filled."""
    found = lines > max(STRUCTURE.least, STRUCTURE.times * noise)
    kernel = np.ones((STRUCTURE.gaps,) * 2, np.uint8)
    return cv2.morphologyEx(found.view(np.uint8), cv2.MORPH_CLOSE, kernel).view(bool)


def differs(a: Image, b: Image, level: int, noise: float) -> Mask:
    """Where two pictures in the same light differ: by `level` in a channel, or in their lines."""
    return np.asarray((distance(a, b) > level) | changed_lines(structure(a, b), noise))


def gain(picture: Image, reference: Image, where: Mask | None = None) -> npt.NDArray[np.float64]:
    """Per channel: how much brighter `picture` is than `reference`, the median of its pixels."""
    seen, known = picture[::_EVERY, ::_EVERY], reference[::_EVERY, ::_EVERY]
    if where is not None:
        chosen = where[::_EVERY, ::_EVERY]
        seen, known = seen[chosen], known[chosen]
    if seen.size < 60:
        return np.ones(3)
    ratio = (seen.reshape(-1, 3).T + np.float32(4.0)) / (known.reshape(-1, 3).T + np.float32(4.0))
    middle = ratio.shape[1] // 2
    return np.clip(np.partition(ratio, middle, axis=1)[:, middle], *_GAINS).astype(np.float64)


def in_light_of(picture: Image, gains: npt.NDArray[np.float64]) -> Image:
    """The picture with its gains taken out again."""
    if np.abs(gains - 1.0).max() < 0.015:
        return picture
    bright = np.arange(256)[:, None] / gains
    table = np.clip(np.rint(bright), 0, 255).astype(np.uint8)
    return cv2.LUT(picture, table.reshape(256, 1, 3))  # type: ignore[return-value]


def changed_but_for_a_nudge(change: Change, rest: Image, place: Mask, level: int) -> int:
    """How many pixels of a `place` (h, w) differ from the table at `rest`, if it may have been
    pushed by up to _NUDGE px as a whole."""
    x, y, w, h = cv2.boundingRect(place.view(np.uint8))
    height, width = place.shape
    x0, y0 = max(x - _NUDGE, 0), max(y - _NUDGE, 0)
    x1, y1 = min(x + w + _NUDGE, width), min(y + h + _NUDGE, height)
    where, now = place[y : y + h, x : x + w], np.ascontiguousarray(change.low[y : y + h, x : x + w])
    before = np.ascontiguousarray(rest[y0:y1, x0:x1])
    weights = np.repeat(where.astype(np.uint8)[..., None], 3, 2)
    apart = cv2.matchTemplate(before, now, cv2.TM_SQDIFF, mask=weights)
    dy, dx = divmod(int(np.argmin(apart)), apart.shape[1])
    pushed = np.ascontiguousarray(before[dy : dy + h, dx : dx + w])
    return int(np.count_nonzero(differs(now, pushed, level, change.noise)[where]))


def is_shadow(now: Image, before: Image, level: int) -> bool:
    """Whether the pixels (N, 3) uint8 are those of before (N, 3), only darker: by one factor in
    all channels, and by no more than a hand's shadow."""
    factors = np.median((now + np.float32(4.0)) / (before + np.float32(4.0)), axis=0)
    if factors.min() < _SHADOW or factors.max() > 1.0 or factors.max() > _TINT * factors.min():
        return False
    apart = np.abs(now - before * factors).max(axis=1)
    return float((apart > level).mean()) < _REST


class Background:
    """Holds the resting table, cards included, as it was last understood."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._rest: npt.NDArray[np.float32] | None = None
        self._rest_low: Image | None = None
        self._before: Image | None = None
        self._moved_at: npt.NDArray[np.float32] | None = None
        self._same_at: npt.NDArray[np.float32] | None = None
        self._changed_at: npt.NDArray[np.float32] | None = None
        self._was_seen: Mask | None = None
        self._seen = 0

    @property
    def rest(self) -> Image:
        """The resting table, (h, w, 3) uint8; the same array until the table is absorbed."""
        assert self._rest_low is not None
        return self._rest_low

    def see(self, low: Image, at: float) -> Change:
        """What the small picture changes against the resting table (the first one is it)."""
        if self._rest is None or self._rest.shape != low.shape:
            self.start_again(low, at)
        assert self._rest is not None and self._rest_low is not None
        assert self._before is not None and self._moved_at is not None
        assert self._same_at is not None
        assert self._changed_at is not None and self._was_seen is not None
        corrected = in_light_of(low, gain(low, self._rest_low))
        settings = self._settings
        moved = distance(low, self._before) > settings.moved_level
        self._before = low
        self._moved_at[moved] = at
        still_s = np.float32(at) - self._moved_at
        found = structure(corrected, self._rest_low)
        noise = float(np.median(found[:: STRUCTURE.every, :: STRUCTURE.every]))
        lines = changed_lines(found, noise)
        changed = lines & (still_s >= STRUCTURE.rest_s)
        changed |= distance(corrected, self._rest_low) > settings.changed_level
        self._same_at[~changed] = at
        self._changed_at[changed] = at
        self._was_seen |= np.float32(at) - self._changed_at >= _SEEN_S
        changed_s = np.float32(at) - self._same_at
        self._drift(low, changed)
        return Change(corrected, changed, moved, still_s, changed_s, lines, noise, at)

    def start_again(self, low: Image, at: float) -> None:
        """Take the picture as the resting table."""
        self._rest = low.astype(np.float32)
        self._rest_low = self._before = low
        self._moved_at = np.full(low.shape[:2], at - 1.0, np.float32)
        self._same_at = np.full(low.shape[:2], at, np.float32)
        self._changed_at = np.full(low.shape[:2], at, np.float32)
        self._was_seen = np.zeros(low.shape[:2], bool)

    def was_seen(self, where: Mask) -> bool:
        """Whether the table was ever seen at rest there. What the first picture shows may be an
        arm."""
        assert self._was_seen is not None
        return not where.any() or float(self._was_seen[where].mean()) >= _SEEN

    def absorb(self, change: Change, where: Mask) -> Change:
        """What lies there now is the resting table; the change without it."""
        assert self._rest is not None and self._rest_low is not None
        self._rest[where] = change.low[where]
        self._rest_low = self._rest_low.copy()
        self._rest_low[where] = change.low[where]
        return replace(change, changed=change.changed & ~where)

    def put(self, picture: Image, where: Mask) -> None:
        """Remember `picture` where the table itself cannot be seen."""
        assert self._rest is not None and self._rest_low is not None
        self._rest[where] = picture[where]
        self._rest_low = self._rest_low.copy()
        self._rest_low[where] = picture[where]

    def _drift(self, low: Image, changed: Mask) -> None:
        # Daylight wanders; every few frames the unchanged table follows it.
        self._seen += 1
        if self._seen % 8:
            return
        assert self._rest is not None
        steady = (~changed).view(np.uint8)
        cv2.accumulateWeighted(low, self._rest, 0.1, mask=steady)
        self._rest_low = cv2.convertScaleAbs(self._rest)  # type: ignore[assignment]
