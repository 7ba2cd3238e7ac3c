"""Teaching pictures: the card is found whatever part of the picture it fills, with true corners."""

import numpy as np
import pytest

from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from vision.networks.corners import CornerNetwork, other_extents
from vision.networks.locator import Locator
from vision.nms import PART_OF_CARD, suppress
from vision.recognition.closeup import Closeup


@pytest.fixture(scope="module")
def closeup():
    return Closeup(Locator(), CornerNetwork())


@pytest.mark.parametrize("part", [0.3, 0.5, 0.75])
def test_a_card_of_any_size_is_found_with_its_corners(closeup, part):
    deck = load_deck("suds")
    height, found = 540, 0
    for face in deck.names[:5]:
        rng = np.random.default_rng(3)
        scene = draw_table(rng, height, 720, "wood").astype(np.float32)
        half = np.array([[-63, -88], [63, -88], [63, 88], [-63, 88]]) / 176 * height * part
        c, s = np.cos(0.15), np.sin(0.15)
        quad = (half @ np.array([[c, s], [-s, c]]) + [360, 270]).astype(np.float32)
        lay(scene, Laid(face_picture(deck, face, 480), quad), Light())
        seen = closeup.locate(expose(scene, Light(noise=1.5), rng))
        off = [min(np.linalg.norm(np.roll(q, k, 0) - quad, axis=1).max() for k in range(4))
               for q in seen.quads]  # fmt: skip
        found += bool(off) and min(off) < 0.03 * height * part
    assert found >= 4


@pytest.mark.parametrize(("kind", "seed"), [("felt", 8), ("felt", 9), ("wood", 10), ("cloth", 11)])
def test_a_bare_table_has_no_card(closeup, kind, seed):
    bare = draw_table(np.random.default_rng(seed), 540, 720, kind)
    assert len(closeup.locate(bare)) == 0


def test_a_card_that_fills_the_picture_is_found(closeup):
    """As a scan that is cut at its edges."""
    face = face_picture(load_deck("suds"), "hat", 720)
    picture = np.full((736, round(736 * face.shape[1] / face.shape[0]), 3), 40, np.uint8)
    h, w = picture.shape[:2]
    quad = np.float32([[3, 4], [w - 4, 4], [w - 4, h - 5], [3, h - 5]])
    scene = picture.astype(np.float32)
    lay(scene, Laid(face, quad), Light())
    found = closeup.locate(scene.astype(np.uint8)).quads
    off = [min(np.linalg.norm(np.roll(q, k, 0) - quad, axis=1).max() for k in range(4))
           for q in found]  # fmt: skip
    assert off and min(off) < 0.03 * h


def test_half_of_a_card_leads_to_the_whole():
    whole = np.float32([[0, 0], [100, 0], [100, 140], [0, 140]])
    half = np.float32([[0, 70], [0, 0], [100, 0], [100, 70]])  # standing: its sides are the longer
    made = other_extents(half, 1.4)
    near = [np.abs(np.sort(q, axis=0) - np.sort(whole, axis=0)).max() for q in made]
    assert min(near) == pytest.approx(0, abs=1e-3)
    assert len(made) == 2  # half of such a card has the shape of a whole one


def test_a_quad_that_is_too_long_is_tried_shorter_from_both_ends():
    made = other_extents(np.float32([[0, 0], [100, 0], [100, 200], [0, 200]]), 1.4)
    spans = {(float(q[:, 1].min()), float(q[:, 1].max())) for q in made.round(1)}
    assert {(60.0, 200.0), (0.0, 140.0)} <= spans


def test_a_part_of_a_better_card_is_dropped_and_its_neighbour_is_not():
    card = np.float32([[0, 0], [100, 0], [100, 140], [0, 140]])
    part = np.float32([[10, 10], [90, 10], [90, 70], [10, 70]])
    beside = card + np.float32([60, 0])
    assert suppress(np.stack([card, part, beside]), 0.5, PART_OF_CARD).tolist() == [0, 2]
