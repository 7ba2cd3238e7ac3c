"""`fairdeal referee` from pixels to journal: a folder of pictures, and a stream that breaks."""

from __future__ import annotations

import http.server
import json
import os
import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import replace

import cv2
import numpy as np
import pytest
from loop_scripts import NoEyes

from kiosk.assembly import stopped_by_signals as stops_the_game
from kiosk.cli import main
from kiosk.game.limits import LIMITS
from kiosk.journal.opening import read_journal
from models.drawing.script import parse_script
from vision.recognition.eyes import Eyes
from vision.sources.simulated import SimulatedSource

SCRIPT = """
game suds
players 2
seed 3
spot pile/1 0.4 0.5
1.0 seat=1 place hat pile/1
2.2 seat=2 place pants pile/1
"""


@pytest.fixture(scope="module")
def drawn():
    """Ten pictures (360, 640, 3) of the simulated table, five a second."""
    source = SimulatedSource(parse_script(SCRIPT), (640, 360))
    pictures = []
    for at in np.arange(0.8, 2.8, 0.2):
        source.skip_to(at)
        pictures.append(source.read().bgr)
    return pictures


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """What a live game keeps by itself goes here."""
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def folder(drawn, tmp_path):
    """The pictures as files."""
    path = tmp_path / "pictures"
    path.mkdir()
    for number, picture in enumerate(drawn):
        cv2.imwrite(str(path / f"{number}.png"), picture)
    return path


def test_a_folder_of_pictures_is_refereed_from_pixels_to_journal(folder, tmp_path, home, capsys):
    journal = tmp_path / "game.jsonl"
    words = ["referee", "suds", "--source", str(folder), "--rate", "5", "--signals", "mock",
             "--journal", str(journal)]  # fmt: skip
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out.strip().splitlines()[-1].startswith("1.8 s of play, 10 frames;")
    assert "mock pins" in said.err
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {"at": 0.0, "event": "pressed", "button": "start"}
    assert not home.exists()


def test_headless_and_waiting_for_the_start(folder, tmp_path, capsys):
    journal = tmp_path / "game.sqlite"
    words = ["referee", "suds", "--source", str(folder), "--headless", "--wait-start",
             "--signals", "none", "--journal", str(journal)]  # fmt: skip
    assert main(words) == 0
    for line in capsys.readouterr().out.splitlines():
        assert json.loads(line)["game"] == "suds"
    assert not any(event.kind == "pressed" for event in read_journal(journal))


class Camera(http.server.BaseHTTPRequestHandler):
    """A network camera: drawn pictures with noise. When `breaks` is set it closes the connection
    and refuses new ones for 1.5 s."""

    pictures: tuple = ()
    breaks = threading.Event()
    sent = 0
    back_at = 0.0

    def do_GET(self) -> None:
        if time.monotonic() < self.back_at:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        pause, sent = threading.Event(), 0
        try:
            while not self.breaks.is_set():
                noise = np.random.default_rng(sent).normal(0, 2, self.pictures[0].shape)
                picture = (self.pictures[0] + noise).clip(0, 255).astype(np.uint8)
                jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                sent += 1
                Camera.sent += 1
                pause.wait(0.02)
        except OSError:
            return  # the reader hung up
        Camera.back_at = time.monotonic() + 1.5
        self.breaks.clear()

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def url(drawn):
    """The camera's address on loopback."""
    handler = type("Handler", (Camera,), {"pictures": tuple(drawn)})
    Camera.breaks.clear()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/table.mjpg"
    server.shutdown()
    server.server_close()
    thread.join(5)


def happened(journal):
    """The kinds of the events in a journal that may not be there yet."""
    return [event.kind for event in read_journal(journal)] if journal.is_file() else []


def break_and_stop_when_back(journal, begun, ended):
    """Breaks the stream once the game runs; a polite kill when the view is back, or when the test
    has lasted too long. `begun`: from now on SIGTERM ends the game."""
    frames = None  # sent when the game was seen to run
    for _ in range(2400):
        if ended.wait(0.05):
            return
        if not begun.is_set():
            continue
        frames = Camera.sent if frames is None else frames
        if frames <= Camera.sent - 40:
            frames = np.inf
            Camera.breaks.set()
        if "sighted" in happened(journal):
            break
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_stream_that_breaks_in_mid_game_is_called_and_goes_on(
    url, folder, home, capsys, monkeypatch
):
    monkeypatch.setattr(Eyes, "open", classmethod(lambda cls, deck, *_: NoEyes()))
    monkeypatch.setattr("vision.sources.live.PAUSES_S", (0.05,))
    monkeypatch.setattr("kiosk.game.camera_link.LIMITS", replace(LIMITS, settle_s=0.2))
    begun, ended = threading.Event(), threading.Event()

    @contextmanager
    def stopped_by_signals(inbox):
        with stops_the_game(inbox):
            begun.set()
            yield

    monkeypatch.setattr("kiosk.assembly.stopped_by_signals", stopped_by_signals)
    watched = home / "journal.sqlite", begun, ended
    stopper = threading.Thread(target=break_and_stop_when_back, args=watched, daemon=True)
    stopper.start()
    words = ["referee", "suds", "--source", url, "--headless", "--signals", "mock"]
    assert main(words) == 128 + signal.SIGTERM
    ended.set()
    stopper.join(5)
    said = capsys.readouterr().err
    assert "camera lost: the stream" in said and "the table is in view again" in said
    journal = home / "journal.sqlite"
    assert happened(journal) == ["blind", "sighted"]
    again = ["referee", "suds", "--source", str(folder), "--headless", "--signals", "none",
             "--journal", str(journal), "--resume"]  # fmt: skip
    assert main(again) == 0
