"""A card that lay for a moment between two hands is named in the frames that still show it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import SIZE, card_quad

from rules.table.layout import SIDES
from vision.frame import Frame
from vision.recent import RecentFrames
from vision.scene.candidates import Candidate
from vision.scene.covered import KEPT_S
from vision.scene.look_back import LookBack
from vision.scene.scene import Scene
from vision.settings import VisionSettings
from vision.sightings import Named

QUAD = card_quad((300, 180))
# Rested from 1.0 to 1.3 s, never named.
LOST = Candidate(1, QUAD, QUAD, 1.0, 1.3, 0.9, frames=5)
# The next card, which covers it.
NEXT = Candidate(2, QUAD + 20, QUAD + 20, 1.4, 0.0, 0.9, frames=2, is_slow=True)


class Eyes:
    """Names the card by the brightness of the frame it is shown."""

    def __init__(self):
        self.levels = []

    def name(self, bgr, quads, quick=False, known=None):
        self.levels.append(int(bgr.mean()))
        return Named(("socks",), np.ones(1, np.float32), quads, np.ones(1, bool))


def begun(lost, next_one=NEXT):
    recent, (width, height) = RecentFrames(), SIZE
    for number in range(30):
        bgr = np.full((height, width, 3), 100 + number, np.uint8)
        recent.see(Frame(bgr, number / 10, number))
    scene = Scene(Piles(), SIDES, VisionSettings())
    scene.size = (width, height)
    scene.candidates.keep((next_one,) if next_one else ())
    look_back = LookBack(scene, recent)
    look_back.lose([lost])
    return look_back, Eyes()


def test_it_is_named_in_the_last_frame_that_showed_it():
    look_back, eyes = begun(LOST)
    found = look_back.look(1.6, eyes.name)
    assert found.best()[0] == "socks" and found.number == LOST.number
    assert eyes.levels == [pytest.approx(113, abs=2)]  # the frame of 1.3 s
    assert look_back.look(1.7, eyes.name) is None


@pytest.mark.parametrize(
    "lost",
    [
        replace(LOST, since=1.25),  # it never rested
        replace(LOST, fresh=False),  # nothing changed there
        replace(LOST, looks=5),  # it was looked at often enough
        replace(LOST, score=0.1),  # hardly a card
        replace(LOST, evidence=(("hat", 2.0),), errors=(("hat", 0.01),)),  # it has a name
    ],
)
def test_others_are_not_looked_at(lost):
    look_back, eyes = begun(lost)
    assert look_back.look(1.6, eyes.name) is None and not eyes.levels


def test_what_is_too_old_is_forgotten():
    look_back, eyes = begun(LOST)
    assert look_back.look(1.4 + KEPT_S, eyes.name) is None and not eyes.levels


def test_what_no_other_card_covers_is_not_looked_at():
    for next_one in (None, replace(NEXT, quad=QUAD + 300), replace(NEXT, since=0.5)):
        look_back, eyes = begun(LOST, next_one)
        assert look_back.look(1.6, eyes.name) is None and not eyes.levels
