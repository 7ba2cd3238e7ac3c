"""A small recording for tests: a game of Suds, told event by event, filmed in small pictures."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from patience import PATIENCE_S

from calibration.settings import Settings
from device.recording import RecordingSettings
from kiosk.assembly import read_request
from kiosk.cli import main
from kiosk.field.recorder import Recorder
from kiosk.field.writing import Recordings
from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged, GameBegan
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from rules.judging import referee
from rules.table.event import Placed, Pressed
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.watcher import Observation

# A card that is wrong and is taken back; then the pile goes on.
SCRIPT = """game suds
players 2
table wood
camera rate
seed 5
end 9
spot pile/1 0.50 0.40
spot pile/2 0.25 0.34

1.2 seat=1 place hat pile/1
2.6 seat=2 place socks pile/1
4.6 seat=2 remove socks pile/1
6.4 seat=1 place t-shirt pile/1
7.6 seat=2 place hat pile/2
"""

RATE = 10.0
SIZE = (64, 96, 3)


def settings(**of_field: int) -> Settings:
    """The usual settings, with others of recordings."""
    return Settings(recording=RecordingSettings(**of_field))


class RecordedGame:
    """A game that is recorded. Each picture has its own colour, so that one can tell them apart."""

    def __init__(
        self, folder: Path, inbox: Inbox | None = None, is_live: bool = True, **of_field: int
    ) -> None:
        self.inbox, self.said = inbox or Inbox(), []
        self.request = read_request("suds", None, 3, {}, None)
        chosen = settings(**of_field)
        recordings = Recordings(
            folder, self.request, is_live=is_live, clock=lambda: 1_700_000_000.0
        )
        self.recorder = Recorder(
            recordings, self.inbox, chosen.recording, self.said.append, join_s=PATIENCE_S
        )
        self.session = GameSession(
            referee.begin(self.request.game, self.request.setup), NoJournal(),
            Observers((self.recorder,), self.said.append), wait_s=None,
        )  # fmt: skip
        self.at, self.number, self._written = 0.0, 0, 0

    def __enter__(self) -> RecordedGame:
        self.recorder.__enter__()
        self.session.begin(self.request.sides)
        return self

    def __exit__(self, *of_error: object) -> None:
        self.recorder.__exit__(*of_error)

    def film(self, seconds: float) -> None:
        """Tells the recorder of pictures, each once the last one is taken."""
        for _ in range(round(seconds * RATE)):
            colour = (self.number % 200, 40, 255 - self.number % 200)
            bgr = np.full(SIZE, colour, np.uint8)
            frame = Frame(bgr, self.at, self.number)
            self.recorder.see(frame)
            self._wait_until_written()
            cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
            observation = Observation((), Table(), (), cover)
            self.session.tell(FrameJudged(frame, observation, self.at, 0.01))
            self.number += 1
            self.at = round(self.at + 1 / RATE, 3)

    def _wait_until_written(self) -> None:
        switch, until = self.inbox.recording, time.monotonic() + PATIENCE_S
        wanted = self._written + switch.is_on
        while switch.is_on and switch.recorded.pictures < wanted:
            assert time.monotonic() < until, "the recorder took no picture"
            time.sleep(0.001)
        self._written = switch.recorded.pictures

    def play(self) -> None:
        """A start, three cards, and one that is wrong: a mistake is called."""
        self.session.happen(Pressed(self.at, "start"))
        self.film(4)
        for card in ("hat", "t-shirt", "socks"):
            self.session.happen(Placed(self.at, card, "pile/1", 1))
            self.film(4)


def recording_in(folder: Path) -> Path:
    """The only recording of a folder."""
    (found,) = (path for path in folder.iterdir() if path.is_dir())
    return found


def refereed(folder: Path) -> Path:
    """The recording of a drawn game that real eyes refereed."""
    (folder / "script.txt").write_text(SCRIPT)
    source = f"simulated:{folder / 'script.txt'}"
    words = ["referee", "suds", "--source", source, "--headless", "--signals", "none"]
    assert main([*words, "--record", str(folder / "recordings")]) == 0
    return recording_in(folder / "recordings")


__all__ = ["GameBegan", "RecordedGame", "recording_in", "refereed", "settings"]
