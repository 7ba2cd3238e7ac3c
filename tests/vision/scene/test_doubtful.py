"""An accusation rests on what came before: doubt is handed on, but not for ever."""

from __future__ import annotations

import pytest
from plain_layouts import Piles
from test_watcher import Play

from rules.judging.doubt import SURE_ENOUGH
from rules.table.event import Placed, Removed, Sighted
from vision.scene.doubtful import TURNS, Doubtful
from vision.scene.scene import Act
from vision.sightings import UNKNOWN

IN_TURN, ANY_TIME = Piles(in_turn=True), Piles()


def are_sure(layout, *events):
    told = Doubtful(layout).weigh(events)
    return [event.sure >= SURE_ENOUGH for event in told if not isinstance(event, Sighted)]


def test_sure_events_stay_as_they_are():
    events = (Placed(1.0, "hat", "pile/1", 1), Removed(2.0, "hat", "pile/1", 1, 0.99))
    assert Doubtful(IN_TURN).weigh(events) == events


def test_the_next_card_on_a_doubtful_one_is_doubtful_and_the_one_after_it_is_not():
    told = are_sure(
        ANY_TIME,
        Placed(1.0, "pants", "pile/1", 1, sure=0.9),
        Placed(2.0, "sneakers", "pile/1", 2),
        Placed(3.0, "hat", "pile/1", 2),
    )
    assert told == [False, False, True]


def test_a_doubtful_card_says_nothing_of_other_places_where_turns_do_not_count():
    told = are_sure(
        ANY_TIME, Placed(1.0, "pants", "pile/1", sure=0.9), Placed(2.0, "hat", "pile/2")
    )
    assert told == [False, True]


def test_where_turns_count_the_next_cards_anywhere_are_doubtful():
    after = [Placed(2.0 + k, "hat", f"pile/{2 + k}") for k in range(TURNS + 1)]
    told = are_sure(IN_TURN, Placed(1.0, "pants", "pile/1", sure=0.9), *after)
    assert told == [False, *[False] * TURNS, True]


def test_a_name_that_is_a_little_in_doubt_is_not_handed_on():
    told = are_sure(
        IN_TURN, Placed(1.0, "pants", "pile/1", sure=0.95), Placed(2.0, "hat", "pile/1")
    )
    assert told == [False, True]


def test_a_doubtful_card_leaves_open_what_it_decides_once():
    """Who laid the last card of a hand wins its scoring card."""
    told = are_sure(
        Piles(decided_at={"/won": "play"}),
        Placed(1.0, "6d", "play", 3, sure=0.9),
        Removed(2.0, "6d", "play", 3),
        Placed(3.0, "as", "play", 4),
        Placed(4.0, "2d", "seat/4/won", 4),
        Placed(5.0, "3d", "seat/4/won", 4),
    )
    assert told == [False, False, True, False, True]


def test_a_card_without_a_name_leaves_open_all_that_it_decides():
    """It may have been an Ace, and two hands."""
    told = are_sure(
        Piles(decided_at={"/won": "play"}),
        Placed(1.0, UNKNOWN, "play", 3, sure=0.9),
        Placed(2.0, "2d", "seat/4/won", 4),
        Placed(3.0, "3d", "seat/4/won", 4),
        Sighted(4.0),
        Placed(5.0, "4d", "seat/4/won", 4),
    )
    assert told == [False, False, False, True]


def test_a_name_that_comes_later_is_as_doubtful_as_its_card():
    after = [Placed(5.0 + k, "hat", f"pile/{2 + k}") for k in range(TURNS + 1)]
    told = are_sure(
        IN_TURN,
        Placed(1.0, UNKNOWN, "pile/1", sure=0.9),
        Removed(3.0, UNKNOWN, "pile/1", sure=0.9),
        Placed(3.0, "pants", "pile/1", sure=0.99),
        *after,
    )
    assert told == [False, False, False, *[False] * TURNS, True]


def test_a_removal_is_no_turn():
    told = are_sure(
        IN_TURN, Removed(1.0, "pants", "pile/1", sure=0.9), Placed(2.0, "hat", "pile/2")
    )
    assert told == [False, True]


@pytest.mark.parametrize("layout", [IN_TURN, ANY_TIME])
def test_a_view_that_is_found_again_ends_all_doubt(layout):
    told = Doubtful(layout).weigh(
        (Placed(1.0, "pants", "pile/1", sure=0.9), Sighted(2.0), Placed(3.0, "hat", "pile/1"))
    )
    assert told[-1].sure >= SURE_ENOUGH


@pytest.mark.parametrize(("came", "goes"), [(1.0, 1.0), (0.9, 0.9), (0.6, 0.9)])
def test_a_card_that_nobody_surely_saw_come_goes_as_doubtfully(came, goes):
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    scene = play.watcher._scene
    (card,) = scene.table.cards
    scene.acts[card.number], scene.names[card.number] = Act(1, came), 1.0
    scene.take(frozenset({card.number}), 1.0)
    assert scene.acts[card.number].sure == goes


def test_after_a_push_that_may_have_been_a_second_card_the_next_cards_are_doubtful():
    after = [Placed(2.0 + k, "hat", f"pile/{2 + k}") for k in range(TURNS + 1)]
    for layout, expected in ((IN_TURN, [False] * TURNS + [True]), (ANY_TIME, [True] * (TURNS + 1))):
        doubtful = Doubtful(layout)
        doubtful.suspect({"pile/1"})
        assert [event.sure >= SURE_ENOUGH for event in doubtful.weigh(after)] == expected
    doubtful = Doubtful(ANY_TIME)
    doubtful.suspect({"pile/1"})
    [same_place] = doubtful.weigh([Placed(1.0, "pants", "pile/1")])
    assert same_place.sure < SURE_ENOUGH
