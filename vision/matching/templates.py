"""The taught pictures of a deck as templates: sharp, and blurred as a soft picture shows them."""

from functools import lru_cache

import cv2
import numpy as np

from vision.matching.colours import colours
from vision.matching.template_match import normalised

BLURS = (0.0, 1.0, 2.0, 3.0, 4.5)  # px of a template; the Gaussian's standard deviation
CACHED = 24  # blurred templates, 7 MB


class Templates:
    """The taught pictures (K, HEIGHT, WIDTH, 3) uint8 of a deck."""

    def __init__(self, pictures: np.ndarray) -> None:
        self._pictures = pictures
        self.sharp = [normalised(picture) for picture in pictures]
        self._blurred = lru_cache(CACHED)(self._blur)
        self._colours = lru_cache(None)(self._colours_of)

    def normal(self, number: int, blur: float = 0.0) -> np.ndarray:
        """A normalised template (HEIGHT, WIDTH, 3) float32 at one of the BLURS."""
        return self._blurred(number, blur) if blur else self.sharp[number]

    def colours(self, number: int) -> np.ndarray:
        """The colours of a template, float32, as `vision.matching.colours` compares them."""
        return self._colours(number)

    def _colours_of(self, number: int) -> np.ndarray:
        return colours(self._pictures[number])

    def _blur(self, number: int, blur: float) -> np.ndarray:
        return normalised(cv2.GaussianBlur(self._pictures[number], (0, 0), blur))
