"""A signal board on a serial port, with automatic reconnection.

The caller only fills a one-slot mailbox; a thread owns the port. After an unplug, a reboot, bad
data or a blocked write the port is opened again, with growing pauses.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import select
import threading
import time
from collections.abc import Callable, Iterator

import serial

from device.rendering import Lights
from device.serial.link import Link, Welcome
from device.serial.ports import PORT_ERRORS, find_ports, open_port
from device.serial.protocol import VERSION
from device.settings import BoardSettings, button_of
from rules.errors import FairdealError

OnPress = Callable[[str, int | None], None]
PAUSES_S = (0.5, 1.0, 2.0, 5.0, 10.0)  # before each new attempt; the last one repeats
CLOSING_S = 0.3  # longest wait for the last state when closing
GREETING_S = 12.0  # a board boots when its port is opened, and there may be two ports to try


class Board:
    """An output with buttons, over a serial port. No method but `greet` and `close` waits."""

    def __init__(
        self,
        port: str = "",
        settings: BoardSettings | None = None,
        on_press: OnPress | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Opens the port (empty: found by USB ids). FairdealError if none can be opened."""
        self.settings = settings or BoardSettings()
        self.name = f"board:{port}" if port else "board"
        self._named, self._on_press, self._say = port, on_press, say
        self._link: Link | None = None
        self._lights: Lights | None = None
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._sessions = itertools.count(secrets.randbelow(0x10000))
        self._last_press: tuple[str, int] | None = None
        self._totals = dict.fromkeys(("delivered", "drops", "retries", "bad"), 0)
        self._opened = 0
        self._said = ""
        self.fault = "not greeted yet"
        self.error: FairdealError | None = None
        first = self._open()
        self._wake_r, self._wake_w = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(
            target=self._run, args=(first,), name=f"signals-{self.name}-port", daemon=True
        )
        self._thread.start()

    def show(self, lights: Lights) -> None:
        """Puts the newest state into the mailbox; a state that it replaces is counted as a drop."""
        with self._lock:
            self._lights = lights
            if self._link is not None:
                self._link.show(lights)
        self._wake()

    @property
    def welcome(self) -> Welcome | None:
        """What the board reported of itself; None while it is not connected."""
        with self._lock:
            return self._link.welcome if self._link is not None and self._link.up else None

    @property
    def counts(self) -> dict[str, int]:
        """States delivered and dropped, lines sent again, damaged lines: since the start."""
        with self._lock:
            return {name: total + self._of_link(name) for name, total in self._totals.items()}

    @property
    def idle(self) -> bool:
        """Whether the board is connected and shows the last state that was requested."""
        with self._lock:
            return self._link is not None and self._link.idle

    def wait(self, ready: Callable[[Board], bool], timeout_s: float) -> bool:
        """Waits until `ready(board)`; for doctor, calibration and tests, not for play."""
        end = time.monotonic() + timeout_s
        while not ready(self):
            if time.monotonic() > end:
                return False
            time.sleep(0.0005)
        return True

    def greet(self, timeout_s: float = GREETING_S) -> None:
        """Waits until the board has greeted; not for play. FairdealError if no board does."""

        def is_known(board: Board) -> bool:
            tried_all = board._opened >= len(list(board._candidates()))
            return board.welcome is not None or (board.error is not None and tried_all)

        self.wait(is_known, timeout_s)
        if self.welcome is None:
            name = self._named or "USB"
            todo = "check the cable, and flash it: make -C device/firmware upload"
            raise self.error or FairdealError(f"a signal board at {name}", "silence", todo)

    def close(self) -> None:
        """Releases the port; waits up to CLOSING_S for the last state to arrive."""
        if self._thread.is_alive():
            self.wait(lambda board: board.idle or board.welcome is None, CLOSING_S)
        self._stopping.set()
        self._wake()
        self._thread.join(1.0)
        if not self._thread.is_alive():
            with self._lock:
                for end in (self._wake_r, self._wake_w):
                    if end >= 0:
                        os.close(end)
                self._wake_r = self._wake_w = -1

    def __enter__(self) -> Board:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _of_link(self, name: str) -> int:
        return 0 if self._link is None else int(getattr(self._link, name))

    def _wake(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            os.write(self._wake_w, b"!")  # a full pipe wakes the thread as well

    def _candidates(self) -> Iterator[str]:
        yield from [self._named] if self._named else find_ports()

    def _open(self) -> serial.Serial:
        """The first port that opens. By USB ids, each call tries another one first."""
        error = FairdealError(
            "a signal board on USB", "none", "plug it in, or name its port: board:/dev/ttyUSB0"
        )
        ports = list(self._candidates())
        turn = self._opened % max(1, len(ports))
        for path in ports[turn:] + ports[:turn]:
            try:
                port = open_port(path)
            except FairdealError as reason:
                error = reason
                continue
            self._opened += 1
            return port
        raise error

    def _run(self, first: serial.Serial | None) -> None:
        pauses = iter(PAUSES_S)
        while not self._stopping.is_set():
            try:
                port = first or self._open()
                first = None
                with port:
                    greeted = self._talk(port)
                if greeted:
                    pauses = iter(PAUSES_S)
            except FairdealError as error:
                self._lost(error)
            except Exception as error:  # whatever a driver raises, the next attempt may succeed
                self._lost(FairdealError("a working port", f"{type(error).__name__}: {error}"))
            self._stopping.wait(next(pauses, PAUSES_S[-1]))

    def _talk(self, port: serial.Serial) -> bool:
        """Talks over an open port until it is lost; returns whether a board greeted."""
        with self._lock:
            link = Link(next(self._sessions), time.monotonic(), self._last_press)
            if self._lights is not None:
                link.show(self._lights)
            self._link = link
        greeted = False
        reason = FairdealError("a connection to the board", "none")
        try:
            while not self._stopping.is_set():
                if link.up and not greeted:
                    greeted = True
                    self._greet(port, link)
                if link.is_dead(time.monotonic()):
                    reason = _why_dead(link, str(port.port))
                    break
                self._exchange(port, link)
        except PORT_ERRORS as error:  # unplugged
            reason = FairdealError(f"the board at {port.port}", str(error), "plug it in again")
        finally:
            with contextlib.suppress(*PORT_ERRORS):
                port.reset_output_buffer()  # unsent bytes must not block close()
            with self._lock:
                for name in ("delivered", "drops", "retries", "bad"):
                    self._totals[name] += self._of_link(name)
                self._last_press, self._link = link.last_press, None
        if not self._stopping.is_set():
            self._lost(reason)
        return greeted

    def _exchange(self, port: serial.Serial, link: Link) -> None:
        """Writes what is due, then waits for data, a new state or a timeout."""
        with self._lock:
            data = link.send(time.monotonic())
        if data:
            # Full buffer: the receiver discards the partial line, and the line is sent again.
            with contextlib.suppress(serial.SerialTimeoutException):
                port.write(data)
        with self._lock:
            wait_s = link.wait_s(time.monotonic())
        if wait_s > 0:
            ready, _, _ = select.select([port.fileno(), self._wake_r], [], [], min(wait_s, 0.5))
            if self._wake_r in ready:
                os.read(self._wake_r, 4096)
            if port.fileno() in ready:
                self._receive(port, link)

    def _receive(self, port: serial.Serial, link: Link) -> None:
        data = port.read(4096)
        with self._lock:
            numbers = link.receive(data, time.monotonic())
        for number in numbers:
            if self._on_press is not None and number <= len(self.settings.buttons):
                self._on_press(*button_of(self.settings.buttons[number - 1]))

    def _greet(self, port: serial.Serial, link: Link) -> None:
        assert link.welcome is not None
        self.fault, self.error, self._said = "", None, ""
        self._say(f"signals: board {link.welcome.name} at {port.port}")

    def _lost(self, error: FairdealError) -> None:
        """Reports each fault once, not at every attempt."""
        self.fault, self.error = str(error), error
        reason = self.fault
        if reason != self._said:
            self._said = reason
            self._say(f"signals: board lost, retrying in the background: {reason}")


def _why_dead(link: Link, port: str) -> FairdealError:
    if link.welcome is not None and link.welcome.version != VERSION:
        return FairdealError(
            f"a board of protocol version {VERSION} at {port}",
            f"version {link.welcome.version}",
            f"flash it: make -C device/firmware upload PORT={port}",
        )
    if link.welcome is not None:
        return FairdealError(f"an answer from {port}", "silence", "check the cable")
    found = "data in another protocol" if link.heard_bytes else "silence"
    todo = f"flash it: make -C device/firmware upload PORT={port}"
    return FairdealError(f"a signal board at {port}", found, todo)
