"""`python -m lab.cameras.table_trial`: what the table check says of a good table and of faults.

On a simulated table people do what is asked, and one thing at a time is bad. The acts come one
after the other, each later than the check can have seen the one before.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from calibration.finding import Verdict
from kiosk.tablecheck.checker import Checker, Networks
from kiosk.tablecheck.command import watch
from kiosk.tablecheck.words import said
from models.drawing.cameras import Camera
from models.drawing.script import parse_script
from vision.frame import Frame, Image
from vision.sources.simulated import SimulatedSource
from vision.sources.source import Source

SIZE = (1280, 720)
CARD_PX = 130.0
OFF_S, ON_S, END_S = 32.0, 38.0, 42.5  # the lamp goes off, and on again; the film's end
SLIP_S, SLIP_PX, BORDER = 28.0, 9, 0.14  # when, how far and where within the border a mat slips
_DARK = 0.62  # of the light that a window gives without the lamp
_SCRIPT = """
game suds
players 2
table {table}
card {card}
seed 5
end {end}
camera {cameras}
spot corner 0.80 0.76
spot pile 0.47 0.45 0.004 0.004
5.5 seat=1 place hat corner
9.5 seat=1 place t-shirt pile
12.5 seat=1 place boxers pile
15.5 seat=1 place pants pile
22.0 seat=2 hold socks pile wait=4.0
28.0 seat=1 rest pile wait=2.4
"""
# A slip and a shake are seen by what the cloth shows.
_TABLES = {"gingham": "gingham", "white": "white", "mat": "gingham", "shake": "gingham"}


class TrialTable(Source):
    """Frames of such a table of 1280×720 px. `fault`: one of FAULTS, or none for a good table.

    `until` (s): where the film ends.
    """

    name = "trial table"

    def __init__(self, fault: str = "", until: float = END_S) -> None:
        self._fault = fault
        text = _SCRIPT.format(
            table=_TABLES.get(fault, "felt"),
            card=CARD_PX * (0.33 if fault == "high" else 1.0), end=until,
            cameras=fault if fault in ("dark", "flicker", "rate") else "",
        )  # fmt: skip
        self._source = SimulatedSource(parse_script(text, "trial"), SIZE)
        self._follows = Camera(["exposure"], 5, SIZE) if fault == "exposure" else None

    def read(self) -> Frame | None:
        frame = self._source.read()
        if frame is None:
            return None
        return Frame(self._spoiled(frame.bgr.copy(), frame.at), frame.at, frame.number)

    def skip_to(self, at: float) -> None:
        self._source.skip_to(at)

    def _spoiled(self, bgr: Image, at: float) -> Image:
        if self._fault in _SPOILS:
            bgr = _SPOILS[self._fault](bgr, at)
        if OFF_S <= at < ON_S:
            bgr = _scaled(bgr, (0.12 if self._fault == "lamp" else _DARK))
        if self._follows is not None:
            bgr = np.asarray(self._follows.film(bgr, at), np.uint8)
        return bgr


def _scaled(bgr: Image, factor: float) -> Image:
    return np.asarray(cv2.convertScaleAbs(bgr, alpha=factor), np.uint8)


def _soft(bgr: Image, at: float) -> Image:
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), 2.5), np.uint8)


def _glare(bgr: Image, at: float) -> Image:
    """A lamp that mirrors in the table, upper left."""
    cv2.ellipse(bgr, (260, 150), (90, 50), 20, 0, 360, (255, 255, 255), -1)
    return bgr


def _shaken(bgr: Image, at: float) -> Image:
    """A stand that people lean on all the time."""
    x, y = 5 * np.sin(at * 9.1), 3 * np.sin(at * 7.3)
    moved = cv2.warpAffine(bgr, np.array([[1, 0, x], [0, 1, y]]), SIZE,
                           borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(moved, np.uint8)


def _slipped(bgr: Image, at: float) -> Image:
    """The mat slips under a hand; the table around it stays."""
    if at < SLIP_S:
        return bgr
    width, height = SIZE
    x, y = round(BORDER * width), round(BORDER * height)
    moved = bgr.copy()
    inner = bgr[y : height - y, x - SLIP_PX : width - x - SLIP_PX]
    moved[y : height - y, x : width - x] = inner
    return moved


def _tinted(bgr: Image, at: float) -> Image:
    """A yellow lamp, and a camera that takes it for white."""
    return np.clip(bgr * np.array([0.45, 0.9, 1.1]), 0, 255).astype(np.uint8)


_SPOILS: dict[str, Callable[[Image, float], Image]] = {
    "soft": _soft, "glare": _glare, "shake": _shaken, "mat": _slipped, "tint": _tinted,
}  # fmt: skip
# Each fault, with the topic of the finding that must name it.
FAULTS = {
    "dark": "light", "flicker": "flicker", "glare": "glare", "high": "height", "soft": "focus",
    "exposure": "exposure", "gingham": "cloth", "white": "light", "mat": "mat", "rate": "rate",
    "shake": "shake", "tint": "colour", "lamp": "lamp",
}  # fmt: skip


def main() -> None:
    """Prints, for each table, what is not good."""
    networks = Networks(threads=1)
    for fault in ("", *FAULTS):
        checker = Checker(networks)
        watch(checker, TrialTable(fault), "en", lambda line: None, None)
        told = [said(each, "en") for each in checker.findings() if each.state is not Verdict.GOOD]
        print(fault or "good", *(f"- {each.topic}: {each.words}" for each in told), sep="\n  ")


if __name__ == "__main__":
    main()
