"""Players who take back the card that they were told to take back bear the call out."""

import pytest
from test_belief import START, heard, lines, placed, removed

from rules.table.event import Alternatives, Placed, Way


def a_hat_or_pants(at):
    """One of two cards was laid: socks on pants break no rule."""
    seen = [Placed(at, face, "pile/1", 1) for face in ("hat", "pants")]
    ways = Alternatives(tuple(Way(w, (e,)) for w, e in zip((0.985, 0.015), seen, strict=True)))
    return Placed(at, "hat", "pile/1", 1, sure=0.985, ways=ways)


def other_game(state):
    """The weight of the game in which the socks were right."""
    return sum(h.weight for h in state.hypotheses if h.session.table["pile/1"][0] == "pants")


@pytest.mark.parametrize(("taken", "is_less"), [("socks", True), (None, False)])
def test_a_card_that_is_taken_back_speaks_for_the_call(taken, is_less):
    before, said = heard([START, a_hat_or_pants(1), placed(2, "socks")])
    assert lines(said[-1]) == [("mistake", "out-of-sequence", "socks")]
    last = removed(3, "socks") if taken else placed(3, "hat", "pile/2", 2)
    after, _ = heard([START, a_hat_or_pants(1), placed(2, "socks"), last])
    assert other_game(before) > 0
    assert (other_game(after) < 0.3 * other_game(before)) == is_less
