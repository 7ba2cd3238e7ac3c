"""The second look: near twins compared where they differ."""

import cv2
import numpy as np
import pytest

from vision.matching.occlusion import CELLS
from vision.matching.template_match import (
    HEIGHT,
    PAD,
    WIDTH,
    best_shift,
    normalised,
    pair_margin,
    visible_cells,
)


def card(numeral, seed=0):
    """A busy card, (HEIGHT, WIDTH, 3), whose numeral alone differs."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(60, 220, (20, 15, 3)).astype(np.uint8)
    picture = cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(picture, (8, 8), (38, 44), (250, 250, 250), -1)
    cv2.putText(picture, numeral, (11, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (20, 20, 20), 3)
    return picture


def padded(picture, dx, dy, gain=1.0):
    """A crop PAD wider on each side, the card off by (dx, dy) px, darker, with noise."""
    wide = cv2.copyMakeBorder(picture, PAD, PAD, PAD, PAD, cv2.BORDER_REPLICATE)
    moved = cv2.warpAffine(wide, np.float32([[1, 0, dx], [0, 1, dy]]), wide.shape[1::-1])
    noise = np.random.default_rng(1).normal(0, 4, wide.shape)
    return np.clip(moved * gain + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("gain", [0.5, 1.0])
@pytest.mark.parametrize("off", [(0, 0), (2, -3)])
def test_the_numeral_that_is_there_wins(gain, off):
    looks = {n: normalised(card(n)) for n in "38"}
    for there, other in (("3", "8"), ("8", "3")):
        crop = normalised(padded(card(there), *off, gain))
        mine, fit = best_shift(crop, looks[there])
        theirs, _ = best_shift(crop, looks[other])
        assert mine.shape == looks[there].shape
        assert fit > 0.5
        assert pair_margin(mine, looks[there], theirs, looks[other])[0] > 0


def test_a_duel_turned_round_has_the_other_sign():
    a, b = normalised(card("3")), normalised(card("8"))
    assert pair_margin(a, a, a, b)[0] == pytest.approx(-pair_margin(a, b, a, a)[0])


def test_a_lamp_at_one_side_changes_little():
    lit = np.clip(card("5") * np.linspace(0.6, 1.2, WIDTH)[None, :, None], 0, 255)
    near = np.abs(normalised(lit.astype(np.uint8)) - normalised(card("5"))).mean()
    far = np.abs(normalised(card("5", seed=9)) - normalised(card("5"))).mean()
    assert near < far / 2


@pytest.mark.parametrize(
    "cover",
    [np.s_[100:, :], np.s_[:40, :], np.s_[:, :50], np.s_[80:, 50:]],
    ids=["foot", "head", "left", "corner"],
)
def test_what_is_shown_of_a_card_ends_where_another_lies_on_it(cover):
    picture, other = card("3"), card("8", seed=9)
    look = normalised(picture)
    covered = np.zeros((HEIGHT, WIDTH), np.float32)
    covered[cover] = 1
    picture[cover] = other[::-1][cover]
    part, _ = best_shift(normalised(padded(picture, 1, -1)), look)
    truly = cv2.resize(covered, CELLS[::-1], interpolation=cv2.INTER_AREA)
    seen = visible_cells(part, look)
    assert seen.shape == CELLS
    assert seen[truly == 0].mean() > 0.9
    assert seen[truly == 1].mean() < 0.15


def test_all_of_a_card_is_shown_where_nothing_lies_on_it():
    part, look = normalised(padded(card("3"), 1, -1)), normalised(card("3"))
    assert visible_cells(best_shift(part, look)[0], look).all()


def test_what_differs_within_a_card_only_is_no_other_card_on_it():
    picture = card("3")
    look = normalised(picture)
    picture[60:100, 40:80] = card("8", seed=9)[60:100, 40:80]
    assert visible_cells(best_shift(normalised(padded(picture, 0, 0)), look)[0], look).all()
