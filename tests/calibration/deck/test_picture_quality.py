"""What is wrong with a teaching picture: cut off, small, out of focus, not alone."""

import cv2
import numpy as np
import pytest

from calibration.deck.picture_quality import edge_blur, flaw
from calibration.deck.proposals import around
from calibration.deck.segmentation import segment
from models.drawing.hands import draw_hand
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table

QUAD = np.float32([[230, 110], [390, 116], [384, 340], [226, 334]])


EVEN = Light(noise=2.0)


def picture(suds, *quads, light=EVEN, hand=None):
    rng = np.random.default_rng(7)
    scene = draw_table(rng, 480, 640, "stone", (60, 60, 60)).astype(np.float32)
    for face, quad in zip(("socks", "hat", "pants"), quads, strict=False):
        lay(scene, Laid(face_picture(suds, face, 400), quad), light)
    if hand is not None:
        layer = draw_hand((480, 640), np.array(hand), np.array([0.3, 1.0]), 110, rng)
        alpha = layer[..., 3:].astype(np.float32) / 255
        scene = scene * (1 - alpha) + layer[..., :3] * alpha
    return expose(scene, light, rng)


def found(bgr, quad=QUAD):
    seen = flaw(bgr, quad, None, segment(bgr))
    return seen and seen.found


@pytest.mark.parametrize("gain", [1.0, 0.4])
def test_a_good_picture_has_no_flaw(suds, gain):
    assert found(picture(suds, QUAD, light=Light(noise=2.0, gain=gain))) is None


def test_half_a_card(suds):
    quad = QUAD + np.float32([0, 260])
    assert found(picture(suds, quad), quad) == "a card cut off by the picture's edge"


def test_a_card_of_few_pixels(suds):
    small = cv2.resize(picture(suds, QUAD), None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA)
    assert found(small, QUAD * np.float32(0.35)) == "one of 78 px"


def test_a_card_out_of_focus(suds):
    assert found(picture(suds, QUAD, light=Light(noise=2.0, blur_px=9))) == "one out of focus"


@pytest.mark.parametrize("sigma", [1.0, 2.0, 4.0])
def test_blur_is_measured_as_a_gaussian(suds, sigma):
    bgr = picture(suds, QUAD, light=Light(noise=1.0, blur_px=sigma, shadow_depth=0))
    assert edge_blur(bgr, around(QUAD)) == pytest.approx(sigma, rel=0.3, abs=0.4)


def test_a_hand_on_the_card(suds):
    assert found(picture(suds, QUAD, hand=(310, 220))) == "a hand on it"


def test_a_card_that_lies_on_another(suds):
    under = QUAD + np.float32([-75, 20])
    assert found(picture(suds, under, QUAD)) == "something on it or beside it"


def test_the_visible_part_of_a_card_at_the_edge_is_no_card(suds):
    bgr = picture(suds, QUAD + np.float32([0, -160]))
    visible = np.float32([[229, 4], [390, 4], [384, 180], [226, 174]])
    assert found(bgr, visible) == "a card cut off by the picture's edge"


def test_a_channel_that_is_over_exposed_does_not_hide_the_blur(suds):
    bgr = picture(suds, QUAD, light=Light(noise=1.0, blur_px=6.0, shadow_depth=0))
    bgr[..., 1] = 255
    assert edge_blur(bgr, around(QUAD)) == pytest.approx(6.0, rel=0.35)
