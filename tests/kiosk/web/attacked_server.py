"""The page's real server with few open files, beside a game that plays on while it is attacked."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from test_page_link import WRONG, begun, framed

from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged, GameRejudged
from kiosk.web.evidence import Evidence
from kiosk.web.link import LinkSettings, PageLink
from kiosk.web.page import press_into

OPEN_FILES = 256
WAIT_S = 60.0  # upper bounds; a loaded machine is slow
TOO_MANY = 429  # acts of one address
OWN, STRANGER = "127.0.0.1", "127.0.0.2"


@dataclass
class Attacked:
    """A server on a port, as process `pid`; what it said goes to `log`."""

    port: int
    pid: int
    log: Path
    inbox: Inbox
    held: list[socket.socket] = field(default_factory=list)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, host: str = OWN,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any, dict[str, str]]:  # fmt: skip
        """Status, JSON (or bytes) and headers of an answer; status 0 where there is none.

        An address that was sent away to wait a second, after an earlier attack, tries again.
        """
        until = time.monotonic() + WAIT_S
        while (found := self._ask(method, path, body, host, headers))[0] == TOO_MANY:
            assert time.monotonic() < until, "no acts are taken any more"
            time.sleep(0.1)
        return found

    def _ask(
        self, method: str, path: str, body: bytes | str | None, host: str,
        headers: dict[str, str] | None,
    ) -> tuple[int, Any, dict[str, str]]:  # fmt: skip
        link = http.client.HTTPConnection(OWN, self.port, WAIT_S, source_address=(host, 0))
        try:
            link.request(method, path, body, {"Host": "localhost", **(headers or {})})
            answer = link.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException):
            return 0, None, {}
        finally:
            link.close()
        with contextlib.suppress(ValueError):
            data = json.loads(data)
        return answer.status, data, {k.lower(): v for k, v in answer.getheaders()}

    def hold(self, count: int, sent: bytes = b"", host: str = STRANGER) -> list[socket.socket]:
        """Opens connections and keeps them, with so much of a request sent."""
        opened = []
        for _ in range(count):
            one = socket.socket()
            one.bind((host, 0))
            one.settimeout(WAIT_S)
            with contextlib.suppress(OSError):
                one.connect((OWN, self.port))
                one.sendall(sent)
            opened.append(one)
        self.held += opened
        return opened

    def let_go(self) -> None:
        """Closes what is held."""
        while self.held:
            self.held.pop().close()

    def at(self) -> float:
        """The game's time that the table's own screen is told."""
        status, state, _ = self.ask("GET", "/api/state")
        assert status == 200 and state["is_connected"], status
        return state["at"]

    def plays_on(self) -> None:
        """Waits until the page shows that the game went on; the table's own screen asks."""
        before, until = self.at(), time.monotonic() + WAIT_S
        while self.at() <= before:
            assert time.monotonic() < until, "the page stands still"

    def lines(self) -> list[str]:
        """What the server said so far."""
        return self.log.read_text(encoding="utf-8").splitlines()

    def processor_s(self) -> float:
        """The processor's time that the server took so far (s)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def attacked_server(folder: Path) -> Iterator[Attacked]:
    """Serves a game whose frames come ten times a second and whose overrulings are judged."""
    path, log = folder / "link", folder / "log"
    words = [
        sys.executable, "-m", "kiosk.web.server", "--link", str(path), "--folder", str(folder),
        "--port", "0",
    ]  # fmt: skip
    with log.open("wb") as errors:
        child = subprocess.Popen(
            ["sh", "-c", f'ulimit -n {OPEN_FILES}; exec "$@"', "sh", *words],
            stdout=subprocess.PIPE, stderr=errors, text=True,
        )  # fmt: skip
    killer = threading.Timer(WAIT_S, child.kill)
    killer.start()
    assert child.stdout is not None
    line = child.stdout.readline()
    killer.cancel()
    assert line.startswith("page: "), log.read_text()
    inbox, evidence = Inbox(), Evidence(folder / "evidence", print)
    settings = LinkSettings(tick_s=0.01, retry_s=0.02)
    stop = threading.Event()
    port = int(line.rsplit(":", 1)[1].strip("/\n"))
    with PageLink(path, press_into(inbox), evidence, "suds", settings, inbox) as link:
        player = threading.Thread(target=_play, args=(link, inbox, stop))
        player.start()
        attacked = Attacked(port, child.pid, log, inbox)
        try:
            _connected(attacked)
            yield attacked
        finally:
            attacked.let_go()
            stop.set()
            player.join()
            child.terminate()
            child.wait(WAIT_S)


def _connected(attacked: Attacked) -> None:
    until = time.monotonic() + WAIT_S
    while not attacked.ask("GET", "/api/state")[1]["calls"]:
        assert time.monotonic() < until


def _play(link: PageLink, inbox: Inbox, stop: threading.Event) -> None:
    for news in (begun(), *WRONG):
        link.hear(news)
    number = 0
    while not stop.wait(0.1):
        number += 1
        frame = framed(number, number / 10)
        assert isinstance(frame, FrameJudged)
        link.hear(frame)
        inbox.take()
        for changed, ruling in enumerate(inbox.take_overruled()):
            link.hear(GameRejudged(ruling, ((), (), ()), changed, WRONG[-1].view))


def raw_request(rng: random.Random, paths: list[str], bodies: list[bytes]) -> bytes:
    """A request as bytes: most nearly right, some broken, cut off or beyond all bounds."""
    body = rng.choice(bodies)
    path = rng.choice(paths)
    method = rng.choice(("GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "BREW"))
    length = rng.choice((len(body), len(body), len(body), len(body) + 7, -1, 10**30))
    lines = [f"{method} {path} HTTP/1.1", f"Host: {rng.choice(HOSTS)}", f"Content-Length: {length}"]
    lines += rng.sample(HEADERS, rng.randint(0, 3))
    whole = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body
    damage = rng.random()
    if damage < 0.15:
        return whole[: rng.randint(0, len(whole))]
    if damage < 0.3:
        at = rng.randrange(len(whole))
        return whole[:at] + rng.randbytes(rng.randint(1, 9)) + whole[at + 1 :]
    return whole


HOSTS = ("localhost", "localhost", "localhost", "evil.example", "[", "", "127.0.0.1:80")
HEADERS = [
    "Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site",
    "Expect: 100-continue",
    "Transfer-Encoding: chunked", "Connection: Upgrade", "Upgrade: websocket", "Upgrade: h2c",
    "X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "Cookie: fairdeal_token=\xff\xfe",
    "Authorization: Bearer \xe9", "Range: bytes=0-1,-9", "Range: bytes=" + "0-," * 500,
    "X: " + "y" * 9000, "Host: second", "If-None-Match: *", "If-Modified-Since: never",
]  # fmt: skip
