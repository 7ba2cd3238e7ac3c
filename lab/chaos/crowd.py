"""A crowd at the page's server while a game is played: frame rate, and the table's own screen.

The crowd's addresses are others of the loopback network, which the server takes for strangers.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import socket
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from host.ports import free_port
from kiosk.game.inbox import Inbox
from kiosk.web.page import PagePlace, served_page
from lab.chaos.page import Ear, play

WINDOW_S = 8.0  # of each attack
ASK_EACH_S = 0.1
WAIT_S = 10.0  # for one answer
HALF_HEAD = b"GET / HTTP/1.1\r\nHost: local"
HALF_BODY = b"POST /api/pair HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
RUBBISH = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"


@dataclass(frozen=True, slots=True)
class CrowdScore:
    """One attack. `longest_s`: between two judged frames; `asked` and `answered`: of the table's
    own screen, the slowest of them in `slowest_s`."""

    what: str
    frames_per_s: float
    longest_s: float
    asked: int
    answered: int
    slowest_s: float


@dataclass(frozen=True, slots=True)
class Attack:
    """`count` connections with `sent`, of `addresses` addresses; broken off and renewed or held."""

    what: str
    count: int = 0
    sent: bytes = b""
    addresses: int = 1
    is_held: bool = True


ATTACKS = (
    Attack("none"),
    Attack("1,200 idle connections, one address", 1200),
    Attack("1,200 idle connections, 200 addresses", 1200, addresses=200),
    Attack("450 half headers, one address", 450, HALF_HEAD),
    Attack("450 half bodies, 50 addresses", 450, HALF_BODY, 50),
    Attack("bodies that break off, without a pause", 20, HALF_BODY, is_held=False),
    Attack("requests that are none, without a pause", 20, RUBBISH, is_held=False),
    Attack("requests for the page, without a pause", 20, WHOLE, is_held=False),
)


def crowds(attacks: tuple[Attack, ...] = ATTACKS, window_s: float = WINDOW_S) -> list[CrowdScore]:
    """Each attack in its turn, in one game."""
    ear, inbox, port = Ear(), Inbox(), free_port()
    scores: list[CrowdScore] = []

    def attack() -> None:
        try:
            for each in attacks:
                scores.append(_tried(each, port, ear, window_s))
        finally:
            inbox.stop()

    with tempfile.TemporaryDirectory(prefix="fairdeal-crowd-") as folder:
        place = PagePlace("127.0.0.1", port, Path(folder))
        with served_page(place, "suds", inbox, lambda line: None) as link:
            thread = threading.Thread(target=attack, name="crowd")
            thread.start()
            play([ear, link], inbox, len(attacks) * (window_s + 60.0), lambda line: None)
            thread.join()
    return scores


def _tried(attack: Attack, port: int, ear: Ear, window_s: float) -> CrowdScore:
    """The table's own screen asks again and again while the attack goes on."""
    stop = threading.Event()
    thread = threading.Thread(target=_crowd, args=(attack, port, stop), name="attack")
    began, seen = time.monotonic(), len(ear.frames)
    thread.start()
    times: list[float | None] = []
    while time.monotonic() - began < window_s:
        times.append(_asked(port))
        time.sleep(ASK_EACH_S)
    frames, lasted = ear.frames[seen:], time.monotonic() - began
    stop.set()
    thread.join()
    gaps = [b - a for a, b in itertools.pairwise(frames)]
    answered = [each for each in times if each is not None]
    return CrowdScore(
        attack.what, len(frames) / lasted, max(gaps, default=lasted), len(times), len(answered),
        max(answered, default=0.0),
    )  # fmt: skip


def _crowd(attack: Attack, port: int, stop: threading.Event) -> None:
    held: list[socket.socket] = []
    number = 0
    while attack.count and not stop.is_set():
        if len(held) < attack.count:
            number += 1
            host = f"127.0.1.{1 + number % attack.addresses}"
            held.append(_opened(port, host, attack.sent))
        elif attack.is_held:
            stop.wait(ASK_EACH_S)
        else:
            _close(held)
    _close(held)


def _close(held: list[socket.socket]) -> None:
    while held:
        held.pop().close()


def _opened(port: int, host: str, sent: bytes) -> socket.socket:
    one = socket.socket()
    one.settimeout(WAIT_S)
    with contextlib.suppress(OSError):
        one.bind((host, 0))
        one.connect(("127.0.0.1", port))
        one.sendall(sent)
    return one


def _asked(port: int) -> float | None:
    """How long the answer to the table's own screen took (s); None where there was none."""
    link, began = http.client.HTTPConnection("127.0.0.1", port, WAIT_S), time.monotonic()
    try:
        link.request("GET", "/api/state")
        answer = link.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return None
    finally:
        link.close()
    return time.monotonic() - began if answer.status == 200 else None
