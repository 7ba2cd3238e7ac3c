"""A checked or striped table is evened; a plain one and the card stay."""

import cv2
import numpy as np
import pytest

from calibration.deck.table_pattern import without_pattern

CARD = (slice(150, 350), slice(240, 380))


def cloth(angle=0.2, period=24.0, depth=(1.0, 1.0), tilt=0.0):
    """A checked cloth (480, 640, 3); `depth`: of the stripes both ways, `tilt`: of the camera."""
    y, x = np.mgrid[0:480, 0:640].astype(np.float32)
    far = 1 + tilt * (y - 240) / 480
    u = ((x - 320) * np.cos(angle) + (y - 240) * np.sin(angle)) / far
    v = ((y - 240) * np.cos(angle) - (x - 320) * np.sin(angle)) / far
    share = (depth[0] * ((u // period) % 2) + depth[1] * ((v // period) % 2)) / 2
    colours = np.array([240, 240, 240]) + (np.array([60, 120, 50]) - 240) * share[..., None]
    noise = np.random.default_rng(3).normal(0, 2, colours.shape)
    return np.clip(colours + noise, 0, 255).astype(np.uint8)


def with_card(table):
    picture = table.copy()
    picture[CARD] = (250, 250, 250)
    picture[220:280, 280:340] = (40, 40, 200)
    return picture


def roughness(bgr):
    """Standard deviation of the table away from the card, in grey levels."""
    rows = bgr[30:120, 40:600].astype(np.float32)
    return float(rows.std((0, 1)).mean())


@pytest.mark.parametrize(
    "table",
    [cloth(), cloth(angle=-0.1, period=11.0), cloth(depth=(1.0, 0.0)), cloth(tilt=0.04)],
    ids=["checks", "small checks", "stripes", "tilted camera"],
)
def test_the_pattern_goes_and_the_card_stays(table):
    picture = with_card(table)
    even = without_pattern(picture)
    assert even is not None
    assert roughness(even) < 0.35 * roughness(picture)
    inner = even[160:340, 250:370].astype(int) - picture[160:340, 250:370]
    assert np.abs(inner).mean() < 3


def test_the_edge_of_a_white_card_stands_out_from_white_checks():
    even = without_pattern(with_card(cloth()))
    assert even is not None
    inside, outside = even[170:330, 243:250], even[170:330, 226:233]
    apart = np.abs(inside.astype(float).mean(1) - outside.astype(float).mean(1)).sum(1)
    assert np.quantile(apart, 0.1) > 60


def test_a_shadow_is_no_part_of_the_pattern():
    picture = with_card(cloth())
    picture[:, :200] = (picture[:, :200] * 0.6).astype(np.uint8)
    even = without_pattern(picture)
    assert even is not None
    dark, light = even[30:120, 20:160].mean(), even[30:120, 420:600].mean()
    assert dark / light == pytest.approx(0.6, abs=0.06)


@pytest.mark.filterwarnings("error")
def test_a_black_thing_on_a_burnt_out_table_divides_nothing_by_zero():
    y, x = np.mgrid[:300, :400]
    table = np.where((x // 14 + y // 14) % 2 > 0, 255, 200)[..., None].repeat(3, 2)
    table[90:210, 116:284] = 0
    even = without_pattern(table.astype(np.uint8))
    assert even is None or even[100:200, 130:270].mean() < 60


def test_other_tables_stay_as_they_are():
    rng = np.random.default_rng(5)
    plain = np.full((480, 640, 3), (70, 60, 50), np.uint8)
    speckled = rng.integers(60, 180, (480, 640, 3)).astype(np.uint8)
    clouds = cv2.GaussianBlur(rng.normal(0, 900, (480, 640)).astype(np.float32), (0, 0), 12)
    cloudy = np.clip(110 + clouds[..., None].repeat(3, 2), 0, 255).astype(np.uint8)
    for table in (plain, speckled, cloudy):
        assert without_pattern(with_card(table)) is None
