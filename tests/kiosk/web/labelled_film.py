"""`fairdeal label` in a browser, and a person at its keyboard who knows what happened."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from real_browser import wait_for
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from host.ports import free_port
from kiosk.field.labels import Item

LOADED = "document.querySelector('.label .film')?.naturalWidth > 99"
COUNT = "document.querySelector('.label .state').textContent.trim()"
ASKED = "document.activeElement?.id === 'correct-card'"
NEAR_S = 4.0  # between an act and what was told of it


@contextmanager
def labelling(folder: Path, out: Path) -> Iterator[str]:
    """The command, and its page's address."""
    words = [sys.executable, "-m", "kiosk.cli", "label", str(folder), "--out", str(out)]
    free = [*words, "--port", str(free_port())]
    with subprocess.Popen(free, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            yield child.stdout.readline().removeprefix("page: ").strip()
        finally:
            child.terminate()
            child.wait()


@dataclass
class Act:
    """What really happened: `event` is placed or removed; seats as the game counts them."""

    at: float
    event: str
    card: str
    seat: int
    is_told: bool = False


def true_acts(clip: dict[str, Any]) -> list[Act]:
    """The acts of a rendered clip; a swept pile is taken card by card."""
    seats = {side: k for k, side in enumerate(clip["seats"], 1)}
    acts = []
    for each in clip["events"]:
        is_toss = each["action"] == "toss"
        at, seat = each["t_settled" if is_toss else "t_lifted"], seats[each["seat"]]
        cards = each.get("cards") or [each["face"]]
        acts += [Act(at, "placed" if is_toss else "removed", card, seat) for card in cards]
    return acts


@dataclass
class Labeller:
    """Labels by keyboard alone, and counts the keys. Told acts are compared with the true ones."""

    driver: WebDriver
    acts: list[Act]
    keys: int = 0
    verdicts: list[str] = field(default_factory=list)

    def press(self, *keys: str) -> None:
        """One key after the other, where the focus is."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
            self.keys += 1

    def label(self, items: tuple[Item, ...]) -> None:
        """All items, from the first to the last one."""
        for item in items:
            begun = f"{COUNT}.startsWith('{item.n + 1} of {len(items)}')"
            wait_for(self.driver, begun)
            verdict = "r" if item.is_call else self._of_event(item.line)
            self.verdicts.append(verdict)
            self.press(verdict)
            if verdict == "w":
                wait_for(self.driver, ASKED)
                self.press(*self._typed, Keys.ENTER)
        done = "document.querySelector('.label .words').textContent.includes('All is labelled')"
        wait_for(self.driver, done)

    def _of_event(self, line: dict[str, Any]) -> str:
        """r: it was so. w: another card. n: nothing happened there."""
        near = [
            act for act in self.acts
            if not act.is_told and act.event == line["event"] and abs(act.at - line["at"]) < NEAR_S
        ]  # fmt: skip
        if not near:
            return "n"
        act = min(near, key=lambda act: (act.card != line["card"], abs(act.at - line["at"])))
        act.is_told = True
        self._typed = act.card[:2]  # a list goes to the first entry that begins so
        return "r" if act.card == line["card"] else "w"
