"""However a program ends, no child of it lives on, no port is held, no temporary folder stays."""

from __future__ import annotations

import http.server
import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from needed_tools import BROKER, PROC, need, needs
from processes import PATIENCE_S, Program, marked, program, until

from host.ports import free_port, is_free
from kiosk.club.newclub import NewClub, write_club_files

pytestmark = needs(PROC)

CLI = ["-m", "kiosk.cli"]
CAMERA = """
import sys
import threading
from vision.sources import open_camera
from vision.sources.adapters import CameraKind, CameraSpec
source = open_camera(CameraSpec(CameraKind.FAKE, sys.argv[1], (64, 48), 20.0))
print("filming", flush=True)
while True:
    source.watch(1.0)
"""
SPEECH = """
import sys, threading
from kiosk.speech.espeak import EspeakNg
EspeakNg(sys.argv[1]).say("a long sentence", "en", threading.Event())
"""


class NetworkCamera(http.server.BaseHTTPRequestHandler):
    """Films an empty table for as long as somebody looks."""

    jpeg = cv2.imencode(".jpg", np.full((360, 640, 3), (60, 90, 60), np.uint8))[1].tobytes()

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.jpeg)}\r\n\r\n"
        pause = threading.Event()
        with suppress(OSError):  # the reader hung up
            while not pause.wait(0.1):
                self.wfile.write(head.encode() + self.jpeg + b"\r\n")

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short name: temporary folders are made in it, and sockets in those."""
    return tmp_path_factory.mktemp("p")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a network camera."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), NetworkCamera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/table.mjpg"
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE_S)


def post(address: str, path: str, body: object) -> None:
    """An act of the table's own screen."""
    request = urllib.request.Request(
        f"{address.rstrip('/')}{path}", json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )  # fmt: skip
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 200


def journals(home: Path) -> list[Path]:
    return sorted(home.glob("journal*.sqlite"))


def demo(running: Program) -> None:
    running.hears("signals: ")


def demo_with_page(running: Program) -> None:
    running.hears("page: http")
    running.hears("signals: ")
    running.has_child("kiosk.web.server")


def referee(running: Program) -> None:
    until(lambda: journals(running.home), "a journal")


def kiosk_in_a_game(running: Program) -> None:
    address = f"http{running.hears('page: http')}"
    post(address, "/api/games", {"game": "suds", "players": 2, "deck": "suds"})
    running.has_child("kiosk.cli referee")
    running.has_child("vision.sources.camera_child")
    until(lambda: journals(running.home), "a journal")


def kiosk_in_the_first_hour(running: Program) -> None:
    address = f"http{running.hears('page: http')}"
    post(address, "/api/first-hour", {})
    running.has_child("kiosk.web.first_hour.worker")
    running.has_child("vision.sources.camera_child")


def club(running: Program) -> None:
    running.hears("board: http")


def club_demo(running: Program) -> None:
    running.hears("board: http")
    running.has_child("mosquitto")
    running.has_child("kiosk.club.simulated")


def camera(running: Program) -> None:
    running.hears("filming")
    running.has_child("vision.sources.camera_child")


def speech(running: Program) -> None:
    running.has_child("sleep 1000")


@dataclass(frozen=True)
class Kind:
    """A program, and how it comes to where its children run.

    `words` are given a folder, a port and the address of a network camera.
    """

    words: Callable[[Path, int, str], list[str]]
    ready: Callable[[Program], None]
    is_command: bool = True  # its exit code is fairdeal's


def paged(*words: str) -> Callable[[Path, int, str], list[str]]:
    return lambda folder, port, url: [*words, "--port", str(port)]


def kiosk_words(folder: Path, port: int, url: str) -> list[str]:
    return [*CLI, "kiosk", "--source", url, "--signals", "mock", "--port", str(port)]


def club_words(folder: Path, port: int, url: str) -> list[str]:
    write_club_files(folder, NewClub.make("harbour", 1), "127.0.0.1", free_port())
    return [*CLI, "club", "--club", str(folder / "board.toml"), "--port", str(port)]


def camera_words(folder: Path, port: int, url: str) -> list[str]:
    (folder / "plug").write_text("")
    return ["-c", CAMERA, str(folder / "plug")]


def speech_words(folder: Path, port: int, url: str) -> list[str]:
    voice = folder / "voice"
    voice.write_text("#!/bin/sh\nexec sleep 1000\n")
    voice.chmod(0o755)
    return ["-c", SPEECH, str(voice)]


