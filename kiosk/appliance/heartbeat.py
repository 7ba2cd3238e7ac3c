"""Heartbeats to systemd, from the page's server: both it and the loop that judges must live.

The referee is a child of the server. Its notices (kiosk/game/systemd.py) reach a socket of the
server, which passes them on to systemd. While no game runs, the server's own beat counts.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kiosk.game.systemd import SystemdNotifier, watchdog_s

START_S = 60.0  # a referee loads its networks this long before its first beat counts as late
LONGEST_NOTICE = 4096  # bytes
TICKS = 8  # of the watchdog's time; the notifier itself sends every second one


@dataclass(slots=True)
class Pulse:
    """Whether the referee's loop is alive. Times in s, by one monotonic clock."""

    silent_s: float
    heard_at: float = 0.0
    began_at: float | None = None

    def hear(self, at: float) -> None:
        """A notice of the referee has come."""
        self.heard_at = at

    def is_alive(self, at: float, *, is_running: bool) -> bool:
        """Whether the server may tell systemd that all is well."""
        if not is_running:
            self.began_at = None
            return True
        if self.began_at is None:
            self.began_at = at
        if self.heard_at < self.began_at:
            return at - self.began_at < START_S
        return at - self.heard_at < self.silent_s


@contextmanager
def beating(
    folder: Path,
    is_refereeing: Callable[[], bool],
    environment: MutableMapping[str, str] = os.environ,
) -> Iterator[Callable[[], None]]:
    """Yields what the server calls once it listens: systemd hears READY and then each beat.

    `folder` gets the socket of the referee's notices. Call it in a running event loop. Without
    systemd nothing is sent. `environment` names the new socket to children while it is open.
    """
    notifier = SystemdNotifier(environment)
    outer = environment.get("NOTIFY_SOCKET")
    if not outer:
        yield lambda: None
        return
    loop = asyncio.get_running_loop()
    silent_s = watchdog_s(environment) or START_S
    pulse = Pulse(silent_s)
    timer: asyncio.TimerHandle | None = None

    def tick() -> None:
        nonlocal timer
        if pulse.is_alive(loop.time(), is_running=is_refereeing()):
            notifier.beat()
        timer = loop.call_later(silent_s / TICKS, tick)

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notices:
        path = folder / "notices"
        notices.bind(str(path))
        loop.add_reader(notices, _relay, notices, notifier, lambda: pulse.hear(loop.time()))
        environment["NOTIFY_SOCKET"] = str(path)
        try:
            yield tick
        finally:
            environment["NOTIFY_SOCKET"] = outer
            loop.remove_reader(notices)
            if timer is not None:
                timer.cancel()
            path.unlink(missing_ok=True)


def _relay(notices: socket.socket, notifier: SystemdNotifier, hear: Callable[[], None]) -> None:
    """Takes one notice. The status goes on to systemd; the beat goes into the pulse."""
    try:
        text = notices.recv(LONGEST_NOTICE).decode("utf-8", "replace")
    except OSError:
        return
    hear()
    for line in text.splitlines():
        if line.startswith("STATUS="):
            notifier.status(line.removeprefix("STATUS="))
