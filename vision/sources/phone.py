"""A phone as the camera: its pictures come to the page's server, and from there by a local socket.

The server (kiosk/web/phone) has checked who sends, how much and how large. Here pictures are
decoded, in the process that films: a picture that harms the decoder harms nobody else.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress

import cv2
import numpy as np

from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.live import CameraLost
from vision.sources.phone_wire import HEADER, MOST_BYTES, NO_PICTURE, is_own, phone_socket

SILENT_S = 1.8  # without a picture for so long, the phone is lost
ANSWER_S = 5.0  # until the server says whether a phone films
COMES_BACK_S = 20.0  # a phone that was lost is waited for so long in one go
TODO = "open the page of `fairdeal kiosk` on the phone and tap “Use this phone as the camera”"


class PhoneCamera:
    """As Camera. A phone that falls silent, or says that it stops, is a lost camera."""

    def __init__(self, address: str | None = None) -> None:
        self.name = "the phone"
        self._address = address or phone_socket()
        self._socket: socket.socket | None = None
        self._first: tuple[Image, float] | None = None
        self._size: tuple[int, int] | None = None  # of its pictures, once it has filmed

    def open(self) -> None:
        """As in Camera. A phone that has filmed before is waited for."""
        self.close()
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(ANSWER_S)
        try:
            connection.connect(self._address)
        except OSError as error:
            connection.close()
            raise FairdealError(
                "a page to which a phone brings pictures", "none", "start `fairdeal kiosk`"
            ) from error
        if not is_own(connection):
            connection.close()
            raise FairdealError("a page of this user", "one of somebody else", "end that one")
        self._socket = connection
        patience_s = 0.0 if self._size is None else COMES_BACK_S
        self._first = self._awaited(time.monotonic() + patience_s)

    def grab(self) -> tuple[Image, float]:
        """As in Camera."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return self._picture(SILENT_S)

    def close(self) -> None:
        """As in Camera."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _awaited(self, until: float) -> tuple[Image, float]:
        """The first picture. Raises FairdealError where none came and it is later than `until`."""
        while True:
            try:
                return self._picture(ANSWER_S)
            except CameraLost as error:
                if self._socket is None or time.monotonic() >= until:
                    raise FairdealError("a phone that films", str(error), TODO) from error

    def _picture(self, patience_s: float) -> tuple[Image, float]:
        """The next picture that can be read, and its age (s). Raises CameraLost."""
        end = time.monotonic() + patience_s
        while True:
            at, data = self._message(end)
            if at == NO_PICTURE:
                raise CameraLost(data.decode("utf-8", "replace"))
            bgr = decoded(data)
            if bgr is not None:
                self._check_size(bgr)
                return bgr, max(0.0, time.monotonic() - at)

    def _check_size(self, bgr: Image) -> None:
        """A phone that lies otherwise than before is lost. Raises CameraLost."""
        height, width = bgr.shape[:2]
        self._size = self._size or (width, height)
        if self._size != (width, height):
            before = "x".join(map(str, self._size))
            raise CameraLost(f"the phone was turned: {before} px before, now {width}x{height}")

    def _message(self, end: float) -> tuple[float, bytes]:
        at, size = HEADER.unpack(self._exactly(HEADER.size, end))
        if size > MOST_BYTES:
            raise self._gone(f"expected a picture of at most {MOST_BYTES} bytes, found {size}")
        return at, self._exactly(size, end)

    def _exactly(self, size: int, end: float) -> bytes:
        if self._socket is None:
            raise CameraLost("the connection to the page's server is closed")
        found = bytearray()
        try:
            while len(found) < size:
                self._socket.settimeout(max(end - time.monotonic(), 0.001))
                part = self._socket.recv(size - len(found))
                if not part:
                    raise self._gone("the page's server has ended")
                found += part
        except TimeoutError:
            if found:  # in the middle of a message: what follows could not be read
                raise self._gone("the page's server hangs") from None
            raise CameraLost("no picture comes from the phone") from None
        except OSError as error:
            raise self._gone("the page's server has ended") from error
        return bytes(found)

    def _gone(self, why: str) -> CameraLost:
        """The connection is of no further use."""
        self.close()
        return CameraLost(why)


def decoded(data: bytes) -> Image | None:
    """The picture, (H, W, 3) uint8 BGR; None for what is none."""
    with suppress(cv2.error):
        flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
        found = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        return None if found is None else np.asarray(found, np.uint8)
    return None
