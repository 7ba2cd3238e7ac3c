import numpy as np
import pytest

from calibration import cardfit, drawn, geometry
from calibration.store import Calibration, Intrinsics
from rules.errors import FairdealError

CARD = (63.0, 88.0)


def scene(seed, count=9, noise_px=0.4):
    rng = np.random.default_rng(seed)
    lens = drawn.random_lens(rng)
    rotation, shift = drawn.look_at(np.array([350, 225.0]), 0.9 * lens.fx, (8, 25), 5)
    corners = np.array([[0, 0], [63, 0], [63, 88], [0, 88.0]]) - (31.5, 44)
    quads = []
    for i in range(count):
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        place = np.array([100 + 250 * (i % 3), 80 + 140 * (i // 3)]) + rng.uniform(-25, 25, 2)
        mm = corners @ turn.T + place
        px = lens.project(np.column_stack([mm, np.zeros(4)]), rotation, shift)
        quads.append(np.roll(px + rng.normal(0, noise_px, px.shape), rng.integers(4), axis=0))
    known = Intrinsics(lens.fx, lens.fy, lens.cx, lens.cy, lens.distortion, 0.1, 12, "now")
    return lens, rotation, shift, known, np.array(quads)


@pytest.mark.parametrize("seed", range(5))
def test_lengths_on_the_table_are_right_within_a_percent(seed):
    lens, rotation, shift, known, quads = scene(seed)
    fit = cardfit.from_quads(quads, CARD, (700, 450), known, (lens.width, lens.height))
    calibration = Calibration("c", lens.width, lens.height, known, fit)
    ends = np.array([[50, 50, 0], [650, 50, 0], [650, 400, 0], [50, 400, 0.0]])
    mm = geometry.to_mm(calibration, lens.project(ends, rotation, shift))
    sides = np.linalg.norm(mm - np.roll(mm, -1, axis=0), axis=1)
    assert np.allclose(sides, [600, 350, 600, 350], rtol=0.01)
    middle = geometry.to_px(calibration, [[350, 225]])
    assert np.allclose(middle, [[lens.width / 2, lens.height / 2]], atol=0.5)
    assert fit.seats == ("bottom", "left", "top", "right")


def test_one_wrong_quad_among_many_is_left_out():
    lens, _, _, known, quads = scene(7)
    quads[4, 1] += 40
    fit = cardfit.from_quads(quads, CARD, (700, 450), known, (lens.width, lens.height))
    assert fit.method == "8 cards"


def test_too_few_and_bunched_cards_are_refused():
    lens, _, _, known, quads = scene(8)
    size = (lens.width, lens.height)
    with pytest.raises(FairdealError, match="at least 4 cards, found 3"):
        cardfit.from_quads(quads[:3], CARD, (700, 450), known, size)
    with pytest.raises(FairdealError, match="one spot"):
        cardfit.from_quads(quads[[0, 0, 0, 0]] * 0.5, CARD, (700, 450), known, size)


def test_another_card_size_is_refused():
    lens, _, _, known, quads = scene(8)
    with pytest.raises(FairdealError, match=r"cards of 40x100 mm"):
        cardfit.from_quads(quads, (40, 100), (700, 450), known, (lens.width, lens.height))
