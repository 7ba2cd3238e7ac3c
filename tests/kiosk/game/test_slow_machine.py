"""The referee on a machine so slow that frames are lost: the calls stay those of the play."""

from __future__ import annotations

import pytest

from kiosk.game.assembly import read_order, run_table
from kiosk.game.observers import NoDisplay
from models.drawing.script import read_script, truth
from vision.recognition.eyes import Eyes
from vision.sources.simulated import RATE, SimulatedSource


class SlowEyes:
    """The eyes, where each card named costs some frames; `owed` of them have not been lost yet."""

    def __init__(self, deck, frames):
        self._eyes, self._frames, self.owed = Eyes.open(deck), frames, 0.0
        self.locate = self._eyes.locate

    def name(self, bgr, quads):
        """Names, and the frames that pass meanwhile."""
        self.owed += self._frames * len(quads)
        return self._eyes.name(bgr, quads)


class Hurried(SimulatedSource):
    """The simulated table, of which the frames that the eyes owe are lost."""

    def __init__(self, script, eyes):
        super().__init__(script)
        self._eyes = eyes

    def read(self):
        lost, self._eyes.owed = int(self._eyes.owed), self._eyes.owed % 1
        self.skip_to((self._number + lost) / RATE)
        return super().read()


@pytest.mark.parametrize(("game", "frames"), [("suds", 2.5), ("soda", 2.5), ("soda", 0.3)])
def test_lost_frames_change_no_event(game, frames):
    script = read_script(game)
    order = read_order(game, None, script.players, {}, None)
    heard = []
    eyes = SlowEyes(order.deck, frames)
    with Hurried(script, eyes) as source:
        run_table(
            order, source, eyes, display=NoDisplay(), say=lambda line: None,
            listener=lambda event, calls: heard.append(event),
        )  # fmt: skip
    cards = [event for event in heard if event is not None and event.card is not None]
    told = sorted((event.event, event.card, event.place) for event in cards)
    true = [event for event in truth(script) if event.card is not None]
    assert told == sorted((event.event, event.card, event.place) for event in true)
