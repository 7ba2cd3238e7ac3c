"""A mistake that is made wherever the card lies; courses of events that end alike."""

from dataclasses import replace

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


@pytest.mark.parametrize("left", [0.8, 0.95])
def test_who_is_out_of_turn_is_told_so_on_whichever_pile_the_card_lies(left):
    (call,) = mistakes(out_of_turn(left))
    assert (call.rule, call.seat, call.place) == ("out-of-turn", 3, "seat/3/left")


def test_it_is_put_right_once():
    taken = Removed(4.0, "m", "seat/3/left", 3)
    calls = heard((*out_of_turn(0.95), taken, Placed(6.0, "k", "seat/1/left", 1)))
    assert [c.call for c in calls] == [CallKind.MISTAKE, CallKind.CORRECTED]


@pytest.mark.parametrize("left", [0.5, 0.7])
def test_where_the_card_lies_too_far_in_doubt_nobody_is_told(left):
    assert not mistakes(out_of_turn(left))


def begun(*events):
    """The belief after these events of a started game of Suds."""
    the_game = game("suds")
    state = belief.begin(the_game, make_setup(the_game, 3))
    for event in (Pressed(0.5, "start"), *events):
        state, _ = belief.step(state, event)
    return state


def test_cards_that_lie_alike_whichever_came_first_leave_one_course_of_events():
    one, other = Placed(2.0, "hat", "pile/1", 1), Placed(3.0, "hat", "pile/2", 2)
    first = Alternatives((Way(0.8, (one,)), Way(0.1, ()), Way(0.1, (one,))), choice=7)
    then = Alternatives(tuple(Way(1 / 3, acts) for acts in ((other,), (other, one), (other,))), 7)
    state = begun(replace(one, sure=0.9, ways=first))
    assert len(state.hypotheses) == 2
    (after,) = belief.step(state, replace(other, ways=then))[0].hypotheses
    assert not after.stands


def test_a_card_that_was_perhaps_taken_and_laid_again_lies_there_either_way():
    hat = Placed(2.0, "hat", "pile/1", 1)
    again = Removed(3.0, "hat", "pile/1", 1), replace(hat, at=3.0)
    next_hat = Placed(3.0, "hat", "pile/2", 2)
    ways = Alternatives((Way(0.7, (next_hat,)), Way(0.3, (*again, next_hat))))
    state = begun(hat, replace(next_hat, sure=0.7, ways=ways))
    assert len(state.hypotheses) == 1


def test_it_does_not_matter_which_of_two_open_mistakes_came_first():
    one, other = Placed(2.0, "boxers", "pile/1", 1), Placed(3.0, "pants", "pile/2", 2)
    first = Alternatives((Way(0.8, (one,)), Way(0.1, ()), Way(0.1, (one,))), choice=7)
    then = Alternatives(tuple(Way(1 / 3, acts) for acts in ((other,), (other, one), (other,))), 7)
    state = begun(replace(one, sure=0.9, ways=first), replace(other, ways=then))
    assert len(state.hypotheses) == 1 and len(belief.open_mistakes(state)) == 2
