"""A covered card that a hand draws out shows whole in it; one that shows at a peek lies on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import card_quad
from test_close_pictures import LIES, TURNED, card, drawn, picture
from test_watcher import BEYOND, Play

from vision.scene.candidates import Candidate
from vision.scene.close_pictures import ClosePictures
from vision.scene.doubts import Act
from vision.scene.drawn_out import DrawnOut
from vision.scene.hand_blobs import Cover
from vision.scene.laid_bare import take_from
from vision.scene.small_picture import shrink


def sure_play(table=None, **more):
    """A play, on a `table` perhaps, whose eyes are sure, and see every card whole that they
    name."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0, **more)
    play.drawn = play.drawn if table is None else table
    name = play.eyes.name

    def surely(bgr, quads, quick=False, known=None):
        found = name(bgr, quads, quick, known)
        whole = tuple(np.ones((5, 4), bool) for _ in found.faces)
        sure = np.where(found.confidences >= 0.6, np.float32(0.99), found.confidences)
        return replace(found, confidences=sure, visible=whole)

    play.eyes.name = surely
    play.look(4)
    return play


def pile():
    """A hat with pants and socks on it: hardly anything of it shows."""
    play = sure_play()
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
    tilted = card_quad(at + np.array([6.0, 3.0]), degrees=6)
    play.cards = [*others, replace(lowest, quad=tilted)]
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


def whole(card, at):
    """A named candidate where a card lies, all of it seen."""
    return Candidate(
        90, card.quad, card.quad, at - 1.0, at, 0.9, 9, ((card.face, 3.0),),
        ((card.face, (0.01, 0.01)),), looks=2, upright=card.quad,
        visible=np.ones((5, 4), bool), shown=1.0,
    )  # fmt: skip


@pytest.mark.parametrize("is_covered_anew", [True, False])
def test_a_card_that_was_bared_and_covered_anew_lies_there(is_covered_anew):
    """It showed whole when the card on it was taken back; else it was drawn out."""
    play = sure_play()
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("socks", (303, 183), "left", "pile/1")
    scene, drawn_out = play.watcher._scene, DrawnOut(play.watcher._scene)
    scene.candidates.keep((whole(play.cards[0], scene.at),))
    rest = np.array(scene.background.rest, np.uint8)
    change = scene.background.see(rest, scene.at + 0.1)
    everywhere = np.ones(change.changed.shape, bool)
    drawn_out.see(change, Cover(everywhere, everywhere.astype(np.uint8)))
    scene.candidates.keep(())
    if is_covered_anew:
        socks = scene.table.cards[-1]
        scene.take(frozenset({socks.number}), 0.995)
        again = replace(socks, number=91, face="t-shirt")
        scene.lay(again, None, scene.table.born, Act(1), 1.0)
    scene.at += 0.5
    drawn_out.see(scene.background.see(rest, scene.at), Cover(~everywhere, np.uint8(~everywhere)))
    left = ["hat", "t-shirt"] if is_covered_anew else ["socks"]
    assert [card.face for card in scene.table.cards] == left


@pytest.mark.parametrize(
    ("aside", "nudge", "later", "left"),
    [
        (8, 0, 0.0, ["socks"]),
        (8, 14, 0.0, ["hat", "socks"]),
        (1, 0, 0.0, ["hat", "socks"]),
        (8, 0, 2.0, ["hat", "socks"]),
        (24, 0, 0.0, ["socks"]),
        (24, 0, 2.0, ["hat", "socks"]),
    ],
)
def test_a_card_that_shows_no_more_beside_the_one_on_it_has_gone(aside, nudge, later, left):
    """Not if the one on it moved too, nor if nothing of it showed beside that, nor long after the
    last hand was there."""
    play = sure_play()
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("socks", (300 + aside, 180), "left", "pile/1")
    scene, drawn_out = play.watcher._scene, DrawnOut(play.watcher._scene)
    top = play.cards[1]
    scene.bgr = play.drawn.picture([(top.face, top.quad + np.float32([nudge, 0]))], None, 1.0)
    bare = np.zeros(scene.background.rest.shape[:2], bool)
    scene.at += later
    for _ in range(2):
        scene.at += 0.7
        change = scene.background.see(shrink(scene.bgr, bare.shape[1]), scene.at)
        drawn_out.see(change, Cover(bare, np.uint8(bare)))
    assert [card.face for card in scene.table.cards] == left


@pytest.mark.parametrize(("lies", "may_show"), [((LIES, TURNED), True), ((TURNED,), False)])
def test_a_card_may_show_beside_those_on_it(lies, may_show):
    """One that peeks out as it did lies there still, however well it was seen at a peek."""
    kept, art = ClosePictures(), drawn()
    kept.keep(card(1, LIES), picture(art, LIES))
    now = picture(art, *lies)
    assert kept.may_show(card(1, LIES), [card(2, TURNED)], now) is may_show


@pytest.mark.parametrize(
    ("place", "is_there", "left"),
    [
        ((330, 205), True, ["hat", "pants"]),
        ((330, 205), False, ["hat"]),
        ((300, 180), False, ["hat"]),
    ],
)
def test_a_card_that_is_seen_whole_has_none_on_it_any_more(place, is_there, left):
    """Unless their drawings still show: the place of those may look like a hand that rests. One
    that lay exactly on it can show nowhere."""
    play = sure_play()
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", place, "left", "pile/1")
    scene, (hat, pants) = play.watcher._scene, play.cards
    lying = [(card.face, card.quad) for card in ((hat, pants) if is_there else (hat,))]
    scene.bgr, at = play.drawn.picture(lying, None, 1.0), scene.at
    scene.candidates.keep((whole(hat, at),))
    change = scene.background.see(np.array(scene.background.rest, np.uint8), at + 0.1)
    everywhere = np.ones(change.changed.shape, bool)
    take_from(change, Cover(everywhere, everywhere.astype(np.uint8)), scene)
    assert [card.face for card in scene.table.cards] == left
