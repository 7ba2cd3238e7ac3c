"""A back must look the same after a half turn: else its direction would mark a card."""

import cv2
import numpy as np
import pytest

from models.deck import load_deck, shipped_decks
from models.drawing.raster import face_picture


def changed(name: str, face: str) -> float:
    """The share of a face's pixels that a half turn changes, blurred over 1.5 mm."""
    picture = cv2.GaussianBlur(face_picture(load_deck(name), face, 880)[..., :3], (15, 15), 0)
    difference = np.abs(picture.astype(int) - picture[::-1, ::-1]).max(axis=2)
    return float((difference > 60).mean())


@pytest.mark.parametrize("name", shipped_decks())
def test_a_back_is_the_same_after_a_half_turn(name: str) -> None:
    assert changed(name, load_deck(name).back) < 0.0005


def test_a_front_is_told_from_its_half_turn() -> None:
    """The measure is sharp enough: it tells an M from a W."""
    assert changed("cat-in-the-hat", "m") > 0.02
