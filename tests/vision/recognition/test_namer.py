"""Naming with the shipped weights: easy cards by name, strange ones never by a sure name."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.deck import teach
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from vision.geometry import iou
from vision.nms import SAME_CARD
from vision.recognition.namer import Namer
from vision.recognition.orientations import orientations
from vision.sightings import NOTHING


@pytest.fixture(scope="module")
def namer(embedder, suds):
    gallery = teach.build_gallery(teach.pictures_of_deck(suds), embedder)
    return Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)


def corners(deck, at, angle, length=170):
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * length / 2
    half = half * [deck.width_mm / deck.height_mm, 1]
    c, s = np.cos(angle), np.sin(angle)
    return (half @ np.array([[c, s], [-s, c]]) + at).astype(np.float32)


def table(deck, faces, seed=2):
    """The faces in a row, each turned, on felt: (picture, true quads)."""
    rng = np.random.default_rng(seed)
    scene = draw_table(rng, 400, 240 * len(faces), "felt").astype(np.float32)
    quads = [corners(deck, (120 + 240 * i, 200), rng.uniform(0, 6.28)) for i in range(len(faces))]
    light = Light(noise=1.5)
    for face, quad in zip(faces, quads, strict=True):
        lay(scene, Laid(face_picture(deck, face, 320), quad), light)
    return expose(scene, light, rng), np.stack(quads)


def test_most_cards_of_a_taught_deck_are_named(namer, suds):
    bgr, quads = table(suds, suds.names)
    named = namer.name(bgr, quads)
    right = [a == b for a, b in zip(named.faces, suds.names, strict=True)]
    assert sum(right) >= len(right) - 2
    assert named.face_up.all()
    assert ((named.confidences >= 0) & (named.confidences <= 1)).all()


def test_quads_come_back_upright_whatever_corner_was_first(namer, suds):
    bgr, quads = table(suds, suds.names[:4])
    shifted = np.stack([np.roll(q, 1 + i % 3, axis=0) for i, q in enumerate(quads)])
    named = namer.name(bgr, shifted)
    off = np.linalg.norm(named.quads - quads, axis=2).max(1)
    known = [i for i, face in enumerate(named.faces) if face == suds.names[i]]
    assert known and (off[known] < 30).all()  # a turned quad is 100 px off


def test_a_back_is_a_back_and_lies_face_down(namer, suds):
    bgr, quads = table(suds, [suds.back])
    named = namer.name(bgr, quads)
    assert named.faces == ("back",) and not named.face_up[0]


def test_bare_table_is_no_card(namer, suds):
    rng = np.random.default_rng(5)
    bare = np.full((400, 400, 3), (60, 90, 60), np.uint8) + rng.integers(0, 6, (400, 400, 3))
    named = namer.name(bare.astype(np.uint8), corners(suds, (200, 200), 0.3)[None])
    assert named.faces == (NOTHING,)
    assert named.confidences[0] < 0.5


@pytest.mark.parametrize("off", [0.02, 0.06])
def test_corners_come_to_lie_on_the_card(embedder, suds, off):
    bgr, quads = table(suds, suds.names)
    rng = np.random.default_rng(7)
    moved = quads + rng.normal(0, 170 * off / 1.4, quads.shape).astype(np.float32)
    found = embedder.corners.refine(bgr, moved, 88 / 63)
    before = np.linalg.norm(moved - quads, axis=2).mean()
    after = np.linalg.norm(found.quads - quads, axis=2).mean()
    assert after < 0.6 * before
    assert (found.is_card > 0.5).mean() > 0.9 and found.is_right.mean() > 0.3


def test_a_box_turned_too_far_is_turned_back(embedder, suds):
    bgr, quads = table(suds, suds.names)
    wrong = np.stack(
        [corners(suds, q.mean(0), np.arctan2(*(q[1] - q[0])[::-1]) + 0.7) for q in quads]
    )
    found = embedder.corners.refine(bgr, wrong, 88 / 63)
    near = [min(np.linalg.norm(np.roll(f, k, axis=0) - q, axis=1).max() for k in range(4)) < 20
            for f, q in zip(found.quads, quads, strict=True)]  # fmt: skip
    assert np.mean(near) >= 0.7


def _apart(namer, bgr, *cards):
    return namer.apart(bgr, list(cards), np.stack([card.quad for card in cards]))


def test_a_name_on_what_is_another_card_is_a_mistake(namer, suds):
    """As where one card was located twice, and its white rim is like that of another."""
    bgr, quads = table(suds, suds.names[:1])
    [card] = namer.recogniser.recognise(bgr, quads)
    beside = card.quad + (card.quad[1] - card.quad[0]) * 0.15
    less = replace(card.evidence, similarity=card.evidence.similarity * 0.9)
    other = replace(card, face=suds.names[1], quad=beside, evidence=less)
    assert namer.is_named(card) and namer.is_named(other)
    assert _apart(namer, bgr, other, card) == [None, card]
    away = replace(other, quad=beside + 400)
    assert _apart(namer, bgr, away, card) == [away, card]


@pytest.mark.parametrize("face", ["sneakers", "wild", "pants"])
def test_a_card_that_shows_beside_the_one_that_lies_on_it_is_no_mistake(namer, suds, face):
    bgr, quads = table(suds, [face])
    scene = bgr.astype(np.float32)
    above = quads[0] + (quads[0][0] - quads[0][3]) * 0.2
    lay(scene, Laid(face_picture(suds, "hat", 320), above), Light(noise=0.0))
    pile = np.clip(scene, 0, 255).astype(np.uint8)
    [upper] = namer.recogniser.recognise(pile, above[None])
    [whole] = namer.recogniser.recognise(bgr, quads)
    lower = namer.recogniser.recognise_under(pile, whole, [upper.shown])
    assert (upper.face, lower.face) == ("hat", face)
    assert SAME_CARD.doubtful < iou(upper.quad, lower.quad) < SAME_CARD.recognised
    assert namer.is_named(lower) and _apart(namer, pile, upper, lower) == [upper, lower]


def test_no_cards_no_names(namer):
    named = namer.name(np.zeros((100, 100, 3), np.uint8), np.zeros((0, 4, 2), np.float32))
    assert named.faces == () and named.quads.shape == (0, 4, 2)


def test_more_cards_than_a_batch(namer, suds):
    faces = (suds.names * 3)[:18]
    bgr, quads = table(suds, faces)
    assert len(namer.name(bgr, quads).faces) == 18


@pytest.mark.parametrize(("outline", "aspect", "ways"), [("card", 1.4, 2), ("card", 1.0, 4),
                                                         ("round", 1.0, 12)])  # fmt: skip
def test_a_card_is_tried_in_every_way_it_may_lie(outline, aspect, ways):
    found = orientations(outline, aspect)
    quad = np.float32([[0, 0], [10, 0], [10, 10], [0, 10]])
    turned = {tuple(np.round(way(quad).ravel(), 3).tolist()) for way in found}
    assert len(found) == ways == len(turned)


def test_a_box_astride_two_known_cards_shows_no_third_one(namer, suds):
    rng = np.random.default_rng(5)
    scene = draw_table(rng, 360, 520, "felt").astype(np.float32)
    quads = [corners(suds, (x, 180), 0.0) for x in (160, 290)]
    for face, quad in zip(("hat", "pants"), quads, strict=True):
        lay(scene, Laid(face_picture(suds, face, 320), quad), Light(noise=1.0))
    bgr = np.clip(scene, 0, 255).astype(np.uint8)
    astride = np.mean(quads, axis=0).astype(np.float32)
    boxes = np.stack([*quads, astride])
    named = namer.name_all(bgr, boxes, np.float32([0.9, 0.9, 0.8]))
    assert named.faces[:3] == ("hat", "pants", NOTHING)
