"""Cards that wait for others: told when the next hand comes; the one that rested first settles."""

from __future__ import annotations

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_order import HERE, THERE, candidate, scene
from test_watcher import BEYOND, Play

from vision.scene.coming_doubts import doubts_of
from vision.scene.doubts import Doubt


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
