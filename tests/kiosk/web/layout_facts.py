"""Facts of a layout, as the browser has it: text that is cut off or covered, small targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from selenium.webdriver.remote.webdriver import WebDriver

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
LEAST_TOUCH_PX = 44
LEAST_LETTERS_PX = 16
SIDEWAYS = ".strip"  # the frames of a replay; nothing else scrolls sideways
# Once all pictures are there, what moved has stopped, and the page has been laid out anew.
SETTLED = """
    const done = arguments[0];
    const pictures = () => [...document.images].filter((each) => each.checkVisibility() && each.loading !== "lazy");
    const isStill = () => document.getAnimations().every((each) => each.playState !== "running");
    const look = (left) => requestAnimationFrame(() => requestAnimationFrame(() => {
        if (left === 0 || pictures().every((each) => each.complete) && isStill()) done(); else look(left - 1);
    }));
    document.querySelectorAll(".seat-table").forEach((each) => { each.style.contentVisibility = "visible"; });
    look(100);
"""


def resize(driver: WebDriver, width: int, height: int) -> None:
    """Makes the window this large; below 600 px it is a phone. Waits until all stands still."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    driver.execute_async_script(SETTLED)


def layout_faults(driver: WebDriver) -> list[str]:
    """What is wrong with the layout that is shown now, a line each."""
    asked = {"touch": LEAST_TOUCH_PX, "letters": LEAST_LETTERS_PX, "sideways": SIDEWAYS}
    return list(driver.execute_script(SCRIPT, asked))


# Seats, the call and the cards of the play view. arguments[0]: {cards, seats, most}
PLAY = """
    const { cards, seats, most } = arguments[0];
    const faults = [];
    const isIn = (box) => box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    const all = (selector) => [...document.querySelectorAll(selector)];
    const frame = document.querySelector(".places")?.getBoundingClientRect();
    if (seats) {
        for (const selector of [".seat", ".scores li"]) {
            if (all(selector).length !== seats) faults.push(`${all(selector).length} of ${seats} seats: ${selector}`);
        }
        const inSight = innerWidth > 700 ? ".seat, .scores li, .hero .words, .question .words" : ".hero .words, .question .words";
        const words = all(".question .words").length ? ".question .words" : ".hero .words";
        for (const each of all(inSight)) {
            if (each.matches(".words") && !each.matches(words)) continue;
            const holder = each.closest(".below, .side")?.getBoundingClientRect();
            const room = holder?.height ? holder : { bottom: innerHeight };
            const box = each.getBoundingClientRect();
            if (!isIn(box) || box.bottom > room.bottom + 1) faults.push(`not in sight: ${each.className} ${each.textContent}`);
        }
        for (const each of all(".seat")) {
            const box = each.getBoundingClientRect();
            const over = [Math.min(box.right, frame.right) - Math.max(box.left, frame.left),
                Math.min(box.bottom, frame.bottom) - Math.max(box.top, frame.top)];
            if (over.every((length) => length > 1)) faults.push(`a seat on the picture: ${each.textContent}`);
        }
    }
    if (!frame || document.querySelector(".places").dataset.level === "ring") return faults;
    for (const card of cards.filter((each) => each.state === "lying")) {
        const [xs, ys] = [0, 1].map((axis) => card.quad.map((point) => point[axis]));
        const box = { left: frame.left + Math.min(...xs) * frame.width, right: frame.left + Math.max(...xs) * frame.width,
            top: frame.top + Math.min(...ys) * frame.height, bottom: frame.top + Math.max(...ys) * frame.height };
        for (const label of all(".place").filter((each) => each.dataset.place !== card.place)) {
            const other = label.getBoundingClientRect();
            const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
            const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
            const part = across > 0 && down > 0 ? across * down / ((box.right - box.left) * (box.bottom - box.top)) : 0;
            if (part > most) faults.push(`${Math.round(part * 100)} % of ${card.face} at ${card.place} under the label of ${label.dataset.place}`);
        }
    }
    return faults;
"""
MOST_COVERED = 0.15  # of a card, by the label of another place


def play_faults(driver: WebDriver, cards: Sequence[Mapping[str, Any]], seats: int) -> list[str]:
    """What is wrong with the play view: a seat or the call out of sight, labels over cards.

    `cards`: those on the picture; `seats`: how many play, 0 where a dialog covers them.
    """
    asked = {"cards": list(cards), "seats": seats, "most": MOST_COVERED}
    return list(driver.execute_script(PLAY, asked))
