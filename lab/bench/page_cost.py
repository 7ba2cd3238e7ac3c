"""What the page costs play: the frame rate of a simulated game without viewers and with ten.

The game runs as fast as the machine allows, with one thread for the networks. Its frames a second
are compared in turns, so that a busy machine counts the same for both.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from kiosk.game.assembly import Company, read_request, run_game
from kiosk.game.news import FrameJudged, News
from kiosk.web.page import PagePlace, served_page
from lab.page.viewers import viewers
from vision.recognition.eyes import Eyes
from vision.sources import open_source

VIEWERS = 10
TURNS = 5


@dataclass
class FrameCounter:
    """An observer that counts judged frames and the time between the first and the last."""

    name: str = "counter"
    frames: int = 0
    began: float = 0.0
    ended: float = 0.0

    def hear(self, news: News) -> None:
        """As in Observer."""
        if isinstance(news, FrameJudged):
            self.ended = time.perf_counter()
            self.began = self.began or self.ended
            self.frames += 1

    @property
    def rate(self) -> float:
        """Frames a second."""
        return (self.frames - 1) / max(self.ended - self.began, 1e-9)


def report() -> Iterator[str]:
    """Frame rates in turns, and the median of their quotients."""
    request = replace(read_request("suds", None, 3, {}, None), signals="none")
    eyes = Eyes.open(request.deck, 1)
    for live, name in ((False, "as fast as it can"), (True, "in real time")):
        quotients = []
        alone: list[float] = []
        for _ in range(TURNS if not live else 2):
            without, with_ten = (_rate(eyes, count, live) for count in (0, VIEWERS))
            quotients.append(with_ten / without)
            alone.append(without)
        yield (
            f"page: play {name}: {median(alone):.1f} frames a second without viewers, "
            f"{100 * (median(quotients) - 1):+.1f} % with {VIEWERS}"
        )


def _rate(eyes: Eyes, count: int, live: bool) -> float:
    """Frames a second of one simulated game with a page and `count` viewers."""
    request = replace(read_request("suds", None, 3, {}, None), signals="none")
    counter = FrameCounter()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        said: list[str] = []
        company = Company(say=said.append)
        place = PagePlace("127.0.0.1", 0, folder)
        link = stack.enter_context(
            served_page(place, str(request.deck.folder), company.inbox, said.append)
        )
        address = next(line for line in said if line.startswith("page: ")).split()[1]
        stack.enter_context(viewers(address, count))
        source = stack.enter_context(open_source("simulated:suds", live=live))
        run_game(request, source, eyes, replace(company, observers=(link, counter)))
    return counter.rate
