"""Cards in rows and columns that were not located: patterned backs beside each other."""

import cv2
import numpy as np
import pytest

from calibration.deck import teach
from models.drawing.faces import draw_face, random_design
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from vision.geometry import iou
from vision.recognition.namer import Namer

SIDE = 150.0
ROWS, COLUMNS = 3, 4
SURE = 0.9


def back():
    """A square of dots, as a memory card's back: it matches itself shifted by a dot."""
    picture = np.full((400, 400, 4), 255, np.uint8)
    picture[..., :3] = (225, 210, 190)
    for y in range(16, 400, 32):
        for x in range(16, 400, 32):
            cv2.circle(picture, (x, y), 9, (120, 60, 30, 255), -1, cv2.LINE_AA)
    return picture


@pytest.fixture(scope="module")
def deck():
    rng = np.random.default_rng(21)
    faces = {}
    while len(faces) < 3:
        design = random_design(rng)
        if design.outline == "square":
            faces[f"face-{len(faces)}"] = cv2.resize(draw_face(design, 400), (400, 400))
    return faces | {"back": back()}


@pytest.fixture(scope="module")
def namer(deck, embedder):
    pictures = [teach.picture_of_art(face, art) for face, art in deck.items()]
    return Namer(teach.build_gallery(pictures, embedder), "card", 1.0, embedder)


def grid(deck, gap):
    """A grid of backs with two faces: the picture, all quads, and their faces."""
    rng = np.random.default_rng(8)
    scene = draw_table(rng, 720, 960, "felt").astype(np.float32)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE / 2
    quads, faces = [], []
    for row in range(ROWS):
        for column in range(COLUMNS):
            at = np.array([150 + column * SIDE * (1 + gap), 140 + row * SIDE * (1 + gap)])
            face = {(0, 1): "face-0", (2, 2): "face-1"}.get((row, column), "back")
            quad = (half + at + rng.normal(0, 1.5, 2)).astype(np.float32)
            lay(scene, Laid(deck[face], quad), Light(noise=0.0))
            quads.append(quad)
            faces.append(face)
    return expose(scene, Light(noise=2.0), rng), np.array(quads), faces


@pytest.mark.parametrize("gap", [0.16, 0.2])
def test_two_located_cards_lead_to_the_whole_grid(deck, namer, gap):
    bgr, quads, faces = grid(deck, gap)
    scores = np.full(2, SURE, np.float32)
    named = namer.name_all(bgr, quads[[5, 6]], scores, np.zeros((0, 4, 2), np.float32))
    for quad, face in zip(quads, faces, strict=True):
        overlaps = [iou(quad, one) for one in named.quads]
        best = int(np.argmax(overlaps))
        assert overlaps[best] > 0.85 and named.faces[best] == face


def test_a_lone_card_has_no_row(deck, namer):
    _, quads, _ = grid(deck, 0.2)
    scene = draw_table(np.random.default_rng(8), 720, 960, "felt").astype(np.float32)
    lay(scene, Laid(deck["face-0"], quads[5]), Light(noise=0.0))
    bgr, scores = np.clip(scene, 0, 255).astype(np.uint8), np.full(1, SURE, np.float32)
    named = namer.name_all(bgr, quads[[5]], scores, np.zeros((0, 4, 2), np.float32))
    assert named.faces == ("face-0",)
