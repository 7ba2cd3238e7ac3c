"""The process that films: `python -m vision.sources.camera_child FRAMES ORDERS RING`.

The arguments are descriptors of two sockets and of the ring. On `FRAMES` this process says what
happened to the camera and which slots are filled; slots that were read come back. On `ORDERS` the
camera is opened and asked for its controls. It ends when its parent does.
"""

from __future__ import annotations

import json
import os
import queue
import select
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.adapters import CameraKind, CameraSpec, make_camera
from vision.sources.live import Camera, why_lost
from vision.sources.quiet import quieten
from vision.sources.ring import SLOTS, FrameRing
from vision.sources.source import Steered

MESSAGE_BYTES = 65_536
LEAVE_S = 1.0  # a camera that does not close in this time is left to the system


class Child:
    """Films on the main thread; a second thread takes orders."""

    def __init__(
        self, camera: Camera, frames: socket.socket, orders: socket.socket, ring: FrameRing
    ) -> None:
        self._camera, self._frames, self._orders, self._ring = camera, frames, orders, ring
        self._free = set(range(SLOTS))
        self._opens: queue.Queue[bool] = queue.Queue()
        self._is_over = threading.Event()
        threading.Thread(target=self._take_orders, name="orders", daemon=True).start()

    def run(self) -> None:
        """Opens the camera when told to, and films until it is lost; then the next order."""
        while self._opens.get() and not self._is_over.is_set():
            try:
                self._tell({"begun": True})  # from here on a driver may hang
                self._camera.open()
                self._tell({"opened": True})
                while not self._is_over.is_set():
                    bgr, age_s = self._camera.grab()
                    self._show(bgr, time.monotonic() - age_s)
            except FairdealError as error:
                self._tell({"failed": refusal(error)})
            except Exception as error:  # a driver may raise anything
                self._tell({"lost": why_lost(error)})
            with suppress(Exception):
                self._camera.close()

    def _show(self, bgr: Image, at: float) -> None:
        """Puts a frame into a free slot; without one the frame is dropped."""
        while select.select([self._frames], [], [], 0.0)[0]:
            read = self._frames.recv(1)
            if not read:
                self._is_over.set()
                return
            self._free.add(read[0])
        if not self._free:
            return
        slot = self._free.pop()
        self._ring.write(slot, bgr)
        self._tell({"slot": slot, "at": at, "height": bgr.shape[0], "width": bgr.shape[1]})

    def _tell(self, message: Mapping[str, object]) -> None:
        try:
            self._frames.send(json.dumps(message).encode())
        except OSError:  # the parent is gone
            self._is_over.set()

    # -- orders -----------------------------------------------------------------------------

    def _take_orders(self) -> None:
        with suppress(OSError):
            while text := self._orders.recv(MESSAGE_BYTES):
                order = json.loads(text)
                if order["do"] == "open":
                    self._opens.put(True)
                else:
                    self._orders.send(json.dumps(self._answer(order)).encode())
        self._is_over.set()
        self._opens.put(False)
        time.sleep(LEAVE_S)
        os._exit(0)  # the camera hangs: the main thread would never see the end

    def _answer(self, order: Mapping[str, Any]) -> Mapping[str, object]:
        camera = self._camera
        assert isinstance(camera, Steered)
        try:
            if order["do"] == "set":
                camera.set_controls({k: typed(v) for k, v in order["values"].items()})
                return {"value": None}
            asked = camera.ranges() if order["do"] == "ranges" else camera.metadata()
            return {"value": {name: plain_value(value) for name, value in asked.items()}}
        except FairdealError as error:
            return {"error": refusal(error)}


def refusal(error: FairdealError) -> list[str]:
    """An error's parts, to be raised again on the other side."""
    return [error.expected, error.found, error.todo, error.where]


def plain_value(value: Any) -> Any:
    """A control's value as JSON has it; what is no number, text or list of them becomes text."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    if isinstance(value, (tuple, list)):
        return [plain_value(each) for each in value]
    return str(value)


def typed(value: Any) -> Any:
    """A control's value as libcamera has it: several numbers are a tuple."""
    return tuple(typed(each) for each in value) if isinstance(value, list) else value


def main(argv: list[str]) -> int:
    """Films until the parent closes the sockets."""
    frames, orders = (socket.socket(fileno=int(word)) for word in argv[:2])
    ring = FrameRing(int(argv[2]))
    kind, where, size, rate = json.loads(orders.recv(MESSAGE_BYTES))
    if kind != CameraKind.PI:
        quieten()
    spec = CameraSpec(CameraKind(kind), where, tuple(size) if size else None, rate)
    Child(make_camera(spec, is_locked=True), frames, orders, ring).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
