"""Questions: which are open, what their likely answers are, and what an answer changes."""

import pytest

from kiosk.game.overruling import CardIs, NoMistake, rejudge
from kiosk.web.questions import Asked, open_questions, settled_after
from kiosk.web.shown_calls import CallShown
from rules.contract.game import PlaceView, make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed, Removed

SUDS = game("suds")
START = referee.begin(SUDS, make_setup(SUDS, 3))
DOUBT = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "socks", "pile/1", 2, sure=0.6),  # a T-shirt is due
)


def unsure(n=1, card="socks", place="pile/1", rule="out-of-sequence", expected=("t-shirt", "wild")):
    return CallShown(n, n, 2.0, "unsure", rule, "?", place, 2, card, expected)


def test_a_card_in_doubt_is_asked_for_with_the_cards_that_were_due():
    (asked,) = open_questions([unsure()], frozenset())
    assert (asked.asked, asked.card, asked.likely) == (Asked.IS_IT, "socks", ("t-shirt", "wild"))


def test_a_card_without_a_name_is_asked_for_with_what_its_place_needs():
    places = [PlaceView("pile/1", "Pile 1", "needs pants", ("pants", "wild"))]
    (asked,) = open_questions([unsure(card="unknown", expected=())], frozenset(), places)
    assert (asked.asked, asked.card, asked.likely) == (Asked.WHICH, None, ("pants", "wild"))


def test_a_table_that_differs_after_a_restart_is_asked_about_until_people_play_on():
    lost = unsure(rule="view-lost", card=None, place=None, expected=())
    (asked,) = open_questions([lost], frozenset())
    assert asked.asked is Asked.TABLE
    assert settled_after(frozenset(), [lost], Placed(9.0, "hat", "pile/2", 1)) == {1}


@pytest.mark.parametrize(
    ("event", "is_settled"),
    [
        (Removed(3.0, "socks", "pile/1", 2), True),
        (Removed(3.0, "unknown", "pile/1", 2), True),
        (Removed(3.0, "hat", "pile/1", 2), False),
        (Removed(3.0, "socks", "pile/2", 2), False),
        (Placed(3.0, "socks", "pile/1", 2), True),
        (Placed(3.0, "pants", "pile/1", 2), False),
        (Pressed(3.0, "undo"), True),
        (Pressed(3.0, "done"), False),
        (None, False),
    ],
)
def test_what_happens_to_the_card_answers_its_question(event, is_settled):
    assert (settled_after(frozenset(), [unsure()], event) == {1}) == is_settled


def test_answered_withdrawn_and_settled_calls_ask_nothing_and_three_at_most_are_shown():
    from dataclasses import replace

    quiet = [replace(unsure(1), overruled="card hat"), replace(unsure(2), is_withdrawn=True)]
    calls = [*quiet, *(unsure(n) for n in range(3, 9))]
    assert [each.call for each in open_questions(calls, frozenset({8}))] == [5, 6, 7]


def test_yes_makes_the_doubtful_mistake_a_mistake():
    before = rejudge(START, DOUBT, ())
    assert [call.call for call in before.calls[-1]] == ["unsure"]
    after = rejudge(START, DOUBT, (CardIs(3, "socks"),))
    assert [(call.call, call.card) for call in after.calls[-1]] == [("mistake", "socks")]
    assert after.session.table["pile/1"] == ("hat", "socks")


def test_no_accuses_nobody_and_asks_no_more_and_the_right_card_is_taken():
    assert rejudge(START, DOUBT, (NoMistake(3),)).calls[-1] == ()
    after = rejudge(START, DOUBT, (NoMistake(3), CardIs(3, "t-shirt")))
    assert [call.call for call in after.calls[-1]] == []
    assert after.session.table["pile/1"] == ("hat", "t-shirt")
