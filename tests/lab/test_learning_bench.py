"""The trial of decks that learn counts names before and after, and those that were forced."""

import numpy as np
import pytest

from lab.evaluation.learning import Result, _compare, learning, section
from vision.sightings import Named


def named(*faces):
    count = len(faces)
    return Named(faces, np.ones(count, np.float32), np.zeros((count, 4, 2), np.float32),
                 np.ones(count, bool))  # fmt: skip


def test_names_that_are_won_and_lost_are_counted():
    result, quad = Result(), np.zeros((4, 2), np.float32)
    cards = [(face, quad) for face in ("hat", "socks", "boxers", "pants")]
    before = named("hat", "unknown", "hat", "nothing")
    after = named("unknown", "socks", "hat", "pants")
    assert _compare(result, "same table, bare", cards, [before, after])
    assert (result.lost, result.won) == (1, 2)
    without, learnt = (result.names[f"same table, bare, {what}"] for what in ("without", "with"))
    assert (without.right, without.wrong, without.unknown) == (1, 1, 2)
    assert (learnt.right, learnt.wrong, learnt.unknown) == (2, 1, 1)
    assert "| same table, bare, without | 4 | 1 (25.0%) | 1 (25.0%) | 2 |" in section(
        result, "x", "y"
    )


@pytest.mark.slow
def test_no_forced_name_is_learned():
    result = learning(9002, 1)
    assert result.offered["forced"] > 5 and result.offered["forced and learned"] == 0
    assert result.offered["learned wrongly"] == 0
    assert len(result.names) == 8 and sum(each.right for each in result.names.values()) > 50
