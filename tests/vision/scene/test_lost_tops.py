"""A top card whose print shows no more: a card that nobody sees may lie on it."""

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import Tabletop, card_quad
from test_watcher import Play

from rules.table.event import Placed
from vision.scene.candidates import Candidate
from vision.scene.lost_tops import LostTops
from vision.sightings import UNKNOWN

AT, GLARE = (300, 180), (250, 250, 250)


@pytest.fixture
def play():
    """A drawn hat that lies in a pile."""
    made = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    made.drawn = Tabletop(5, ink=True)
    made.look(4)
    made.lay("hat", AT, "bottom", "pile/1")
    made.look(10)
    return made


def glared(play, hand_s=1.3):
    """What is known once the hat's print was looked for in glare, `hand_s` after a hand."""
    scene = play.watcher._scene
    lost = LostTops(scene)
    scene.bgr = play.drawn.picture([])
    scene.bgr[90:270, 220:380] = GLARE
    lost.look(scene.table.cards[0], play.at - hand_s)
    return lost


def suspected(play, lost):
    play.watcher._scene.suspected.clear()
    lost.see()
    return play.watcher._scene.suspected


def test_what_lands_on_it_next_may_be_the_second_card(play):
    lost = glared(play)
    assert suspected(play, lost) == []
    play.lay("pants", (304, 184), "left", "pile/1")
    [way] = suspected(play, lost)
    [act] = way.events
    assert isinstance(act, Placed) and (act.card, act.place) == (UNKNOWN, "pile/1")
    assert suspected(play, lost) == []  # once


def test_before_it_is_taken_one_may_have_come_too(play):
    lost = glared(play)
    play.take(play.cards[:], "left")
    assert [way.events[0].card for way in suspected(play, lost)] == [UNKNOWN]


def test_the_card_that_hid_it_is_no_second_one(play):
    """It was brought by that hand, and is named later."""
    lost = glared(play, hand_s=-3.0)
    play.lay("pants", (304, 184), "left", "pile/1")
    assert suspected(play, lost) == []


def test_a_print_that_shows_again_was_not_covered(play):
    lost = glared(play)
    play.look(2)
    assert suspected(play, lost) == []
    play.lay("pants", (304, 184), "left", "pile/1")
    assert suspected(play, lost) == []


def test_a_box_that_is_followed_there_will_be_told(play):
    quad = card_quad((310, 190))
    scene = play.watcher._scene
    scene.candidates.keep((Candidate(9, quad, quad, play.at, play.at, 0.9),))
    lost = glared(play)
    scene.candidates.keep(())
    play.lay("pants", (304, 184), "left", "pile/1")
    assert suspected(play, lost) == []


def test_a_blank_card_tells_nothing(play):
    scene = play.watcher._scene
    [card] = scene.table.cards
    paper = play.drawn.picture([])
    paper[90:270, 220:380] = GLARE
    noise = np.random.default_rng(3).normal(0, 1.5, paper.shape)
    scene.pictures.keep(card, np.clip(paper + noise, 0, 255).astype(np.uint8))
    lost = glared(play)
    play.lay("pants", (304, 184), "left", "pile/1")
    assert suspected(play, lost) == []
