"""The nearest taught descriptors, against OpenCV's exhaustive search."""

import cv2
import numpy as np
import pytest

from vision.matching.nearest_descriptors import NearestDescriptors


def _descriptors(rng: np.random.Generator, count: int) -> np.ndarray:
    """Descriptors as SIFT makes them: integers, most of them small."""
    return np.floor(rng.random((count, 128)) ** 3 * 256).astype(np.float32)


@pytest.mark.parametrize(
    ("taught", "seen", "neighbours"), [(5, 3, 4), (333, 300, 6), (4000, 41, 1)]
)
def test_the_nearest_are_those_of_an_exhaustive_search(
    taught: int, seen: int, neighbours: int
) -> None:
    rng = np.random.default_rng(1)
    known, queries = _descriptors(rng, taught), _descriptors(rng, seen)
    rows = cv2.BFMatcher(cv2.NORM_L2).knnMatch(queries, known, neighbours)
    expected = [[match.trainIdx for match in row] for row in rows]
    assert NearestDescriptors(known).nearest(queries, neighbours).tolist() == expected


def test_of_equal_descriptors_the_first_is_nearest() -> None:
    known = np.repeat(_descriptors(np.random.default_rng(2), 3), 2, axis=0)
    found = NearestDescriptors(known).nearest(known, 2)
    assert found.tolist() == [[0, 1], [0, 1], [2, 3], [2, 3], [4, 5], [4, 5]]


def test_no_descriptors_have_no_nearest() -> None:
    known = _descriptors(np.random.default_rng(3), 9)
    assert NearestDescriptors(known).nearest(known[:0], 4).shape == (0, 4)
