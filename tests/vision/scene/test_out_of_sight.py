"""A card that rests and is hidden by a passing arm stays that card, of the hand that laid it."""

from dataclasses import replace

import numpy as np
import pytest
from tabletop import card_quad
from test_drawn_out import sure_play
from test_order import HELD, NEXT, scene, seen

from vision.recent import RecentFrames
from vision.scene.candidates import Candidate
from vision.scene.hand_blobs import Cover
from vision.scene.held import Holding
from vision.scene.landing import Landings
from vision.scene.order import with_unsettled
from vision.scene.scene import Held


@pytest.mark.parametrize(
    ("side", "seen_at", "is_dark", "waits"),
    [
        ("right", 9.1, True, True),
        ("right", 9.1, False, False),  # the table shows there again
        ("left", 9.1, True, True),  # the same hand: its own arm may hide it
    ],
)
def test_a_card_waits_for_one_that_an_arm_hides_where_the_table_still_differs(
    side, seen_at, is_dark, waits
):
    table = scene()
    seen(table, 8.0, HELD.quad)
    table.vanished = [replace(HELD, side=side, since=8.4, seen_at=seen_at)]
    change = seen(table, 9.4, *([HELD.quad] if is_dark else []), NEXT.quad)
    card = with_unsettled(replace(NEXT, since=9.0, seen_at=9.4), table, change)
    assert (HELD.number in card.waits_for) is waits


@pytest.mark.parametrize(("since", "seat"), [(9.2, 4), (9.9, 2)])
def test_a_card_that_an_arm_hid_was_laid_by_the_hand_that_was_seen_with_it(since, seat):
    table = scene()
    seen(table, 8.0, HELD.quad)
    table.vanished = [replace(HELD, since=8.0, seen_at=8.6)]
    change = seen(table, 10.4, HELD.quad)
    again = replace(HELD, number=8, side="left", since=since, seen_at=10.4)
    nowhere = np.zeros(change.changed.shape, bool)
    Landings(table, RecentFrames()).lay(again, change, Cover(nowhere, nowhere.astype(np.uint8)))
    assert table.acts[8].seat == seat


@pytest.mark.parametrize(
    ("faces", "has_hand", "is_held"),
    [(["hat"], False, False), (["hat"], True, True), ([], False, True)],
)
def test_on_a_pile_without_a_hand_boxes_of_its_cards_hold_no_card(faces, has_hand, is_held):
    """A push shifted the pile beside the border, so that its cards' edges are boxes too."""
    play, at = sure_play(), (300, 318)
    for face in faces:
        play.lay(face, at, "bottom", "pile/1")
    play.look(4)
    table, quad = play.watcher._scene, card_quad((304, 316))
    card = Candidate(
        90, quad, quad, play.at - 1.0, play.at, 0.9, 15, (("socks", 3.0),), looks=2, upright=quad,
        visible=np.ones((5, 4), bool), shown=1.0,
    )  # fmt: skip
    table.held = Held(frozenset({90}), frozenset({90}))
    hand = (
        table.occupancy.area(card_quad((330, 340)))
        if has_hand
        else np.zeros_like(table.occupancy.owner, bool)
    )
    assert Holding(table).holds(card, Cover(hand, hand.astype(np.uint8)), play.at) is is_held
