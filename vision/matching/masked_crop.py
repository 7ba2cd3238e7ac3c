"""A card cut out of a frame for comparison with templates; occluded pixels are masked."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from models.crop import crop_to_corners, rectangle
from vision.geometry import intersection
from vision.matching import template_match
from vision.matching.colours import colours
from vision.matching.occlusion import Occluder
from vision.matching.template_match import HEIGHT, PAD, WIDTH

CORNERS = rectangle(WIDTH, HEIGHT)  # of a template


class Match(NamedTuple):
    """The part of a crop that matches a template best, normalised, and their correlation, -1..1."""

    normal: np.ndarray
    correlation: float


@dataclass(frozen=True, eq=False)  # no slots: `colours` is kept for all contests of the card
class MaskedCrop:
    """A card at its quad, PAD px larger than a template on each side.

    `pixels` (H, W, 3) uint8; `normal` (H, W, 3) float32, normalised and 0 where occluded, and the
    sum of its colours (H, W); `mask` (H, W, 1) float32, 0 where occluded and 1 elsewhere; `share`:
    of the card, 0..1, that is not occluded.
    """

    pixels: np.ndarray
    normal: np.ndarray
    colour_sum: np.ndarray
    mask: np.ndarray
    share: float

    @classmethod
    def cut(
        cls, bgr: np.ndarray, quad: np.ndarray, occluders: Sequence[Occluder] = ()
    ) -> "MaskedCrop":
        """The card at `quad` (4, 2) of a frame (H, W, 3), under those `occluders` that touch it."""
        pixels = crop_to_corners(bgr, quad, WIDTH, HEIGHT, PAD)
        mask = np.ones(pixels.shape[:2], np.float32)
        over = [other for other in occluders if intersection(quad, other.quad) > 0]
        if over:
            to = cv2.getPerspectiveTransform(quad.astype(np.float32), CORNERS + np.float32(PAD))
            for other in over:
                mask = other.masked(mask, to)
        normal = template_match.normalised(pixels)
        if over:
            normal *= mask[..., None]
        share = float(mask[PAD:-PAD, PAD:-PAD].mean()) if over else 1.0
        return cls(pixels, normal, template_match.summed(normal), mask[..., None], share)

    @property
    def visible(self) -> np.ndarray:
        """Where the card is not occluded, (HEIGHT, WIDTH, 1) 0 or 1."""
        return self.mask[PAD:-PAD, PAD:-PAD]

    @property
    def inner(self) -> np.ndarray:
        """The card without the padding, (HEIGHT, WIDTH, 3), normalised."""
        return self.normal[PAD:-PAD, PAD:-PAD]

    @cached_property
    def colours(self) -> np.ndarray:
        """The card's colours, as `vision.matching.colours` compares them."""
        return colours(self.pixels[PAD:-PAD, PAD:-PAD])

    def masked(self, template: np.ndarray) -> np.ndarray:
        """A template (HEIGHT, WIDTH, 3), 0 where the card is occluded."""
        return template if self.share == 1.0 else template * self.visible

    def match(self, template: np.ndarray) -> Match:
        """The part that matches a normalised template (HEIGHT, WIDTH, 3) best."""
        template = self.masked(template)
        return Match(*template_match.best_shift(self.normal, template, self.colour_sum))
