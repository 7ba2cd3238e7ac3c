"""A card that lies still below a fan that sways is in no hand."""

from dataclasses import replace

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision.scene.candidates import Candidate
from vision.scene.hand_blobs import Cover
from vision.scene.swaying import Swaying

QUAD = card_quad((430, 300))
SHOWS = np.repeat(np.arange(16) < 11, 12).reshape(16, 12)
CARD = Candidate(
    9, QUAD, QUAD, 1.0, 9.0, 0.9, 40, (("hat", 3.0),), looks=3, upright=QUAD,
    visible=SHOWS,
)  # fmt: skip


def swayed(frames, does_move, card=CARD):
    """What a fan does that moves over the lower part of a card for so many frames."""
    play = Play(Piles(), 5, dropout=0.0, false_boxes=0.0)
    play.look(4)
    scene = play.watcher._scene
    swaying, rest = Swaying(scene), np.array(scene.background.rest, np.uint8)
    place = scene.occupancy.area(QUAD)
    fan = np.zeros(place.shape, bool)
    fan[int(np.nonzero(place)[0].mean()) + 8 :, 180:260] = True
    for _ in range(frames):
        change = replace(scene.background.see(rest, scene.at), moved=fan | (place & does_move))
        still_s = np.where(fan | (place & does_move), 0.0, 9.0).astype(np.float32)
        cover = Cover(fan, fan.astype(np.uint8))
        swaying.see([card], replace(change, still_s=still_s), cover)
    return swaying


@pytest.mark.parametrize(
    ("frames", "does_move", "lies"), [(2, False, True), (1, False, False), (6, True, False)]
)
def test_a_card_that_does_not_sway_with_what_covers_it_lies_below(frames, does_move, lies):
    assert swayed(frames, does_move).lies_below(CARD, [CARD]) is lies


@pytest.mark.parametrize("hidden", [np.s_[:4, :4], np.s_[11::2, ::2]])
def test_a_hand_that_moves_beside_the_top_card_of_a_fan_is_not_what_covers_it(hidden):
    """A thumb lies elsewhere on the card; single cells are noise."""
    visible = np.ones((16, 12), bool)
    visible[hidden] = False
    top = replace(CARD, visible=visible)
    assert not swayed(6, False, top).lies_below(top, [top])


def test_one_that_hardly_shows_or_overlaps_the_next_card_of_a_fan_may_be_held():
    swaying = swayed(4, False)
    assert not swaying.lies_below(replace(CARD, visible=np.eye(16, 12) > 0), [CARD])
    quad = card_quad((450, 300))
    assert not swaying.lies_below(CARD, [CARD, Candidate(8, quad, quad, 1.0, 9.0, 0.9)])
