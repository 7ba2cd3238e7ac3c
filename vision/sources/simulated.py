"""The simulated table: a scripted game, acted out by drawn hands, filmed by its own clock."""

from __future__ import annotations

import numpy as np

from models.deck import load_deck
from models.drawing.cameras import rate_of
from models.drawing.play import Play
from models.drawing.script import read_script
from models.drawing.steps import Script
from vision.frame import Frame
from vision.sources.source import Source

SIZE = (1280, 720)


class SimulatedSource(Source):
    """Frames of a scripted game on a drawn table of `size` (width, height) px, by its own clock.

    `rate`: frames a second.
    """

    def __init__(
        self, script: Script, size: tuple[int, int] = SIZE, sides: tuple[str, ...] | None = None
    ) -> None:
        self.name = f"simulated:{script.name}"
        self.script = script
        own = "plain52" if script.game == "soda" else script.game
        deck = load_deck(script.deck or own)
        self._play = Play(script, deck, size, *((sides,) if sides else ()))
        self.rate = rate_of(script.cameras)
        self._number = 0

    def read(self) -> Frame | None:
        at = self._number / self.rate
        if at > self.script.end:
            return None
        frame = Frame(np.asarray(self._play.picture(at), np.uint8), at, self._number)
        self._number += 1
        return frame

    def skip_to(self, at: float) -> None:
        """Leaves frames before `at` undrawn; what happens in them happens all the same."""
        self._number = max(self._number, int(np.ceil(at * self.rate - 1e-6)))


def open_simulated(script: str | None = None) -> Source:
    """The simulated table: a shipped script by its name (default: suds), or a script file.

    Raises FairdealError.
    """
    return SimulatedSource(read_script(script))
