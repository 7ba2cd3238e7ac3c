"""The last seconds of frames at full resolution, within a fixed number of bytes."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Frame, Image


@dataclass(frozen=True, slots=True)
class RecentSettings:
    """How far back frames go (s), how close they may be (s), and what they take at most (bytes).

    Large pictures are kept at longer intervals, so that the span stays the same.
    """

    span_s: float = 3.6
    apart_s: float = 0.09
    most_bytes: int = 32 << 20


@dataclass(frozen=True, slots=True, eq=False)
class KeptFrame:
    """A frame of the last seconds. `at`: its capture time (s).

    `pixels`: planes of brightness and colour (I420, half the bytes of BGR, as cameras send them);
    BGR where the picture's sides are odd.
    """

    at: float
    pixels: Image

    @classmethod
    def of(cls, frame: Frame) -> KeptFrame:
        """A copy of the frame."""
        is_even = frame.width % 2 == 0 and frame.height % 2 == 0
        pixels = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2YUV_I420) if is_even else frame.bgr.copy()
        pixels.flags.writeable = False
        return cls(frame.at, np.asarray(pixels, np.uint8))

    @property
    def bgr(self) -> Image:
        """(H, W, 3) uint8; full resolution, colours averaged over 2×2 pixels."""
        if self.pixels.ndim == 3:
            return self.pixels
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_YUV2BGR_I420), np.uint8)


class RecentFrames:
    """Keeps frames in the order of their times; the oldest go first."""

    def __init__(self, settings: RecentSettings | None = None) -> None:
        self._settings = settings or RecentSettings()
        self._kept: deque[KeptFrame] = deque()

    @property
    def kept(self) -> tuple[KeptFrame, ...]:
        """The frames, the oldest first."""
        return tuple(self._kept)

    def see(self, frame: Frame) -> tuple[KeptFrame, ...]:
        """The frames after this one, which is kept if the last one lies far enough back."""
        settings = self._settings
        if self._kept and frame.at < self._kept[-1].at:  # another recording began
            self._kept.clear()
        if self._kept and frame.at - self._kept[-1].at < self._apart_s() - 1e-6:
            return self.kept
        self._kept.append(KeptFrame.of(frame))
        while frame.at - self._kept[0].at > settings.span_s:
            self._kept.popleft()
        while len(self._kept) > 1 and self._bytes() > settings.most_bytes:
            self._kept.popleft()
        return self.kept

    def last_before(self, at: float, since: float = float("-inf")) -> KeptFrame | None:
        """The newest frame that is not younger than `at` (s), nor older than `since` (s)."""
        found = next((kept for kept in reversed(self._kept) if kept.at <= at), None)
        return found if found is not None and found.at >= since else None

    def _apart_s(self) -> float:
        room = self._settings.most_bytes // max(self._kept[-1].pixels.nbytes, 1)
        return max(self._settings.apart_s, self._settings.span_s / max(room - 1, 1))

    def _bytes(self) -> int:
        return sum(kept.pixels.nbytes for kept in self._kept)
