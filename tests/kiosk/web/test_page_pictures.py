"""Pictures for the page: shrunk without a change of their look."""

import cv2
import numpy as np
import pytest

from kiosk.web.pictures import jpeg, shrunk


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (4056, 3040), (721, 3)])
def test_a_picture_is_as_wide_as_asked_and_keeps_its_shape(size):
    picture = shrunk(np.zeros((size[1], size[0], 3), np.uint8), 720)
    assert picture.shape[1] == 720
    assert picture.shape[0] == pytest.approx(size[1] * 720 / size[0], abs=2)


def test_a_small_picture_stays_as_it_is():
    picture = np.full((48, 64, 3), 7, np.uint8)
    assert shrunk(picture, 720) is picture


def test_a_shrunk_picture_looks_like_its_averaged_self():
    rng = np.random.default_rng(7)
    scene = cv2.GaussianBlur(rng.integers(0, 255, (1080, 1920, 3), dtype=np.uint8), (0, 0), 6)
    area = cv2.resize(scene, (720, 405), interpolation=cv2.INTER_AREA)
    off = np.abs(shrunk(scene, 720).astype(int) - area.astype(int))
    assert off.mean() < 1.0


def test_a_jpeg_can_be_read_again():
    read = cv2.imdecode(np.frombuffer(jpeg(np.full((90, 160, 3), 200, np.uint8)), np.uint8), 1)
    assert read.shape == (90, 160, 3) and abs(int(read[40, 80, 0]) - 200) < 4
