"""A lying card is that card, however badly a hand over it makes its box."""

from __future__ import annotations

import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision.scene.interpretation import meaning
from vision.scene.known_again import as_it_lay
from vision.scene.small_picture import shrink


@pytest.fixture
def lying():
    """A hat that lies, and what its box is when a hand covers its lower part."""
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.look(10)
    [card] = play.cards
    top, bottom = card.quad[:2], card.quad[:1:-1]
    part = np.concatenate([top, (top + 0.7 * (bottom - top))[::-1]]).astype(np.float32)
    return play.watcher._scene, part, play


def test_a_part_of_a_card_that_lies_as_it_lay_is_that_card(lying):
    scene, part, _ = lying
    landing = as_it_lay(scene, part, "hat")
    assert landing is not None and landing.number == scene.table.cards[0].number
    assert as_it_lay(scene, part, "socks") is None


def test_a_like_card_on_it_is_another_one(lying):
    scene, part, play = lying
    pairs = [(card.face, card.quad) for card in play.cards]
    scene.bgr = play.drawn.picture([*pairs, ("hat", card_quad((305, 170), degrees=30))], None, 1.0)
    assert as_it_lay(scene, part, "hat") is None


@pytest.mark.parametrize(("aside", "kind"), [((1, 2), "revealed"), ((14, 24), "known")])
def test_a_face_seen_just_where_a_card_lies_shows_that_what_hid_it_is_gone(aside, kind):
    """In glare nothing else tells that the card on it went. A card that shows is seen beside it."""
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (300, 180), "left", "pile/1")
    play.lay("pants", np.add((300, 180), aside), "right", "pile/1")
    scene = play.watcher._scene
    hat, pants = scene.table.cards
    low = shrink(play.drawn.picture([(c.face, c.quad) for c in play.cards]), 320)
    change = scene.background.see(low, play.at)
    landing = meaning(
        hat.quad,
        "hat",
        scene.occupancy,
        {},
        change,
        scene.layout,
        lambda _: False,
        lambda _: False,
        lambda _: False,
    )
    assert (landing.kind, landing.number) == (kind, hat.number)
    assert landing.taken == ({pants.number} if kind == "revealed" else set())
