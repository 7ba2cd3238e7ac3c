"""A card that is laid on one whose print it hides: it is seen, and the print is not forgotten."""

from types import SimpleNamespace

import numpy as np
import pytest
from detections import TrueCard
from tabletop import card_quad
from test_drawn_out import sure_play
from test_watcher import BEYOND

from vision.scene.candidates import Candidate
from vision.scene.followed import came
from vision.scene.hand_blobs import Cover

LIES = card_quad((320, 180), degrees=90)
OVER = np.float32(card_quad((330, 180)))


def lying():
    """Play in which the hat lies."""
    play = sure_play()
    play.lay("hat", (320, 180), "left", "pile/1", 90)
    return play


def slightly(scene, share):
    """A `Change` in which this share of the table differs, and a `Cover` without a hand."""
    changed = np.random.default_rng(3).random(scene.occupancy.owner.shape) < share
    long = np.full(changed.shape, 1.0, np.float32)
    nothing = np.zeros(changed.shape, bool)
    return SimpleNamespace(changed=changed, changed_s=long, at=scene.at), Cover(
        nothing, nothing.astype(np.uint8)
    )


@pytest.mark.parametrize(("face", "has_come"), [("boxers", True), ("hat", False)])
def test_a_box_over_a_card_whose_print_shows_no_more_came_though_little_changed(face, has_come):
    """In dim light a pale card on a pale one changes next to nothing."""
    play = lying()
    scene = play.watcher._scene
    cards = [("hat", LIES), *([(face, OVER)] if has_come else [])]
    scene.bgr = play.drawn.picture(cards, None, 1.0)
    change, cover = slightly(scene, 0.1)
    assert came(change, cover, OVER[None], scene).tolist() == [has_come]


def test_the_picture_of_a_card_is_none_of_the_card_that_was_laid_on_it_at_once():
    """The hand that laid it has gone, and it is seen for the first time without it."""
    play = lying()
    scene, (card,) = play.watcher._scene, play.watcher.table.cards
    scene.hidden[card.number] = Candidate(card.number, card.quad, card.quad, 0.0, play.at, 0.9)
    play.look(8, bgr=play.drawn.picture([("hat", LIES), ("boxers", OVER)], None, 1.0))
    assert scene.pictures.likeness(card, scene.bgr) < 0.5


def test_a_card_is_known_by_its_print_as_soon_as_it_lies():
    """Before the hand beside it has gone."""
    play = sure_play()
    far, at = np.array(BEYOND["left"], float), np.array((320.0, 180.0))
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("left", at + far * step))
    play.cards.append(TrueCard("hat", LIES, -1.0, place="pile/1"))
    for _ in range(40):
        if not play.seen:
            play.look(arm=("left", at - np.array((30, 0))))
    assert [event[:2] for event in play.seen] == [("placed", "hat")]
    scene = play.watcher._scene
    assert scene.pictures.likeness(scene.table.cards[0], scene.bgr) > 0.9
