"""Cards of a single picture that no sure box showed: by their keypoints, or by weak boxes."""

import cv2
import numpy as np
import pytest
from covered_cards import covered, part_of, quad_at, twice

from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, lay
from models.drawing.tables import draw_table
from models.gallery import load_gallery
from vision.geometry import iou
from vision.recognition.namer import Namer
from vision.sightings import NOTHING

NO_BOXES = np.zeros((0, 4, 2), np.float32)
NO_SCORES = np.zeros(0, np.float32)
SURE = np.array([0.9], np.float32)


@pytest.fixture(scope="module")
def gallery(suds, embedder):
    return load_gallery(suds.taught, embedder.checksum)


@pytest.fixture(scope="module")
def namer(suds, gallery, embedder):
    return Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)


def laid(deck, *cards):
    """A table with a card for each (face, quad): the picture (480, 640, 3)."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    for face, quad in cards:
        lay(scene, Laid(face_picture(deck, face, 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8)


def shown(named):
    """The faces of what is a card."""
    return sorted(face for face in named.faces if face != NOTHING)


@pytest.mark.parametrize("grown", [0.7, 1.5])
def test_a_card_that_was_not_located_is_found_by_its_keypoints(suds, namer, grown):
    bgr, quad, _ = covered(suds, "sneakers", 200, 1.2)
    bgr = cv2.resize(bgr, None, fx=grown, fy=grown, interpolation=cv2.INTER_AREA)
    named = namer.name_all(bgr, NO_BOXES, NO_SCORES)
    assert shown(named) == ["back", "sneakers"]
    assert iou(named.quads[named.faces.index("sneakers")], quad * np.float32(grown)) > 0.93


def test_keypoints_find_no_card_on_an_empty_table(namer):
    for table in ("felt", "wood", "cloth"):
        bgr = draw_table(np.random.default_rng(3), 480, 640, table)
        bgr = np.clip(bgr, 0, 255).astype(np.uint8)
        named = namer.name_all(bgr, NO_BOXES, NO_SCORES)
        assert named.faces == ()


def test_without_a_box_of_any_score_keypoints_name_no_card(suds, namer):
    quad = quad_at(suds, 300, 240, 20)
    bgr = laid(suds, ("sneakers", quad))
    assert shown(namer.name_all(bgr, NO_BOXES, NO_SCORES, NO_BOXES)) == []
    away = quad_at(suds, 90, 130, 0)[None]
    assert shown(namer.name_all(bgr, NO_BOXES, NO_SCORES, away)) == []
    corner = part_of(quad, 0.3)[None]
    named = namer.name_all(bgr, NO_BOXES, NO_SCORES, corner)
    assert shown(named) == ["sneakers"] and iou(named.quads[-1], quad) > 0.93


@pytest.mark.parametrize("degrees", [0, 30])
def test_a_covered_card_beside_a_known_one_needs_a_weak_box(suds, namer, degrees):
    bgr, quad, above = covered(suds, "sneakers", degrees, 0.55)
    known = namer.name_all(bgr, above[None], SURE, NO_BOXES)
    assert shown(known) == ["back"]
    named = namer.name_all(bgr, above[None], SURE, part_of(quad, 0.5)[None])
    assert named.faces == ("back", "sneakers") and iou(named.quads[1], quad) > 0.9


def test_a_weak_box_shows_a_whole_card(suds, namer):
    known, quad = quad_at(suds, 130, 240, 10), quad_at(suds, 450, 240, 70)
    bgr = laid(suds, ("hat", known), ("sneakers", quad))
    named = namer.name_all(bgr, known[None], SURE, quad[None] + np.float32([12, -8]))
    assert named.faces == ("hat", "sneakers") and iou(named.quads[1], quad) > 0.93


def test_weak_boxes_of_a_known_card_show_it_once(suds, namer):
    quad = quad_at(suds, 300, 240, 30)
    bgr = laid(suds, ("sneakers", quad))
    weak = np.stack([quad + np.float32([10, 6]), part_of(quad, 0.6)])
    named = namer.name_all(bgr, quad[None], SURE, weak)
    assert named.faces == ("sneakers",)


@pytest.mark.parametrize("table", ["felt", "wood", "cloth"])
def test_a_weak_box_on_a_bare_table_is_no_card(suds, namer, table):
    bare = np.clip(draw_table(np.random.default_rng(3), 480, 640, table), 0, 255).astype(np.uint8)
    weak = np.stack([quad_at(suds, 200, 240, 0), quad_at(suds, 440, 240, 50)])
    assert shown(namer.name_all(bare, NO_BOXES, NO_SCORES, weak)) == []


def test_a_weak_box_without_a_sure_name_is_no_card(suds, gallery, embedder):
    double = twice(gallery, "sneakers", "shoes")
    unsure = Namer(double, suds.outline, suds.height_mm / suds.width_mm, embedder)
    known, quad = quad_at(suds, 130, 240, 10), quad_at(suds, 450, 240, 70)
    bgr = laid(suds, ("hat", known), ("sneakers", quad))
    seen = np.stack([known, quad])
    assert unsure.name(bgr, seen, np.float32([0.9, 0.9])).faces == ("hat", "unknown")
    assert unsure.search.at_weak(bgr, quad[None], []) == []


def test_a_card_of_another_size_than_the_known_ones_is_not_taken_from_a_weak_box(suds, namer):
    known, quad = quad_at(suds, 130, 240, 10), quad_at(suds, 450, 240, 70)
    small = (quad.mean(0) + (quad - quad.mean(0)) * 0.6).astype(np.float32)
    bgr = laid(suds, ("hat", known), ("sneakers", small))
    cards = namer.recogniser.recognise(bgr, known[None])
    assert namer.search.at_weak(bgr, small[None], cards) == []
    [alone] = namer.search.at_weak(bgr, small[None], [])
    assert alone.face == "sneakers"
