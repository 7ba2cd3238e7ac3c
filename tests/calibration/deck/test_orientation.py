"""Pictures taken upside down are turned as the deck's other pictures show."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.deck.orientation import turned_upright
from calibration.deck.teach import picture_of_art
from models.deck import load_deck
from models.drawing.raster import face_picture


def pictures(name, faces=12):
    deck = load_deck(name)
    return [picture_of_art(face, face_picture(deck, face, 320)) for face in deck.names[:faces]]


def half_turned(picture):
    return replace(picture, quad=np.roll(picture.quad, 2, axis=0))


@pytest.mark.parametrize("name", ["sooty"])
def test_a_picture_upside_down_is_turned_and_the_others_stay(name):
    upright = pictures(name)
    taken = [half_turned(p) if k in (2, 7) else p for k, p in enumerate(upright)]
    for one, true in zip(turned_upright(taken), upright, strict=True):
        assert np.allclose(one.quad, true.quad)


@pytest.mark.parametrize("name", ["sooty", "cat-in-the-hat", "plain52", "suds", "dirty-laundry"])
def test_upright_pictures_stay(name):
    upright = pictures(name, 40)
    assert all(a is b for a, b in zip(turned_upright(upright), upright, strict=True))


def test_two_pictures_tell_nothing():
    upright = pictures("sooty", 2)
    taken = [half_turned(upright[0]), upright[1]]
    assert turned_upright(taken) == taken
