"""The page's server killed again and again while a game runs: it comes back, the game goes on."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from host.ports import free_port
from kiosk.game.inbox import Inbox
from kiosk.game.loop import GameLoop, LoopParts
from kiosk.game.news import EventJudged, FrameJudged, News
from kiosk.game.observers import Observer, Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.page import PagePlace, served_page
from lab.chaos.floods import LiveFrames, QuietTable
from lab.chaos.resources import Resources, children_now, resources_now
from lab.chaos.table import NoCards
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging.referee import begin
from rules.table.event import Pressed

LIMIT_S = 60.0  # until the server is back, on a machine under load
SERVER = b"kiosk.web.server"


@dataclass(frozen=True, slots=True)
class PageScore:
    """`longest_s`: between two judged frames; `pressed`, `judged`: buttons meanwhile."""

    kills: int
    came_back: int
    slowest_back_s: float
    longest_s: float
    pressed: int
    judged: int
    before: Resources
    after: Resources


class Ear:
    """Dates frames and counts presses."""

    name = "ear"

    def __init__(self) -> None:
        self.frames: list[float] = []
        self.judged = 0

    def hear(self, news: News) -> None:
        """Keeps the time of a frame."""
        if isinstance(news, FrameJudged):
            self.frames.append(time.monotonic())
        elif isinstance(news, EventJudged):
            self.judged += 1


class _Killer:
    """A thread that kills the server, waits until it is back, and presses a button each time."""

    def __init__(self, count: int, inbox: Inbox, back: threading.Event) -> None:
        self._count, self._inbox, self._back = count, inbox, back
        self.waits: list[float] = []
        self.kills = 0
        self.before = self.after = resources_now()
        self.thread = threading.Thread(target=self._run, name="killer")

    def _run(self) -> None:
        self.before = resources_now()
        for _ in range(self._count):
            self._back.clear()
            server = next((pid for pid in children_now() if _is_server(pid)), None)
            if server is None:
                break
            os.kill(server, signal.SIGKILL)
            self.kills += 1
            self._inbox.press(Pressed(0.0, "draw", 1))
            began = time.monotonic()
            if self._back.wait(LIMIT_S):
                self.waits.append(time.monotonic() - began)
        self.after = resources_now()
        self._inbox.stop()


def page_kills(count: int) -> PageScore:
    """Kills the server `count` times."""
    ear, inbox, back = Ear(), Inbox(), threading.Event()

    def say(line: str) -> None:
        if line.startswith("page: http"):
            back.set()

    with tempfile.TemporaryDirectory(prefix="fairdeal-page-") as folder:
        place = PagePlace("127.0.0.1", free_port(), Path(folder))
        with served_page(place, "suds", inbox, say) as link:
            killer = _Killer(count, inbox, back)
            killer.thread.start()
            play([ear, link], inbox, count * LIMIT_S, say)
            killer.thread.join(LIMIT_S)
    gaps = [b - a for a, b in zip(ear.frames, ear.frames[1:], strict=False)]
    return PageScore(
        killer.kills, len(killer.waits), max(killer.waits, default=0.0), max(gaps, default=0.0),
        killer.kills, ear.judged, killer.before, killer.after,
    )  # fmt: skip


def play(
    observers: list[Observer], inbox: Inbox, lasts_s: float, say: Callable[[str], None]
) -> None:
    """A game of Suds at an empty table in real time, until the inbox stops it."""
    suds, told = game_named("suds"), Observers(observers, say)
    session = GameSession(begin(suds, make_setup(suds, 2)), NoJournal(), told)
    source = LiveFrames(lasts_s)
    GameLoop(LoopParts(source, NoCards(), QuietTable, session, inbox, is_guarded=False)).run()


def _is_server(pid: int) -> bool:
    try:
        return SERVER in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
