"""Cameras that misbehave: each changes pictures as its name says, the same by seed."""

import cv2
import numpy as np
import pytest

from models.drawing.cameras import CAMERAS, RATE, SLOW_RATE, Camera, rate_of

SIZE = (320, 180)
STILL = [name for name in CAMERAS if name not in ("rate", "blur")]


def scene(at=0.0):
    """A patterned table over which a white square moves."""
    rng = np.random.default_rng(1)
    low = rng.integers(60, 170, (18, 32, 3)).astype(np.uint8)
    picture = cv2.resize(low, SIZE, interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(
        picture, (round(at * 60) % 300, 60), (round(at * 60) % 300 + 60, 130), (250,) * 3, -1
    )
    return picture


def filmed(names, times, seed=1, of=scene):
    camera = Camera(names, seed, SIZE)
    return [camera.film(of(at), at) for at in times]


def still(at):
    return scene(0.0)


@pytest.mark.parametrize("name", CAMERAS)
def test_a_camera_is_the_same_by_its_seed(name):
    times = np.arange(0, 2, 0.2)
    one, again = filmed([name], times), filmed([name], times)
    assert all((a == b).all() for a, b in zip(one, again, strict=True))
    assert one[0].shape == (SIZE[1], SIZE[0], 3) and one[0].dtype == np.uint8


@pytest.mark.parametrize("name", STILL)
def test_a_fault_changes_the_picture_of_some_moment(name):
    times = np.arange(0, 40, 0.5)
    of = scene if name == "exposure" else still
    shots = filmed([name], times, of=of)
    assert max(np.abs(a.astype(int) - of(t)).mean() for a, t in zip(shots, times, strict=True)) > 1


def shift_of(picture):
    return cv2.phaseCorrelate(*(np.float32(p[..., 1]) for p in (still(0), picture)))[0]


def test_drift_goes_up_to_12_px_in_40_s_and_starts_at_none():
    first, last = filmed(["drift"], (0.0, 40.0), of=still)
    assert (first == still(0)).all()
    assert 4 < np.hypot(*shift_of(last)) < 18


def test_a_knock_swings_out():
    times = np.arange(0, 30, 0.05)
    far = [np.hypot(*shift_of(shot)) for shot in filmed(["knock"], times, of=still)]
    assert max(far) > 4 and np.median(far) < 5


def test_exposure_darkens_the_table_when_something_bright_comes():
    def bright(at):
        picture = still(at)
        if at > 1:
            picture[:, :160] = 250
        return picture

    shots = filmed(["exposure"], np.arange(0, 5, 0.1), of=bright)
    assert shots[-1][:, 200:].mean() < 0.9 * shots[0][:, 200:].mean()


def test_blur_smears_what_moves_and_leaves_what_rests():
    shots = filmed(["blur"], (0.0, 0.07, 0.14))
    changed = np.abs(shots[-1].astype(int) - scene(0.14)).max(2)
    assert changed[60:130, :80].max() > 20 and changed[:, 200:].max() == 0


def test_a_slow_stream_gives_8_frames_a_second():
    assert rate_of(["sun", "rate"]) == SLOW_RATE < rate_of(["sun"]) == RATE
