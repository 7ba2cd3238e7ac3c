"""Cards cut out of frames."""

import cv2
import numpy as np
import pytest

from models.crop import COARSE, HEIGHT, MARGIN, WIDTH, cut, inner_quad


@pytest.mark.parametrize("margin", [0.0, MARGIN, COARSE])
def test_the_card_takes_its_part_of_the_crop(margin):
    quad = inner_quad(margin=margin)
    assert quad.mean(0) == pytest.approx([WIDTH / 2, HEIGHT / 2])
    assert (quad[2] - quad[0]) * (1 + 2 * margin) == pytest.approx([WIDTH, HEIGHT])


@pytest.mark.parametrize("length", [60, 128, 500])
def test_corners_come_to_lie_where_they_should(length):
    width = length * 0.7
    quad = np.float32([[40, 50], [40 + width, 60], [30 + width, 60 + length], [30, 50 + length]])
    frame = np.zeros((700, 500, 3), np.uint8)
    crop, to = cut(frame, quad)
    assert crop.shape == (HEIGHT, WIDTH, 3)
    assert cv2.perspectiveTransform(quad[None], to)[0] == pytest.approx(inner_quad(), abs=0.01)


@pytest.mark.parametrize("length", [60, 400])
def test_a_card_is_cut_upright(length):
    """The frame's card lies on its side: its left half is its upper half, and red."""
    frame = np.full((600, 900, 3), 90, np.uint8)
    top_left = (100, 100)
    end = (100 + length, 100 + round(length * 0.75))
    cv2.rectangle(frame, top_left, end, (255, 0, 0), -1)
    cv2.rectangle(frame, top_left, (100 + length // 2, end[1]), (0, 0, 255), -1)
    x0, y0, x1, y1 = *top_left, *end
    crop, _ = cut(frame, np.float32([[x0, y1], [x0, y0], [x1, y0], [x1, y1]]))
    assert crop[HEIGHT // 3, WIDTH // 2].tolist() == [0, 0, 255]
    assert crop[HEIGHT * 2 // 3, WIDTH // 2].tolist() == [255, 0, 0]


def test_a_large_card_is_shrunk_without_aliasing():
    """A chessboard of single pixels becomes grey, not a pattern."""
    frame = np.zeros((900, 900, 3), np.uint8)
    frame[::2, ::2] = frame[1::2, 1::2] = 255
    crop, _ = cut(frame, np.float32([[100, 100], [700, 100], [700, 800], [100, 800]]))
    assert crop.std() < 30 and abs(crop.mean() - 127) < 10


@pytest.mark.parametrize("at", [(-300, -300), (-30, 100), (880, 880), (2000, 50)])
def test_a_card_partly_or_wholly_outside_the_frame_is_cut_all_the_same(at):
    frame = np.full((900, 900, 3), 77, np.uint8)
    quad = np.float32([[0, 0], [200, 0], [200, 280], [0, 280]]) + np.float32(at)
    assert cut(frame, quad)[0].shape == (HEIGHT, WIDTH, 3)
