"""Floods of buttons and a locked journal: how long the loop stands, and what is lost."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kiosk.game.inbox import Inbox
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.news import EventJudged, FrameJudged, News
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import open_new, read_journal
from lab.chaos.table import COVER, PICTURE, NoCards
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin
from rules.table.event import Pressed
from vision.frame import Frame
from vision.scene.table import Table
from vision.scene.watcher import Observation
from vision.sources.source import Ended, Lost, Source

FRAME_S = 1 / 30
PRESSES_A_SECOND = 900
LASTS_S = 5.0


@dataclass(frozen=True, slots=True)
class FloodScore:
    """`longest_s`: between two frames judged; `slowest_call_s`: from the press to its news."""

    what: str
    frames: int
    longest_s: float
    slowest_call_s: float
    presses: int
    refused: int
    judged: int
    kept: int
    told_early: int


class LiveFrames(Source):
    """Grey frames in real time."""

    recorded = False

    def __init__(self, lasts_s: float) -> None:
        self._began, self._lasts_s, self._number = time.monotonic(), lasts_s, 0

    def read(self) -> Frame | None:
        """The next frame; None at the end."""
        while not isinstance(found := self.watch(1.0), Ended):
            if isinstance(found, Frame):
                return found
        return None

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        """The next frame when it is due."""
        now = time.monotonic() - self._began
        if now > self._lasts_s:
            return Ended()
        due = self._number * FRAME_S
        if now < due:
            time.sleep(due - now)
        self._number += 1
        picture = PICTURE.copy()
        picture[0, 0, 0] = self._number % 251  # a live camera never repeats a picture
        return Frame(picture, max(now, due), self._number)


class _Ear:
    """Measures: when frames and calls are told."""

    name = "measure"

    def __init__(self) -> None:
        self.frames: list[float] = []
        self.judged = 0
        self.slowest_s = 0.0
        self._began = time.monotonic()

    def hear(self, news: News) -> None:
        """Dates it."""
        now = time.monotonic() - self._began
        if isinstance(news, FrameJudged):
            self.frames.append(now)
        elif isinstance(news, EventJudged) and news.event is not None:
            self.judged += 1
            self.slowest_s = max(self.slowest_s, now - news.event.at)


class QuietTable:
    """A watcher of a table on which nothing happens."""

    def update(self, frame: Frame, located: object, name: object) -> Observation:
        """Nothing."""
        return Observation((), Table(), (), COVER)


def flood() -> FloodScore:
    """900 presses a second for 5 s."""

    def disturb(inbox: Inbox, path: Path) -> int:
        count, began = 0, time.monotonic()
        while (now := time.monotonic() - began) < LASTS_S:
            for _ in range(max(0, int(now * PRESSES_A_SECOND) - count)):
                inbox.press(Pressed(0.0, "draw", 1))
                count += 1
            time.sleep(0.005)
        return count

    return _measure("900 presses a second for 5 s", disturb)


def locked() -> FloodScore:
    """The journal locked by another writer for 5 s, 10 presses a second meanwhile."""

    def disturb(inbox: Inbox, path: Path) -> int:
        other = sqlite3.connect(path, isolation_level=None, timeout=30.0)
        other.execute("BEGIN IMMEDIATE")
        for _ in range(round(10 * LASTS_S)):
            inbox.press(Pressed(0.0, "draw", 1))
            time.sleep(0.1)
        other.execute("ROLLBACK")
        other.close()
        return round(10 * LASTS_S)

    return _measure("journal locked by another writer for 5 s", disturb)


def quiet() -> FloodScore:
    """The same loop, 10 presses a second and nothing else: what the machine does anyway."""

    def disturb(inbox: Inbox, path: Path) -> int:
        for _ in range(round(10 * LASTS_S)):
            inbox.press(Pressed(0.0, "draw", 1))
            time.sleep(0.1)
        return round(10 * LASTS_S)

    return _measure("10 presses a second, nothing else", disturb)


def _measure(what: str, disturb: Callable[[Inbox, Path], int]) -> FloodScore:
    suds = game_named("suds")
    setup = make_setup(suds, 2)
    ear, inbox, counts = _Ear(), Inbox(), [0]
    with tempfile.TemporaryDirectory(prefix="fairdeal-flood-") as folder:
        path = Path(folder) / "journal.sqlite"
        opened = open_new(path, GameHead("suds", 2, dict(setup.options)), print)
        session = GameSession(begin(suds, setup), opened.journal, Observers([ear], print))
        source = LiveFrames(LASTS_S + 2.0)
        parts = LoopParts(source, NoCards(), QuietTable, session, inbox, is_guarded=False)

        def run_disturbance() -> None:
            counts[0] = disturb(inbox, path)

        worker = threading.Thread(target=run_disturbance, name="disturbance")
        worker.start()
        GameLoop(parts).run()
        worker.join(30)
        opened.journal.close()
        kept = len(read_journal(path, opened.number))
    gaps = [b - a for a, b in zip(ear.frames, ear.frames[1:], strict=False)]
    return FloodScore(
        what, len(ear.frames), max(gaps), ear.slowest_s, counts[0], inbox.drops, ear.judged, kept,
        session.overdue,
    )  # fmt: skip
