"""How the light on each part of the table has changed: sun, shadows, lamps."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Mask

CELL = 4  # px of the small picture along a cell of the field
_AROUND = (9, 9)  # cells over which steady pixels tell the light of those that are hidden
_LEAST = 0.02  # part of these cells that must be steady
_DARK = 4.0  # grey levels added to each, so that black divides nothing

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """The logarithm of the light, (h / CELL, w / CELL) float32, against that of the first picture.

    It grows by what is seen of unchanged places, and counts for what lies below them too.
    """

    log: Floats

    @classmethod
    def dark(cls, shape: tuple[int, ...]) -> Light:
        """The light at the beginning, for a small picture of this shape (h, w)."""
        return cls(np.zeros((max(shape[0] // CELL, 1), max(shape[1] // CELL, 1)), np.float32))

    def changed(self, before: Image, after: Image, steady: Mask) -> Light:
        """The light after the remembered table went from `before` to `after` (h, w, 3), where it
        was `steady` (h, w)."""
        size = self.log.shape[::-1]
        known = steady.astype(np.float32)
        old = _small(cv2.cvtColor(before, cv2.COLOR_BGR2GRAY), known, size)
        new = _small(cv2.cvtColor(after, cv2.COLOR_BGR2GRAY), known, size)
        seen = cv2.blur(cv2.resize(known, size, interpolation=cv2.INTER_AREA), _AROUND)
        ratio = (cv2.blur(new, _AROUND) + _DARK * seen) / np.maximum(
            cv2.blur(old, _AROUND) + _DARK * seen, 1e-3
        )
        step = np.where(seen >= _LEAST, np.log(np.clip(ratio, 0.8, 1.25)), 0.0)
        return Light((self.log + step).astype(np.float32))

    def since(self, then: Light, shape: tuple[int, ...]) -> Floats | None:
        """How much brighter each pixel of the small picture `shape` (h, w) is than it was `then`,
        (h, w, 1) float32; None where nothing changed."""
        apart = self.log - then.log
        if float(np.abs(apart).max()) < 0.015:
            return None
        size = (shape[1], shape[0])
        return np.exp(cv2.resize(apart, size, interpolation=cv2.INTER_LINEAR))[..., None]  # type: ignore[no-any-return]


def lit(picture: Image, factors: Floats | None) -> Image:
    """The picture (h, w, 3) in another light."""
    if factors is None:
        return picture
    return np.clip(picture * factors, 0, 255).astype(np.uint8)


def _small(grey: cv2.typing.MatLike, known: Floats, size: tuple[int, int]) -> Floats:
    return np.asarray(
        cv2.resize(grey.astype(np.float32) * known, size, interpolation=cv2.INTER_AREA), np.float32
    )
