"""A hand that rested so long that it was taken for the table leaves no hand behind."""

import numpy as np
import pytest

from vision.scene.background import Background
from vision.scene.bare import LONG_S, STILL_S, BareTable
from vision.settings import VisionSettings

SHAPE = (90, 160)
CLOTH, SKIN, PAPER = (70, 115, 60), (120, 150, 200), (245, 250, 250)
PLACE = np.s_[50:90, 60:90]  # at the picture's border
FPS = 10


class Bench:
    """A table that is watched; what comes bare again is the table."""

    def __init__(self):
        settings = VisionSettings()
        self.background, self.bare = Background(settings), BareTable(settings.changed_level)
        self.free, self.frames = np.ones(SHAPE, bool), 0
        self.change = None

    def show(self, seconds, colour=None, brightness=1.0):
        """The table for so long, with a thing of that colour at the place."""
        picture = np.full((*SHAPE, 3), CLOTH, np.uint8)
        picture[:, :20] = PAPER  # something that shows the light
        if colour is not None:
            picture[PLACE] = colour
        picture = np.clip(picture * brightness, 0, 255).astype(np.uint8)
        for _ in range(round(seconds * FPS)):
            self.change = self.background.see(picture, self.frames / FPS)
            bare = self.bare.see(self.change, self.background.rest, self.free)
            self.change = self.background.absorb(self.change, bare)
            self.frames += 1
        return float(self.change.changed[PLACE].mean())

    def forget(self):
        """What lies there now is taken for the table."""
        self.background.absorb(self.change, self.change.changed)


def begun(seconds=LONG_S + 1.0):
    bench = Bench()
    bench.show(seconds)
    bench.show(2.0, SKIN)
    bench.forget()
    return bench


@pytest.mark.parametrize("brightness", [1.0, 0.8])
def test_the_table_is_known_again_when_the_hand_has_gone(brightness):
    bench = begun()
    assert bench.show(1.0, SKIN) == 0.0
    assert bench.show(STILL_S / 2, brightness=brightness) == 1.0
    assert bench.show(STILL_S, brightness=brightness) == 0.0


def test_what_was_seen_for_a_moment_only_is_not_known():
    assert begun(LONG_S / 2).show(3.0) == 1.0


def test_another_thing_there_is_a_change():
    assert begun().show(3.0, PAPER) == 1.0


def test_where_a_card_lies_nothing_is_bare():
    bench = begun()
    bench.free[PLACE] = False
    assert bench.show(3.0) == 1.0
