"""The resting table in a small picture: what has changed against it, and what moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask
from vision.scene.difference import (
    STRUCTURE,
    changed_lines,
    differs,
    distance,
    distance_beyond,
    gain,
    in_light_of,
    ratio,
    structure,
)
from vision.scene.light import CELL, Light
from vision.scene.small_picture import SmallPictures
from vision.settings import VisionSettings

_NUDGE = 4  # px of the small picture
_SEEN_S = 1.0  # s that a pixel stays as remembered to be the table: a hand rests for less
_SEEN = 0.8  # part of a place that must be so
_JUMP_S = 0.2  # s between a move and the change that it makes
_STILL = 0.5  # of the level of a change: with less, a pixel of a noisy picture differs no more
_FOLLOWS = 0.2  # of what is left: how fast the remembered table follows the light of a frame
_KNOWN = 0.02  # the same for how it looks in the light of the first picture


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One frame in small: `low` (h, w, 3) uint8 in the light of the resting table.

    `changed`: differs from the resting table; `moved`: differs from the frame before.
    `still_s`, `changed_s` (h, w) float32: for how long a pixel has not moved, and has differed.
    `lines` (h, w) bool: where fine lines differ, as no shadow makes them; `noise` (grey levels):
    what the lines of an unchanged place differ by. `light`: of each part of the table.
    """

    low: Image
    changed: Mask
    moved: Mask
    still_s: npt.NDArray[np.float32]
    changed_s: npt.NDArray[np.float32]
    lines: Mask
    noise: float
    at: float
    light: Light

    def began(self, place: Mask) -> float:
        """Since when (s) what differs of a place (h, w) has done so; -inf if nothing does."""
        changed_s = self.changed_s[place & self.changed]
        return self.at - float(np.median(changed_s)) if changed_s.size else -np.inf


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


class Background:
    """Holds the resting table, cards included, as it was last understood."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self.small = SmallPictures(settings.low_width)
        self._rest: npt.NDArray[np.float32] | None = None
        self._known: npt.NDArray[np.float32] | None = None  # in the light of the first picture
        self._rest_low: Image | None = None
        self._before: Image | None = None
        self._moved_at: npt.NDArray[np.float32] | None = None
        self._same_at: npt.NDArray[np.float32] | None = None
        self._changed_at: npt.NDArray[np.float32] | None = None
        self._was_seen: Mask | None = None
        self._differed = np.zeros((1, 1), bool)
        self._light = Light.dark((CELL, CELL))

    @property
    def rest(self) -> Image:
        """The resting table, (h, w, 3) uint8; never written to."""
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
        moved = distance(low, self._before) > settings.moved_level * self.small.gain
        self._before = low
        self._moved_at[moved] = at
        still_s = np.float32(at) - self._moved_at
        found = structure(corrected, self._rest_low)
        noise = float(np.median(found[:: STRUCTURE.every, :: STRUCTURE.every]))
        lines = changed_lines(found, noise)
        changed = lines & (still_s >= STRUCTURE.rest_s)
        apart = distance_beyond(corrected, self._rest_low)
        other = apart > settings.changed_level
        if self.small.is_noisy:  # a pixel that differs does so in each frame, nearly
            other |= self._differed & (apart > _STILL * settings.changed_level)
        # What came to differ without a move, frame by frame, is light.
        other &= lines | (still_s < np.float32(at) - self._same_at + _JUMP_S)
        changed |= other
        self._differed = changed
        self._same_at[~changed] = at
        self._changed_at[changed] = at
        self._was_seen |= np.float32(at) - self._changed_at >= _SEEN_S
        changed_s = np.float32(at) - self._same_at
        self._follow(corrected, ~(changed | lines))
        return Change(corrected, changed, moved, still_s, changed_s, lines, noise, at, self._light)

    def start_again(self, low: Image, at: float) -> None:
        """Take the picture as the resting table."""
        self._rest, self._known = low.astype(np.float32), low.astype(np.float32)
        self._rest_low = self._before = low
        self._moved_at = np.full(low.shape[:2], at - 1.0, np.float32)
        self._same_at = np.full(low.shape[:2], at, np.float32)
        self._changed_at = np.full(low.shape[:2], at, np.float32)
        self._was_seen = np.zeros(low.shape[:2], bool)
        self._differed = np.zeros(low.shape[:2], bool)
        self._light = Light.dark(low.shape)

    def shrink(self, bgr: Image) -> Image:
        """The next frame in small, as `see` takes it."""
        low, is_anew = self.small.see(bgr)
        if is_anew and self._rest is not None and self._rest.shape == low.shape:
            times = float(ratio(low, self.rest).mean())
            self._rest *= times
            self._rest_low = cv2.convertScaleAbs(self._rest)  # type: ignore[assignment]
            self._light, self._before = self._light.brighter(times), low
        return low

    def was_seen(self, where: Mask) -> bool:
        """Whether the table was ever seen at rest there. What the first picture shows may be an
        arm."""
        return not where.any() or float(self.seen[where].mean()) >= _SEEN

    @property
    def seen(self) -> Mask:
        """Where (h, w) the table was ever seen at rest, cards included."""
        assert self._was_seen is not None
        return self._was_seen

    def absorb(self, change: Change, where: Mask) -> Change:
        """What lies there now is the resting table; the change without it."""
        self._learn(change.low, where)
        return replace(change, changed=change.changed & ~where)

    def put(self, picture: Image, where: Mask) -> None:
        """Remember `picture` where the table itself cannot be seen."""
        self._learn(picture, where)

    def put_older(self, low: Image, where: Mask) -> None:
        """Remember what an older frame, as small as `see` takes them, showed in this place."""
        self._learn(in_light_of(low, gain(low, self.rest)), where)

    def _follow(self, corrected: Image, steady: Mask) -> None:
        """The remembered table takes on the light of the frame: where it is steady as it is seen,
        elsewhere as the light around it is. A shadow that goes leaves nothing behind."""
        assert self._rest is not None and self._known is not None
        cv2.accumulateWeighted(corrected, self._rest, _FOLLOWS, mask=steady.view(np.uint8))
        seen: Image = cv2.convertScaleAbs(self._rest)  # type: ignore[assignment]
        self._light = self._light.seen(self._known, seen, steady)
        hidden = ~steady
        lit = self._light.since(Light.dark(seen.shape), seen.shape)
        now = self._known if lit is None else self._known * lit
        self._rest[hidden] = now[hidden]
        self._rest_low = cv2.convertScaleAbs(self._rest)  # type: ignore[assignment]
        # What is no light, as a pixel's share of an edge, is taken on too.
        first = self._rest if lit is None else self._rest / lit
        cv2.accumulateWeighted(first, self._known, _KNOWN, mask=steady.view(np.uint8))

    def _learn(self, picture: Image, where: Mask) -> None:
        """The table looks so in this place, (h, w) bool."""
        assert self._rest is not None and self._rest_low is not None and self._known is not None
        self._rest[where] = picture[where]
        self._known[where] = self._light.at_first(picture)[where]
        self._rest_low = self._rest_low.copy()
        self._rest_low[where] = picture[where]
