"""Which of two cards at different places was laid first is not sure while a hand stays on one."""

from dataclasses import replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision.recent import RecentFrames
from vision.scene.candidates import Candidate
from vision.scene.doubts import Doubt
from vision.scene.hands import Visit
from vision.scene.landing import Landings
from vision.scene.looks import marked
from vision.scene.order import (
    acted_since,
    brought_before,
    is_order_open,
    is_unsettled,
    laid_before,
    resting_since,
    rests_untold,
    untold_since,
)
from vision.scene.scene import Held
from vision.scene.table import Card, Table, corners_of

HERE, THERE = (300, 180), (120, 90)
NOWHERE = np.zeros((1, 1), bool)


def candidate(number, face, centre, side):
    """A named candidate that a hand from `side` brought."""
    quad = card_quad(centre)
    return Candidate(
        number, quad, quad, 8.5, 9.0, 0.9, 4, ((face, 3.0),), looks=3, upright=quad, side=side
    )


def scene(in_turn=True):
    play = Play(Piles(in_turn=in_turn), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    return play.watcher._scene


def seen(table, at, *dark):
    """The change at a time (s), with quads where the picture is dark."""
    low = np.array(table.background.rest, np.uint8)
    for quad in dark:
        low[table.occupancy.area(quad)] = 0
    return table.background.see(low, at)


HELD, NEXT = candidate(7, "hat", THERE, "right"), candidate(9, "pants", HERE, "left")


@pytest.mark.parametrize(
    ("again", "since"),
    [
        (replace(HELD, number=8, since=8.6), 8.0),
        (candidate(8, "boxers", THERE, "right"), 8.5),  # another face
        (candidate(8, "hat", HERE, "right"), 8.5),  # elsewhere
        (replace(HELD, number=8, since=9.5), 9.5),  # much later
    ],
)
def test_a_card_that_a_hand_shook_has_rested_since_it_was_first_followed(again, since):
    table = scene()
    table.vanished = [replace(HELD, since=8.0, seen_at=8.4)]
    assert table.rested_since(again) == since


def test_a_card_that_a_hand_shook_is_still_the_one_that_others_were_told_before():
    table = scene()
    table.vanished = [replace(HELD, since=8.0, seen_at=8.4)]
    table.unsettled = {HELD.number}
    assert is_unsettled(replace(HELD, number=8, since=8.6), table)
    assert not is_unsettled(candidate(8, "boxers", THERE, "left"), table)


@pytest.mark.parametrize(
    ("card", "is_held", "is_kept"),
    [
        (replace(HELD, frames=2), False, True),
        (replace(HELD, frames=1), False, False),
        (replace(HELD, frames=2), True, False),  # a hand may have moved it
        (replace(HELD, frames=2, evidence=()), False, False),  # nobody knows what it was
        (replace(HELD, frames=3, evidence=()), True, True),
    ],
)
def test_a_card_that_a_slow_camera_saw_bare_twice_may_lie_below_the_next(card, is_held, is_kept):
    table = scene()
    table.held = Held(frozenset({7} if is_held else ()))
    Landings(table, RecentFrames()).forget([card], [])
    assert (card in table.vanished) == is_kept


def test_a_card_that_lay_bare_before_the_next_hand_came_may_lie_below_what_that_lays():
    table = scene()
    card, landings = replace(HELD, frames=2), Landings(table, RecentFrames())
    landings.forget([], [card])
    table.held = Held(frozenset({card.number}))
    landings.forget([], [card])
    landings.forget([card], [])
    assert table.vanished == [card]


def test_a_like_card_that_lies_hidden_elsewhere_is_not_the_new_one():
    play = Play(Piles(in_turn=True), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    for face, place in (("hat", (300, 180)), ("pants", (302, 182)), ("hat", (316, 196))):
        play.lay(face, place, "bottom", "pile/1")
    play.look(20)
    last = play.watcher.table.cards[-1]
    assert last.face == "hat" and Doubt.TWIN not in play.watcher._scene.acts[last.number].doubts


@pytest.mark.parametrize(("frames", "seat"), [(3, 4), (25, None)])
def test_a_hand_that_left_before_the_place_changed_has_not_laid_the_card(frames, seat):
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.look(3, arm=("right", HERE))
    play.look(frames)
    play.cards.append(TrueCard("hat", card_quad(HERE), -1.0, place="pile/1"))
    play.look(20)
    assert play.seen == [("placed", "hat", "pile/1", seat)]


@pytest.mark.parametrize(
    ("visit", "is_open"),
    [
        (Visit(8.0, 8.9, "pile/1", 40.0, 5.0, NOWHERE), True),
        (Visit(8.6, 8.9, "pile/1", 40.0, 5.0, NOWHERE), False),  # it came after the card rested
        (Visit(8.0, 8.2, "pile/1", 40.0, 5.0, NOWHERE), False),  # it has gone long ago
        (None, False),
    ],
)
def test_what_a_hand_holds_that_came_before_may_have_been_laid_before(visit, is_open):
    table = scene()
    table.at = 9.0
    table.candidates.keep((replace(HELD, since=8.9, frames=1), NEXT))
    if visit is not None:
        table.visits["right"] = visit
    change = seen(table, 9.0)
    assert [other.number for other in brought_before(NEXT, table, change)] == (
        [7] if is_open else []
    )


def test_a_card_that_rests_untold_may_have_come_before_another_one_went():
    table = scene()
    table.at = 9.0
    table.candidates.keep((HELD, replace(NEXT, since=8.9)))
    gone, change = table.occupancy.area(card_quad((500, 300))), seen(table, 9.0)
    assert rests_untold(gone, table, change) == {7}
    # Not where it went from.
    assert rests_untold(table.occupancy.area(HELD.place), table, change) == set()


def test_a_card_whose_box_a_hand_shakes_rests_where_the_table_has_differed_for_long():
    table = scene()
    for at in (8.0, 8.3, 9.0):
        change = seen(table, at, *([HELD.quad] if at > 8.0 else []))
    table.at = 9.0
    table.candidates.keep((replace(HELD, since=9.0, frames=1, looks=1, evidence=()),))
    assert rests_untold(table.occupancy.area(card_quad((500, 300))), table, change) == {7}
    assert rests_untold(table.occupancy.area(HELD.place), table, change) == set()


def test_a_like_card_that_was_laid_on_another_is_waited_for():
    """One that lies just as the other is that one, seen again."""
    play = Play(Piles(in_turn=True), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", THERE, "right", "pile/1")
    table = play.watcher._scene
    lying = candidate(97, "hat", THERE, "right")
    turned = replace(lying, upright=card_quad((THERE[0] + 6, THERE[1] + 4), degrees=12))
    cards = [replace(card, seen_at=table.at, since=table.at - 1.0) for card in (lying, turned)]
    gone = table.occupancy.area(card_quad((500, 300)))
    for card, waits in zip(cards, (set(), {97}), strict=True):
        table.candidates.keep((card,))
        assert rests_untold(gone, table, seen(table, table.at)) == waits


def test_a_card_that_rested_alone_is_no_card_of_a_fan_that_comes_beside_it():
    """A hand stays on it while the other one brings two more."""
    table = scene()
    table.at = 9.0
    at_border = candidate(7, "hat", (300, 330), "bottom")
    table.candidates.keep((at_border,))
    gone = table.occupancy.area(card_quad((500, 100)))
    for joined, waits in (((), set()), ((7,), {7})):
        fan = frozenset({7, 8, 9})
        table.held = Held(fan, fan, frozenset(joined))
        assert rests_untold(gone, table, seen(table, table.at)) == waits


def test_for_a_card_of_a_fan_nothing_waits():
    """Nor for what shows without a name where hands have held one."""
    table, fan = scene(), frozenset({7, 8, 9})
    at_border = candidate(7, "hat", (300, 330), "bottom")
    table.at, table.unsettled, table.held = 9.0, {7}, Held(fan)
    table.candidates.keep((at_border,))
    assert is_order_open(table)
    table.held = Held(fan, fan)
    assert not is_order_open(table)
    table.fan_places, table.held = table.occupancy.area(at_border.place), Held(fan)
    table.candidates.keep((replace(at_border, evidence=(), looks=1),))
    assert not is_order_open(table)


def test_only_boxes_at_the_border_are_cut_off_by_it():
    table = scene()
    rng = np.random.default_rng(1)
    for centre in rng.uniform((100, 100), (540, 260), (40, 2)):
        assert not table.is_cut_off(card_quad(tuple(centre), degrees=float(rng.uniform(0, 360))))
    for centre in ((20, 180), (620, 180), (300, 30), (300, 345)):
        assert table.is_cut_off(card_quad(centre))


def test_acts_are_dated_by_when_they_began_at_the_earliest():
    before, after = Table(), Table((Card(7, "hat", "pile/1", corners_of(card_quad(HERE))),))
    assert acted_since(before, after, {7: 8.0}, None) == 8.0
    assert acted_since(before, after, {7: 8.0}, 7.5) == 7.5
    assert acted_since(before, before, {}, 7.5) == 7.5
    assert acted_since(before, after, {}, 7.5) is None
    assert acted_since(before, before, {}, None) is None


@pytest.mark.parametrize(
    ("visit", "since"),
    [
        (Visit(8.0, 9.0, "pile/1", 40.0, 5.0, NOWHERE), 8.0),
        (Visit(8.0, 9.0, "pile/1", 40.0, 5.0, NOWHERE, is_told=True), None),
        (Visit(8.0, 8.5, "pile/1", 40.0, 5.0, NOWHERE), None),  # it has gone
        (Visit(5.0, 9.0, "pile/1", 40.0, 5.0, NOWHERE), None),  # it holds a fan
    ],
)
def test_a_hand_that_reaches_in_may_hide_a_card_for_which_buttons_wait(visit, since):
    table = scene()
    table.at = 9.0
    table.visits["left"] = visit
    assert untold_since(table) == since
    assert resting_since(table) is None


@pytest.mark.parametrize(("since", "is_there"), [(8.5, [7]), (7.0, []), (12.0, [])])
def test_what_lies_where_another_hand_was_before_a_card_rested_may_have_been_laid_before(
    since, is_there
):
    """A hand that rests beside the border reaches too little in to count as a visit."""
    table = scene()
    at_border = candidate(7, "hat", (50, 90), "right")
    held = replace(at_border, since=since - 0.1, seen_at=since, frames=1)
    table.candidates.keep((held, replace(NEXT, since=since, seen_at=since)))
    for at in (7.0, 7.7, max(since, 8.0)):
        change = seen(table, at, *([held.quad] if at > 7.0 else []))
    next_one = replace(NEXT, since=since, seen_at=since)
    assert [other.number for other in brought_before(next_one, table, change)] == is_there
    table.held = Held(frozenset({held.number}))  # beside the border it may hold its cards
    assert brought_before(next_one, table, change) == []


@pytest.mark.parametrize(("side", "first"), [("left", [7]), ("right", [])])
def test_a_hand_laid_first_what_has_changed_for_longer(side, first):
    """It hid the card that it laid, and bared another one, which is seen to rest first."""
    table = scene()
    earlier = replace(candidate(7, "hat", THERE, side), since=9.1, seen_at=9.2, frames=2)
    next_one = replace(NEXT, since=8.9, seen_at=9.2, frames=5)
    table.candidates.keep((earlier, next_one))
    for at in (7.0, 8.0, 8.6, 9.2):
        quads = [earlier.quad] * (at > 7.0) + [next_one.quad] * (at > 8.0)
        change = seen(table, at, *quads)
    assert [other.number for other in laid_before(next_one, table, change)] == first


def test_a_box_of_a_hand_that_shook_its_card_is_that_card():
    table = scene()
    box = replace(HELD, number=12, evidence=(), quad=card_quad((THERE[0] + 20, THERE[1])))
    table.candidates.keep((replace(box, upright=None),))
    table.unsettled = {box.number}
    assert is_unsettled(HELD, table)
    assert not is_unsettled(replace(HELD, side="left"), table)
    assert not is_unsettled(candidate(9, "pants", HERE, "right"), table)


def test_of_two_candidates_for_one_card_the_one_that_is_seen_counts():
    """A jolt gives a card a new box; the old one is followed for a moment."""
    table = scene()
    old, new = replace(NEXT, number=7, seen_at=8.9), replace(NEXT, quad=NEXT.quad + 4)
    table.at = 9.0
    assert [card.is_double for card in marked([old, new], table)] == [True, False]
