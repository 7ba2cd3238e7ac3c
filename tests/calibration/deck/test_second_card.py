"""Two cards that pass for one: side by side, or one on the other."""

import numpy as np
import pytest

from calibration.deck.second_card import DeckPose, is_pair, usual_pose
from calibration.deck.teach import TeachingPicture
from vision.sightings import Located

TABLE = (60, 50, 45)
PAPERS = (245, 245, 245), (190, 200, 215), (245, 245, 245)
STANDING = DeckPose(1.4, is_standing=True)


def box(x, y, width, height):
    return np.float32([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])


def picture(*boxes):
    """Cards with a thin grey rim, the second one darker, on a dark table."""
    bgr = np.full((480, 640, 3), TABLE, np.uint8)
    for quad, paper in zip(boxes, PAPERS, strict=False):
        (x0, y0), (x1, y1) = quad[0].astype(int), quad[2].astype(int)
        bgr[y0:y1, x0:x1] = tuple(level - 25 for level in paper)
        bgr[y0 + 4 : y1 - 4, x0 + 4 : x1 - 4] = paper
    return bgr


def located(*pairs):
    return Located(np.stack([quad for quad, _ in pairs]), np.float32([score for _, score in pairs]))


def test_a_pair_of_upright_cards_is_no_card_that_lies():
    left, right = box(180, 140, 140, 196), box(320, 140, 140, 196)
    both = box(180, 140, 280, 196)
    seen = located((both, 0.99), (left, 0.8), (right, 0.8))
    assert is_pair(picture(left, right), both, seen, STANDING)


def test_a_card_that_lies_is_no_pair():
    card = box(180, 140, 280, 200)
    frame = box(200, 160, 240, 160)
    assert not is_pair(picture(card, frame), card, located((card, 0.9), (frame, 0.9)), STANDING)


def test_a_card_on_another_is_told_by_the_outline_of_both():
    below, above = box(180, 140, 140, 196), box(240, 140, 140, 196)
    both = box(180, 140, 200, 196)
    seen = located((above, 0.95), (both, 0.9))
    assert is_pair(picture(below, above), above, seen, STANDING)


@pytest.mark.parametrize("gap,expected", [(60, True), (None, False)])
def test_another_card_apart(gap, expected):
    card = box(120, 140, 140, 196)
    if gap is None:
        assert is_pair(picture(card), card, located((card, 0.9)), STANDING) is expected
        return
    other = box(260 + gap, 150, 140, 196)
    seen = located((card, 0.95), (other, 0.9))
    assert is_pair(picture(card, other), card, seen, STANDING) is expected


def test_a_coin_and_a_sheet_of_paper_are_no_cards():
    card, coin, sheet = box(240, 140, 140, 196), box(80, 80, 40, 40), box(100, 60, 440, 400)
    seen = located((card, 0.95), (coin, 0.9), (sheet, 0.95))
    assert not is_pair(picture(sheet, card, coin), card, seen, STANDING)


def test_the_pose_is_that_of_most_pictures():
    def taught(*quads):
        return [TeachingPicture("", np.zeros((1, 1, 3), np.uint8), quad) for quad in quads]

    tall, wide, square = box(0, 0, 100, 140), box(0, 0, 140, 100), box(0, 0, 100, 101)
    assert usual_pose(taught(*[tall] * 4, wide)) == DeckPose(pytest.approx(1.4), True)
    assert usual_pose(taught(tall, wide)) is None
    assert usual_pose(taught(*[square] * 5)) is None
    assert usual_pose([]) is None
