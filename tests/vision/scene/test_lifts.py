"""A card that is lifted and put back is nobody's act; one that is taken is told."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Areas, Piles
from tabletop import card_quad
from test_watcher import BEYOND, FPS, Play

from rules.table.layout import SIDES, Area


def lifted(play, face, back):
    """A hand lifts the top card for a moment, and lays `back` (face, centre) in its place."""
    far = np.array(BEYOND["bottom"], float)
    at = np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", at + far * step))
    held = next(card for card in play.cards if card.face == face)
    play.cards.remove(held)
    play.look(5, arm=("bottom", at + np.array([0, 70])))
    if back is not None:
        name, centre = back
        play.cards.append(type(held)(name, card_quad(centre, degrees=20), -1.0, place=held.place))
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("bottom", at + far * step))
    play.look(15)


def begun(drawn_from=None):
    play = Play(Piles(drawn_from=drawn_from), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.lay("t-shirt", (302, 184), "left", "pile/1", 25)
    return play


def shown_aside(play, frames):
    """A hand from the top lifts the t-shirt and shows it beside its place; the card as it lay."""
    held = next(card for card in play.cards if card.face == "t-shirt")
    far, at = np.array(BEYOND["top"], float), np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("top", at + far * step))
    play.cards.remove(held)
    play.cards.append(replace(held, quad=card_quad((302, 100), degrees=25)))
    play.look(frames, arm=("top", np.array((302.0, 52.0))))
    return held


def test_a_card_put_back_at_once_is_no_act():
    play = begun()
    lifted(play, "t-shirt", ("t-shirt", (306, 180)))
    assert play.seen == play.expected
    assert play.watcher.table.stacks() == {"pile/1": ("hat", "t-shirt")}


def test_a_card_put_back_may_be_two_acts_which_the_next_event_says():
    play = begun()
    lifted(play, "t-shirt", ("t-shirt", (306, 180)))
    play.lay("socks", (520, 250), "left", "pile/2")
    assert play.seen == play.expected
    event = play.told[-1]
    unseen = [way for way in event.ways.ways if way.events[0].card == "t-shirt"]
    for way in unseen:
        assert [(e.kind, e.card, e.place) for e in way.events[:2]] == [
            ("removed", "t-shirt", "pile/1"), ("placed", "t-shirt", "pile/1"),
        ]  # fmt: skip
        assert all(each.sure == 1.0 and each.ways is None for each in way.events)
    assert 0 < sum(way.chance for way in unseen) < 0.5
    assert sum(way.chance for way in event.ways.ways) == pytest.approx(1.0)
    assert event.ways.ways[0].events[0].card == "socks"


def test_a_card_shown_beside_its_place_while_one_looks_below_it_is_no_act():
    """For longer than a removal waits, while another card is laid elsewhere."""
    play = begun()
    held = shown_aside(play, 10)
    aside = play.cards[-1]
    far, at = np.array(BEYOND["top"], float), np.array((302, 184), float)
    play.cards.append(type(held)("socks", card_quad((520, 250)), -1.0, place="pile/2"))
    play.look(16, arm=("top", np.array((302.0, 52.0))))
    play.cards.remove(aside)
    play.cards.append(held)
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("top", at + far * step))
    play.look(15)
    assert [told[:3] for told in play.seen[len(play.expected) :]] == [("placed", "socks", "pile/2")]


def test_a_card_that_was_put_back_and_covered_was_not_taken():
    """The next card hides it before it is told that it lies there again."""
    play = begun()
    play.cards[-1] = shown_aside(play, 8)
    play.look(arm=("top", np.array((302.0, 110.0))))
    play.look()
    arm, socks = np.array((300, 182)), card_quad((300, 182), degrees=12)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", arm + np.array(BEYOND["bottom"]) * step))
    play.cards.append(TrueCard("socks", socks, -1.0, place="pile/1"))
    play.look(3 * FPS, arm=("bottom", arm - np.array((0, 30))))
    play.look(20)
    play.expected.append(("placed", "socks", "pile/1", SIDES.index("bottom") + 1))
    assert play.seen == play.expected
    assert play.watcher.table.stacks() == {"pile/1": ("hat", "t-shirt", "socks")}


def test_a_like_card_that_another_hand_lays_is_not_the_one_that_was_lifted():
    play = begun()
    held = next(card for card in play.cards if card.face == "t-shirt")
    far, at = np.array(BEYOND["bottom"], float), np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", at + far * step))
    play.cards.remove(held)
    play.look(4, arm=("bottom", at + np.array([0, 60])))
    other = TrueCard("t-shirt", card_quad((520, 90)), -1.0, place="pile/2")
    play.cards.append(other)
    play.look(12, arm=("bottom", at + np.array([0, 60])))
    play.cards.append(held)
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("bottom", at + far * step))
    play.look(15)
    told = [event[:3] for event in play.seen[len(play.expected) :]]
    assert ("placed", "t-shirt", "pile/2") in told


def test_another_card_in_its_place_is_told_after_it_went():
    play = begun()
    lifted(play, "t-shirt", ("pants", (306, 180)))
    seat = SIDES.index("bottom") + 1
    play.expected += [
        ("removed", "t-shirt", "pile/1", seat), ("placed", "pants", "pile/1", seat),
    ]  # fmt: skip
    assert play.seen == play.expected


def test_a_card_that_stays_away_is_told():
    play = begun()
    lifted(play, "t-shirt", None)
    assert play.seen == [*play.expected, ("removed", "t-shirt", "pile/1", 1)]


def test_a_card_that_was_seen_aside_only_as_it_went_is_not_waited_for_as_long_as_one_shown():
    play = begun()
    shown_aside(play, 4)
    play.cards.pop()
    play.look(round(2.2 * FPS), arm=("top", np.array((302.0, 110.0))))
    assert play.seen == [*play.expected, ("removed", "t-shirt", "pile/1", 3)]


def test_the_only_card_of_a_pile_put_back_is_that_pile_again():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (302, 184), "left", "pile/1")
    play.look(25)
    lifted(play, "hat", ("hat", (306, 180)))
    assert play.seen == play.expected
    assert play.watcher.table.stacks() == {"pile/1": ("hat",)}
    play.lay("t-shirt", (306, 184), "left", "pile/1")
    play.look(10)
    assert play.seen == play.expected


def pushed(play, face, to):
    """A finger pushes the card of that face, which lies alone, and stays for a moment."""
    card = next(card for card in play.cards if card.face == face)
    play.cards.remove(card)
    play.cards.append(card)
    begin = card.quad.mean(axis=0)
    far = np.array(BEYOND["bottom"], float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", begin + np.array([0, 40]) + far * step))
    for step in (0.25, 0.5, 0.75, 1.0, 1.0, 1.0):
        at = begin + (np.array(to, float) - begin) * step
        play.cards[-1] = replace(card, quad=card_quad(at, degrees=20))
        play.look(arm=("bottom", at + np.array([0, 40])))
    for step in (0.1, 0.4, 0.8):
        play.look(arm=("bottom", np.array(to, float) + np.array([0, 40]) + far * step))
    play.look(15)


def test_a_card_that_lay_alone_takes_its_place_with_it_when_it_is_pushed():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (200, 120), "left", "pile/1")
    pushed(play, "hat", (290, 190))
    assert play.seen == play.expected
    assert play.watcher.table.stacks() == {"pile/1": ("hat",)}
    play.lay("t-shirt", (292, 194), "left", "pile/1", 25)
    courses = (way.events for way in play.told[-1].ways.ways)
    assert {each.place for events in courses for each in events} == {"pile/1"}


def test_a_card_that_is_moved_to_the_next_named_place_was_taken_and_placed():
    """Places with a name of their own lie as near each other as a card is pushed."""
    areas = (
        Area("machine/1/garments", ((0.0, 0.0), (0.4, 0.0), (0.4, 1.0), (0.0, 1.0))),
        Area("machine/2/garments", ((0.4, 0.0), (1.0, 0.0), (1.0, 1.0), (0.4, 1.0))),
    )
    play = Play(Areas(areas), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (220, 150), "left", "machine/1/garments")
    pushed(play, "hat", (290, 160))
    assert [told[:3] for told in play.seen[len(play.expected) :]] == [
        ("removed", "hat", "machine/1/garments"), ("placed", "hat", "machine/2/garments"),
    ]  # fmt: skip


def test_the_top_card_of_a_pile_that_is_laid_elsewhere_was_taken_and_placed():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (200, 120), "left", "pile/1")
    play.lay("t-shirt", (202, 122), "left", "pile/1", 25)
    pushed(play, "t-shirt", (420, 240))
    assert play.seen == [
        *play.expected, ("removed", "t-shirt", "pile/1", 1), ("placed", "t-shirt", "pile/2", 1),
    ]  # fmt: skip


def raised(play, shift, degrees, back=True):
    """A hand lifts the whole pile for a moment, and sets it down elsewhere, turned a little."""
    far, at = np.array(BEYOND["bottom"], float), np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", at + far * step))
    pile = [card for card in play.cards if card.place == "pile/1"]
    play.cards = [card for card in play.cards if card not in pile]
    play.look(5, arm=("bottom", at + np.array([0, 70])))
    if back:
        turn = cv2.getRotationMatrix2D(tuple(at), degrees, 1.0)
        for card in pile:
            quad = cv2.transform(card.quad[None], turn)[0] + np.float32(shift)
            play.cards.append(replace(card, quad=quad.astype(np.float32)))
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("bottom", at + far * step))
    play.look(15)


@pytest.mark.parametrize(("shift", "degrees"), [((0, 0), 0), ((9, -7), 8)])
def test_a_pile_lifted_whole_and_set_down_is_no_act(shift, degrees):
    play = begun()
    raised(play, shift, degrees)
    assert play.seen == play.expected
    assert play.watcher.table.stacks() == {"pile/1": ("hat", "t-shirt")}
    # Each of its cards may be taken as before.
    play.take([card for card in play.cards if card.face == "t-shirt"], "right")
    play.look(10)
    assert play.seen == play.expected
    play.take([card for card in play.cards if card.face == "hat"], "left")
    play.look(10)
    assert play.seen == play.expected and not play.watcher.table.cards


@pytest.mark.parametrize("drawn_from", ["pile/1", None])
def test_of_a_pile_that_turns_draw_from_the_top_card_may_have_been_drawn_and_laid_back(drawn_from):
    """Those below it may have gone unseen before."""
    play = begun(drawn_from)
    raised(play, (0, 0), 0)
    play.lay("socks", (520, 250), "left", "pile/3")
    assert play.seen == play.expected
    ways = play.told[-1].ways.ways if play.told[-1].ways is not None else ()
    drawn = [way for way in ways if [e.card for e in way.events] == ["t-shirt"] * 2 + ["socks"]]
    assert bool(drawn) == (drawn_from is not None)


def test_a_pile_that_is_not_set_down_was_taken():
    play = begun()
    raised(play, (0, 0), 0, back=False)
    assert play.seen[2:] == [("removed", face, "pile/1", 1) for face in ("t-shirt", "hat")]


def test_a_card_goes_though_no_hand_is_seen_as_in_the_dark():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.cards.append(TrueCard("hat", card_quad((300, 180)), -1.0, place="pile/1"))
    play.look(20)
    play.cards.clear()
    play.look(20)
    assert [event[:3] for event in play.seen] == [
        ("placed", "hat", "pile/1"), ("removed", "hat", "pile/1"),
    ]  # fmt: skip
