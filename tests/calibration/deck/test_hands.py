"""A hand on the card is told by the stretches of the outline that it covers."""

import cv2
import numpy as np
import pytest

from calibration.deck.hands import has_hand
from calibration.deck.proposals import around
from models.drawing.hands import draw_hand
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table

QUAD = np.float32([[230, 110], [390, 116], [384, 340], [226, 334]])


def scene(suds, table, base, seed=7, hand=None, gain=1.0):
    rng = np.random.default_rng(seed)
    seen = draw_table(rng, 480, 640, table, base).astype(np.float32)
    light = Light(noise=2.0, gain=gain)
    lay(seen, Laid(face_picture(suds, "socks", 400), QUAD), light)
    if hand is not None:
        layer = draw_hand((480, 640), np.array(hand), np.array([0.3, 1.0]), 110, rng)
        alpha = layer[..., 3:].astype(np.float32) / 255
        seen = seen * (1 - alpha) + layer[..., :3] * alpha
    return expose(seen, light, rng)


TABLES = [("stone", (60, 60, 60)), ("wood", (45, 62, 88)), ("wood", (110, 160, 200))]


@pytest.mark.parametrize("table,base", TABLES)
@pytest.mark.parametrize("seed", range(4))  # later seeds draw hands as dark as the walnut
def test_fingers_across_the_edge_are_seen(suds, table, base, seed):
    assert has_hand(scene(suds, table, base, seed, hand=(300, 260)), around(QUAD))


@pytest.mark.parametrize("table,base", TABLES)
@pytest.mark.parametrize("gain", [1.0, 0.4])
def test_a_table_like_skin_is_no_hand(suds, table, base, gain):
    assert not has_hand(scene(suds, table, base, gain=gain), around(QUAD))


def test_a_hand_beside_the_card_is_no_hand_on_it(suds):
    assert not has_hand(scene(suds, "stone", (60, 60, 60), hand=(300, 400)), around(QUAD))


def test_a_grey_thing_is_no_hand(suds):
    picture = scene(suds, "stone", (60, 60, 60))
    cv2.line(picture, (300, 250), (320, 470), (150, 150, 150), 30)
    assert not has_hand(picture, around(QUAD))
