"""The shadow of a head that leans over the simulated table."""

from dataclasses import dataclass

import cv2
import numpy as np

_DEPTH = 0.4  # of the light that is gone in the shadow's middle
_RADIUS = 0.42  # of the picture's height
_SCALE = 8  # it is soft, so it is kept at an eighth of the size
# Where the head's shadow lies from a side, parts of the picture's width and height.
_AT = {"bottom": (0.5, 0.85), "left": (0.12, 0.5), "top": (0.5, 0.15), "right": (0.88, 0.5)}


@dataclass(frozen=True, slots=True)
class Shade:
    """A head's shadow from `side`. `times` (s): it begins, is there, begins to go, is gone."""

    side: str
    size: tuple[int, int]
    times: tuple[float, float, float, float]

    @property
    def end(self) -> float:
        """When it is gone, s."""
        return self.times[3]

    def fall_on(self, picture: np.ndarray, at: float) -> None:
        """Darkens `picture` (H, W, 3) uint8 in place, as far as the head leans at `at` s."""
        part = float(np.interp(at, self.times, (0.0, 1.0, 1.0, 0.0)))
        if part <= 0.0:
            return
        w, h = self.size[0] // _SCALE, self.size[1] // _SCALE
        x, y = _AT[self.side]
        # It comes in from beyond the table's edge.
        x, y = x + (x - 0.5) * (1 - part), y + (y - 0.5) * (1 - part)
        yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
        far = np.hypot(xx - x * w, yy - y * h) / (_RADIUS * h)
        factor = (1 - _DEPTH * part * np.exp(-(far**2) * 1.5)).astype(np.float32)
        factor = cv2.resize(factor, self.size, interpolation=cv2.INTER_LINEAR)
        cv2.multiply(picture, cv2.merge([factor] * 3), picture, dtype=cv2.CV_8U)
