"""The referee on a machine so slow that frames are lost: the calls stay those of the play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.assembly import Company, read_request, run_game
from kiosk.game.news import EventJudged
from models.drawing.cameras import RATE
from models.drawing.script import read_script, truth
from rules.table.event import is_card_event
from vision.recognition.eyes import Eyes
from vision.sources.simulated import SimulatedSource


class SlowEyes:
    """The eyes, where each card named costs some frames; `owed` of them have not been lost yet."""

    def __init__(self, deck, frames):
        self._eyes, self._frames, self.owed = Eyes.open(deck), frames, 0.0
        self.locate = self._eyes.locate

    def name(self, bgr, quads, quick=False, known=None):
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


class Ear:
    """Keeps the judged events."""

    name = "ear"

    def __init__(self, heard):
        self.heard = heard

    def hear(self, news):
        if isinstance(news, EventJudged):
            self.heard.append(news.event)


SLOW = pytest.mark.slow  # half a minute each


@pytest.mark.parametrize(
    ("game", "frames", "end"),
    [
        ("suds", 2.5, 16.0),  # eight cards laid, one of them wrong and taken back
        pytest.param("suds", 2.5, None, marks=SLOW),
        pytest.param("soda", 2.5, None, marks=SLOW),
        pytest.param("soda", 0.3, None, marks=SLOW),
    ],
)
def test_lost_frames_change_no_event(game, frames, end):
    script = read_script(game)
    if end is not None:
        steps = tuple(step for step in script.steps if step.at < end - 1.5)
        script = replace(script, steps=steps, end=end)
    request = read_request(game, None, script.players, {}, None)
    heard = []
    eyes = SlowEyes(request.deck, frames)
    with Hurried(script, eyes) as source:
        run_game(request, source, eyes, Company((Ear(heard),), say=lambda line: None))
    cards = [event for event in heard if event is not None and is_card_event(event)]
    told = sorted((event.kind, event.card, event.place) for event in cards)
    true = [event for event in truth(script) if is_card_event(event)]
    assert told == sorted((event.kind, event.card, event.place) for event in true)
