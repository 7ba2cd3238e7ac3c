"""A video file, frame by frame, by its own clock."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from models.picture_file import check_sides
from rules.errors import FairdealError
from rules.files import opened
from vision.frame import Frame, Image
from vision.sources.source import Source

WHOLE = 0.9  # of the pictures that a file promises; its own count may be a little off


class VideoSource(Source):
    """A video file. `Frame.at` is the time the file itself gives the frame, in s."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if _is_text(path):
            raise _no_video(path)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        self._number = 0
        self._last_at = 0.0
        self._ahead: tuple[Image, float] | None = None
        self._frames = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._frame_s = 1 / fps if math.isfinite(fps) and fps > 0 else 1 / 15
        self._ahead = self._decode()
        if self._ahead is None:
            self.close()
            raise _no_video(path)
        height, width = self._ahead[0].shape[:2]
        check_sides(width, height, str(path))

    def read(self) -> Frame | None:
        decoded = self._ahead or self._decode()
        self._ahead = None
        if decoded is None:
            self._refuse_half()
            return None
        bgr, at = decoded
        frame = Frame(bgr, at, self._number)
        self._number += 1
        return frame

    def skip_to(self, at: float) -> None:
        """Grabs past what lies more than a frame before `at` without converting it."""
        if self._ahead is not None:
            return
        while self._last_at + 2 * self._frame_s < at and self._capture.grab():
            self._last_at = self._clock()
            self._number += 1

    def close(self) -> None:
        self._capture.release()

    def _decode(self) -> tuple[Image, float] | None:
        good, bgr = self._capture.read()
        if not good or bgr is None:
            return None
        self._last_at = self._clock()
        return np.asarray(bgr, np.uint8), self._last_at

    def _refuse_half(self) -> None:
        """A file that was cut off must not look like a finished game."""
        if self._frames > 0 and self._number < WHOLE * self._frames:
            raise FairdealError(
                "a whole video file",
                f"{self.name} ends after {self._number} of {self._frames:.0f} pictures",
                "copy it once more",
            )

    def _clock(self) -> float:
        """The grabbed frame's own time; some files give none, then the count over the rate."""
        at = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        if self._number == 0:
            return max(at, 0.0) if math.isfinite(at) else 0.0
        if not math.isfinite(at) or at <= self._last_at:
            at = self._last_at + self._frame_s
        return at


def _is_text(path: Path) -> bool:
    """FFmpeg would play a text file as a film of a terminal."""
    with opened(path, "a video file") as file:
        start = file.read(2048)
    return all(byte >= 32 or byte in b"\t\n\r\x1b" for byte in start)


def _no_video(path: Path) -> FairdealError:
    return FairdealError(
        "a video file", f"no video in {path}", "convert it to mp4 (H.264), or give another"
    )
