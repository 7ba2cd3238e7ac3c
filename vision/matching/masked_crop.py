"""A card cut out of a frame to be laid on taught pictures, what covers it left out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from models.crop import crop_to_corners
from vision.geometry import intersection
from vision.matching import template_match
from vision.matching.occlusion import CoveringCard
from vision.matching.template_match import HEIGHT, PAD, WIDTH

BOX = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)  # a look's corners


class Part(NamedTuple):
    """The part of a cutout that fits a look best: as `normalised` gives it, the pixels, and how
    well it fits, -1..1."""

    normal: np.ndarray
    pixels: np.ndarray
    fit: float


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A card at its quad, PAD px wider than a look on each side: `pixels` (H, W, 3) uint8;
    `normal`, the same normalised, 0 where it is covered; `whole` (H, W, 1) float32, 0 there and 1
    elsewhere."""

    pixels: np.ndarray
    normal: np.ndarray
    whole: np.ndarray

    @classmethod
    def cut(
        cls, bgr: np.ndarray, quad: np.ndarray, covering: Sequence[CoveringCard] = ()
    ) -> "Cutout":
        """Of a frame (H, W, 3) the card at `quad` (4, 2), on which those of `covering` may lie."""
        pixels = crop_to_corners(bgr, quad, WIDTH, HEIGHT, PAD)
        bare = np.ones(pixels.shape[:2], np.float32)
        over = [other for other in covering if intersection(quad, other.quad) > 0]
        if over:
            to = cv2.getPerspectiveTransform(quad.astype(np.float32), BOX + np.float32(PAD))
            for other in over:
                other.blank(bare, to)
        return cls(pixels, template_match.normalised(pixels) * bare[..., None], bare[..., None])

    @property
    def bare(self) -> np.ndarray:
        """Where nothing lies on the card, (HEIGHT, WIDTH, 1) 0 or 1."""
        return self.whole[PAD:-PAD, PAD:-PAD]

    @property
    def inner(self) -> np.ndarray:
        """The card without the pad, (HEIGHT, WIDTH, 3), normalised."""
        return self.normal[PAD:-PAD, PAD:-PAD]

    def laid(self, look: np.ndarray) -> Part:
        """The part that fits a look (HEIGHT, WIDTH, 3), normalised, best."""
        part, (x, y), fit = template_match.aligned(self.normal, look * self.bare)
        return Part(part, self.pixels[y : y + HEIGHT, x : x + WIDTH], fit)
