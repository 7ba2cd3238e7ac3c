"""Every setting of vision is used in play, and changes what is seen."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import Tabletop, card_quad
from test_beginnings import nothing, topmost
from test_watcher import Play

from rules.table.layout import SIDES
from vision.scene.watcher import Watcher
from vision.settings import VisionSettings

NAMES = [each.name for each in fields(VisionSettings)]


class Told(VisionSettings):
    """Settings that keep the names of those that were asked for."""

    def __getattribute__(self, name):
        if name in NAMES:
            ASKED.add(name)
        return super().__getattribute__(name)


ASKED: set[str] = set()


def watched(settings, **errors):
    """A play on a table with drawn cards, and all that is seen of it."""
    play = Play(Piles(), 3, **errors)
    play.drawn = Tabletop(3, ink=bool(errors))
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
    return play, seen


def eventful(settings):
    """Cards laid, taken, turned, pushed, unreadable, under an arm that rests, and a dark lamp."""
    play, seen = watched(settings)
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
    return seen


SURE_EYES = {"dropout": 0.0, "false_boxes": 0.0, "jitter_px": 0.5}


def stirring_hand(settings):
    """A hand rests on the edge of a card that it has laid, and stirs."""
    play, seen = watched(settings, **SURE_EYES)
    play.look(4)
    point = np.array((300.0, 180.0))
    play.cards.append(TrueCard("hat", card_quad(point), -1.0))
    for step in range(12):
        play.look(arm=("bottom", point + np.array((0, 52 + 2 * (step % 2)))))
    play.look(6)
    return seen


def swept_pile(settings):
    """A pile that lay there from the start goes: nobody knows its place without it."""
    play, seen = watched(settings, **SURE_EYES)
    play.cards = [TrueCard(face, card_quad((300, 180), degrees=turn), -1.0)
                  for face, turn in (("boxers", -35), ("t-shirt", 40), ("hat", 5))]  # fmt: skip
    locate, name = play.eyes.locate, play.eyes.name
    play.eyes.locate = lambda *args: topmost(locate(*args), play.cards)
    play.eyes.name = lambda bgr, quads, quick=False, known=None: (
        name(bgr, quads, quick) if play.cards else nothing(len(quads))
    )
    play.look(12)
    play.cards = []
    play.look(36)
    return seen


def overlooked_card(settings):
    """A card that lies there from the start is located some seconds later."""
    play, seen = watched(settings, **SURE_EYES)
    play.cards = [TrueCard("hat", card_quad((300, 180)), -1.0)]
    locate = play.eyes.locate
    play.eyes.locate = lambda *args: topmost(locate(*args), [TrueCard("", -play.cards[0].quad, 0)])
    play.look(24)
    play.eyes.locate = locate
    play.look(24)
    return seen


def stained_place(settings):
    """A part of a card's place looks as with the card when that is gone."""
    play, seen = watched(settings, **SURE_EYES)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    part, shown = np.s_[150:180, 280:320], [(card.face, card.quad) for card in play.cards]
    play.cards = []
    for _ in range(8):
        bgr = play.drawn.picture([])
        bgr[part] = play.drawn.picture(shown)[part]
        play.look(bgr=bgr)
    return seen


# Settings that the eventful play does not tell.
TOLD_BY = {"let_go": stirring_hand, "doubt_s": swept_pile, "late_s": overlooked_card,
           "alike": stained_place}  # fmt: skip


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
    kind, play = type(getattr(VisionSettings(), name)), TOLD_BY.get(name, eventful)
    usual = play(VisionSettings())
    changed = (
        play(replace(VisionSettings(), **{name: kind(rule[end])})) for end in ("low", "high")
    )
    assert any(seen != usual for seen in changed), name
