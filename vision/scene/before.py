"""How the table looked before a card came, and cards that went."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry import Mask
from vision.scene.light import Light, lit
from vision.scene.table import Card

_REACH, _AROUND = 3, 8  # px that tell how the table goes on


@dataclass(frozen=True, eq=False)
class Before:
    """The small picture without a card: the table at `rest` before it came; or, of a card that has
    lain from the start, as it may be, for the table goes on in its `hole` as around it.

    `ring`: about a card that came so early that `rest` may show an arm there. The arm has gone
    since, so the ring looks otherwise now if there was one.
    """

    rest: Image
    light: Light
    hole: Mask | None = None
    ring: Mask | None = None

    def shown(self, light: Light) -> Image:
        """The picture in the light of now."""
        return lit(self.picture, light.since(self.light, self.picture.shape))

    @cached_property
    def picture(self) -> Image:
        """Painted when it is asked for: that takes longer than a frame has."""
        if self.hole is None:
            return self.rest
        x, y, w, h = cv2.boundingRect(self.hole.view(np.uint8))
        box = np.s_[max(y - _AROUND, 0) : y + h + _AROUND, max(x - _AROUND, 0) : x + w + _AROUND]
        painted = self.rest.copy()
        painted[box] = cv2.inpaint(
            self.rest[box], self.hole[box].view(np.uint8), _REACH, cv2.INPAINT_TELEA
        )
        return painted


@dataclass(frozen=True, slots=True, eq=False)
class Gone:
    """A card that went at time `at` (s), and what lay below it, if that was known."""

    card: Card
    at: float
    under: Before | None
