"""Cards that wait for others: told when the next hand comes; the one that rested first settles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_order import HELD, HERE, NEXT, THERE, candidate, scene, seen
from test_watcher import BEYOND, Play

from vision.scene.coming_doubts import doubts_of
from vision.scene.doubts import Doubt
from vision.scene.order import with_unsettled


@pytest.mark.parametrize(
    ("held", "waits"),
    [
        (HELD, {7}),
        (replace(HELD, number=11), set()),  # it came later
        (replace(HELD, side="left"), set()),  # the same hand lays one after the other
        (replace(HELD, seen_at=8.0), set()),  # it is not there any more
        (replace(HELD, looks=0), set()),  # nobody knows yet what it is
        (candidate(7, "back", THERE, "right"), set()),  # face down it is no act
        (candidate(7, "hat", HERE, "right"), set()),  # the card below
        (candidate(7, "hat", (-10, 90), "right"), set()),  # held beside the table
    ],
)
def test_a_card_waits_for_one_that_another_hand_still_holds(held, waits):
    table = scene()
    table.candidates.keep((held, NEXT))
    assert with_unsettled(NEXT, table, seen(table, 9.0)).waits_for == waits


def test_where_turns_do_not_count_no_card_waits():
    table = scene(in_turn=False)
    table.candidates.keep((HELD, NEXT))
    assert not with_unsettled(NEXT, table, seen(table, 9.0)).waits_for


@pytest.mark.parametrize(("came_at", "waits"), [(8.0, {7}), (8.8, set())])
def test_a_card_waits_for_one_whose_place_has_long_differed_though_no_look_tells_yet(
    came_at, waits
):
    """The hand that stays on it shook its box, which reset the candidate."""
    table = scene()
    table.candidates.keep((replace(HELD, looks=0, since=8.9), NEXT))
    seen(table, came_at - 0.1)
    seen(table, came_at, HELD.quad)
    change = seen(table, 9.0, HELD.quad)
    assert with_unsettled(NEXT, table, change).waits_for == waits


def test_a_card_that_waits_for_others_is_told_when_the_next_hand_comes(monkeypatch):
    """That hand may hide it for long, and lay another one on it."""
    first = candidate(99, "pants", THERE, "right")
    monkeypatch.setattr("vision.scene.arrivals.rested_before", lambda *_: [first])
    monkeypatch.setattr("vision.scene.arrivals.ORDER_S", 9.0)
    play, far = Play(Piles(in_turn=True), 4, dropout=0.0, false_boxes=0.0), BEYOND["left"]
    play.look(4)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("left", np.add(HERE, np.multiply(far, step))))
    play.cards.append(TrueCard("hat", card_quad(HERE), -1.0, place="pile/1"))
    for step in (0.0, 0.1, 0.4, 0.8, 0.8, 0.8):
        play.look(arm=("left", np.add(HERE, np.multiply(far, step))))
    assert play.seen == []
    for step in (0.35, 0.1, 0.0, 0.0):
        play.look(arm=("top", np.add(HERE, np.multiply(BEYOND["top"], step))))
    assert play.seen == [("placed", "hat", "pile/1", 2)]


@pytest.mark.parametrize(("is_other_there", "is_early"), [(False, True), (True, False)])
def test_of_cards_that_rest_untold_the_one_that_rested_first_settles_the_order(
    is_other_there, is_early
):
    table = scene()
    first, second = candidate(7, "hat", THERE, "right"), candidate(9, "pants", HERE, "left")
    table.at = second.seen_at
    table.candidates.keep((first, second) if is_other_there else (second,))
    table.unsettled, table.is_postponed = {first.number, second.number}, True
    change = table.background.see(np.zeros((*table.background.rest.shape[:2], 3), np.uint8), 9.0)
    doubts = doubts_of(second, "pants", second.place, change, table)
    assert (Doubt.EARLIER in doubts) is is_early
    assert (Doubt.ORDER in doubts) is not is_early
