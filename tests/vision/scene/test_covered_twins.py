"""A card like one that lies covered in its pile; a pile that is squared up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import Tabletop, card_quad
from test_watcher import Play

from vision.scene.candidates import Candidate
from vision.scene.coming_doubts import doubts_of
from vision.scene.doubts import CERTAIN, Doubt
from vision.scene.seen_again import may_be_seen_again
from vision.scene.small_picture import shrink


def pile():
    """A hat with pants and socks on it."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (304, 184), "left", "pile/1")
    play.lay("socks", (302, 178), "bottom", "pile/1", 4)
    assert play.seen == play.expected
    return play


def test_a_card_like_a_covered_one_is_told_before_the_next_hand_takes_all():
    play, at, aside = pile(), np.array([306.0, 174.0]), np.array([200.0, 0.0])
    play.look(arm=("right", at + aside))
    play.look(arm=("right", at))
    play.cards.append(TrueCard("hat", card_quad(at, degrees=-9), -1.0, place="pile/1"))
    play.look(arm=("right", at))
    play.look(arm=("right", at + aside))
    play.look(4)
    play.reach("left", at, play.cards.clear)
    taken = [("removed", face, "pile/1", 2) for face in ("hat", "socks", "pants", "hat")]
    assert play.seen == [*play.expected, ("placed", "hat", "pile/1", 4), *taken]


@pytest.mark.parametrize(("degrees", "is_twin"), [(12, True), (80, False), (-100, False)])
def test_a_like_card_that_lies_across_the_one_it_hides_is_another_one(degrees, is_twin):
    """A card that is lifted and laid again is hardly turned."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    assert (Doubt.TWIN in doubts_about(play, card_quad((304, 178), degrees=degrees))) is is_twin


@pytest.mark.parametrize(("above", "is_twin"), [(0, True), (3, False)])
def test_a_like_card_on_a_pile_that_hides_one_of_its_face_is_another_one(above, is_twin):
    """All that lie on the lower one would have had to go at once. A hand still covers a part."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    for face in ("hat", "pants", "socks", "boxers")[: 1 + above]:
        play.lay(face, (300, 180), "bottom", "pile/1")
    assert (Doubt.TWIN in doubts_about(play, card_quad((302, 179)))) is is_twin


@pytest.mark.parametrize(("aside", "is_twin"), [((0, 1), True), ((14, -10), False)])
def test_a_like_card_exactly_where_a_covered_one_lies_may_be_that_one(aside, is_twin):
    """The one on it may have been pushed: then the lower one seems to be seen whole."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (306, 186), "left", "pile/1")
    quad = card_quad(np.add((300, 180), aside))
    assert (Doubt.TWIN in doubts_about(play, quad, np.ones((4, 5), bool))) is is_twin


@pytest.mark.parametrize(("aside", "is_twin"), [((0, 1), True), ((5, -4), False)])
def test_a_like_card_of_which_looks_show_a_part_is_another_one_where_its_face_lies_elsewhere(
    aside, is_twin
):
    """A hand is on it, so that looks do not show all of it; its print tells where it lies."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.drawn = Tabletop(5, ink=True)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (306, 186), "left", "pile/1")
    quad = card_quad(np.add((300, 180), aside))
    assert (Doubt.TWIN in doubts_about(play, quad)) is is_twin


def doubts_about(play, quad, visible=None):
    """What is in doubt about a hat that comes to rest at a quad, of which so much is `visible`;
    nothing else shows any more."""
    scene = play.watcher._scene
    scene.bgr = play.drawn.picture([("hat", quad)], None, 1.0)
    change = scene.background.see(shrink(scene.bgr, scene.settings.low_width), 9.0)
    new = Candidate(
        9, quad, quad, 8.5, 9.0, 0.9, 4, (("hat", 3.0),), upright=quad, side="left", visible=visible
    )
    return doubts_of(new, "hat", quad, change, scene)


@pytest.mark.parametrize(
    ("degrees", "shown", "may_be"), [(0, 1.0, True), (-12, 1.0, False), (-12, 0.5, True)]
)
def test_a_covered_card_is_seen_again_only_where_it_lies(degrees, shown, may_be):
    """Or if only a part of a card is seen, as of one that others cover."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (300, 205), "left", "pile/1")
    quad = card_quad((300, 180), degrees=degrees)
    visible = np.arange(20).reshape(4, 5) < 20 * shown
    seen = Candidate(9, quad, quad, 8.5, 9.0, 0.9, 4, (("hat", 3.0),), visible=visible)
    assert may_be_seen_again(replace(seen, upright=quad), play.watcher._scene) == may_be


def test_squaring_a_pile_up_takes_no_card():
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (300, 208), "left", "pile/1")

    def square():
        play.cards[1] = replace(play.cards[1], quad=card_quad((300, 181)))

    play.reach("left", (300, 200), square)
    play.look(20)
    assert play.seen == play.expected


def test_a_card_that_a_hand_turns_upon_its_pile_is_hardly_a_like_one():
    """Nothing of it shows beside where it lies now."""
    play = pile()

    def turn():
        play.cards[-1] = replace(play.cards[-1], quad=card_quad((306, 186), degrees=70))

    play.reach("left", (306, 186), turn)
    play.look(20)
    assert all(event.sure < CERTAIN for event in play.told[len(play.expected) :])


@pytest.mark.parametrize("aside", [(3, 1), (0, 3), (-3, 2)])
def test_a_card_that_was_pushed_and_located_badly_is_no_like_one(aside):
    """What seems to show of another one beside it is its own edge: its picture tells that."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.watcher._scene.pictures.still_shows = lambda *_: True
    at = np.add((300, 180), aside)

    def push():
        play.cards[0] = replace(play.cards[0], quad=card_quad(at))

    play.reach("left", at, push)
    play.look(20)
    assert play.seen == play.expected


@pytest.mark.parametrize("aside", [(12, 6), (16, 0), (0, 14)])
def test_a_pile_that_is_pushed_while_its_top_card_goes_shows_no_new_card(aside):
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("pants", (304, 184), "left", "pile/1")

    def push():
        play.cards = [replace(play.cards[0], quad=card_quad(np.add((300, 180), aside)))]

    play.reach("left", (310, 186), push)
    play.look(40)
    assert play.seen == [*play.expected, ("removed", "pants", "pile/1", 2)]
