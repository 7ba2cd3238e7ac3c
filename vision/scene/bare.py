"""The table itself: what lay bare for long is known again when a hand that rested there has gone.

A hand that rests on the table for some seconds is taken for the table. When it goes, its place
differs from what is remembered, and would count as a hand that rests on.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.difference import distance_beyond
from vision.scene.light import Light, lit

LONG_S = 6.0  # s, all in all, that a place must look the same to be the bare table
STILL_S = 2.0  # s that it must lie still, to be bare again; a card is told sooner
EVERY_S = 0.5  # s between two looks at what lies bare


class BareTable:
    """What the places without cards look like, in the light of the first picture.

    `level`: grey levels by which a changed pixel differs.
    """

    def __init__(self, level: int) -> None:
        self._level = level
        self._known: Image | None = None  # what lay bare for long,
        self._is_known: Mask | None = None
        self._latest: Image | None = None  # what lies bare now, and for how long (s) all in all
        self._seen_s: npt.NDArray[np.float32] | None = None
        self._looked_at = -np.inf

    def see(self, change: Change, rest: Image, free: Mask) -> Mask:
        """Where (h, w) the bare table has come to light again; `free` (h, w): where no card lies;
        `rest` (h, w, 3): the remembered table."""
        if self._known is None or self._known.shape != rest.shape:
            self._known, self._latest = rest.copy(), rest.copy()
            self._is_known = np.zeros(free.shape, bool)
            self._seen_s = np.zeros(free.shape, np.float32)
        assert self._is_known is not None
        if change.at - self._looked_at >= EVERY_S:
            self._looked_at = change.at
            self._remember(change, rest, free & ~change.changed)
        bare = free & change.changed & self._is_known & (change.still_s >= STILL_S)
        if bare.any():
            light = change.light.since(Light.dark(free.shape), free.shape)
            bare &= distance_beyond(change.low, lit(self._known, light)) <= self._level
        return bare

    def _remember(self, change: Change, rest: Image, steady: Mask) -> None:
        assert self._known is not None and self._latest is not None
        assert self._is_known is not None and self._seen_s is not None
        first = np.clip(change.light.at_first(rest), 0, 255).astype(np.uint8)
        other = steady & (distance_beyond(first, self._latest) > self._level)
        self._latest[other], self._seen_s[other] = first[other], 0.0
        self._seen_s[steady] += np.float32(EVERY_S)
        long = steady & (self._seen_s >= LONG_S)
        self._known[long] = first[long]
        self._is_known |= long
