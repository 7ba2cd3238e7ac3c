"""A doubtful picture's card is found where the deck's sure pictures show a card like it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.deck.confirmation import SureDeck, confirmed
from calibration.deck.teach import picture_of_art
from models.deck import load_deck
from models.drawing.raster import face_picture
from vision.geometry import iou

SURE = ("jc", "js", "qc", "qs", "kc", "ks", "10s", "9s")


def on_a_table(face):
    """A card's art in the middle of a plain table; its quad is the true one."""
    art = picture_of_art(face, face_picture(load_deck("plain52"), face, 480))
    wide = np.full((art.bgr.shape[0] + 240, art.bgr.shape[1] + 240, 3), 70, np.uint8)
    wide[120:-120, 120:-120] = art.bgr
    return replace(art, bgr=wide, quad=art.quad + np.float32(120))


@pytest.fixture(scope="module")
def sure():
    return SureDeck.of([on_a_table(face) for face in SURE])


def part(quad, *sides):
    """The quad without these shares of its sides: left, top, right, bottom."""
    left, top, right, bottom = sides
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    return np.array([
        quad[0] + left * across + top * down, quad[1] - right * across + top * down,
        quad[2] - right * across - bottom * down, quad[3] + left * across - bottom * down,
    ], np.float32)  # fmt: skip


@pytest.mark.parametrize("face", ["qd", "8s"])
def test_of_a_card_and_its_printed_frame_the_card_is_taken(sure, face):
    picture = on_a_table(face)
    frame = part(picture.quad, 0.16, 0.11, 0.16, 0.11)
    found = confirmed(picture.face, picture.bgr, [frame, picture.quad], sure)
    assert found is not None and iou(found.quad, picture.quad) > 0.98


def test_a_quad_that_is_off_moves_to_where_the_others_register(sure):
    picture = on_a_table("jd")
    found = confirmed(picture.face, picture.bgr, [part(picture.quad, 0.0, 0.0, 0.0, 0.07)], sure)
    assert found is not None and iou(found.quad, picture.quad) > 0.98


def test_a_picture_that_no_sure_one_is_like_stays_doubtful(sure):
    rng = np.random.default_rng(3)
    picture = on_a_table("8s")
    strange = replace(picture, bgr=rng.integers(0, 255, picture.bgr.shape, np.uint8))
    assert confirmed(strange.face, strange.bgr, [picture.quad], sure) is None
    assert (
        confirmed(picture.face, picture.bgr, [part(picture.quad, 0.5, 0.0, 0.0, 0.5)], sure) is None
    )
    assert confirmed(picture.face, picture.bgr, [], sure) is None


def test_few_pictures_and_other_outlines_confirm_nothing():
    pictures = [on_a_table(face) for face in SURE[:5]]
    assert SureDeck.of(pictures) is not None
    assert SureDeck.of(pictures[:4]) is None
    cut = replace(pictures[0], outline=np.zeros((8, 2), np.float32))
    assert SureDeck.of([cut, *pictures[1:]]) is None
