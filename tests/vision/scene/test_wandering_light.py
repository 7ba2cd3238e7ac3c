"""Sun and shadows that wander: no change of the table, and known below its cards too."""

import numpy as np
import pytest

from vision.scene.background import Background
from vision.scene.light import Light, lit
from vision.settings import VisionSettings

SHAPE = (180, 320)
RATE = 15.0


def table() -> np.ndarray:
    rng = np.random.default_rng(5)
    cells = rng.integers(110, 140, (18, 32, 3)).astype(np.uint8)
    return np.kron(cells, np.ones((10, 10, 1), np.uint8))


def in_sun(picture: np.ndarray, middle: float) -> np.ndarray:
    """A stripe of sun, 1.3 times as bright, about the column `middle`."""
    columns = np.arange(SHAPE[1])
    stripe = 1 + 0.3 / (1 + np.exp((np.abs(columns - middle) - 27) / 4.0))
    noise = np.random.default_rng(round(10 * middle)).normal(0, 2.0, picture.shape)
    return (picture * stripe[None, :, None] + noise).clip(0, 255).astype(np.uint8)


def test_a_stripe_of_sun_that_wanders_changes_nothing():
    background, still = Background(VisionSettings()), table()
    for number in range(300):
        change = background.see(in_sun(still, 20 + 0.3 * number), number / RATE)
        assert change.changed.mean() < 0.01


def test_a_thing_laid_in_the_wandering_sun_is_a_change():
    background, still = Background(VisionSettings()), table()
    for number in range(100):
        shown = still.copy()
        if number >= 60:
            shown[60:90, 40:65] = 235
        change = background.see(in_sun(shown, 20 + 0.3 * number), number / RATE)
    assert change.changed[60:90, 40:65].mean() > 0.8
    change.changed[58:92, 38:67] = False
    assert change.changed.mean() < 0.01


def test_a_sharp_stripe_of_sun_on_a_chequered_cloth_is_no_hand():
    """White squares beside red ones: the light is brightest where it ends."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]] // 8
    cloth = np.where(((x + y) % 2)[..., None], (165, 175, 185), (40, 36, 150))
    columns = np.arange(SHAPE[1]) + 0.4 * np.arange(SHAPE[0])[:, None]
    background = Background(VisionSettings())
    worst = 0.0
    for number in range(240):
        middle = 40 + 0.5 * number
        stripe = 1 + 0.3 / (1 + np.exp((np.abs(columns - middle) - 27) / 1.5))
        noise = np.random.default_rng(number).normal(0, 1.5, cloth.shape)
        shown = (cloth * stripe[..., None] + noise).clip(0, 255).astype(np.uint8)
        worst = max(worst, background.see(shown, number / RATE).changed.mean())
    assert worst < 0.025


@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_the_light_of_a_hidden_place_is_that_around_it(factor):
    before, light = table(), Light.dark(SHAPE)
    after = (before * factor).clip(0, 255).astype(np.uint8)
    steady = np.ones(SHAPE, bool)
    steady[70:100, 100:130] = False
    now = light.seen(before.astype(np.float32), after, steady)
    apart = np.abs(lit(before, now.since(light, SHAPE)).astype(int) - after)
    assert apart[60:110, 90:140].mean() < 3.0
    assert light.since(light, SHAPE) is None


def test_the_shadow_of_a_hand_leaves_nothing_behind():
    """A hand lies over a half of the table and darkens what is beside it, then goes at once."""
    background, still = Background(VisionSettings()), table()
    rows = np.arange(SHAPE[0])
    beside = 1 - 0.12 * np.exp(-np.maximum(rows - 100, 0) / 12.0)[:, None, None]
    for number in range(60):
        shown = still
        if 20 <= number < 40:
            shown = (still * beside).astype(np.uint8)
            shown[:100] = 90
        change = background.see(shown, number / RATE)
    apart = np.abs(background.rest.astype(int) - still)
    assert apart.max() <= 6
    assert not change.changed.any()


def test_the_light_of_a_dark_table_is_told_as_it_is():
    """Twice as bright is twice as bright, however dark the table was in the first picture."""
    known, steady = np.full((*SHAPE, 3), 30, np.float32), np.ones(SHAPE, bool)
    light = Light.dark(SHAPE)
    for _ in range(20):
        light = light.seen(known, np.full((*SHAPE, 3), 60, np.uint8), steady)
    assert np.exp(light.log) == pytest.approx(np.full_like(light.log, 2.0), rel=0.01)
