"""A live camera: a reader thread, a mailbox, and the way back when the camera is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Protocol, runtime_checkable

from rules.errors import FairdealError
from vision.frame import Frame, Image
from vision.sources.mailbox import Mailbox
from vision.sources.source import Ended, Lost, Source, Steered

STALL_S = 2.5  # silent this long, a camera is lost,
SLOW, SLOWEST_S = 2.0, 8.0  # unless it is slow: so many of its usual pauses, at most so many s
PAUSES_KNOWN = 3  # the least of the last pauses is the usual one
JOIN_S = 3.0
PAUSES_S = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # between tries to get a camera back
GIVE_UP_S = 30.0  # how long `read` waits for a lost camera


class CameraLost(Exception):
    """A camera stopped giving pictures; the message says why, in a few words."""


class Camera(Protocol):
    """One camera's adapter; used from one thread at a time. Its fakes keep to the same shape."""

    name: str

    def open(self) -> None:
        """Starts the pictures, warmed up. Raises FairdealError."""

    def grab(self) -> tuple[Image, float]:
        """The next picture, (H, W, 3) uint8 BGR, and its age in s. Raises CameraLost."""
        ...

    def close(self) -> None:
        """Gives the camera back; harmless when done twice."""


@runtime_checkable
class Restarts(Protocol):
    """A camera that gets itself back, in stages of its own."""

    @property
    def is_stuck(self) -> bool:
        """Whether its driver hangs so that only a reboot helps."""
        ...

    def restart(self) -> None:
        """Raises CameraLost or FairdealError: not yet."""
        ...


def pauses_s() -> Iterator[float]:
    """The growing pauses between tries, the last one for ever."""
    yield from PAUSES_S
    while True:
        yield PAUSES_S[-1]


class Silence:
    """Notices that a camera has been silent too long; told the time, it never looks at a clock."""

    def __init__(self, at: float, stall_s: float = STALL_S) -> None:
        self._last_at, self._stall_s, self._why = at, stall_s, ""
        self._pauses: tuple[float, ...] = ()

    def heard(self, at: float) -> None:
        """A frame came, taken `at`."""
        self._pauses = (*self._pauses, at - self._last_at)[-PAUSES_KNOWN:]
        self._last_at, self._why = at, ""

    def broke(self, why: str) -> None:
        """The camera itself said that it is lost."""
        self._why = why

    def check(self, now: float) -> Lost | None:
        """Whether the camera counts as lost at `now`."""
        if self._why:
            return Lost(now, self._why)
        if now - self._last_at >= self._patience_s():
            return Lost(now, f"no picture for {now - self._last_at:.1f} s")
        return None

    def _patience_s(self) -> float:
        usual_s = min(self._pauses) if len(self._pauses) == PAUSES_KNOWN else 0.0
        return max(self._stall_s, min(SLOW * usual_s, SLOWEST_S))


class LiveSource(Source):
    """Frames of a live camera, the newest one only; `Frame.at` counts s from the opening.

    The first opening happens here, so that a missing camera is said at once (FairdealError).
    """

    recorded = False

    def __init__(self, camera: Camera, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = camera.name
        self._camera, self._clock = camera, clock
        camera.open()
        self._began = clock()
        self._mailbox: Mailbox[Frame] = Mailbox()
        self._silence = Silence(0.0)
        self._stop = threading.Event()
        self._broken: str = ""
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name="fairdeal-camera", daemon=True)
        self._thread.start()

    @property
    def drops(self) -> int:
        """Frames that a newer one overtook in the mailbox."""
        return self._mailbox.drops

    @property
    def steered(self) -> Steered | None:
        return self._camera if isinstance(self._camera, Steered) else None

    @property
    def is_stuck(self) -> bool:
        return isinstance(self._camera, Restarts) and self._camera.is_stuck

    def age_s(self, frame: Frame) -> float:
        return max(self._now() - frame.at, 0.0)

    def read(self) -> Frame | None:
        """As in Source; raises FairdealError when the camera stays lost for half a minute."""
        lost_at: float | None = None
        while True:
            seen = self.watch(0.5)
            if isinstance(seen, Frame):
                return seen
            if isinstance(seen, Ended):
                return None
            if seen is not None:
                lost_at = seen.at if lost_at is None else lost_at
                if seen.at - lost_at > GIVE_UP_S:
                    raise FairdealError(f"pictures from {self.name}", seen.why, "check the cable")

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        frame = self._mailbox.take(timeout_s)
        if frame is not None:
            self._silence.heard(self._now())
            return frame
        if self._mailbox.is_closed:
            return Ended()
        if self._broken:
            self._silence.broke(self._broken)
        lost = self._silence.check(self._now())
        if lost is not None and self._tries:
            return replace(lost, why=f"{lost.why}; restarted {self._tries} times")
        return lost

    def close(self) -> None:
        """Bounded: a reader that hangs in its driver is left behind, its camera with it."""
        self._stop.set()
        self._mailbox.close()
        self._thread.join(JOIN_S)

    def _now(self) -> float:
        return self._clock() - self._began

    def _run(self) -> None:
        number, last_at = 0, 0.0
        try:
            while not self._stop.is_set():
                try:
                    bgr, age_s = self._camera.grab()
                except Exception as error:  # a driver may raise anything: the camera is lost
                    self._broken = why_lost(error)
                    self._reopen()
                    continue
                self._broken, self._tries = "", 0
                last_at = max(self._now() - age_s, last_at)
                self._mailbox.put(Frame(bgr, last_at, number))
                number += 1
        finally:
            self._close_camera()
            self._mailbox.close()

    def _reopen(self) -> None:
        """Tries until the camera is back or the source is closed."""
        restarts = self._camera if isinstance(self._camera, Restarts) else None
        if restarts is None:
            self._close_camera()
        for pause_s in pauses_s():
            if self._stop.wait(pause_s):
                return
            self._tries += 1
            try:
                if restarts is None:
                    self._camera.open()
                else:
                    restarts.restart()
                return
            except Exception:
                continue  # why it was lost says more than that it is not back yet

    def _close_camera(self) -> None:
        # What a broken driver raises when it is closed must not end the thread.
        with suppress(Exception):
            self._camera.close()


def why_lost(error: Exception) -> str:
    """The reason of a loss in a few words."""
    if isinstance(error, CameraLost):
        return str(error) or "no picture"
    return f"{type(error).__name__}: {error}".splitlines()[0][:120]
