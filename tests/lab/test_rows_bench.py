"""The bench of rows counts what was drawn: found, in order, taken, and how far corners are off."""

import numpy as np
import pytest

from lab.evaluation.row_pictures import draw_row_deck
from lab.evaluation.rows import RowTally, rows, section


def test_a_drawn_deck_is_the_same_each_time_and_its_cards_lie_in_the_picture():
    one, other = draw_row_deck(3, 2, 1).pictures[0], draw_row_deck(3, 2, 1).pictures[0]
    assert (one.bgr == other.bgr).all() and one.faces == other.faces
    assert len(one.faces) == len(one.quads) and len(set(one.faces)) == len(one.faces)
    assert (one.quads >= 0).all() and (one.quads.max((0, 1)) <= one.bgr.shape[1::-1]).all()


@pytest.mark.slow
def test_one_deck_is_found_in_order_and_its_corners_measured():
    result = rows(9001, 1)
    whole: RowTally = result.whole
    assert result.pictures == 2 and whole.found == whole.cards == whole.ordered
    assert whole.taken == len(whole.errors) and np.median(whole.errors) < 0.01
    assert f"| all | {whole.cards} | {whole.found} |" in section(result, "x", "y")
