"""Whole games on a drawn table, with detections that err: events must be the truth's."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from detections import NoisyEyes, TrueCard
from plain_layouts import Areas, Piles
from tabletop import SIZE, Tabletop, arm_mask, card_quad

from rules.table.layout import SIDES, Area
from vision.frame import Frame
from vision.scene.watcher import Watcher
from vision.sightings import Located, Named

FPS = 15
FACES = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers", "wild")
BEYOND = {"bottom": (0, 420), "top": (0, -420), "left": (-700, 0), "right": (700, 0)}


def said(event):
    """(kind, card, place, seat) of an event; None where it has no such field."""
    return (event.kind, *(getattr(event, key, None) for key in ("card", "place", "seat")))


class Play:
    """A hand that lays and takes cards, and the watcher that looks on."""

    def __init__(self, layout, seed=0, seats=SIDES, **errors):
        self.random = np.random.default_rng(seed)
        self.drawn, self.cards, self.expected, self.seen = Tabletop(seed), [], [], []
        self.watcher = Watcher(layout, seats)
        self.eyes = NoisyEyes([], FACES, seed, **errors)
        self.number, self.removed_at, self.told = 0, None, []

    @property
    def at(self):
        return self.number / FPS

    def look(self, frames=1, arm=None, light=1.0, bgr=None):
        """So many frames, with an arm perhaps; what the watcher says is kept."""
        for _ in range(frames):
            pairs = [(card.face, card.quad) for card in self.cards]
            picture = self.drawn.picture(pairs, arm, light) if bgr is None else bgr
            self.eyes._cards = self.cards
            located = self.eyes.locate(self.at, SIZE, arm_mask(arm))
            frame = Frame(picture, self.at, self.number)
            observation = self.watcher.update(frame, located, self.eyes.name)
            self.told += observation.events
            self.seen += [said(e) for e in observation.events if e.kind != "learned"]
            if any(e.kind == "removed" for e in observation.events):
                self.removed_at = self.at
            self.number += 1
        return observation

    def reach(self, side, point, act):
        """An arm comes in, acts at the point, and goes."""
        far = np.array(BEYOND[side], float)
        for step in (0.7, 0.35, 0.1, 0.0):
            self.look(arm=(side, np.asarray(point) + far * step))
        act()
        for step in (0.0, 0.1, 0.4, 0.8):
            self.look(arm=(side, np.asarray(point) + far * step))
        self.look(8)

    def lay(self, face, centre, side, place, degrees=0.0):
        card = TrueCard(face, card_quad(centre, degrees=degrees), -1.0, place=place)
        self.reach(side, centre, lambda: self.cards.append(card))
        self.expected.append(("placed", face, place, SIDES.index(side) + 1))

    def take(self, cards, side):
        def act():
            self.cards = [card for card in self.cards if card not in cards]

        self.reach(side, cards[-1].quad.mean(0), act)
        seat = SIDES.index(side) + 1
        self.expected += [("removed", c.face, c.place, seat) for c in reversed(cards)]


def _game(seed, acts=12):
    """Random play on three piles; a pile that is emptied is born anew with a new number."""
    play = Play(Piles(), seed)
    middles = [np.array(at, float) for at in ((150, 180), (320, 170), (490, 185))]
    places, born = [None] * 3, 0
    play.look(5)
    for _ in range(acts):
        k = int(play.random.integers(3))
        side = SIDES[int(play.random.integers(4))]
        lying = [card for card in play.cards if card.place == places[k]]
        what = play.random.random()
        if lying and what < 0.25:
            play.take(lying[-1:], side)
        elif len(lying) >= 2 and what < 0.4:
            play.take(lying, side)
        else:
            if not lying:
                born += 1
                places[k] = f"pile/{born}"
            unused = [f for f in FACES if not lying or f != lying[-1].face]
            face = str(play.random.choice(unused))
            shift = play.random.uniform(-10, 10, 2)
            play.lay(face, middles[k] + shift, side, places[k], play.random.uniform(-40, 40))
    play.look(10)
    return play


@pytest.mark.parametrize("seed", range(3))
def test_random_play_is_told_as_it_was(seed):
    play = _game(seed)
    assert play.seen == play.expected
    faces = {place: tuple(c.face for c in play.cards if c.place == place)
             for place in {card.place for card in play.cards}}  # fmt: skip
    assert play.watcher.table.stacks() == faces


def test_the_same_frames_give_the_same_events():
    assert _game(11, acts=3).seen == _game(11, acts=3).seen


def test_a_revealed_card_is_not_placed_again():
    play = Play(Piles(), 3)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("t-shirt", (302, 184), "left", "pile/1", 25)
    play.take(play.cards[-1:], "left")
    play.look(20)
    assert play.seen == play.expected


def test_a_card_laid_squarely_on_another_is_followed_though_its_box_is_small():
    play = Play(Piles(), 14, tight=0.84)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("t-shirt", (301, 179), "left", "pile/1")
    assert play.seen == play.expected


@pytest.mark.parametrize("seed", range(6))
def test_cards_land_though_their_boxes_shake_and_are_often_missed(seed):
    play = Play(Piles(), seed, jitter_px=10.0, dropout=0.4)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("t-shirt", (302, 183), "left", "pile/1", 12)
    play.look(10)
    assert play.seen == play.expected


def test_a_card_is_not_given_up_right_after_something_was_seen_there():
    play = Play(Piles(), 17, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    true, name = play.eyes.locate, play.eyes.name
    part = card_quad((330, 190), 70.0)[None]

    def boxes(quads):
        return lambda *_: Located(np.float32(quads), np.full(len(quads), 0.8, np.float32))

    def swap():
        play.cards.append(TrueCard("t-shirt", card_quad((301, 181), degrees=4), 0.0))
        play.eyes.locate = boxes(part)
        play.eyes.name = lambda bgr, quads, quick=False, known=None: Named(
            ("unknown",) * len(quads), np.zeros(len(quads)), quads, np.ones(len(quads), bool)
        )  # fmt: skip

    play.reach("left", (301, 181), swap)  # the eyes take a part of it for a card
    play.look(8)
    play.eyes.locate = boxes(np.zeros((0, 4, 2)))  # and then see nothing for a while
    play.look(12)
    play.eyes.locate, play.eyes.name = true, name
    play.look(15)
    assert play.seen == [*play.expected, ("placed", "t-shirt", "pile/1", 2)]


def test_the_same_face_laid_on_top_is_a_second_card():
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("hat", (306, 176), "top", "pile/1", 30)
    assert play.seen == play.expected


@pytest.mark.parametrize("side", SIDES)
def test_the_same_face_laid_beside_is_a_second_card_though_the_hand_stays(side):
    play = Play(Piles(), 6, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")

    def lay():
        play.cards.append(TrueCard("hat", card_quad((312, 170), degrees=14), -1.0, place="pile/1"))
        for _ in range(6):
            play.look(arm=(side, np.array([286.0, 204.0])))

    play.reach(side, (286, 204), lay)
    assert play.seen == [*play.expected, ("placed", "hat", "pile/1", SIDES.index(side) + 1)]


@pytest.mark.parametrize("side", SIDES)
def test_a_card_pushed_by_a_hand_that_stays_is_no_second_card(side):
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")

    def push():
        play.cards[0] = replace(play.cards[0], quad=card_quad((312, 170), degrees=14))
        for _ in range(6):
            play.look(arm=(side, np.array([286.0, 204.0])))

    play.reach(side, (286, 204), push)
    assert play.seen == play.expected


def test_a_shadow_on_a_card_under_another_lays_no_second_one():
    play = Play(Piles(), 7)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("socks", (326, 240), "left", "pile/1")
    shaded = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    for card, level in zip(play.cards, (1, 0), strict=True):
        cv2.fillConvexPoly(shaded, np.rint(card.quad).astype(np.int32), level)
    for _ in range(40):
        bgr = play.drawn.picture([(card.face, card.quad) for card in play.cards])
        bgr[shaded > 0] = bgr[shaded > 0] * 0.55
        play.look(bgr=bgr)
    assert play.seen == play.expected


def test_an_arm_that_passes_over_changes_nothing():
    play = Play(Piles(), 6)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.reach("right", (180, 180), lambda: None)
    play.look(20, arm=("right", (180.0, 180.0)))
    play.look(20)
    assert play.seen == play.expected


def test_a_lamp_that_dims_is_no_event():
    play = Play(Piles(), 8)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    for step in range(20):
        play.look(light=1.0 - 0.015 * step)
    play.look(20, light=0.7)
    assert play.seen == play.expected


def test_a_lost_view_is_said_and_an_unchanged_table_makes_no_card_events():
    play = Play(Piles(), 9)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    smooth = np.full((SIZE[1], SIZE[0], 3), (80, 100, 150), np.uint8)
    play.look(15, bgr=smooth)
    play.look(30)
    assert play.seen == [*play.expected, ("blind", *[None] * 3), ("sighted", *[None] * 3)]


def test_what_changed_while_blind_is_told_before_sighted():
    play = Play(Piles(), 10)
    play.look(4)
    play.lay("hat", (200, 180), "bottom", "pile/1")
    play.look(15, bgr=np.zeros((SIZE[1], SIZE[0], 3), np.uint8))
    play.cards.append(TrueCard("pants", card_quad((430, 180)), -1.0, place="pile/2"))
    play.look(40)
    assert [event[0] for event in play.seen] == ["placed", "blind", "placed", "sighted"]
    assert play.seen[2][1:3] == ("pants", "pile/2")


def test_a_turned_card_is_a_removal_and_a_placing_and_may_be_taken():
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    play = Play(Areas((Area("machine/1", square),), turns=True), 12, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "machine/1")
    turned = TrueCard("pants", play.cards[0].quad, -1.0, place="machine/1")

    def turn():
        play.cards = [turned]

    play.reach("top", (300, 180), turn)
    play.look(15)
    play.take([turned], "top")
    play.look(4)
    assert play.seen[1:] == [
        ("removed", "hat", "machine/1", 3),
        ("placed", "pants", "machine/1", 3),
        ("removed", "pants", "machine/1", 3),
    ]
