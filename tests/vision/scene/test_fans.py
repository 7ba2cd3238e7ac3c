"""A hand that was there in the first picture holds a fan, of which one box is found."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from detections import NoisyEyes, TrueCard
from plain_layouts import Piles
from tabletop import SIZE, card_quad
from test_watcher import FACES, FPS, Play

from vision import geometry
from vision.scene.background import Background
from vision.scene.candidates import Candidate
from vision.scene.doubts import Act
from vision.scene.fans import Fans, came_in, fanned
from vision.scene.hand_blobs import Cover
from vision.scene.small_picture import shrink
from vision.scene.table import Card, corners_of
from vision.settings import VisionSettings
from vision.sightings import UNKNOWN, Named

MIDDLE = (430, 300)  # beside the bottom of the picture
SKIN = (120, 150, 200)


class SeeingEyes(NoisyEyes):
    """Says too where each card shows itself, on a grid: all but where a thumb lies."""

    thumb = None

    def name(self, bgr, quads, quick=False, known=None):
        named = super().name(bgr, quads, quick, known)
        shown = tuple(self._shown(quad) for quad in named.quads)
        sure = zip(named.faces, named.confidences, strict=True)
        faces = tuple(face if chance > 0.5 else UNKNOWN for face, chance in sure)
        return Named(faces, named.confidences, named.quads, named.face_up, shown)

    def _shown(self, quad):
        grid = np.ones((16, 12), bool)
        if self.thumb is not None:
            for row, column in np.ndindex(grid.shape):
                x, y = (column + 0.5) / 12, (row + 0.5) / 16
                top, bottom = quad[0] + x * (quad[1] - quad[0]), quad[3] + x * (quad[2] - quad[3])
                grid[row, column] = not geometry.holds(self.thumb, top + y * (bottom - top))
        return grid


def begun(seed=5):
    """Play whose eyes tell what shows of a card."""
    play = Play(Piles(), seed)
    play.eyes = SeeingEyes([], FACES, seed, dropout=0.0, false_boxes=0.0)
    return play


def held(play, face, shift, seconds, thumb=True):
    """A hand out of sight holds a card there, perhaps with its thumb on it."""
    top = card_quad((MIDDLE[0] + shift, MIDDLE[1]))
    over = geometry.scaled(top, 0.45) + np.float32([0, 30])
    lying, play.cards = play.cards, [*play.cards, TrueCard(face, top, -1.0)]
    play.eyes.thumb = over if thumb else None
    for _ in range(round(seconds * FPS)):
        picture = play.drawn.picture([(card.face, card.quad) for card in play.cards], None, 1.0)
        if thumb:
            cv2.fillConvexPoly(picture, over.astype(np.int32), SKIN)
        play.look(bgr=picture)
    play.cards, play.eyes.thumb = lying, None


def test_a_card_under_a_thumb_beside_the_border_is_held():
    play = begun()
    for shift in (0, 2, 4, 3):
        held(play, "hat", shift, 1.0)
    assert play.seen == []


def thumbed(play, shown, since, fresh=False):
    """Whether a finger seems to lie on a candidate that has rested `since` (s) beside the border,
    of which `shown` is seen."""
    quad, settings = card_quad(MIDDLE), VisionSettings()
    top = Candidate(91, quad, quad, since, 0.1, 0.9, 4, (("hat", 2.0),), looks=1, upright=quad)
    low = shrink(play.drawn.picture([], None, 1.0), settings.low_width)
    change = Background(settings).see(low, 0.2)
    cover = Cover(np.zeros(low.shape[:2], bool), np.zeros(low.shape[:2], np.uint8))
    fans, top = Fans(play.watcher._scene), replace(top, visible=shown, fresh=fresh)
    fans.looked([top], change, cover)
    return fans.is_fingered(top)


@pytest.mark.parametrize(("face", "is_thumb"), [(UNKNOWN, True), ("socks", False)])
def test_what_a_lying_card_hides_is_no_thumb_but_one_without_a_name_may_be_the_fan(face, is_thumb):
    play = begun()
    play.look(2)
    scene = play.watcher._scene
    lying = Card(90, face, None, corners_of(card_quad(MIDDLE) + np.float32([0, 40])))
    scene.lay(lying, None, scene.table.born, Act(None), 0.0)
    shown = np.ones((16, 12), bool)
    shown[11:, 4:9] = False
    assert thumbed(play, shown, 0.0) is is_thumb


@pytest.mark.parametrize(("since", "is_thumb"), [(0.0, True), (5.0, False)])
def test_a_narrow_thumb_tells_only_of_a_card_of_the_first_picture(since, is_thumb):
    play = begun()
    play.look(2)
    shown = np.ones((16, 12), bool)
    shown[12:15, 2:5] = False
    assert thumbed(play, shown, since) is is_thumb


@pytest.mark.parametrize("is_hand", [False, True])
def test_a_finger_comes_over_the_edge_of_a_card_that_was_laid(is_hand):
    """A part that shows itself badly, with the table as it was beside it, is no finger."""
    play = begun()
    play.look(2)
    quad, settings = card_quad((430, 318)), VisionSettings()
    picture = play.drawn.picture([("hat", quad)], None, 1.0)
    if is_hand:
        cv2.fillConvexPoly(picture, (quad + np.float32([-40, 10])).astype(np.int32), SKIN)
    table = Background(settings)
    table.see(shrink(play.drawn.picture([], None, 1.0), settings.low_width), 0.1)
    change = table.see(shrink(picture, settings.low_width), 5.2)
    cover = Cover(np.zeros(change.changed.shape, bool), np.zeros(change.changed.shape, np.uint8))
    shown = np.ones((16, 12), bool)
    shown[8:14, :3] = False
    laid = Candidate(91, quad, quad, 5.0, 5.2, 0.9, 4, (("hat", 2.0),), looks=1, upright=quad)
    fans = Fans(play.watcher._scene)
    fans.looked([replace(laid, visible=shown, fresh=True)], change, cover)
    assert fans.is_fingered(laid) is is_hand


def test_a_card_with_bare_table_all_about_it_bears_no_thumb():
    """In the dark its own picture shows here and there only."""
    play = begun()
    play.look(20)
    card = card_quad(MIDDLE)
    play.eyes.thumb = geometry.scaled(card, 0.45) + np.float32([0, 12])
    play.lay("hat", MIDDLE, "bottom", "pile/1")
    play.look(30)
    assert play.seen == play.expected


def test_nor_does_one_close_to_the_border_that_it_does_not_reach():
    play = begun()
    play.look(20)
    middle = (MIDDLE[0], SIZE[1] - 46)
    play.eyes.thumb = geometry.scaled(card_quad(middle), 0.45) + np.float32([0, 12])
    play.lay("hat", middle, "bottom", "pile/1")
    play.look(15)
    assert play.seen == play.expected


def test_a_card_of_the_first_picture_that_seems_to_have_come_may_bear_a_thumb():
    """Nobody has seen the table below it: a fan that sways is a change."""
    play = begun()
    play.look(2)
    shown = np.ones((16, 12), bool)
    shown[10:, 3:6] = False
    assert thumbed(play, shown, 0.0, fresh=True) and not thumbed(play, shown, 5.0, fresh=True)


def test_without_a_thumb_it_lies_there():
    play = begun()
    held(play, "hat", 0, 1.0, thumb=False)
    assert play.seen == [("placed", "hat", "pile/1", None)]


def test_the_next_card_of_the_fan_is_held_too():
    play = begun()
    for shift in (0, 2, 4):
        held(play, "hat", shift, 0.7)
    held(play, "boxers", 3, 2.0, thumb=False)  # its thumb is out of sight
    assert play.seen == []


def test_a_card_that_a_hand_lays_there_afterwards_is_laid():
    play = begun()
    for shift in (0, 2, 4):
        held(play, "hat", shift, 0.7)
    play.look(round(4.0 * FPS))  # the fan has gone
    play.lay("socks", MIDDLE, "bottom", "pile/1")
    play.look(8)
    assert play.seen == play.expected


@pytest.mark.parametrize(("apart_px", "is_laid"), [(64, True), (24, False)])
def test_a_card_that_shows_whole_beside_a_held_fan_is_laid(apart_px, is_laid):
    """The next card of the fan overlaps it more."""
    play = begun()
    play.look(40)
    for step in range(30):
        fan = [card_quad((MIDDLE[0] + 24 * k, MIDDLE[1])) for k in range(4)]
        cards = [("boxers", fan[0]), ("socks", fan[1]), ("wild", fan[2]), ("pants", fan[3])]
        if step >= 8:
            cards += [("hat", fan[0] - np.float32([apart_px, 0]))]
        play.cards = [TrueCard(face, quad, -1.0) for face, quad in cards]
        play.look(arm=("bottom", np.array([MIDDLE[0] + 36.0, 345.0])))
    assert play.seen == ([("placed", "hat", "pile/1", 1)] if is_laid else [])


@pytest.mark.parametrize(
    ("is_lying", "y", "is_fan"), [(False, 180, True), (True, 180, False), (True, 320, True)]
)
def test_boxes_of_lying_cards_make_no_fan_but_at_the_border(is_lying, y, is_fan):
    play = begun()
    play.look(4)
    scene, quads = play.watcher._scene, [card_quad((300 + 20 * k, y)) for k in range(3)]
    for number, quad in enumerate(quads[1:] if is_lying else (), 90):
        card = Card(number, "socks", None, corners_of(quad))
        scene.lay(card, None, scene.table.born, Act(None), 0.0)
    cards = [Candidate(k, quad, quad, 0.0, 0.2, 0.9) for k, quad in enumerate(quads, 7)]
    cards[0] = replace(cards[0], evidence=(("hat", 2.0),))
    assert fanned(cards, {7, 8, 9}, scene) == (frozenset({7, 8, 9}) if is_fan else frozenset())


@pytest.mark.parametrize("is_again", [True, False])
def test_an_arm_comes_in_where_that_of_the_first_picture_has_gone_if_it_reaches_further(is_again):
    """What it hid differs from then on, and is no hand."""
    arm, further = np.zeros((90, 160), bool), np.zeros((90, 160), bool)
    arm[60:, 70:90], further[40:60, 70:90] = True, is_again
    change = SimpleNamespace(changed=arm | further)
    scene = SimpleNamespace(background=SimpleNamespace(seen=~arm))
    cover = Cover(arm | further, np.zeros(arm.shape, np.uint8))
    assert bool(came_in(change, cover, scene)[-1, 70:90].all()) is is_again
