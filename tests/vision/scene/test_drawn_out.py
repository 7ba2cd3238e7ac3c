"""A covered card that a hand draws out shows whole in it; one that shows at a peek lies on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import card_quad
from test_close_pictures import LIES, TURNED, card, drawn, picture
from test_watcher import BEYOND, Play

from vision.scene.close_pictures import ClosePictures


def pile():
    """A hat with pants and socks on it: hardly anything of it shows."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    name = play.eyes.name

    def surely(bgr, quads, quick=False, known=None):
        found = name(bgr, quads, quick, known)
        whole = tuple(np.ones((5, 4), bool) for _ in found.faces)
        return replace(found, confidences=np.maximum(found.confidences, 0.99), visible=whole)

    play.eyes.name = surely
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (303, 183), "left", "pile/1")
    play.lay("socks", (299, 178), "bottom", "pile/1")
    return play


def draw_out(play):
    """A hand from the right draws the lowest card out and goes with it."""
    far, at = np.array(BEYOND["right"], float), np.array((300, 180), float)
    hand = np.array([55.0, 0.0])
    for step in (0.7, 0.35, 0.1):
        play.look(arm=("right", at + hand + far * step))
    lowest, *others = play.cards
    play.cards = [*others, lowest]
    play.look(2, arm=("right", at + hand))
    for step in (0.1, 0.2, 0.3):
        moved = replace(lowest, quad=card_quad(at + far * step))
        play.cards = [*others, moved]
        play.look(arm=("right", at + hand + far * step))
    play.cards = others
    for step in (0.4, 0.8):
        play.look(arm=("right", at + hand + far * step))
    play.look(30)


def test_a_card_from_below_others_that_goes_with_the_hand_is_told():
    play = pile()
    draw_out(play)
    assert play.seen == [*play.expected, ("removed", "hat", "pile/1", 4)]
    assert [c.face for c in play.watcher.table.cards] == ["pants", "socks"]


@pytest.mark.parametrize(("lies", "may_show"), [((LIES, TURNED), True), ((TURNED,), False)])
def test_a_card_may_show_beside_those_on_it(lies, may_show):
    """One that peeks out as it did lies there still, however well it was seen at a peek."""
    kept, art = ClosePictures(), drawn()
    kept.keep(card(1, LIES), picture(art, LIES))
    now = picture(art, *lies)
    assert kept.may_show(card(1, LIES), [card(2, TURNED)], now) is may_show
