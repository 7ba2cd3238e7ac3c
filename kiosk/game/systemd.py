"""Tells systemd that the game is judged (sd_notify): READY, STATUS and WATCHDOG messages.

The protocol is one datagram on the socket in NOTIFY_SOCKET (sd_notify(3)). Without that variable
nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping

from kiosk.game.news import GameBegan, GameEnded, LostBy, News, ViewFound, ViewLost
from rules.errors import plain

BEATS = 4  # of the watchdog in its time: three may be late


class SystemdNotifier:
    """An observer; the loop calls `beat` on each turn. Sends never wait and never raise.

    A unit whose main process is another one (the page's server starts the referee) needs
    `NotifyAccess=all`; WATCHDOG_PID is therefore not looked at.
    """

    name = "systemd"

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = _address(environment.get("NOTIFY_SOCKET", ""))
        self._every_s = watchdog_s(environment) / BEATS
        self._clock = clock
        self._beat_at = -1e9
        self._is_ready = False
        self._playing = "no game"

    def beat(self) -> None:
        """The loop has made a turn. The first one says READY; a message every quarter of the time.

        A lost camera keeps the beat: the referee works, and a restart would not bring it back.
        """
        now = self._clock()
        if not self._is_ready:
            self._is_ready = True
            self._send("READY=1")
        if self._every_s > 0 and now - self._beat_at >= self._every_s:
            self._beat_at = now
            self._send("WATCHDOG=1")

    def status(self, line: str) -> None:
        """A line that `systemctl status` shows."""
        self._send(f"STATUS={plain(line)}")

    def hear(self, news: News) -> None:
        """Says which game is under way, and why the camera is lost."""
        match news:
            case GameBegan():
                self._playing = f"{news.game.title}, {news.setup.players} players"
                self.status(self._playing)
            case ViewLost() if news.by is not LostBy.PICTURE:
                self.status(f"{self._playing}; {news.why}")
            case ViewFound():
                self.status(self._playing)
            case GameEnded():
                self.status("no game")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as out:
                out.sendto(text.encode(), self._address)
        except OSError:
            return  # systemd is away or busy: the next message counts


def _address(text: str) -> str:
    """The socket's address; `@` stands for the abstract name space."""
    return "\0" + text[1:] if text.startswith("@") else text


def watchdog_s(environment: Mapping[str, str]) -> float:
    """WATCHDOG_USEC in s; 0 without a watchdog."""
    text = environment.get("WATCHDOG_USEC", "")
    return int(text) / 1e6 if text.isascii() and text.isdigit() and len(text) < 16 else 0.0
