"""A camera that films in a process of its own, so that a driver that hangs stops nobody else.

The referee's side: it starts that process, reads frames from shared memory, and replaces a process
that hangs. A process that survives SIGKILL (it waits inside the kernel) is left behind.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from host import children
from host.patience import patient
from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.adapters import CameraKind, CameraSpec, lock_name, make_camera
from vision.sources.camera_child import MESSAGE_BYTES, typed
from vision.sources.live import CameraLost, Silence
from vision.sources.lock import CameraLock, NoLock
from vision.sources.ring import FrameRing

# For Python and its imports, which no driver can hold up. A process that is killed while a busy
# machine starts it has to begin anew.
START_S = 120.0
OPEN_S = 30.0  # from there on, for the driver and the camera's warming up
ANSWER_S = 3.0  # for a question about the camera's controls
LEAVE_S, TERM_S, KILL_S = 0.7, 0.5, 0.5  # from the farewell to SIGTERM, to SIGKILL, to leaving it
POLL_S = 0.2
MOST_STUCK = 8  # processes left behind; with more no new one is started


class ChildProcess(Protocol):
    """What is needed of `subprocess.Popen`."""

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


Spawn = Callable[[tuple[int, int, int]], ChildProcess]


def spawn_child(descriptors: tuple[int, int, int]) -> ChildProcess:
    """Starts the process that films with these descriptors: frames, orders, ring."""
    root = str(Path(__file__).parents[2])
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return children.start(
        [sys.executable, "-m", "vision.sources.camera_child", *map(str, descriptors)],
        pass_fds=descriptors, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip


class ProcessCamera:
    """As Camera; used from one thread. `restart` gets a lost camera back.

    Stages: a process that answers opens its camera again; one that does not is killed and
    replaced. `is_stuck`: some process survived its SIGKILL, so only a reboot frees the camera.
    """

    def __init__(self, spec: CameraSpec, spawn: Spawn = spawn_child) -> None:
        self.name = make_camera(spec).name
        self._spec, self._spawn = spec, spawn
        device = lock_name(spec)
        self._lock = CameraLock(device) if device is not None else NoLock()
        self._child: ChildProcess | None = None
        self._stuck: list[ChildProcess] = []
        self._ring: FrameRing | None = None
        self._frames: socket.socket | None = None
        self._orders: socket.socket | None = None
        self._asking = threading.Lock()
        self._silence = Silence(0.0)
        self._is_waiting = False  # the child has lost its camera and waits for an order

    @property
    def is_stuck(self) -> bool:
        """Whether a process that was killed is still there."""
        self._stuck = [child for child in self._stuck if child.poll() is None]
        return bool(self._stuck)

    def open(self) -> None:
        """As in Camera."""
        self._lock.take()
        try:
            self._start()
            self._open_there()
        except CameraLost as error:
            self.close()
            raise FairdealError(
                f"pictures from {self.name}", str(error), "run `fairdeal doctor`"
            ) from error
        except BaseException:
            self.close()
            raise

    def restart(self) -> None:
        """Gets a lost camera back. Raises CameraLost or FairdealError: not yet."""
        if not self._is_waiting or self._child is None or self._child.poll() is not None:
            self._end()
            self._start()
        self._open_there()

    def grab(self) -> tuple[Image, float]:
        """As in Camera. A process that is silent for too long counts as hanging."""
        while True:
            message = self._newest(POLL_S)
            now = time.monotonic()
            if message is None:
                lost = self._silence.check(now)
                if lost is not None:
                    raise CameraLost(f"{self.name}: {lost.why}")
            elif "slot" in message:
                self._silence.heard(now)
                return self._picture(message), max(0.0, now - message["at"])
            else:
                self._is_waiting = True
                raise CameraLost(str(message.get("lost", "it stopped")))

    def close(self) -> None:
        """As in Camera. Bounded: `LEAVE_S + TERM_S + KILL_S`."""
        self._end()
        self._lock.give_back()

    # -- the process ------------------------------------------------------------------------

    def _start(self) -> None:
        if self.is_stuck and len(self._stuck) >= MOST_STUCK:
            raise CameraLost("its driver hangs; restart the machine")
        self._ring = FrameRing()
        kind = socket.SOCK_SEQPACKET
        self._frames, frames = socket.socketpair(socket.AF_UNIX, kind)
        self._orders, orders = socket.socketpair(socket.AF_UNIX, kind)
        with frames, orders:
            self._child = self._spawn((frames.fileno(), orders.fileno(), self._ring.descriptor))
        spec = self._spec
        self._order([spec.kind, spec.where, spec.size, spec.rate])

    def _open_there(self) -> None:
        """Has the process open its camera."""
        self._is_waiting = False
        self._order({"do": "open"})
        patience_s = START_S
        end = time.monotonic() + patience_s
        while time.monotonic() < end:
            message = self._receive(POLL_S)
            now = time.monotonic()  # after the wait, which may have been long
            if message is None:
                if self._child is not None and self._child.poll() is not None:
                    raise CameraLost(f"{self.name}: its process ended")
            elif "opened" in message:
                self._silence = Silence(now)
                return
            elif "begun" in message:
                patience_s = OPEN_S
                end = now + patience_s
            elif "slot" not in message:
                self._is_waiting = True
                if "failed" in message:
                    raise FairdealError(*message["failed"])
                raise CameraLost(str(message.get("lost")))
        raise CameraLost(f"{self.name}: no answer for {patience_s:.0f} s")

    def _end(self) -> None:
        """Ends the process: by itself, by SIGTERM, by SIGKILL; else it is left behind."""
        for each in (self._frames, self._orders):
            if each is not None:
                each.close()
        self._frames = self._orders = None
        child, self._child = self._child, None
        if child is not None and not _is_ended(child):
            self._stuck.append(child)
        if self._ring is not None:
            self._ring.close()
            self._ring = None

    # -- messages ---------------------------------------------------------------------------

    def _newest(self, timeout_s: float) -> dict[str, Any] | None:
        """The last message that has come; slots of frames that it overtakes go back."""
        newest = self._receive(timeout_s)
        while newest is not None and "slot" in newest:
            following = self._receive(0.0)
            if following is None:
                break
            self._give_back(newest["slot"])
            newest = following
        return newest

    def _receive(self, timeout_s: float) -> dict[str, Any] | None:
        """The next message. Raises CameraLost: the process has ended."""
        frames = self._frames
        if frames is None:
            raise CameraLost("the camera is closed")
        if not select.select([frames], [], [], timeout_s)[0]:
            return None
        try:
            text = frames.recv(MESSAGE_BYTES)
        except OSError:
            text = b""
        if not text:
            raise CameraLost(f"{self.name}: its process ended")
        return json.loads(text)

    def _picture(self, message: Mapping[str, Any]) -> Image:
        assert self._ring is not None
        bgr = self._ring.read(message["slot"], message["height"], message["width"])
        self._give_back(message["slot"])
        return bgr

    def _give_back(self, slot: int) -> None:
        if self._frames is not None:
            with suppress(OSError):  # the next message says that the process has ended
                self._frames.send(bytes([slot]))

    def _order(self, order: object) -> None:
        if self._orders is None:
            raise CameraLost("the camera is closed")
        try:
            self._orders.send(json.dumps(order).encode())
        except OSError as error:
            raise CameraLost(f"{self.name}: its process ended") from error

    def _ask(self, order: Mapping[str, object]) -> Any:
        """An order with an answer, from any thread. Raises FairdealError."""
        with self._asking:
            try:
                self._order(order)
                orders = self._orders
                if orders is None or not select.select([orders], [], [], patient(ANSWER_S))[0]:
                    raise CameraLost("no answer")
                answer = json.loads(orders.recv(MESSAGE_BYTES) or b"null")
            except (OSError, ValueError, CameraLost) as error:
                answer, found = None, str(error) or "no answer"
                raise FairdealError(
                    f"{self.name} to take its controls", found, "run `fairdeal doctor`"
                ) from error
        if answer is None or "error" in answer:
            parts = answer["error"] if answer else (f"{self.name} to answer", "that it ended")
            raise FairdealError(*parts)
        return answer["value"]


class SteeredProcessCamera(ProcessCamera):
    """One whose controls can be set; as Steered."""

    def ranges(self) -> Mapping[str, tuple[Any, Any]]:
        """As in Steered."""
        return {name: typed(value) for name, value in self._ask({"do": "ranges"}).items()}

    def metadata(self) -> Mapping[str, Any]:
        """As in Steered; values are numbers, words and tuples of them."""
        return {name: typed(value) for name, value in self._ask({"do": "metadata"}).items()}

    def set_controls(self, values: Mapping[str, Any]) -> None:
        """As in Steered."""
        self._ask({"do": "set", "values": dict(values)})


def process_camera(spec: CameraSpec) -> ProcessCamera:
    """A camera in a process of its own, not opened yet."""
    kind = SteeredProcessCamera if spec.kind is CameraKind.PI else ProcessCamera
    return kind(spec)


def _is_ended(child: ChildProcess) -> bool:
    """Whether the process has ended; it is asked, then forced."""
    for force, patience_s in ((None, LEAVE_S), (child.terminate, TERM_S), (child.kill, KILL_S)):
        if force is not None:
            force()
        with suppress(subprocess.TimeoutExpired):
            child.wait(patience_s)
            return True
    return False
