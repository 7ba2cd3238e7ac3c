"""What people may have done while nobody watched, and no picture shows, accuses nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest
from loop_scripts import Log

from kiosk.game.limits import LIMITS
from kiosk.game.observers import Observers
from kiosk.game.session import GamePast, GameSession
from kiosk.game.unseen_acts import UnseenActs, doubted_until, traceless
from rules.contract.game import make_setup
from rules.games import game
from rules.judging.doubt import SURE_ENOUGH
from rules.judging.referee import begin
from rules.table.event import Blind, Placed, Pressed, Removed, Sighted

CAT = game("cat-in-the-hat")
SETUP = make_setup(CAT, 3)
WASHING = game("dirty-laundry")
# Seat 1 and seat 2 have played: it is the turn of seat 3.
PAST = (
    Pressed(0.0, "start"),
    Placed(1.0, "y", "discard", 1),
    Placed(2.0, "y", "discard", 2),
)
BY_SEAT_1 = Placed(9.0, "z", "discard", 1)


def resumed(past=PAST):
    """A session that goes on after `past`, and its journal."""
    log = Log()
    return GameSession(begin(CAT, SETUP), log, Observers([], pytest.fail), GamePast(past)), log


def calls_of(log):
    return [(call.call, call.rule) for call in log.made]


def test_a_turn_that_an_equal_card_may_have_ended_unseen_accuses_nobody():
    session, log = resumed()
    session.suppose_unseen(5.0, 0.0)
    session.happen(BY_SEAT_1)
    assert calls_of(log) == [("unsure", "out-of-turn")]
    assert log.events[0].sure < SURE_ENOUGH


def test_without_an_unwatched_time_the_same_act_is_a_mistake():
    session, log = resumed()
    session.happen(BY_SEAT_1)
    assert calls_of(log) == [("mistake", "out-of-turn")] and log.events == [BY_SEAT_1]


def test_a_mistake_that_no_unseen_act_explains_is_called():
    """Two seats would have had to act: seat 3, and then seat 1, each out of sight."""
    session, log = resumed()
    session.suppose_unseen(5.0, 0.0)
    session.happen(Placed(9.0, "z", "discard", 2))
    assert calls_of(log) == [("mistake", "out-of-turn")]


def test_after_a_minute_the_game_is_taken_as_it_is_known():
    session, log = resumed()
    session.suppose_unseen(5.0, 0.0)
    late = Placed(5.1 + LIMITS.doubt_s, "z", "discard", 1)
    session.happen(late)
    assert calls_of(log) == [("mistake", "out-of-turn")] and log.events == [late]


def test_right_acts_stay_sure():
    session, log = resumed()
    session.suppose_unseen(5.0, 0.0)
    right = Placed(9.0, "z", "discard", 3)
    session.happen(right)
    assert log.made == [] and log.events == [right]


def test_games_that_are_forgotten_excuse_nothing():
    session, _ = resumed()
    unseen = UnseenActs()
    unseen.suppose(session.judged, 5.0)
    assert unseen.games
    unseen.forget()
    assert unseen.weigh(session.judged, BY_SEAT_1) == (BY_SEAT_1,)


def test_traceless_acts_leave_the_same_card_on_top():
    session, _ = resumed()
    acts = list(traceless(session.judged, 5.0))
    tops = {"discard": "y"}
    assert (Placed(5.0, "y", "discard", 3),) in acts and (Removed(5.0, "y", "discard", 3),) in acts
    assert (Removed(5.0, "y", "discard", 3), Placed(5.0, "y", "discard", 3)) in acts
    assert all(tops[act.place] == act.card for acted in acts for act in acted)


def test_one_card_of_a_face_is_never_laid_on_itself():
    soda = game("soda")
    session = replace(begin(soda, make_setup(soda, 2)), table={"discard": ("kd",)})
    assert all(len(acts) == 2 for acts in traceless(session, 5.0))


def test_a_button_is_asked_for_again_while_people_may_have_played_unseen():
    """`done` before two garments were moved: the moves may have gone unseen."""
    log = Log()
    past = (Pressed(0.0, "start"),)
    start = begin(WASHING, make_setup(WASHING, 2))
    session = GameSession(start, log, Observers([], pytest.fail), GamePast(past))
    done = Pressed(9.0, "done", 1)
    session.suppose_unseen(5.0, 0.0)
    session.happen(done)
    (accused,) = calls_of(log)
    assert accused[0] == "mistake"
    doubted = GameSession(start, again := Log(), Observers([], pytest.fail), GamePast(past))
    doubted.suppose_unseen(5.0, 65.0)
    doubted.happen(done)
    assert again.events == [Blind(9.0), done, Sighted(9.0)]
    assert calls_of(again) == [("unsure", "view-lost")]


def test_doubt_outlives_a_restart():
    moved = (*PAST, Blind(10.0), Placed(10.0, "z", "discard"), Sighted(10.0))
    assert doubted_until(moved) == 10.0 + LIMITS.doubt_s
    assert doubted_until((*PAST, Placed(12.0, "z", "discard", 1, sure=0.9))) == 12 + LIMITS.doubt_s
    assert doubted_until((*PAST, Blind(10.0), Sighted(11.0))) <= 0.0
    assert doubted_until(PAST) <= 0.0
