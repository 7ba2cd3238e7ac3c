"""Acts that are told while cards are lifted wait for what becomes of those."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import BEYOND, Play

from rules.table.event import Removed
from rules.table.layout import SIDES
from vision.scene.hand_blobs import Cover
from vision.scene.lifts import NEAR, Lifts


def in_turns():
    """A pile and a card apart, in a game where the order counts."""
    play = Play(Piles(in_turn=True), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.lay("t-shirt", (302, 184), "left", "pile/1", 25)
    return play


def with_an_act_meanwhile(play, cards, back, lifted=6):
    """A hand from the bottom lifts the `cards`; while it stays there, another lays socks after
    `lifted` frames."""
    far, at = np.array(BEYOND["bottom"], float), np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", at + far * step))
    play.cards = [card for card in play.cards if card not in cards]
    play.look(lifted, arm=("bottom", at + np.array([0, 70])))
    play.cards.append(TrueCard("socks", card_quad((520, 100)), -1.0, place="pile/2"))
    play.look(9, arm=("bottom", at + np.array([0, 70])))
    if back:
        play.cards += cards
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("bottom", at + far * step))
    play.look(20)
    return [
        (event.kind, event.card, event.ways) for event in play.told[2:] if event.kind != "learned"
    ]


@pytest.mark.parametrize("count", [1, 2])
def test_a_card_that_is_laid_while_others_are_lifted_waits_for_what_becomes_of_them(count):
    """They lie there again: nothing has come before it."""
    play = in_turns()
    told = with_an_act_meanwhile(play, play.cards[-count:], back=True)
    assert [each[:2] for each in told] == [("placed", "socks")]
    ways = told[0][2]
    assert ways is not None and ways.awaits
    learned = [event for event in play.told if event.kind == "learned"]
    assert {event.choice for event in learned} == {ways.choice}
    likely = np.prod([event.likely for event in learned], axis=0)
    assert likely[0] > 100 * likely[1:3].max()


@pytest.mark.parametrize("frames", [1, 6])
def test_a_card_that_was_lifted_before_another_was_laid_went_before_it(frames):
    """It is seen to have gone a moment later."""
    play = in_turns()
    told = with_an_act_meanwhile(play, play.cards[-1:], back=False, lifted=frames)
    (socks, gone) = told
    assert (socks[:2], gone[:2]) == (("placed", "socks"), ("removed", "t-shirt"))
    learned = [event for event in play.told if event.kind == "learned"]
    assert {event.choice for event in learned} == {socks[2].choice} == {gone[2].choice}
    likely = np.prod([event.likely for event in learned], axis=0)
    assert likely[1] > 10 * likely[0]


def test_a_card_that_a_hand_holds_still_over_another_pile_is_not_laid_there():
    """It is put back where it lay."""
    play = in_turns()
    play.lay("pants", (420, 180), "left", "pile/2")
    held = next(card for card in play.cards if card.face == "t-shirt")
    far = np.array(BEYOND["bottom"], float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("bottom", np.array((302, 184)) + far * step))
    others = [card for card in play.cards if card is not held]
    play.cards = [*others, replace(held, quad=card_quad((418, 186), degrees=10))]
    play.look(10, arm=("bottom", np.array((420.0, 230.0))))
    play.cards = [*others, held]
    for step in (0.0, 0.1, 0.4, 0.8):
        play.look(arm=("bottom", np.array((302, 184)) + far * step))
    play.look(20)
    assert play.seen == play.expected


def test_a_lifted_card_waits_on_when_one_from_below_it_is_seen_to_have_gone():
    """The hand that lifts it may be that far away from where the other one lay."""
    play = in_turns()
    play.lay("socks", (306, 226), "left", "pile/1")
    scene = play.watcher._scene
    lifts, cards = Lifts(scene), scene.table.cards
    near = [scene.occupancy.area(card.quad, NEAR) for card in cards]
    cover = Cover(near[-1] & ~near[0], np.zeros(near[0].shape, np.uint8))
    told = []
    for step, card in enumerate((cards[-1], cards[0])):
        before, at = scene.table, scene.at + 0.1 * step
        scene.take(frozenset({card.number}), 0.995)
        events = (Removed(at, card.face, "pile/1", 1),)
        told += [event.card for event in lifts.tell(events, before, cover, at)]
    assert told == ["hat"]


def after_a_hand_took_all(play, side):
    """A hand takes what lies at (302, 184), and is still near."""
    far, at = np.array(BEYOND[side], float), np.array((302, 184), float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=(side, at + far * step))
    play.cards.clear()
    play.look(2, arm=(side, at + 70 * far / np.linalg.norm(far)))


def test_a_like_card_that_another_hand_lays_afar_is_not_the_only_card_of_a_pile_pushed():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (302, 184), "left", "pile/1")
    after_a_hand_took_all(play, "bottom")
    play.cards.append(TrueCard("hat", card_quad((520, 120)), -1.0, place="pile/2"))
    play.look(arm=("right", np.array((520, 120))))
    play.look(8, arm=("bottom", np.array((302, 254))))
    play.look(15)
    assert play.seen[1:] == [
        ("placed", "hat", "pile/2", SIDES.index("right") + 1),
        ("removed", "hat", "pile/1", SIDES.index("bottom") + 1),
    ]


def test_a_pile_was_taken_by_a_hand_that_has_gone_though_another_one_is_near():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.lay("t-shirt", (302, 184), "left", "pile/1", 25)
    after_a_hand_took_all(play, "left")
    begin = play.at
    play.look(30, arm=("right", np.array((350, 184))))
    gone = [event for event in play.told if event.kind == "removed"]
    assert [event.card for event in gone] == ["t-shirt", "hat"]
    assert all(event.at <= begin + 0.5 for event in gone)
