"""Matches that vote for where a card of known size lies."""

import numpy as np
import pytest

from vision.matching.pose_voting import Keypoints, as_complex, moved, rigid, rigid_poses

MIDDLE = np.array([60.0, 80.0])


def points(at, angles, sizes=None):
    count = len(at)
    sizes = np.full(count, 5.0) if sizes is None else sizes
    return Keypoints(
        np.asarray(at, float), np.asarray(angles, float), sizes, np.zeros((count, 128))
    )


def laid(rng, count, degrees, shift, noise=1.0):
    """Taught points, and the same as seen on a card that is turned and shifted."""
    at = rng.uniform((0, 0), (120, 160), (count, 2))
    angles = rng.uniform(0, 2 * np.pi, count)
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    seen = at @ turn.T + shift + rng.normal(0, noise, (count, 2))
    motion = np.hstack([turn, np.array(shift, float)[:, None]])
    return points(at, angles), points(seen, angles + a + rng.normal(0, 0.05, count)), motion


def joined(*parts):
    return Keypoints.joined(parts)


@pytest.mark.parametrize("degrees", [0, 75, 190])
def test_few_points_among_many_wrong_ones_tell_the_place(degrees):
    rng = np.random.default_rng(degrees)
    taught, seen, motion = laid(rng, 6, degrees, (200, 150))
    wrong = points(rng.uniform(0, 120, (40, 2)), rng.uniform(0, 6, 40))
    astray = points(rng.uniform(0, 480, (40, 2)), rng.uniform(0, 6, 40))
    found = rigid_poses(joined(taught, wrong), joined(seen, astray), MIDDLE)
    assert found[0][1] >= 6
    corners = np.array([[0, 0], [120, 0], [120, 160], [0, 160]], float)
    assert np.abs(moved(corners, found[0][0]) - moved(corners, motion)).max() < 6


def test_two_cards_of_one_face_are_two_places():
    rng = np.random.default_rng(1)
    taught_a, seen_a, _ = laid(rng, 6, 10, (100, 100))
    taught_b, seen_b, _ = laid(rng, 5, 100, (400, 200))
    found = rigid_poses(joined(taught_a, taught_b), joined(seen_a, seen_b), MIDDLE)
    assert [count for _, count in found] == [6, 5]


def test_points_of_another_size_and_too_few_tell_nothing():
    rng = np.random.default_rng(2)
    taught, seen, _ = laid(rng, 8, 30, (50, 60))
    large = points(seen.at, seen.angles, np.full(8, 11.0))
    assert rigid_poses(taught, large, MIDDLE) == []
    two = np.array([0, 1])
    assert rigid_poses(taught.where(two), seen.where(two), MIDDLE) == []


def test_a_rigid_motion_neither_grows_nor_mirrors():
    rng = np.random.default_rng(3)
    taught, seen, motion = laid(rng, 5, 140, (10, -20), noise=0.0)
    turn, shift = rigid(as_complex(taught.at), as_complex(seen.at))
    assert [turn.real, turn.imag] == pytest.approx(motion[:, 0])
    assert [shift.real, shift.imag] == pytest.approx(motion[:, 2])
    mirrored = taught.at * [-1, 1]
    assert abs(rigid(as_complex(taught.at), as_complex(mirrored))[0]) == pytest.approx(1)
