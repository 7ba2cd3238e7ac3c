"""The locator's report counts what was found, what was not and what is no card."""

import cv2
import numpy as np
import pytest

from lab.evaluation.locator_kinds import Card, Report, contrast, draw_set, judge
from models.drawing.arts import ARTS, BORDERS, OUTLINES, draw_art, random_look
from models.drawing.tabletops import HARD_KINDS, draw_hard_table

SQUARE = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], np.float32)


def test_a_find_counts_for_one_card_and_the_next_as_false():
    cards = [Card(SQUARE, 1.0), Card(SQUARE + 300, 1.0)]
    is_found, false = judge(np.stack([SQUARE + 5, SQUARE + 10, SQUARE + 600]), cards)
    assert is_found.tolist() == [True, False] and false == 2


def test_a_find_on_a_hidden_card_is_neither_right_nor_false():
    is_found, false = judge(np.stack([SQUARE * 0.5]), [Card(SQUARE, 0.4)])
    assert is_found.tolist() == [False] and false == 0


def test_an_upright_box_is_compared_with_the_finds_own_box():
    diamond = np.array([[50, 0], [100, 50], [50, 100], [0, 50]], np.float32)
    is_found, _ = judge(diamond[None], [Card(SQUARE, 1.0, is_box=True)])
    assert is_found.all()


def test_the_table_says_recall_and_precision_by_group():
    report = Report()
    cards = [Card(SQUARE, 1.0, ("art line",)), Card(SQUARE + 300, 1.0, ("art line",))]
    report.add(np.stack([SQUARE, SQUARE + 900]), [*cards, Card(SQUARE, 0.2)], ("art line",))
    lines = report.table().splitlines()
    assert lines[1].split() == ["all", "2", "0.500", "0.500"]
    assert lines[2].split() == ["art", "line", "2", "0.500", "0.500"]


@pytest.mark.parametrize(("card", "word"), [(128, "faint"), (150, "low"), (250, "high")])
def test_contrast_is_the_step_across_the_edge(card, word):
    grey = np.full((300, 300, 3), 122, np.uint8)
    cv2.rectangle(grey, (100, 100), (200, 200), (card,) * 3, -1)
    assert contrast(grey, SQUARE + 100) == word


def test_the_drawn_set_is_the_same_for_a_seed_and_knows_its_kinds():
    first, again = (next(iter(draw_set(5, 1))) for _ in range(2))
    assert np.array_equal(first[0], again[0]) and first[0].shape == (512, 832, 3)
    assert first[2][:2] == (f"art {ARTS[0]}", f"border {BORDERS[0]}")
    assert all(0 <= card.seen <= 1 for card in first[1])


@pytest.mark.parametrize("art", ARTS)
def test_every_art_is_drawn_in_every_outline(art):
    for k, outline in enumerate(OUTLINES):
        look = random_look(np.random.default_rng(k), art, BORDERS[k % 3], outline)
        face = draw_art(np.random.default_rng(1), look, 96)
        assert face.shape == (96, round(96 / look.aspect), 4) and face.dtype == np.uint8
        assert 0.6 < (face[..., 3] > 127).mean() <= 1 and face[48, face.shape[1] // 2, 3] == 255


@pytest.mark.parametrize("kind", HARD_KINDS)
def test_every_hard_table_fills_its_picture(kind):
    top = draw_hard_table(np.random.default_rng(2), 90, kind)
    assert top.shape == (90, 90, 3) and top.dtype == np.uint8
    assert np.array_equal(top, draw_hard_table(np.random.default_rng(2), 90, kind))
