"""Which card says how large others are: the nearest one, if its own corners are right."""

import numpy as np
import pytest
from tabletop import card_quad

from vision.scene.looks import MISFIT, nearest
from vision.scene.table import Card, Table, corners_of


def lying(number, quad, face="hat"):
    return Card(number, face, "pile/1", corners_of(quad))


def unknown(quad):
    """The table's plane is not known."""
    return None


def test_the_nearest_named_card_says_how_large_cards_are():
    near, far = card_quad((100, 100), 80), card_quad((300, 100), 70)
    table = Table((lying(1, far), lying(2, near), lying(3, card_quad((120, 100)), "unknown")))
    assert np.allclose(nearest(card_quad((130, 110)), table, unknown), near)


def test_a_card_that_has_an_edge_of_the_one_below_for_its_own_does_not():
    """On a pile of white cards the upper one seemed a fifth longer: no card of that length lies
    on it, and what came next was never named."""
    too_long = card_quad((100, 100), 80)
    too_long[2:] += (0, 16)
    others = [card_quad((100 + 10 * n, 104), 80, 20.0 * n) for n in range(1, 4)]
    table = Table((lying(0, too_long), *(lying(n, q) for n, q in enumerate(others, 1))))
    assert np.allclose(nearest(card_quad((98, 100)), table, unknown), others[0])


def test_a_table_without_a_named_card_says_nothing():
    assert nearest(card_quad((0, 0)), Table(()), unknown) is None
    nameless = Table((lying(1, card_quad((9, 9)), "unknown"),))
    assert nearest(card_quad((0, 0)), nameless, unknown) is None


@pytest.mark.parametrize(("misfit", "expected"), [(2 * MISFIT, 1), (MISFIT / 2, 0)])
def test_a_card_that_has_other_sides_than_cards_have_on_this_table_does_not(misfit, expected):
    """On a pile of white cards one corner was that of the card below: no card of that size was
    found on it."""
    quads = [card_quad((100, 100)), card_quad((300, 100))]
    table = Table(tuple(lying(n, quad) for n, quad in enumerate(quads)))

    def misfits(quad):
        return misfit if np.allclose(quad, quads[0]) else 0.0

    assert np.allclose(nearest(card_quad((110, 110)), table, misfits), quads[expected])


def test_where_no_card_has_the_sides_of_cards_the_nearest_one_does():
    """The plane is that of a camera that was moved since."""
    table = Table((lying(1, card_quad((100, 100))), lying(2, card_quad((300, 100)))))
    found = nearest(card_quad((110, 110)), table, lambda quad: 1.0)
    assert np.allclose(found, card_quad((100, 100)))


def test_a_tilted_camera_makes_cards_that_lie_across_others_no_worse():
    """It shortens cards that lie away from it; most lie across here."""
    near = np.float32(card_quad((100, 100))) * (1.0, 0.8)
    across = [np.float32(card_quad((300 + 9 * n, 100), degrees=90)) * (1.0, 0.8) for n in range(3)]
    table = Table(tuple(lying(n, quad) for n, quad in enumerate([near, *across])))
    assert np.allclose(nearest(card_quad((110, 90)), table, lambda quad: 0.01), near)
