"""The table's plane tells how large a card is at each place of a still picture."""

import numpy as np
import pytest

from vision.geometry import iou, length, scaled
from vision.homography import apply
from vision.recognition.table_plane import TablePlane

ASPECT = 88 / 63
SIZE = (1600, 900)


def tilted(degrees):
    """The homography (3, 3) from a table, in card widths, to a picture of `SIZE`."""
    a, focal, away = np.radians(degrees), 1500.0, 12.0
    turn = np.array([[1, 0, 0], [0, np.cos(a), 0], [0, np.sin(a), away]])
    return np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]]) @ turn


def card(homography, x, y, degrees):
    half = np.array([[-1, -ASPECT], [1, -ASPECT], [1, ASPECT], [-1, ASPECT]]) / 2
    a = np.radians(degrees)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return apply(homography, half @ turn + [x, y]).astype(np.float32)


@pytest.mark.parametrize("degrees", [0, 20, 35])
def test_a_card_elsewhere_on_the_plane_has_its_size(degrees):
    to = tilted(degrees)
    known = [card(to, -4, -2, 10), card(to, 3.5, -2.2, 70), card(to, 1, -1, 200)]
    plane = TablePlane.of(known, ASPECT, SIZE)
    assert plane is not None
    lower = card(to, -3, 2, 0)
    found = plane.card_at(apply(to, np.array([-3.0, 2.0])))
    assert abs(np.log(length(found) / length(lower))) < 0.03
    off = [abs(np.log(length(one) / length(lower))) for one in known]
    assert degrees < 20 or min(off) > 0.05  # no known card is as large


def test_one_card_gives_a_plane_and_none_gives_none():
    known = card(tilted(20), 0, 0, 30)
    plane = TablePlane.of([known], ASPECT, SIZE)
    assert plane is not None
    assert abs(np.log(length(plane.card_at(known.mean(0))) / length(known))) < 0.05
    assert TablePlane.of([], ASPECT, SIZE) is None


def test_a_card_that_was_placed_badly_is_left_out():
    to = tilted(20)
    good = [card(to, -2, -1, 10), card(to, 2, -1, 70), card(to, 0, 1, 0)]
    wrong = scaled(card(to, 4, 2, 40), 1.5)  # it lies farthest from the others
    plane = TablePlane.of([*good, wrong], ASPECT, SIZE)
    assert plane is not None
    there = card(to, -1, 2, 0)
    assert abs(np.log(length(plane.card_at(there.mean(0))) / length(there))) < 0.03


def test_cards_of_three_sizes_lie_on_no_plane():
    to = tilted(0)
    sizes = (1.0, 1.6, 0.5)
    cards = [scaled(card(to, 3 * k - 3, k % 2, 0), size) for k, size in enumerate(sizes)]
    assert TablePlane.of(cards, ASPECT, SIZE) is None


def test_the_place_is_the_middle_of_the_card():
    to = tilted(30)
    known = [card(to, -4, -2, 10), card(to, 3.5, -2.2, 70), card(to, 1, 2, 200)]
    plane = TablePlane.of(known, ASPECT, SIZE)
    assert plane is not None
    truth = card(to, 2, 1, 0)
    assert iou(plane.card_at(apply(to, np.array([2.0, 1.0]))), truth) > 0.9
