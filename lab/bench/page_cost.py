"""What the page costs play: the frame rate of a simulated game without viewers and with ten.

The same frames are played in turns, without and with viewers, so that a busy machine counts the
same for both. The processor time of the referee's process tells the cost where the machine is too
busy for its frame rate to mean much.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from kiosk.assembly import Company, GameRequest, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import FrameJudged, News
from kiosk.web.page import PagePlace, served_page
from lab.page.viewers import viewers
from vision.recognition.eyes import Eyes
from vision.sources import open_source

VIEWERS = 10
TURNS = 5
FRAMES = 300  # of each turn; the first 30 are not counted
WARM = 30


@dataclass
class FrameClock:
    """An observer that times the frames after the first ones, and then stops the game."""

    inbox: Inbox
    name: str = "clock"
    frames: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def hear(self, news: News) -> None:
        """As in Observer."""
        if not isinstance(news, FrameJudged):
            return
        self.frames += 1
        if self.frames == WARM:
            self.wall_s, self.cpu_s = -time.perf_counter(), -time.process_time()
        elif self.frames == FRAMES:
            self.wall_s += time.perf_counter()
            self.cpu_s += time.process_time()
            self.inbox.stop()

    @property
    def rate(self) -> float:
        """Frames a second."""
        return (FRAMES - WARM) / self.wall_s

    @property
    def cpu_ms(self) -> float:
        """Processor time of the process for a frame (ms), all its threads together."""
        return 1000 * self.cpu_s / (FRAMES - WARM)


def report() -> Iterator[str]:
    """Frame rate and processor time, and the medians of their quotients in turns."""
    request = replace(read_request("suds", None, 3, {}, None), signals="none")
    eyes = Eyes.open(request.deck, 1)
    pairs = []
    for turn in range(TURNS):
        counts = (0, VIEWERS) if turn % 2 == 0 else (VIEWERS, 0)
        found = {count: played(request, eyes, count) for count in counts}
        pairs.append((found[0], found[VIEWERS]))
    rate = median(ten.rate / none.rate for none, ten in pairs)
    cost = median(ten.cpu_ms / none.cpu_ms for none, ten in pairs)
    yield (
        f"page: {median(none.rate for none, _ in pairs):.1f} frames a second without viewers, "
        f"{100 * (rate - 1):+.1f} % with {VIEWERS}; processor time of the referee "
        f"{median(none.cpu_ms for none, _ in pairs):.1f} ms a frame, {100 * (cost - 1):+.1f} %"
    )


def played(request: GameRequest, eyes: Eyes, count: int) -> FrameClock:
    """The times of one game with a page and `count` viewers, as fast as the machine plays it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        said: list[str] = []
        company = Company(say=said.append)
        clock = FrameClock(company.inbox)
        place = PagePlace("127.0.0.1", 0, folder)
        deck = str(request.deck.folder)
        link = stack.enter_context(served_page(place, deck, company.inbox, said.append))
        address = next(line for line in said if line.startswith("page: ")).split()[1]
        stack.enter_context(viewers(address, count))
        source = stack.enter_context(open_source("simulated:suds"))
        run_game(request, source, eyes, replace(company, observers=(link, clock)))
    return clock
