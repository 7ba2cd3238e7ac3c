"""Which card says how large others are: the nearest one, if its own corners are right."""

import numpy as np
from tabletop import card_quad

from vision.scene.looks import nearest
from vision.scene.table import Card, Table, corners_of


def lying(number, quad, face="hat"):
    return Card(number, face, "pile/1", corners_of(quad))


def test_the_nearest_named_card_says_how_large_cards_are():
    near, far = card_quad((100, 100), 80), card_quad((300, 100), 70)
    table = Table((lying(1, far), lying(2, near), lying(3, card_quad((120, 100)), "unknown")))
    assert np.allclose(nearest(card_quad((130, 110)), table), near)


def test_a_card_that_has_an_edge_of_the_one_below_for_its_own_does_not():
    """On a pile of white cards the upper one seemed a fifth longer: no card of that length lies
    on it, and what came next was never named."""
    too_long = card_quad((100, 100), 80)
    too_long[2:] += (0, 16)
    others = [card_quad((100 + 10 * n, 104), 80, 20.0 * n) for n in range(1, 4)]
    table = Table((lying(0, too_long), *(lying(n, q) for n, q in enumerate(others, 1))))
    assert np.allclose(nearest(card_quad((98, 100)), table), others[0])


def test_a_table_without_a_named_card_says_nothing():
    assert nearest(card_quad((0, 0)), Table(())) is None
    assert nearest(card_quad((0, 0)), Table((lying(1, card_quad((9, 9)), "unknown"),))) is None
