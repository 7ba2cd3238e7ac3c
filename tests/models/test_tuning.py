"""Pictures for tuning: turned with their cards, and as ultralytics reads them."""

import cv2
import numpy as np
import pytest

from models.training.supply import SHOWN, Supply, rows_of, turned

pytestmark = pytest.mark.train
SIDE = 120
QUAD = np.array([[20, 30], [60, 20], [75, 80], [35, 90]], np.float32)


def corners(row):
    x, y, w, h, angle = row
    return cv2.boxPoints(((x * SIDE, y * SIDE), (w * SIDE, h * SIDE), float(np.degrees(angle))))


@pytest.mark.parametrize("way", range(8))
def test_a_turned_picture_keeps_its_card_under_its_box(way):
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.int32(cv2.boxPoints(cv2.minAreaRect(QUAD))), (255, 255, 255))
    picture, rows = turned(picture, rows_of(QUAD[None], SIDE), way)
    box = np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(box, np.int32(np.round(corners(rows[0]))), 255)
    both, either = (box & picture[..., 0]) > 0, (box | picture[..., 0]) > 0
    assert both.sum() > 0.9 * either.sum()
    assert -np.pi / 4 <= rows[0, 4] < 3 * np.pi / 4


def test_a_row_has_its_longer_side_first_and_ends_at_the_picture():
    rows = rows_of(np.array([[[100, 10], [140, 10], [140, 70], [100, 70]]], np.float32), SIDE)
    x, y, w, h, angle = rows[0]
    assert (x, y) == pytest.approx((110 / SIDE, 40 / SIDE), abs=0.01)
    assert (w, h) == pytest.approx((60 / SIDE, 20 / SIDE), abs=0.01)
    assert abs(np.sin(angle)) == pytest.approx(1, abs=0.01)


def test_a_picture_without_cards_has_no_rows():
    assert rows_of(np.zeros((0, 4, 2), np.float32), SIDE).shape == (0, 5)


def test_a_supply_shows_new_pictures_first_and_none_too_often():
    supply = Supply(seed=3, size=64, workers=2)
    try:
        shown = [picture.tobytes() for _ in range(6) for picture, _ in supply.batch(4)]
    finally:
        supply.close()
    assert supply.drawn >= len(shown) / SHOWN
    assert len(set(shown[:8])) == 8  # two processes draw different pictures
