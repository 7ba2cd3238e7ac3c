"""Facts of a layout, as the browser has it: text that is cut off or covered, small targets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from selenium.webdriver.remote.webdriver import WebDriver

HERE = Path(__file__).parent
SCRIPT = (HERE / "layout_facts.js").read_text(encoding="utf-8")
PLAY = (HERE / "play_facts.js").read_text(encoding="utf-8")
LEAST_TOUCH_PX = 44
LEAST_LETTERS_PX = 16
MOST_COVERED = 0.15  # of a card, by the label of another place
SIDEWAYS = ".strip"  # the frames of a replay; nothing else scrolls sideways
SETTLED = (HERE / "page_settled.js").read_text(encoding="utf-8")


def resize(driver: WebDriver, width: int, height: int) -> None:
    """Makes the window this large; below 600 px it is a phone. Waits until all stands still."""
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    driver.execute_async_script(SETTLED)


def layout_faults(driver: WebDriver) -> list[str]:
    """What is wrong with the layout that is shown now, a line each."""
    asked = {"touch": LEAST_TOUCH_PX, "letters": LEAST_LETTERS_PX, "sideways": SIDEWAYS}
    return list(driver.execute_script(SCRIPT, asked))


def play_faults(driver: WebDriver, cards: Sequence[Mapping[str, Any]], seats: int) -> list[str]:
    """What is wrong with the play view: a seat or the call out of sight, labels over cards.

    `cards`: those on the picture; `seats`: how many play, 0 where a dialog covers them.
    """
    asked = {"cards": list(cards), "seats": seats, "most": MOST_COVERED}
    return list(driver.execute_script(PLAY, asked))
