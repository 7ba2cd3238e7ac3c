"""The last seconds of frames: a fixed span within fixed bytes, whatever the picture's size."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frame import Frame
from vision.recent import RecentFrames, RecentSettings

FPS = 30


def frame(number, size=(720, 1280), level=0):
    return Frame(np.full((*size, 3), level, np.uint8), number / FPS, number)


def played(size, seconds=6.0, settings=None):
    recent = RecentFrames(settings)
    for number in range(round(seconds * FPS)):
        recent.see(frame(number, size, number % 200))
    return recent


@pytest.mark.parametrize("size", [(480, 640), (720, 1280), (1080, 1920), (2160, 3840), (361, 641)])
def test_three_seconds_are_kept_within_the_bytes(size):
    recent = played(size)
    times = [kept.at for kept in recent.kept]
    assert times == sorted(times)
    assert times[-1] - times[0] >= 3.0 - max(np.diff(times))
    assert sum(kept.pixels.nbytes for kept in recent.kept) <= RecentSettings().most_bytes


def test_frames_are_kept_at_full_resolution():
    random = np.random.default_rng(1)
    grey = random.integers(0, 256, (90, 160, 1), np.uint8)
    recent = RecentFrames()
    (kept,) = recent.see(Frame(np.repeat(grey, 3, 2), 0.0, 0))
    assert kept.bgr.shape == (90, 160, 3)
    assert np.abs(kept.bgr.astype(int) - grey).max() <= 3
    (odd,) = RecentFrames().see(Frame(np.repeat(grey, 3, 2)[:89, :159], 0.0, 0))
    assert np.array_equal(odd.bgr, np.repeat(grey, 3, 2)[:89, :159])


def test_the_frame_before_a_moment_is_found():
    recent = played((90, 160), 2.0, RecentSettings(apart_s=0.2))
    assert recent.last_before(1.0).at == pytest.approx(1.0)
    assert recent.last_before(1.15).at == pytest.approx(1.0)
    assert recent.last_before(-1.0) is None


def test_a_recording_that_begins_again_forgets_the_first():
    recent = played((90, 160), 2.0)
    assert [kept.at for kept in recent.see(frame(0, (90, 160)))] == [0.0]
