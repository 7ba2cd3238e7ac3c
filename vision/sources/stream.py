"""A camera on the network: RTSP, or MJPEG over HTTP, through FFmpeg."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.live import CameraLost

OPEN_MS = 5000
READ_MS = 2000  # shorter than a stall, so that the reader itself finds the stream lost


def without_password(url: str) -> str:
    """The URL as it may be shown and logged."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


@contextmanager
def _stream_options() -> Iterator[None]:
    """FFmpeg's options reach it by the environment only; a file must not be opened with these."""
    name = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
    before = os.environ.get(name)
    if before is None:
        os.environ[name] = "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)


class StreamCamera:
    """A stream; one that ends or falls silent is a lost camera."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.name = without_password(url)
        self._capture: cv2.VideoCapture | None = None
        self._first: Image | None = None

    def open(self) -> None:
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_MS]
        with _stream_options():
            capture = cv2.VideoCapture(self._url, cv2.CAP_FFMPEG, limits)
        good, bgr = capture.read()
        if not good or bgr is None:
            capture.release()
            raise FairdealError(
                f"a video stream at {self.name}",
                "no picture came",
                "is the camera on, and the address right?",
            )
        self._capture, self._first = capture, np.asarray(bgr, np.uint8)

    def grab(self) -> tuple[Image, float]:
        if self._first is not None:
            bgr, self._first = self._first, None
            return bgr, 0.0
        if self._capture is None:
            raise CameraLost("the stream is closed")
        good, picture = self._capture.read()
        if not good or picture is None:
            raise CameraLost(f"the stream {self.name} has ended or fallen silent")
        return np.asarray(picture, np.uint8), 0.0

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
        self._first = None
