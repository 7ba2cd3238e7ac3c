"""The small picture of a dim table."""

import cv2
import numpy as np
import pytest

from vision.scene.background import Background, Change
from vision.scene.small_picture import SmallPictures, shrink
from vision.settings import VisionSettings

SIZE = (1280, 720)
HAND = np.s_[300:600, 400:700]  # px of the frame
NOISE = 9.0  # grey levels, of a sensor at its limit


class DimTable:
    """A table with pale cards in little light, and a hand that hardly differs from it."""

    def __init__(self, level: int = 60) -> None:
        self._rng = np.random.default_rng(5)
        self.picture = np.full((SIZE[1], SIZE[0], 3), level, np.uint8)
        self.picture[60:220, 60:600] = 2 * level  # cards

    def frame(self, brighter: float = 1.0, hand: int = 0, noise: float = NOISE) -> np.ndarray:
        """The next frame, (H, W, 3) uint8; `hand`: grey levels by which a hand differs."""
        shown = self.picture.astype(np.float32)
        shown[HAND] += hand
        grain = self._rng.standard_normal((*shown.shape[:2], 1), np.float32) * noise
        return np.clip(shown * brighter + grain, 0, 255).astype(np.uint8)


def watched(background: Background, frames: list[np.ndarray], begin: float = 0.0) -> Change:
    """The change in the last of these frames, 15 a second."""
    for number, frame in enumerate(frames):
        change = background.see(background.shrink(frame), begin + number / 15)
    return change


@pytest.fixture
def table() -> DimTable:
    return DimTable()


@pytest.fixture
def background(table: DimTable) -> Background:
    """A background that has seen the table for a second."""
    made = Background(VisionSettings())
    watched(made, [table.frame() for _ in range(15)])
    return made


def hand_in(change: Change) -> tuple[float, float]:
    """The parts of the hand's place, and of all that lies well beside it, that have changed."""
    inside = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    inside[HAND] = 255
    small = cv2.resize(inside, change.changed.shape[::-1], interpolation=cv2.INTER_AREA)
    beside = cv2.dilate(small, np.ones((9, 9), np.uint8)) == 0
    return float(change.changed[small == 255].mean()), float(change.changed[beside].mean())


def test_a_hand_that_rests_in_dim_light_is_seen_all_the_time(
    table: DimTable, background: Background
) -> None:
    change = watched(background, [table.frame(hand=22) for _ in range(45)], 1.0)
    inside, beside = hand_in(change)
    assert inside > 0.95
    assert beside < 0.01


def test_a_lamp_that_is_turned_on_changes_nothing(table: DimTable, background: Background) -> None:
    assert background.small.gain > 1.5
    change = watched(background, [table.frame(brighter=2.0) for _ in range(2)], 1.0)
    assert background.small.gain == 1.0
    assert change.changed.mean() < 0.01


def test_a_hand_is_seen_as_well_after_the_lamp(table: DimTable, background: Background) -> None:
    watched(background, [table.frame(brighter=2.0) for _ in range(5)], 1.0)
    change = watched(background, [table.frame(2.0, hand=22) for _ in range(45)], 1.5)
    assert hand_in(change) == (pytest.approx(1.0, abs=0.05), pytest.approx(0.0, abs=0.01))


def test_what_rests_is_averaged_and_what_comes_shows_at_once(table: DimTable) -> None:
    pictures = SmallPictures(320)
    for _ in range(20):
        low, _ = pictures.see(table.frame())
    cloth = np.s_[150:, :]
    alone = pictures.of(table.frame())[cloth]
    assert low[cloth].std() < 0.7 * alone.std()
    came, _ = pictures.see(table.frame(hand=60))
    hand = np.s_[85:140, 110:165]
    assert came[hand].mean() - low[hand].mean() > 0.9 * 60 * pictures.gain


def test_light_that_is_turned_down_during_a_game_is_made_up_for(table: DimTable) -> None:
    background = Background(VisionSettings())
    watched(background, [table.frame(1.6, noise=2.0) for _ in range(30)])
    change = watched(background, [table.frame() for _ in range(100)], 2.0)
    assert background.small.is_noisy
    assert change.changed.mean() < 0.01
    change = watched(background, [table.frame(hand=22) for _ in range(45)], 9.0)
    inside, beside = hand_in(change)
    assert inside > 0.95
    assert beside < 0.01


def test_one_noisy_look_later_is_no_dim_light(table: DimTable) -> None:
    pictures = SmallPictures(320)
    for number in range(200):
        pictures.see(table.frame() if 60 <= number < 64 else table.picture + np.uint8(number % 2))
    assert not pictures.is_noisy


def test_a_frame_that_is_given_twice_says_nothing_about_noise(table: DimTable) -> None:
    pictures, first = SmallPictures(320), table.frame()
    for frame in (first, first, table.frame()):
        pictures.see(frame)
    assert pictures.is_noisy


@pytest.mark.parametrize("level", [120, 60])
def test_a_picture_without_noise_stays_as_it_is(level: int) -> None:
    pictures, table = SmallPictures(320), DimTable(level)
    for _ in range(3):
        low, is_anew = pictures.see(table.picture)
        assert not is_anew
        assert np.array_equal(low, shrink(table.picture, 320))


def test_light_that_flickers_is_no_noise() -> None:
    pictures, table = SmallPictures(320), DimTable(100)
    for brighter in (1.0, 1.1, 0.9):
        lit = np.clip(table.picture * brighter, 0, 255).astype(np.uint8)
        low, is_anew = pictures.see(lit)
        assert not is_anew
        assert np.array_equal(low, shrink(lit, 320))


def test_a_soft_shadow_that_wanders_over_a_dim_table_is_light(table: DimTable) -> None:
    """It darkens the table by two fifths, within half a second."""
    background, x = Background(VisionSettings()), np.arange(SIZE[0])
    watched(background, [table.frame() for _ in range(15)])
    for number in range(60):
        shadow = 1 - 0.4 * np.exp(-(((x - 400 - 10 * number) / 300.0) ** 2))
        noisy = table.frame() * shadow[None, :, None]
        change = background.see(background.shrink(noisy.astype(np.uint8)), 1 + number / 15)
    assert change.changed.mean() < 0.1
