"""Look-alikes: the face that is there wins, a face that was not taught gets no name."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.deck import teach
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from vision.recognition.confidence import Confidence, lead
from vision.recognition.judge import Judge
from vision.recognition.namer import LIMITS, Namer
from vision.recognition.naming_limits import OPEN

FACES = ("kc", "ks", "7d", "7h", "5c", "5s")


@pytest.fixture(scope="module")
def deck():
    return load_deck("plain52")


@pytest.fixture(scope="module")
def pictures(deck):
    return {face: teach.picture_of_art(face, face_picture(deck, face, 480)) for face in FACES}


def namer_of(deck, pictures, embedder, is_open=False):
    gallery = teach.build_gallery(list(pictures), embedder)
    aspect = deck.height_mm / deck.width_mm
    return Namer(gallery, deck.outline, aspect, embedder, is_open=is_open)


def laid(deck, face, length=190, angle=0.4):
    """The face on felt under a lamp that tints it: (picture, quad)."""
    rng = np.random.default_rng(6)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * length / 2
    half = half * [deck.width_mm / deck.height_mm, 1]
    c, s = np.cos(angle), np.sin(angle)
    quad = (half @ np.array([[c, s], [-s, c]]) + [170, 170]).astype(np.float32)
    scene = draw_table(rng, 340, 340, "felt").astype(np.float32)
    light = Light(noise=2.0, gain=0.8, tint=(0.85, 1.0, 1.1))
    lay(scene, Laid(face_picture(deck, face, 480), quad), light)
    return expose(scene, light, rng), quad


@pytest.mark.parametrize("face", FACES)
def test_look_alikes_are_named(deck, pictures, embedder, face):
    namer = namer_of(deck, pictures.values(), embedder)
    bgr, quad = laid(deck, face)
    assert namer.name(bgr, quad[None]).faces == (face,)


def test_a_face_that_was_taught_upside_down_is_named(deck, pictures, embedder):
    king = pictures["kc"]
    turned = replace(king, quad=np.roll(king.quad, 2, axis=0))
    namer = namer_of(deck, [turned, *(p for f, p in pictures.items() if f != "kc")], embedder)
    for face in ("kc", "ks"):
        bgr, quad = laid(deck, face)
        assert namer.name(bgr, quad[None]).faces == (face,)


@pytest.mark.parametrize("face", ["7d", "7h"])
def test_a_face_that_was_not_taught_is_not_named_as_its_look_alike(deck, pictures, embedder, face):
    others = [picture for name, picture in pictures.items() if name != face]
    bgr, quad = laid(deck, face)
    assert namer_of(deck, others, embedder).name(bgr, quad[None]).faces[0] in ("unknown", "nothing")


def test_a_card_that_disagrees_with_its_template_anywhere_has_no_name(deck, pictures, embedder):
    namer = namer_of(deck, pictures.values(), embedder)
    bgr, quad = laid(deck, "5s")
    [card] = namer.recogniser.recognise(bgr, quad[None])
    assert namer.is_named(card) and card.evidence.disagreement < 0.5 * LIMITS.disagreement
    worn = replace(card.evidence, disagreement=LIMITS.disagreement + 0.1)
    assert namer.is_named(replace(card, evidence=worn))  # all else matches: glare, or a worn place
    unlike = replace(worn, correlation=LIMITS.correlation - 0.01)
    strange = replace(card.evidence, disagreement=LIMITS.glare + 0.1)
    assert not namer.is_named(replace(card, evidence=unlike))
    assert not namer.is_named(replace(card, evidence=strange))
    still, is_open = Judge(Confidence.load()), Judge(Confidence.load(), is_open=True)
    assert still.is_named(replace(card, evidence=unlike), is_still=True)  # glare: no hand moves
    assert not still.is_named(replace(card, evidence=strange), is_still=True)
    assert not is_open.is_named(replace(card, evidence=unlike), is_still=True)
    faint = replace(unlike, similarity=0.6, better_half=0.65, correlation=0.4)
    assert not still.is_named(replace(card, evidence=faint), is_still=True)


def test_the_lead_changes_its_sign_with_the_faces():
    assert lead(0.3, 0.1, 0.2) == pytest.approx(-lead(-0.3, -0.1, -0.2))
    assert lead(1.0, -1.0, 0.0) < lead(1.0, 1.0, 0.0)
    assert lead(0.1, 0.0, -0.8) < 0 < lead(-0.1, 0.0, 0.8)


def line_art(ink):
    """A face of thin lines in one ink, (480, 344, 4)."""
    face = np.full((480, 344, 4), 255, np.uint8)
    for y in (150, 240, 330):
        cv2.ellipse(face, (172, y), (90, 34), 0, 0, 360, (*ink, 255), 5, cv2.LINE_AA)
    return face


@pytest.mark.parametrize("name", ["red", "green", "purple"])
def test_faces_of_one_drawing_are_told_apart_by_their_ink(embedder, name):
    inks = {"red": (50, 40, 200), "green": (80, 140, 20), "purple": (140, 40, 110)}
    pictures = [teach.picture_of_art(face, line_art(ink)) for face, ink in inks.items()]
    namer = Namer(teach.build_gallery(pictures, embedder), "card", 480 / 344, embedder)
    rng = np.random.default_rng(6)
    quad = np.float32([[110, 60], [250, 80], [222, 276], [82, 256]])
    scene = draw_table(rng, 340, 340, "felt").astype(np.float32)
    light = Light(noise=2.0, gain=0.8, tint=(0.75, 1.0, 1.15))
    lay(scene, Laid(line_art(inks[name]), quad), light)
    bgr = expose(scene, light, rng)
    assert namer.name(bgr, quad[None]).faces == (name,)
    [card] = namer.recogniser.recognise(bgr, quad[None])
    assert card.evidence.colours > 0.5


def test_a_region_that_no_face_is_like_is_compared_with_no_template(deck, pictures, embedder):
    namer = namer_of(deck, pictures.values(), embedder)
    bgr, quad = laid(deck, "5s")
    bare = draw_table(np.random.default_rng(6), 340, 340, "felt").astype(np.uint8)
    [card] = namer.recogniser.recognise(bgr, quad[None])
    [nothing] = namer.recogniser.recognise(bare, quad[None])
    assert card.evidence.correlation > 0.8 and len(card.compared) > 1
    assert nothing.evidence.correlation == 0.0 and not namer.is_named(nothing)


@pytest.mark.parametrize("face", FACES)
def test_where_faces_are_missing_no_card_of_them_is_named_and_the_others_are(
    deck, pictures, embedder, face
):
    others = [picture for name, picture in pictures.items() if name != face]
    namer = namer_of(deck, others, embedder, is_open=True)
    bgr, quad = laid(deck, face)
    assert namer.name(bgr, quad[None]).faces[0] in ("unknown", "nothing")
    known = next(name for name in FACES if name != face)
    bgr, quad = laid(deck, known)
    assert namer.name(bgr, quad[None]).faces == (known,)


def test_a_card_of_which_half_fits_its_template_is_named_only_where_all_faces_are_taught(
    deck, pictures, embedder
):
    bgr, quad = laid(deck, "5s")
    closed = namer_of(deck, pictures.values(), embedder)
    opened = namer_of(deck, pictures.values(), embedder, is_open=True)
    [card] = closed.recogniser.recognise(bgr, quad[None])
    assert closed.is_named(card) and opened.is_named(card)
    half = replace(card, evidence=replace(card.evidence, correlation=OPEN.correlation - 0.02))
    assert closed.is_named(half) and not opened.is_named(half)
