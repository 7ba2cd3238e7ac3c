"""How far a view slipped: wood grain tells it, hands and cards that come and go do not."""

from functools import cache

import cv2
import numpy as np
import pytest

from vision.scene.slip import slip_of
from vision.scene.texture import RESTED, keep, texture

SIZE = (480, 270)


@cache
def grain() -> np.ndarray:
    """Wood (h, w) float32, larger than the picture: faint lines, and no corner."""
    rng = np.random.default_rng(4)
    noise = rng.normal(0, 60, (330, 540)).astype(np.float32)
    return 70 + cv2.GaussianBlur(noise, (0, 0), sigmaX=6, sigmaY=1.2)


def seen(motion=(0.0, 0.0, 0.0), seed=1, on_table=()) -> np.ndarray:
    """The small picture after a motion (rad, px, px), with cards at `on_table` (x, y, seed)."""
    wood = grain().copy()
    for x, y, face in on_table:
        rng = np.random.default_rng(face)
        print_ = cv2.resize(rng.uniform(40, 230, (9, 6)).astype(np.float32), (36, 52))
        wood[y + 30 : y + 82, x + 30 : x + 66] = print_
    matrix = cv2.getRotationMatrix2D((270, 165), -np.degrees(motion[0]), 1.0)
    matrix[:, 2] += np.array(motion[1:]) - 30
    small = cv2.warpAffine(wood, matrix, SIZE)
    small += np.random.default_rng(seed).normal(0, 1.5, small.shape)
    return small.clip(0, 255).astype(np.uint8)


def with_fans(small: np.ndarray) -> np.ndarray:
    """Two fans of cards at the border, which do not go with the view."""
    out = small.copy()
    for x, y in ((60, 215), (300, 0)):
        cards = np.random.default_rng(x).integers(20, 240, (11, 16), np.uint8)
        out[y : y + 55, x : x + 90] = cv2.resize(cards, (90, 55))
    return out


@pytest.mark.parametrize(
    "motion", [(0.0, 0.4, -0.3), (0.002, 1.5, 0.8), (-0.004, -1.0, 2.0), (0.0, -6.0, 5.0)]
)
def test_grain_tells_a_slip_to_less_than_a_fifth_of_a_pixel_under_fans_that_stand(motion):
    slip = slip_of(texture(with_fans(seen())), with_fans(seen(motion, seed=2)))
    assert slip is not None
    assert slip.motion[1:] == pytest.approx(motion[1:], abs=0.15)
    assert slip.motion[0] == pytest.approx(motion[0], abs=0.1 / 135)
    assert slip.agreed > 0.7


def test_a_view_that_stands_is_seen_to_stand_whatever_is_laid():
    cards = [(100, 60, 1), (200, 120, 2), (300, 90, 3), (340, 180, 4)]
    slip = slip_of(texture(seen()), with_fans(seen(seed=2, on_table=cards)))
    assert slip is not None
    assert np.abs(slip.corners).max() < 0.15


def test_a_pushed_card_is_no_view_that_slipped():
    plain = np.full((270, 480), 90, np.uint8)
    before, after = plain.copy(), plain.copy()
    face = np.random.default_rng(3).integers(30, 230, (13, 9), np.uint8)
    face = cv2.resize(face, (36, 52))
    before[100:152, 200:236], after[102:154, 202:238] = face, face
    slip = slip_of(texture(before), after)
    assert slip is None or slip.agreed == 0


def test_a_plain_table_tells_nothing():
    plain = np.full((270, 480), 90, np.uint8)
    assert slip_of(texture(plain), plain) is None


def test_a_picture_of_another_size_tells_nothing():
    assert slip_of(texture(seen()), np.zeros((200, 480), np.uint8)) is None


def test_a_card_that_rests_becomes_part_of_the_texture():
    """A table that fills with cards bit by bit is known at its end, a moving fan is not."""
    kept = keep(seen())
    cards = []
    for number in range(24):
        cards.append((20 + 70 * (number % 6), 20 + 62 * (number // 6), number))
        for look in range(RESTED + 1):
            small = seen(seed=10 * number + look, on_table=cards)
            slip = slip_of(kept.texture, small)
            assert slip is not None
            assert np.abs(slip.corners).max() < 0.2
            kept = kept.see(small, slip.fits)
    assert slip.seen > 0.8
    alone = slip_of(texture(seen()), small)
    assert alone is None or alone.seen < slip.seen


def test_what_rests_for_a_moment_is_not_learned():
    kept = keep(seen())
    for look in range(3 * RESTED):
        place = (100 + 150 * (look // (RESTED - 2) % 2), 100)
        small = seen(seed=look, on_table=[(*place, 5)])
        slip = slip_of(kept.texture, small)
        assert slip is not None
        kept = kept.see(small, slip.fits)
    assert np.array_equal(kept.texture.evened, texture(seen()).evened)


def test_noise_on_a_plain_table_is_no_slip():
    """In little light noise is all that a white table shows, but for a phone at its border."""
    plain = np.full((270, 480), 90, np.uint8)
    plain[20:70, 20:48], plain[200:260, 400:470] = 30, 160
    rng = np.random.default_rng(6)

    def dark() -> np.ndarray:
        return (plain + rng.normal(0, 3, plain.shape)).clip(0, 255).astype(np.uint8)

    kept = keep(dark())
    for _ in range(12):
        small = dark()
        slip = slip_of(kept.texture, small)
        if slip is not None:
            assert np.abs(slip.corners).max() < max(0.15, 6 * slip.unsure_px)
            kept = kept.see(small, slip.fits)
