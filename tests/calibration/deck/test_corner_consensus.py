"""Taught corners that are off are set right by a deck's other pictures, true ones never moved."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.deck.corner_consensus import settle_corners
from calibration.deck.teach import picture_of_art
from models.deck import load_deck
from models.drawing.raster import face_picture

FACES = ("jc", "jd", "jh", "js", "qc", "qd", "qh", "qs", "10h", "9h")


@pytest.fixture(scope="module")
def pictures():
    deck = load_deck("plain52")
    return [picture_of_art(face, face_picture(deck, face, 480)) for face in FACES]


def short(picture, part=0.06):
    """With its lower side taken for one a `part` of the card's length higher."""
    quad = picture.quad.copy()
    quad[2:, 1] -= part * (quad[3, 1] - quad[0, 1])
    return replace(picture, quad=quad)


def off(picture, true):
    length = np.linalg.norm(true.quad[3] - true.quad[0])
    return np.linalg.norm(picture.quad - true.quad, axis=1).max() / length


def test_a_side_that_was_taken_for_another_is_set_right(pictures):
    taught = [short(pictures[0]), *pictures[1:]]
    settled = settle_corners(taught)
    assert off(taught[0], pictures[0]) == pytest.approx(0.06)
    assert off(settled[0].picture, pictures[0]) < 0.01
    assert [said.picture.face for said in settled] == list(FACES)


def test_a_card_that_was_taken_for_too_large_is_set_right_though_its_shape_is_true(pictures):
    middle = pictures[0].quad.mean(0)
    large = replace(pictures[0], quad=middle + 1.08 * (pictures[0].quad - middle))
    settled = settle_corners([large, *pictures[1:]])
    assert off(settled[0].picture, pictures[0]) < 0.01


def test_true_corners_stay_as_they_are(pictures):
    taught = [*pictures[:4], short(pictures[4]), *pictures[5:]]
    for k, said in enumerate(settle_corners(taught)):
        assert said.picture is pictures[k] or k == 4
        assert not said.is_strange


def test_two_pictures_or_fewer_tell_nothing(pictures):
    taught = [short(pictures[0]), pictures[1]]
    assert [(said.picture, said.is_strange) for said in settle_corners(taught)] == [
        (picture, False) for picture in taught
    ]
    assert settle_corners([]) == []


def test_pictures_that_share_nothing_tell_nothing():
    rng = np.random.default_rng(5)
    noise = [rng.integers(0, 255, (480, 343, 3), dtype=np.uint8) for _ in range(6)]
    taught = [picture_of_art(f"face{k}", art) for k, art in enumerate(noise)]
    taught[0] = short(taught[0])
    for said, picture in zip(settle_corners(taught), taught, strict=True):
        assert said.picture is picture
        assert not said.is_strange


def test_a_card_that_is_none_is_strange_to_a_deck_of_cards_that_are_alike(pictures):
    noise = np.random.default_rng(5).integers(0, 255, (480, 343, 3), dtype=np.uint8)
    settled = settle_corners([*pictures, picture_of_art("ah", noise)])
    assert [said.is_strange for said in settled] == [False] * len(pictures) + [True]
