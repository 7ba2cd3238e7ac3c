"""A card of the same face that is laid on another: only the face has moved."""

import cv2
import numpy as np
import pytest
from tabletop import card_quad
from test_close_pictures import card, picture
from test_close_pictures import drawn as symmetric

from vision.scene.close_pictures import ClosePictures

LOW, TOP = np.float32(card_quad((240, 180), 100.0)), np.float32(card_quad((246, 176), 100.0, 3))
PUSHED = np.float32(card_quad((235, 184), 100.0, -2))
ROUND = np.roll(TOP, 2, axis=0)


def drawn():
    """A face that looks otherwise the other way round."""
    art = symmetric()
    cv2.putText(art, "R", (62, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 110, 30), 3)
    cv2.rectangle(art, (16, 100), (40, 122), (160, 60, 160), -1)
    return art


def course(kept, now, number=1, below=(), over=None):
    quads = {1: LOW, 2: TOP}
    cards = [card(each, quads[each]) for each in below]
    return kept.course(card(number, quads[number]), cards, now, over)


@pytest.fixture
def one():
    """The picture of one card that lies."""
    kept = ClosePictures()
    kept.keep(card(1, LOW), picture(drawn(), LOW))
    return kept


@pytest.mark.parametrize(
    ("quads", "kind"),
    [
        ((LOW,), "still"),
        ((LOW, TOP), "laid"),
        ((LOW, PUSHED), "laid"),
        ((LOW, ROUND), "laid"),  # the other way round
        ((TOP,), "nudged"),
        ((PUSHED,), "nudged"),
    ],
)
def test_the_edges_tell_a_like_card_from_a_push(one, quads, kind):
    found = course(one, picture(drawn(), *quads))
    assert found.kind == kind
    assert np.abs(found.corners - quads[-1]).max() < 1.5


def test_another_face_is_none_of_them(one):
    other = cv2.flip(drawn(), 1)
    cv2.circle(other, (50, 70), 34, (40, 160, 40), -1)
    bgr = picture(drawn(), LOW)
    corners = np.float32([[0, 0], [100, 0], [100, 140], [0, 140]])
    warp = cv2.getPerspectiveTransform(corners, TOP)
    mask = cv2.warpPerspective(np.ones((140, 100), np.uint8), warp, (480, 360)) > 0
    bgr[mask] = cv2.warpPerspective(other, warp, (480, 360))[mask]
    assert course(one, bgr) is None


def test_a_like_card_shows_below_the_one_that_went(one):
    one.keep(card(2, TOP), picture(drawn(), LOW, TOP))
    assert course(one, picture(drawn(), LOW), 2, below=(1,)).kind == "gone"
    assert course(one, picture(drawn(), LOW, TOP), 2, below=(1,)).kind == "still"


def test_a_card_without_a_picture_tells_nothing():
    assert course(ClosePictures(), picture(drawn(), LOW)) is None
