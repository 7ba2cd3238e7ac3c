"""Latency of the page: from a call of the referee to its pixels, with ten viewers on loopback."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lab.page.browser import browser, wait
from lab.page.told import FRAME_S, ToldTable, told_table
from lab.page.viewers import viewers
from rules.table.event import Event, Placed, Removed

if TYPE_CHECKING:
    from selenium.webdriver.remote.webdriver import WebDriver

VIEWERS = 10  # one of them the browser
CALLS = 60
# Notes when each call was on the screen: after the frame in which it was drawn.
NOTE = """
window.seen = {};
const note = () => {
  const n = document.querySelector('.hero')?.dataset.n;
  if (!n || n in window.seen) return;
  window.seen[n] = 0;
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      window.seen[n] = performance.timeOrigin + performance.now();
    };
    channel.port2.postMessage(0);
  });
};
new MutationObserver(note).observe(document.body, {subtree: true, childList: true});
"""


def report() -> Iterator[str]:
    """The latency with one viewer and with ten."""
    for count in (1, VIEWERS):
        times_ms = latencies_ms(count, CALLS)
        p50, p95 = np.percentile(times_ms, [50, 95])
        yield (
            f"page: call to pixel with {count} viewers: p50 {p50:.0f} ms, p95 {p95:.0f} ms, "
            f"most {max(times_ms):.0f} ms ({len(times_ms)} calls)"
        )


def latencies_ms(count: int, calls: int) -> list[float]:
    """From each call to its pixels in a browser (ms); `count` viewers, the browser among them.

    Frames are told ten times a second meanwhile, and every viewer fetches every picture.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        told_table(Path(folder)) as table,
        browser() as driver,
        viewers(table.address, count - 1),
    ):
        table.begin()
        table.place("hat", "pile/1", 1)
        driver.get(table.address)
        wait(driver, "document.querySelector('canvas')?.width > 300")
        driver.execute_script(NOTE)
        return [_latency_ms(table, driver, number) for number in range(calls)]


def _latency_ms(table: ToldTable, driver: WebDriver, number: int) -> float:
    """A wrong card, or its removal, at a moment that drifts against the link's ticks."""
    for _ in range(5):
        table.frame()
        time.sleep(FRAME_S)
    time.sleep(FRAME_S * (number % 7) / 7)
    at = table.at + FRAME_S
    wrong: Event = Placed(at, "socks", "pile/1", 2)
    event = wrong if number % 2 == 0 else Removed(at, "socks", "pile/1", 2)
    began_ms = time.time() * 1000
    table.session.happen(event)
    n = table.link.calls_made
    shown_ms = wait(driver, f"window.seen['{n}']")
    return float(shown_ms) - began_ms
