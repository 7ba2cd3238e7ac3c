"""Backs whose pattern repeats: where such a back lies among its neighbours."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.deck import teach
from lab.evaluation.drawn_grids import draw_grid_deck, drawn_grid
from models.drawing.backs import PATTERNS, repeating_back
from models.drawing.faces import draw_face, random_design
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table
from vision.geometry import iou
from vision.matching.keypoints import Pose
from vision.matching.template_match import HEIGHT, WIDTH, normalised, summed
from vision.recognition.namer import Namer
from vision.recognition.repeating import RepeatingBacks, repeats

H, W = 200, 150  # px of a card


def template(art):
    return normalised(cv2.resize(art[..., :3], (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))


@pytest.fixture(scope="module")
def back():
    return repeating_back(np.random.default_rng(7), 2 * H, 2 * W, "dots")


@pytest.fixture(scope="module")
def backs(back):
    return RepeatingBacks(["back"], [template(back)])


def laid(art, columns, gap=6):
    """Cards side by side on felt: the picture, and their quads."""
    rng = np.random.default_rng(5)
    scene = draw_table(rng, 480, 800, "felt").astype(np.float32)
    corners = np.array([[0, 0], [W, 0], [W, H], [0, H]], np.float32)
    quads = [corners + np.float32([120 + k * (W + gap), 130]) for k in range(columns)]
    for quad in quads:
        lay(scene, Laid(art, quad), Light(noise=0.0))
    return expose(scene, Light(noise=2.0), rng), quads


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_drawn_pattern_repeats(pattern):
    art = repeating_back(np.random.default_rng(3), 2 * H, 2 * W, pattern)
    assert repeats(summed(template(art)))


def test_a_face_repeats_nothing():
    face = draw_face(random_design(np.random.default_rng(21)), 400)
    assert not repeats(summed(template(face)))
    nothing = np.zeros((480, 800, 3), np.uint8)
    _, quads = laid(face, 1)
    assert RepeatingBacks(["back"], [template(face)]).better_place(nothing, quads[0]) is None


def test_only_a_back_counts(back):
    bgr, quads = laid(back, 3)
    place = RepeatingBacks(["face-0"], [template(back)]).better_place(bgr, quads[1] + 40)
    assert place is None


@pytest.mark.parametrize("share", [-0.45, -0.2, 0.2, 0.45])
def test_a_back_astride_two_cards_goes_to_one_of_them(back, backs, share):
    bgr, quads = laid(back, 3)
    astride = quads[1] + np.float32([share * W, 0])
    place = backs.better_place(bgr, astride)
    assert place is not None and max(iou(place, quad) for quad in quads) > 0.93


def test_a_back_at_its_place_stays(back, backs):
    bgr, quads = laid(back, 3)
    assert all(backs.better_place(bgr, quad) is None for quad in quads)


@pytest.fixture(scope="module")
def namer(back, embedder):
    face = draw_face(random_design(np.random.default_rng(21)), 2 * H)
    art = {"face-0": cv2.resize(face, (2 * W, 2 * H)), "back": back}
    pictures = [teach.picture_of_art(name, each) for name, each in art.items()]
    return Namer(teach.build_gallery(pictures, embedder), "card", H / W, embedder)


def recognised(namer, bgr, quad):
    """The back at a quad, as keypoints propose it: its outline is not seen."""
    return namer.recogniser.recognise_pose(bgr, Pose(1, quad, 12))


def test_a_find_astride_two_cards_becomes_one_of_them(namer, back):
    bgr, quads = laid(back, 3)
    card = recognised(namer, bgr, quads[1] + np.float32([0.45 * W, 0]))
    assert card.face == "back" and max(iou(card.quad, quad) for quad in quads) < 0.6
    placed = namer.search.backs.best_placed(bgr, card, [])
    assert placed.face == "back" and max(iou(placed.quad, quad) for quad in quads) > 0.9


def test_a_find_partly_under_a_known_card_counts_nothing(namer, back):
    bgr, quads = laid(back, 3)
    known = [recognised(namer, bgr, quad) for quad in quads[1:]]
    card = recognised(namer, bgr, quads[1] + np.float32([0.45 * W, 0]))
    assert namer.search.backs.best_placed(bgr, card, known) is None
    assert namer.search.backs.best_placed(bgr, known[0], known[1:]) is known[0]


def test_faces_and_seen_outlines_are_not_doubted(namer, back):
    bgr, quads = laid(back, 3)
    card = recognised(namer, bgr, quads[1] + np.float32([0.45 * W, 0]))
    outlined = replace(card, evidence=replace(card.evidence, corners=0.9))
    for one in (outlined, replace(card, face="face-0")):
        assert namer.search.backs.best_placed(bgr, one, [card]) is one


def test_a_drawn_grid_is_the_same_for_one_seed_and_holds_what_it_tells():
    pictures = []
    for _ in range(2):
        rng, notes = np.random.default_rng([4, 84]), {}
        deck = draw_grid_deck(rng, 2)
        pictures.append(drawn_grid(rng, deck, "grid", notes))
        assert notes["grid"][1] == ("square" if deck.aspect == 1 else "tall")
    (_, bgr, truths), (_, again, _) = pictures
    assert bgr.shape == (720, 1280, 3) and np.array_equal(bgr, again)
    assert 6 <= len(truths) <= 20 and {one.face for one in truths} <= {"back", "face-0", "face-1"}
    quads = [one.quad for one in truths]
    assert max(iou(a, b) for i, a in enumerate(quads) for b in quads[:i]) < 0.05
    assert all((quad > 0).all() and (quad < [1280, 720]).all() for quad in quads)
