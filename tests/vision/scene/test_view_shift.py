from functools import cache

import cv2
import numpy as np
import pytest

from lab.cameras import measure_view_shift
from vision.scene import shift_estimate, view_shift


def table(seed=0):
    """A table with some grain, an edge and odds and ends on it."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (760, 1320)).astype(np.float32), (0, 0), 4) * 6
    picture = np.clip(120 + grain, 0, 255).astype(np.uint8)
    for _ in range(25):
        x, y = rng.integers(0, 1250), rng.integers(0, 700)
        colour = int(rng.integers(20, 240))
        cv2.rectangle(picture, (int(x), int(y)), (int(x) + 60, int(y) + 40), colour, -1)
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)


def seen(big, dx=0.0, dy=0.0, turn=0.0, seed=1, gain=1.0):
    matrix = cv2.getRotationMatrix2D((660, 380), turn, 1.0)
    matrix[:, 2] += (dx - 20, dy - 20)
    out = cv2.convertScaleAbs(cv2.warpAffine(big, matrix, (1280, 720)), alpha=gain)
    return cv2.add(out, noise()[seed % len(noise())], dtype=cv2.CV_8U)


@cache
def noise():
    """Noise of a sensor, (5, H, W, 3) int16: drawn once, for drawing it takes longest."""
    drawn = np.random.default_rng(1).standard_normal((5, 720, 1280, 3), np.float32)
    return (3 * drawn).round().astype(np.int16)


def cards(picture, count, seed):
    rng = np.random.default_rng(seed)
    out = picture.copy()
    for _ in range(count):
        x, y = int(rng.integers(200, 1000)), int(rng.integers(100, 550))
        cv2.rectangle(out, (x, y), (x + 90, y + 130), (250, 250, 245), -1)
        cv2.circle(out, (x + 45, y + 65), 30, (40, 40, 200), -1)
    return out


def watch(frames, start):
    state = view_shift.Watch(shift_estimate.reference(start))
    for i, frame in enumerate(frames):
        state = view_shift.look(state, frame, i * 0.1)
        if state.moved_px is not None:
            return i * 0.1, state.moved_px
    return None


@pytest.mark.parametrize("push", [{"dx": 8}, {"dy": -9}, {"turn": 1.5}, {"dx": 150, "dy": 60}])
def test_a_pushed_camera_is_noticed_within_three_seconds(push):
    big = table()
    frame = cards(seen(big, **push), 4, 3)
    told = watch([frame] * 31, cards(seen(big, seed=5), 3, 9))
    assert told is not None and told[0] <= 3.0 and told[1] > 4


def test_a_game_on_a_resting_table_is_left_alone():
    big = table()
    start = cards(seen(big), 3, 0)
    frames = [cards(seen(big, seed=i, gain=0.8 + 0.02 * (i % 20)), i // 4 + 1, i // 4)
              for i in range(60)]  # fmt: skip
    assert watch(frames, start) is None


def test_a_hand_over_half_the_table_and_darkness_say_nothing():
    big = table()
    start = seen(big)
    covered = seen(big, seed=2)
    cv2.ellipse(covered, (300, 500), (500, 300), 20, 0, 360, (120, 150, 200), -1)
    assert watch([covered] * 31, start) is None
    assert watch([np.zeros_like(start)] * 31, start) is None


def test_a_camera_that_is_put_back_is_forgiven():
    big = table()
    start, pushed = seen(big), seen(big, dx=20)
    state = view_shift.Watch(shift_estimate.reference(start))
    for i in range(4):
        state = view_shift.look(state, pushed, i * 1.0)
    assert state.moved_px is not None
    for i in range(4, 8):
        state = view_shift.look(state, start, i * 1.0)
    assert state.moved_px is None


def test_a_picture_of_nothing_cannot_be_watched():
    blank = np.full((720, 1280, 3), 100, np.uint8)
    assert not shift_estimate.reference(blank).is_watchable
    assert watch([blank] * 10, blank) is None


@pytest.mark.parametrize("seed", [0, 2, 34])
def test_on_a_plain_cloth_a_push_is_noticed_and_a_game_left_alone(seed):
    assert measure_view_shift.is_called(seed, push=True)
    assert not measure_view_shift.is_called(seed, push=False)


def test_corners_are_followed_where_they_went():
    big = table()
    watched = shift_estimate.reference(seen(big))
    here = shift_estimate.shift_px(watched, seen(big, dx=12, seed=4))
    assert here == pytest.approx(12, abs=1.0)
    pairs = shift_estimate.followed(
        watched, shift_estimate.small_picture(seen(big, dx=12, seed=4))[0]
    )
    assert len(pairs) > len(watched.points) / 2
    way = (pairs[:, 2:] - pairs[:, :2]) / watched.scale
    assert np.median(way, axis=0) == pytest.approx([12, 0], abs=1.0)


def arm_over_a_plain_table(at, rng):
    """A plain table; from 2 s on an arm with a pattern reaches in, and moves on at 3.2 s."""
    picture = np.full((360, 640, 3), 120, np.float32)
    if at >= 2.0:
        sleeve = np.random.default_rng(5).integers(40, 220, (40, 100, 3)).astype(np.float32)
        sleeve = cv2.resize(sleeve, (520, 200), interpolation=cv2.INTER_CUBIC)
        left = 20 if at < 3.2 else 44
        picture[80:280, left : left + 520] = sleeve
    return (picture + rng.normal(0, 2, picture.shape)).clip(0, 255).astype(np.uint8)


def test_an_arm_is_no_camera_that_moved():
    rng = np.random.default_rng(3)
    state = view_shift.Watch(
        shift_estimate.reference(arm_over_a_plain_table(0.0, rng)), anew=True, anew_at=0.0
    )
    for step in range(1, 60):
        at = step / 15
        # Events make the loop look at once: several looks at nearly the same moment.
        state = view_shift.look(state, arm_over_a_plain_table(at, rng), at, now=at > 3.2)
        assert state.moved_px is None, at


@pytest.mark.parametrize("moved", [(16, 12), (40, 20), (-24, 9)])
def test_a_card_that_is_pushed_on_a_plain_table_is_no_camera_that_moved(moved):
    """All that can be followed is the card and a sheet of paper at the border, which stands."""
    plain = np.full((760, 1320, 3), 60, np.uint8)
    for row in range(5):
        text = "wash dry fold"[row:]
        cv2.putText(plain, text, (50, 80 + 40 * row), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (220,) * 3, 2)
    face = table(7)[100:240, 100:200]

    def lying(x, y):
        picture = plain.copy()
        picture[y : y + 140, x : x + 100] = face
        return seen(picture)

    pushed = lying(620 + moved[0], 180 + moved[1])
    assert watch([pushed] * 31, lying(620, 180)) is None


def test_like_cards_laid_a_little_aside_one_by_one_are_no_moved_camera():
    """A plain table on which each of eight cards is covered by a like one, 6 px to its right."""
    places = [(x, y) for y in (90, 420) for x in (150, 420, 690, 960)]

    def seen_after(covered):
        picture = np.full((720, 1280, 3), 110, np.uint8)
        for n, (x, y) in enumerate(places):
            left = x + 6 * (n < covered)
            cv2.rectangle(picture, (left, y), (left + 110, y + 160), (245, 250, 250), -1)
            cv2.putText(picture, "AKWZ"[n % 4], (left + 25, y + 115), 0, 3, (40, 40, 190), 12)
        return picture

    state = view_shift.Watch(shift_estimate.reference(seen_after(0)))
    for i in range(16):
        state = view_shift.look(state, seen_after(i - 1), i * 0.6)
        assert state.moved_px is None
