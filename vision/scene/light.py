"""How the light on each part of the table has changed: sun, shadows, lamps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask

CELL = 4  # px of the small picture along a cell of the field
# Cells over which steady pixels tell the light of those that are hidden, and the part of them that
# must be steady. The edge of sunlight is sharp.
_WINDOWS = (((9, 9), 0.02), ((3, 3), 0.1))
# Grey levels added to each, in the light that was told before, so that black divides nothing.
_DARK = 4.0
_MOST = 4.0  # times brighter or darker than at first

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The logarithm of the light, (h / CELL, w / CELL) float32, against that of the first picture.

    It is seen at unchanged places, and counts for what lies hidden around them too.
    """

    log: Floats

    @classmethod
    def dark(cls, shape: tuple[int, ...]) -> Light:
        """The light at the beginning, for a small picture of this shape (h, w)."""
        return cls(np.zeros((max(shape[0] // CELL, 1), max(shape[1] // CELL, 1)), np.float32))

    def seen(self, known: Floats, now: Image, steady: Mask) -> Light:
        """The light of the table `now`, (h, w, 3), against `known`, the same table in the light of
        the first picture. Where no pixel around is `steady` (h, w), it is as it was."""
        size = self.log.shape[::-1]
        where = steady.astype(np.float32)
        old = _small(cv2.cvtColor(known, cv2.COLOR_BGR2GRAY), where, size)
        new = _small(cv2.cvtColor(now, cv2.COLOR_BGR2GRAY), where, size)
        part = cv2.resize(where, size, interpolation=cv2.INTER_AREA)
        log, before = self.log, np.exp(self.log)
        for around, least in _WINDOWS:  # the finest that tells comes last
            seen, there = cv2.blur(part, around), cv2.blur(old, around)
            ratio = cv2.blur(new, around) + _DARK * seen * before
            ratio /= np.maximum(there + _DARK * seen, 1e-3)
            log = np.where(seen >= least, np.log(np.clip(ratio, 1 / _MOST, _MOST)), log)
        return Light(log.astype(np.float32))

    def brighter(self, times: float) -> Light:
        """The light of pictures that are made so many times brighter."""
        return Light((self.log + np.log(times)).astype(np.float32))

    def since(self, then: Light, shape: tuple[int, ...]) -> Floats | None:
        """How much brighter each pixel of the small picture `shape` (h, w) is than it was `then`,
        (h, w, 1) float32; None where nothing changed."""
        apart = self.log - then.log
        if float(np.abs(apart).max()) < 0.015:
            return None
        size = (shape[1], shape[0])
        return np.exp(cv2.resize(apart, size, interpolation=cv2.INTER_LINEAR))[..., None]  # type: ignore[no-any-return]

    def at_first(self, picture: Image) -> Floats:
        """The picture (h, w, 3) in the light of the first one, float32."""
        factors = self.since(Light.dark(picture.shape), picture.shape)
        shown = picture.astype(np.float32)
        return shown if factors is None else shown / factors


def lit(picture: Image, factors: Floats | None) -> Image:
    """The picture (h, w, 3) in another light."""
    if factors is None:
        return picture
    return np.clip(picture * factors, 0, 255).astype(np.uint8)


def _small(grey: cv2.typing.MatLike, known: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(
        cv2.resize(grey.astype(np.float32) * known, size, interpolation=cv2.INTER_AREA), np.float32
    )
