"""Memory of the page over hours of accelerated play: `python -m lab.bench.page_hours [HOURS]`.

A told game of Suds goes on for hours of its own clock, as fast as the machine takes it: piles are
built with a wrong card each, swept and built again. A browser shows every state and, as fast as it
can, every picture. Heap and resident memory are read at every twelfth of the time.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.web.link import LinkSettings
from lab.page.browser import browser
from lab.page.memory import descendants, resident_mb
from lab.page.told import ToldTable, told_table
from rules.table.event import Event, Placed, Removed

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

HOURS = 6.0
READINGS = 12
FRAME_S = 1.5  # of the game's clock between two pictures
ACT_S = 4.0  # of the game's clock between two acts
AHEAD_FRAMES = 4  # the server lags behind by so many frames at most
FACES = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers")
LINK = LinkSettings(tick_s=0.002, picture_share=1.0)
# Pictures drawn, counted at the canvas.
COUNT = """
window.pictures = 0;
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (...all) {
  window.pictures += 1;
  return draw.apply(this, all);
};
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """Memory at a moment of the game (MB). `browser_mb`: resident, of all its processes."""

    hours: float
    states: int
    pictures: int
    heap_mb: float
    nodes: int
    browser_mb: float
    server_mb: float
    referee_mb: float

    def __str__(self) -> str:
        return (
            f"{self.hours:4.1f} h: {self.states} states, {self.pictures} pictures; page heap "
            f"{self.heap_mb:.1f} MB, {self.nodes} nodes; resident: browser {self.browser_mb:.0f}, "
            f"server {self.server_mb:.0f}, referee {self.referee_mb:.0f} MB"
        )


def acts(table: ToldTable) -> Iterator[Event]:
    """Endless play: each pile gets a wrong card that is taken back, and is swept at its end."""
    for number in itertools.count():
        place = f"pile/{number % 3 + 1}"
        for k, face in enumerate(FACES):
            if k == 2:
                yield (
                    Placed(table.at, "wild", place, 1)
                    if number % 5 == 0
                    else Placed(table.at, "sneakers", place, 1)
                )
                lying = table.session.judged.table.get(place, ())
                yield Removed(table.at, lying[-1], place, 1)
            yield Placed(table.at, face, place, number % 3 + 1)
        while lying := table.session.judged.table.get(place, ()):
            yield Removed(table.at, lying[-1], place, 1)


def readings(hours: float) -> Iterator[Reading]:
    """Plays so many hours and reads the memory of page, server and referee meanwhile."""
    with (
        tempfile.TemporaryDirectory() as folder,
        told_table(Path(folder), settings=LINK) as table,
        browser() as driver,
    ):
        table.frame_s = FRAME_S
        table.begin()
        driver.get(table.address)
        driver.execute_script(COUNT)
        play, next_act = acts(table), table.at
        for k in range(1, READINGS + 1):
            until = hours * 3600 * k / READINGS
            while table.at < until:
                table.frame()
                if table.at >= next_act:
                    table.session.happen(next(play))
                    next_act = table.at + ACT_S
                if table.frames % AHEAD_FRAMES == 0:
                    table.settle()
            yield read(driver, table)


def read(driver: WebDriver, table: ToldTable) -> Reading:
    """The memory now, after a collection of the page's garbage."""
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    heap = driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]
    counters = driver.execute_cdp_cmd("Memory.getDOMCounters", {})
    driver_id = driver.service.process.pid  # type: ignore[attr-defined]
    ours = descendants(None)
    server = [pid for pid, words in ours.items() if "kiosk.web.server" in words]
    return Reading(
        table.at / 3600, table.state()["seq"], driver.execute_script("return window.pictures"),
        heap / 1e6, counters["nodes"], resident_mb(descendants(driver_id)),
        resident_mb(server), resident_mb(["self"]),
    )  # fmt: skip


def report(hours: float = HOURS) -> Iterator[str]:
    """A line for each reading, and how much memory the last half grew by."""
    began = time.monotonic()
    found = []
    for reading in readings(hours):
        found.append(reading)
        yield str(reading)
    middle, last = found[len(found) // 2 - 1], found[-1]
    yield (
        f"page: the last {hours / 2:g} of {hours:g} hours: heap "
        f"{last.heap_mb - middle.heap_mb:+.1f} MB, browser "
        f"{last.browser_mb - middle.browser_mb:+.0f} MB, server "
        f"{last.server_mb - middle.server_mb:+.0f} MB, referee "
        f"{last.referee_mb - middle.referee_mb:+.0f} MB; {time.monotonic() - began:.0f} s"
    )


if __name__ == "__main__":
    for line in report(float(sys.argv[1]) if len(sys.argv) > 1 else HOURS):
        print(line, flush=True)
