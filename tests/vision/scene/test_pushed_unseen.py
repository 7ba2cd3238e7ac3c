"""A card that was pushed unseen became an unknown card: once it has its name, it is itself."""

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision.frame import Frame
from vision.scene.background import Background
from vision.scene.before import Before
from vision.scene.doubts import Act
from vision.scene.hand_blobs import Cover
from vision.scene.interpretation import Landing, meaning
from vision.scene.leftovers import Leftovers
from vision.scene.small_picture import shrink
from vision.scene.table import Card, corners_of
from vision.settings import VisionSettings
from vision.sightings import UNKNOWN, Named

WHERE, PUSHED = card_quad((300, 180)), card_quad((318, 188), degrees=8)


@pytest.fixture
def play():
    """A hat, and an unknown card that lies where it was pushed."""
    made = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    made.look(4)
    made.lay("hat", (300, 180), "left", "pile/1")
    assert made.seen == made.expected
    scene = made.watcher._scene
    unknown = Card(90, UNKNOWN, "pile/1", corners_of(PUSHED))
    scene.lay(unknown, None, scene.table.born, Act(1, 0.9), 0.0)
    return made


def named_at(play, quads):
    """The cards of the table after the unknown one was seen as a hat while hats lie at `quads`."""
    scene, settings = play.watcher._scene, VisionSettings()
    bgr = play.drawn.picture([("hat", quad) for quad in quads])
    low = shrink(bgr, settings.low_width)
    change = Background(settings).see(low, play.at)
    cover = Cover(np.zeros(low.shape[:2], bool), np.zeros(low.shape[:2], np.uint8))
    leftovers = Leftovers(scene)

    def name(picture, asked, quick=False, known=None):
        count = len(asked)
        sure = np.full(count, 0.97, np.float32)
        return Named(("hat",) * count, sure, np.asarray(asked), np.ones(count, bool))

    scene.begin(Frame(bgr, play.at, play.number), low.shape[:2])
    for k in range(6):
        at = play.at + k * (settings.again_s + 0.1)
        leftovers.name_unknown(change, cover, Frame(bgr, at, play.number + k), name)
    return [(card.face, card.quad) for card in scene.table.cards]


def test_an_unknown_card_with_the_name_of_the_one_below_is_that_one(play):
    cards = named_at(play, [PUSHED])
    assert [face for face, _ in cards] == ["hat"]
    assert np.abs(cards[0][1] - PUSHED).max() < 2


def test_it_is_a_second_card_where_the_one_below_still_shows(play):
    assert [face for face, _ in named_at(play, [WHERE, PUSHED])] == ["hat", "hat"]


@pytest.mark.parametrize("still_shows", [True, False])
def test_the_card_below_seen_at_the_unknown_ones_place_was_pushed(play, still_shows):
    scene = play.watcher._scene
    low = scene.background.rest
    change = Background(VisionSettings()).see(low, play.at)
    landing = meaning(
        PUSHED, "hat", scene.occupancy, {}, change, Piles(),
        lambda place: True, lambda card: still_shows, lambda card: False,
    )  # fmt: skip
    hat = scene.table.cards[0].number
    is_pushed = landing == Landing("revealed", hat, frozenset({90}))
    assert is_pushed is not still_shows


def test_a_pose_taken_under_a_hand_shows_nothing_of_its_own():
    """Beside the card's true place there is what lay there before it came: here socks."""
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("socks", (300, 180), "left", "pile/1")
    assert play.seen == play.expected
    scene, settings = play.watcher._scene, VisionSettings()
    rest, off, true = scene.background.rest, WHERE, card_quad((284, 174), degrees=-6)
    bgr = play.drawn.picture([("socks", WHERE), ("hat", true)])
    change = Background(settings).see(shrink(bgr, settings.low_width), play.at)
    hat = Card(91, "hat", "pile/1", corners_of(off))
    scene.begin(Frame(bgr, play.at, play.number), change.low.shape[:2])
    scene.lay(hat, Before(rest, change.light), scene.table.born, Act(1, 0.99), 0.99)
    scene.pictures.keep(hat, bgr)
    assert not scene.still_shows(hat, true, change)


def test_an_unknown_card_that_goes_has_no_name_to_be_wrong(play):
    """If it was no card, then nothing went: that is in doubt since it came."""
    scene = play.watcher._scene
    scene.take(frozenset({90}), 1.0)
    act = scene.acts[90]
    assert act.sure == 1.0 and not act.doubts


def test_a_pose_smaller_than_a_card_was_taken_under_a_hand():
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    scene = play.watcher._scene
    (hat,) = scene.table.cards
    scene.push(hat, corners_of(card_quad((300, 174), length=56.0)))
    change = Background(VisionSettings()).see(scene.background.rest, play.at)
    landing = meaning(
        card_quad((302, 184), degrees=8), "hat", scene.occupancy, {}, change, Piles(),
        lambda place: True, lambda card: False, lambda card: False,
    )  # fmt: skip
    assert landing == Landing("known", hat.number)