KINDS = {
    "demo": Kind(lambda folder, port, url: [*CLI, "demo", "suds"], demo),
    "demo --page": Kind(paged(*CLI, "demo", "suds", "--page"), demo_with_page),
    "referee": Kind(
        lambda folder, port, url: [*CLI, "referee", "suds", "--source", "simulated:suds", "--live",
                              "--headless", "--signals", "none", "--journal",
                              str(folder / "home" / "journal.sqlite")], referee
    ),
    "kiosk in a game": Kind(kiosk_words, kiosk_in_a_game),
    "kiosk in the first hour": Kind(kiosk_words, kiosk_in_the_first_hour),
    "club": Kind(club_words, club),
    "club --demo": Kind(paged(*CLI, "club", "--demo"), club_demo),
    "camera": Kind(camera_words, camera, is_command=False),
    "speech": Kind(speech_words, speech, is_command=False),
}  # fmt: skip
# Each program is killed and told to end; the other ways differ only in the signal's number.
QUICK = (signal.SIGTERM, signal.SIGKILL)
SLOW = (signal.SIGHUP, signal.SIGINT, signal.SIGABRT)
CASES = [
    *(pytest.param(name, number) for name in KINDS for number in QUICK),
    *(pytest.param(name, number, marks=pytest.mark.slow) for name in KINDS for number in SLOW),
]


def nothing_is_left(running: Program, port: int) -> None:
    running.has_none()
    assert is_free(port)
    until(lambda: not list(running.scratch.iterdir()), f"an empty {running.scratch}")
    for path in journals(running.home):
        with sqlite3.connect(path) as journal:
            assert journal.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(("name", "number"), CASES)
def test_nothing_is_left_of_a_program(
    name: str, number: signal.Signals, tmp_path: Path, url: str
) -> None:
    if name == "club --demo":
        need(BROKER)
    kind, port = KINDS[name], free_port()
    with program(tmp_path, kind.words(tmp_path, port, url)) as running:
        kind.ready(running)
        running.child.send_signal(number)
        code = running.child.wait(PATIENCE_S)
        nothing_is_left(running, port)
        said = running.said
    assert "Traceback" not in said or not kind.is_command
    if kind.is_command:
        wanted = {signal.SIGTERM: {143}, signal.SIGHUP: {129}, signal.SIGINT: {0, 130}}
        assert code in wanted.get(number, {-number}), said


def test_nothing_is_left_when_a_terminal_is_closed(tmp_path: Path) -> None:
    """A real terminal: the program runs with its keyboard and its view, then the window closes."""
    home, scratch, port = tmp_path / "home", tmp_path / "scratch", free_port()
    scratch.mkdir()
    mark = f"FAIRDEAL_HOME={home}".encode()
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # a suite run by nohup ignores it
        os.environ.update({"FAIRDEAL_HOME": str(home), "TMPDIR": str(scratch)})
        os.execv(sys.executable, [
            sys.executable, *CLI, "demo", "suds", "--page", "--port", str(port),
        ])  # fmt: skip
    said = b""
    while b"page: http" not in said:
        said += os.read(terminal, 4096)
    until(lambda: any("kiosk.web.server" in line for _, line in marked(mark)), "a page server")
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    until(lambda: not list(marked(mark)), "the end of all")
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    assert is_free(port) and not list(scratch.iterdir())


def test_a_second_sigterm_changes_nothing(tmp_path: Path, url: str) -> None:
    port = free_port()
    kind = KINDS["demo --page"]
    with program(tmp_path, kind.words(tmp_path, port, url)) as running:
        kind.ready(running)
        running.child.terminate()
        running.child.terminate()
        assert running.child.wait(PATIENCE_S) == 143
        nothing_is_left(running, port)


def test_a_restarted_kiosk_has_one_referee(tmp_path: Path, url: str) -> None:
    """The referee of a killed kiosk frees game and camera; the next kiosk goes on with the game."""
    port, kind = free_port(), KINDS["kiosk in a game"]
    with program(tmp_path, kind.words(tmp_path, port, url)) as running:
        kind.ready(running)
        running.child.kill()
        running.child.wait(PATIENCE_S)
        again = subprocess.Popen(
            [sys.executable, *kiosk_words(tmp_path, port, url)], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "FAIRDEAL_HOME": str(running.home), "TMPDIR": str(running.scratch)},
        )  # fmt: skip
        try:
            running.has_child("kiosk.cli referee")
            referees = lambda: [w for w in running.living().values() if "cli referee" in w]  # noqa: E731
            until(lambda: any("--resume" in words for words in referees()), "a game that goes on")
            until(lambda: len(referees()) == 1, "one referee")
        finally:
            again.terminate()
            again.wait(PATIENCE_S)
        nothing_is_left(running, port)
