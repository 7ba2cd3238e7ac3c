"""Every setting of vision is used in play, and changes what is seen."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from rules.layout import SIDES
from vision import geometry
from vision.scene.watcher import Watcher
from vision.settings import VisionSettings
from vision.sightings import Located

NAMES = [each.name for each in fields(VisionSettings)]


class Told(VisionSettings):
    """Settings that keep the names of those that were asked for."""

    def __getattribute__(self, name):
        if name in NAMES:
            ASKED.add(name)
        return super().__getattribute__(name)


ASKED: set[str] = set()


def eventful(settings):
    """Cards laid, taken, turned, pushed, unreadable, under an arm that rests, and a dark lamp."""
    play = Play(Piles(), 3)
    play.watcher = Watcher(Piles(), SIDES, settings)
    seen = []

    def look(frames=1, arm=None, light=1.0, bgr=None):
        for _ in range(frames):
            observation = Play.look(play, 1, arm, light, bgr)
            tracks = [
                (t.number, t.face, round(t.confidence, 3), t.state) for t in observation.tracks
            ]
            seen.append((observation.events, tracks, int(observation.cover.mask.sum())))
        return observation

    play.look = look
    play.look(4)
    play.lay("hat", (150, 180), "bottom", "pile/1")
    play.lay("boxers", (155, 186), "left", "pile/1", degrees=25)
    play.lay("socks", (430, 180), "top", "pile/2")
    play.cards.append(TrueCard("wild", card_quad((300, 90)), -1.0))
    play.look(30)
    play.cards[2] = TrueCard("socks", card_quad((434, 183), degrees=6), -1.0, place="pile/2")
    play.look(12)
    for _ in range(20):
        play.look(arm=("right", (440, 190)))
    play.look(10, light=0.02)
    play.look(12)
    play.look(2, arm=("left", (250, 280)))
    play.cards.append(TrueCard("sneakers", card_quad((250, 280)), -1.0))
    play.look(10, arm=("left", (190, 280)))  # the hand stays on it
    play.look(10)
    play.take(play.cards[:1] + play.cards[1:2], "bottom")
    play.cards[0] = TrueCard("pants", play.cards[0].quad, -1.0, place="pile/2")
    play.look(30)
    play.cards.append(TrueCard("unknown", card_quad((560, 90)), -1.0))
    play.look(40)
    _unseen_arrival(play)
    _slow_hand(play)
    _swap(play)
    _gone_from_the_start(play)
    return seen


def _unseen_arrival(play):
    """A card that was part of the table is located after all."""
    shown = TrueCard("t-shirt", card_quad((90, 290)), -1.0, place="pile/3")
    play.cards.append(replace(shown, face="nothing"))
    locate = play.eyes.locate

    def overlooked(*args):
        found = locate(*args)
        seen = [geometry.iou(quad, shown.quad) < 0.3 for quad in found.quads]
        return Located(found.quads[seen], found.scores[seen])

    play.eyes.locate = overlooked
    play.look(60)
    play.eyes.locate = locate
    play.cards[-1] = shown
    play.look(30)


def _slow_hand(play):
    """A hand that rests on a card's edge and stirs."""
    point = np.array((400.0, 290.0))
    play.cards.append(TrueCard("hat", card_quad(point), -1.0, place="pile/4"))
    for step in range(12):
        play.look(arm=("bottom", point + (0, 52 + 2 * (step % 2))))
    play.look(12)


def _swap(play):
    """A card goes while another one comes to lie over a part of its place."""
    play.cards[-1] = TrueCard("socks", card_quad((436, 290)), -1.0, place="pile/5")
    play.look(40)


def _gone_from_the_start(play):
    """Nobody knows what lay below it: it is given up when nothing is found there."""
    play.cards = [card for card in play.cards if card.face != "wild"]
    play.look(40)


def test_every_setting_is_asked_for_in_play():
    ASKED.clear()
    told = Told()
    ASKED.clear()
    eventful(told)
    assert set(NAMES) - ASKED == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_setting_changes_what_is_seen(name):
    rule = {each.name: each.metadata for each in fields(VisionSettings)}[name]
    kind = type(getattr(VisionSettings(), name))
    usual = eventful(VisionSettings())
    changed = (
        eventful(replace(VisionSettings(), **{name: kind(rule[end])})) for end in ("low", "high")
    )
    assert any(seen != usual for seen in changed), name
