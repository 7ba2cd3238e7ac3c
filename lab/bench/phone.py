"""A phone as the camera: from a card in the picture to its call, on loopback.

A real browser films a drawn game, over https, into the page of a kiosk. The game is refereed in
this process from the source `phone`. Each picture bears its number, so the time at which a hand let
go of a card is known by the clock of the source.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from host import children
from kiosk.assembly import Company, GameRequest, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, News
from lab.page.browser import asked, browser, wait
from lab.page.phone import GAME, camera_flags, number_of, write_film
from models.drawing.cameras import RATE
from models.drawing.script import read_script
from models.drawing.steps import Script, Step, Verb
from rules.errors import FairdealError
from rules.table.event import Placed, Pressed, Removed
from vision.recognition.eyes import Eyes
from vision.sources import Source, open_source

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

LEAST_AGES = 100  # pictures that only travel, before the game
BARE_S = 3.0  # of the film's beginning: the game starts there
THREADS = 2


@dataclass
class Watched:
    """An observer: pictures with their number and capture time, events with the time of telling."""

    source: Source
    inbox: Inbox
    last: int  # the film's last picture
    name: str = "watch"
    taken: list[tuple[int, float]] = field(default_factory=list)
    told: list[tuple[str, str, str, float]] = field(default_factory=list)  # what, card, place, when
    calls: list[str] = field(default_factory=list)
    ages_ms: list[float] = field(default_factory=list)  # of pictures, when nothing is judged
    newest: FrameJudged | None = None

    def hear(self, news: News) -> None:
        """As in Observer."""
        if isinstance(news, FrameJudged):
            self.newest = news
            number = number_of(news.frame.bgr)
            self.taken.append((number, news.frame.at))
            if number >= self.last:
                self.inbox.stop()
        elif isinstance(news, EventJudged) and isinstance(news.event, Placed | Removed):
            what = Verb.PLACE if isinstance(news.event, Placed) else Verb.REMOVE
            self.told.append((what, news.event.card, news.event.place, self._now()))
            self.calls += [call.call.value for call in news.calls]

    def _now(self) -> float:
        """By the clock of the source."""
        if self.newest is None:
            return 0.0
        return self.newest.frame.at + (self.source.age_s(self.newest.frame) or 0.0)


def report() -> Iterator[str]:
    """Latency, times and drops of one film."""
    script = read_script(str(GAME))
    request = replace(read_request(script.game, None, script.players, {}, None), signals="none")
    eyes = Eyes.open(request.deck, THREADS)
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.mjpeg"
        write_film(script, film)
        with at_home(folder), kiosk() as address, browser(*camera_flags(film)) as driver:
            begin_filming(driver, address)
            seen = played(request, eyes, int((script.end - 0.5) * RATE))
            health = asked(address, "api/health")["parts"]
    yield from told(script, seen)
    yield next(part["words"] for part in health if part["name"] == "phone")


def played(request: GameRequest, eyes: Eyes, last: int) -> Watched:
    """Referees the film once, from its beginning."""
    with open_source("phone") as source:
        inbox = Inbox()
        seen = Watched(source, inbox, last)
        while (frame := source.read()) is not None:
            seen.ages_ms.append(1000 * (source.age_s(frame) or 0.0))
            is_bare = number_of(frame.bgr) <= BARE_S * RATE
            if is_bare and len(seen.ages_ms) >= LEAST_AGES:
                break
        inbox.press(Pressed(0.0, "start"))
        run_game(replace(request, start=False), source, eyes, Company((seen,), inbox=inbox))
    return seen


def told(script: Script, seen: Watched) -> Iterator[str]:
    """The figures."""
    way = np.percentile(seen.ages_ms, [50, 95])
    yield f"phone: from the camera to the referee p50 {way[0]:.0f} ms, p95 {way[1]:.0f} ms"
    numbers, times = map(np.array, zip(*seen.taken, strict=True))
    rate = (len(times) - 1) / (times[-1] - times[0])
    acts = [s for s in script.steps if s.verb in (Verb.PLACE, Verb.REMOVE)]
    # The browser's camera may lag behind its rate, so pictures tell when an act was filmed.
    acted = np.interp([s.at * RATE for s in acts], numbers, times)
    latency = [
        heard - at
        for step, at in zip(acts, acted, strict=True)
        if (heard := _told_at(seen, step, at)) is not None
    ]
    p50, p95 = np.percentile(latency, [50, 95])
    yield (
        f"phone: {rate:.1f} pictures a second judged; {len(latency)} of {len(acts)} acts told "
        f"rightly; from the hand's leaving to the call p50 {p50:.2f} s, p95 {p95:.2f} s; "
        f"calls: {', '.join(seen.calls)}"
    )


def _told_at(seen: Watched, step: Step, since: float) -> float | None:
    """When an act was told, after it happened."""
    act = (step.verb, step.face, step.place)
    return next((at for *told, at in seen.told if tuple(told) == act and at >= since), None)


@contextmanager
def at_home(folder: str) -> Iterator[None]:
    """A home of fairdeal in that folder, for this process and its children."""
    before = os.environ.get("FAIRDEAL_HOME")
    os.environ["FAIRDEAL_HOME"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["FAIRDEAL_HOME"]
        else:
            os.environ["FAIRDEAL_HOME"] = before


@contextmanager
def kiosk() -> Iterator[str]:
    """The address of a kiosk on a free port, whose camera is a phone."""
    words = ["-m", "kiosk.cli", "kiosk", "--source", "phone", "--port", "0"]
    child = children.start([sys.executable, *words], stdout=-1)
    with child:
        assert child.stdout is not None
        line = child.stdout.readline().decode().strip()
        if not line.startswith("page: "):
            raise FairdealError("a kiosk that serves its page", line or "none")
        try:
            yield line.removeprefix("page: ")
        finally:
            child.terminate()


def begin_filming(driver: WebDriver, address: str) -> Any:
    """Opens the page that films, at its https address, and begins."""
    driver.get(asked(address, "api/phone/offer", {})["address"])
    wait(driver, "document.querySelector('button.main')").click()
    return wait(driver, "document.querySelector('.film-fate.is-good')")
