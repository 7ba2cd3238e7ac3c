"""A game judged again after somebody overruled what was seen or called."""

import pytest

from kiosk.game.overruling import CardIs, NoMistake, SeatWas, changed_calls, check, rejudge
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed, Removed

SUDS = game("suds")
START = referee.begin(SUDS, make_setup(SUDS, 3))
# A T-shirt is seen as socks; everything after it on this pile then looks wrong.
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "socks", "pile/1", 2),
    Placed(3.0, "boxers", "pile/1", 3),
    Removed(4.0, "boxers", "pile/1", 3),
)


def kinds(calls):
    return [[(call.call, call.rule) for call in each] for each in calls]


def test_without_an_overruling_the_game_is_as_it_was():
    session, judged = START, []
    for event in EVENTS:
        session, calls = referee.step(session, event)
        judged.append(calls)
    again = rejudge(START, EVENTS, ())
    assert again.calls == tuple(judged) and again.session == session
    wrong = ("mistake", "out-of-sequence")
    assert kinds(again.calls)[2:4] == [[wrong], [wrong]]


def test_another_card_withdraws_the_mistakes_that_followed_from_it():
    before = rejudge(START, EVENTS, ())
    after = rejudge(START, EVENTS, (CardIs(3, "t-shirt"),))
    assert not any(call.call == "mistake" for each in after.calls for call in each)
    assert changed_calls(before.calls, after.calls, event=3) == 3
    assert after.session.table["pile/1"] == ("hat", "t-shirt")


def test_a_renamed_card_is_taken_away_by_the_name_it_was_seen_under():
    events = (*EVENTS[:3], Removed(5.0, "socks", "pile/1", 2))
    after = rejudge(START, events, (CardIs(3, "t-shirt"),))
    assert after.session.table["pile/1"] == ("hat",)


def test_no_mistake_counts_the_card_as_right_and_is_silent():
    after = rejudge(START, EVENTS[:3], (NoMistake(3),))
    assert after.calls[2] == ()
    assert after.session.state.mistakes == ()


def test_a_button_that_was_no_mistake_was_not_pressed():
    events = (*EVENTS[:2], Pressed(2.0, "out", 2))
    assert kinds(rejudge(START, events, ()).calls)[2] == [("mistake", "still-holding")]
    assert rejudge(START, events, (NoMistake(3),)).calls[2] == ()


def test_another_seat_gets_the_card_off_its_count():
    after = rejudge(START, EVENTS[:2], (SeatWas(2, 3),))
    assert after.session.state.counts == (18, 18, 17)


@pytest.mark.parametrize(
    "overruling",
    [CardIs(9, "hat"), CardIs(1, "hat"), CardIs(2, "ace"), SeatWas(2, 4), SeatWas(0, 1)],
)
def test_an_overruling_that_names_nothing_is_refused(overruling):
    with pytest.raises(FairdealError, match="expected"):
        check(overruling, START, EVENTS)
