"""Stands in for a camera in tests and fault trials: it is plugged in while its path exists."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.live import CameraLost

SIZE = (640, 360)
RATE = 30.0


class FakeCamera:
    """Noise of `size` (width, height) px, `rate` a second. No two pictures are equal.

    The path's content is a word: empty films, `hang` does not return from `grab`, any other word
    is raised as an error of that text.
    """

    def __init__(
        self, path: str, size: tuple[int, int] | None = None, rate: float | None = None
    ) -> None:
        self.name = f"fake camera {Path(path).name}"
        self._path, self._size, self._pause_s = Path(path), size or SIZE, 1 / (rate or RATE)
        self._next_at = 0.0
        width, height = self._size
        self._noise = np.random.default_rng(1).integers(0, 255, (height + 64, width, 3), np.uint8)
        self._number = 0

    def open(self) -> None:
        """As in Camera; refused while the path does not exist."""
        if not self._path.exists():
            raise FairdealError(f"a camera at {self._path}", "none", "plug it in")
        self._next_at = time.monotonic()

    def grab(self) -> tuple[Image, float]:
        """As in Camera."""
        self._next_at = max(self._next_at + self._pause_s, time.monotonic())
        time.sleep(max(0.0, self._next_at - time.monotonic()))
        try:
            word = self._path.read_text()
        except OSError as error:
            raise CameraLost(f"{self._path.name} was unplugged") from error
        while word == "hang" and self._path.exists():
            time.sleep(0.01)
        if word and word != "hang":
            raise RuntimeError(word)
        self._number += 1
        top = self._number % 64
        return self._noise[top : top + self._size[1]], 0.0

    def close(self) -> None:
        """Nothing to give back."""
