"""A mistake that is made wherever the card lies."""

import pytest

from rules.contract.game import make_setup
from rules.games import game
from rules.judging import belief
from rules.table.call import CallKind
from rules.table.event import Alternatives, Placed, Pressed, Removed, Way


def heard(events):
    """The calls of a game of The Cat in the Hat in which these events are told."""
    the_game = game("cat-in-the-hat")
    state, calls = belief.begin(the_game, make_setup(the_game, 3)), []
    for event in events:
        state, said = belief.step(state, event)
        calls += said.calls
    return calls


def out_of_turn(left):
    """Seat 2 begins, but seat 3 lays a card on its left pile, as likely as that, or its right."""
    ways = (
        Way(left, (Placed(2.0, "m", "seat/3/left", 3),)),
        Way(1.0 - left, (Placed(2.0, "m", "seat/3/right", 3),)),
    )
    return (
        Pressed(0.5, "start"),
        Placed(2.0, "m", "seat/3/left", 3, sure=left, ways=Alternatives(ways)),
    )


def mistakes(events):
    return [c for c in heard(events) if c.call is CallKind.MISTAKE]


def test_who_is_out_of_turn_is_told_so_on_whichever_pile_the_card_lies():
    (call,) = mistakes(out_of_turn(0.95))
    assert (call.rule, call.seat, call.place) == ("out-of-turn", 3, "seat/3/left")


def test_it_is_put_right_once():
    taken = Removed(4.0, "m", "seat/3/left", 3)
    calls = heard((*out_of_turn(0.95), taken, Placed(6.0, "k", "seat/1/left", 1)))
    assert [c.call for c in calls] == [CallKind.MISTAKE, CallKind.CORRECTED]


@pytest.mark.parametrize("left", [0.5, 0.8])
def test_where_the_card_lies_too_far_in_doubt_nobody_is_told(left):
    assert not mistakes(out_of_turn(left))
