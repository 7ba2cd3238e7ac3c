"""A blur at a smaller size is that of the whole picture."""

import cv2
import numpy as np
import pytest

from calibration.deck.wide_blur import softened


@pytest.mark.parametrize("shape", [(300, 400), (225, 400), (61, 400), (400, 87)])
@pytest.mark.parametrize("sigma", [2.0, 7.9, 9.0, 20.0, 50.0])
def test_it_is_that_of_the_whole_picture(shape, sigma):
    """Within 2 % of the picture's range, also for an edge and a stripe that is gone from it."""
    plane = np.random.default_rng(3).normal(0, 30, shape).astype(np.float32)
    plane[:, : shape[1] // 3] += 200
    plane[shape[0] // 2 :, 7:] += 90
    whole = cv2.GaussianBlur(plane, (0, 0), sigma)
    found = softened(plane, sigma)
    assert found.shape == plane.shape and found.dtype == np.float32
    inner = tuple(slice(round(0.1 * side), -round(0.1 * side)) for side in shape)
    assert np.abs(found - whole)[inner].max() < 0.02 * np.ptp(plane)
    assert np.abs(found - whole).mean() < 0.01 * np.ptp(plane)
