"""A V4L2 or USB camera, by its number or its /dev path."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import cv2
import numpy as np

from rules.errors import FairdealError
from rules.files import special_kind
from vision.frame import Image
from vision.sources.live import CameraLost
from vision.sources.lock import CameraLock, NoLock

DEFAULT_SIZE = (1920, 1080)
DEFAULT_RATE = 30.0
VIDEO_MAJOR = 81  # Linux: the number of all video devices
WARM_UP_FRAMES = 5  # the first ones come before exposure and white balance have settled


def cameras_here(dev: Path = Path("/dev")) -> tuple[str, ...]:
    """The video devices that there are, as paths."""
    return tuple(str(p) for p in sorted(dev.glob("video*")))


class UsbCamera:
    """A camera through V4L2, asked for MJPG: raw pictures of this size do not fit through USB."""

    def __init__(
        self,
        spec: str,
        size: tuple[int, int] | None = None,
        rate: float | None = None,
        lock: CameraLock | NoLock | None = None,
    ) -> None:
        self.path = f"/dev/video{spec}" if spec.isdecimal() else spec
        self.name = f"camera {self.path}"
        self._size, self._rate = size or DEFAULT_SIZE, rate or DEFAULT_RATE
        self._lock = lock or CameraLock(self.path)
        self._capture: cv2.VideoCapture | None = None

    def open(self) -> None:
        self._refuse_missing()
        self._lock.take()
        capture = cv2.VideoCapture(os.path.realpath(self.path), cv2.CAP_V4L2)
        if capture.isOpened():
            fourcc = cv2.VideoWriter.fourcc(*"MJPG")
            capture.set(cv2.CAP_PROP_FOURCC, fourcc)
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
            capture.set(cv2.CAP_PROP_FPS, self._rate)
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            if all(capture.grab() for _ in range(WARM_UP_FRAMES)):
                self._capture = capture
                return
        capture.release()
        self._lock.give_back()
        raise FairdealError(
            f"pictures from {self.path}",
            "none came",
            "is it a camera, and does another program use it? try another number",
        )

    def grab(self) -> tuple[Image, float]:
        if self._capture is None:
            raise CameraLost("the camera is closed")
        good, bgr = self._capture.read()
        if not good or bgr is None:
            raise CameraLost(f"{self.path} gives no picture")
        return np.asarray(bgr, np.uint8), 0.0

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        self._lock.give_back()

    def _refuse_missing(self) -> None:
        if not os.path.exists(self.path):
            here = ", ".join(cameras_here()) or "no camera at all"
            raise FairdealError(
                f"a camera at {self.path}", f"none (there is {here})", "plug it in or name another"
            )
        self._refuse_other_kinds()
        if not os.access(self.path, os.R_OK | os.W_OK):
            raise FairdealError(
                f"leave to use {self.path}", "none", "add yourself to the group `video`"
            )

    def _refuse_other_kinds(self) -> None:
        """Nothing but a camera is opened: other devices act when they are."""
        about = os.stat(self.path)
        is_video = stat.S_ISCHR(about.st_mode) and os.major(about.st_rdev) == VIDEO_MAJOR
        if not is_video and sys.platform == "linux":
            found = special_kind(Path(self.path)) or "a file"
            raise FairdealError(f"a camera at {self.path}", found, "name another")
