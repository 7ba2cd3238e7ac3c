"""The outline of a deck's cards is learnt from its pictures."""

import cv2
import numpy as np
import pytest

from calibration.deck.outline import deck_outline, with_outlines
from calibration.deck.teach import TABLE, TeachingPicture, without_table
from lab.evaluation.teaching import corner_error
from lab.evaluation.teaching_cards import draw_outline
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table


def deck(kind, aspect, turns, seed=1):
    """Pictures of cards cut by one die, each turned by so many degrees, and their true quads."""
    rng = np.random.default_rng(seed)
    mask = draw_outline(rng, kind, 400, round(400 / aspect))
    pictures, quads = [], []
    for k, turn in enumerate(turns):
        face = np.dstack([np.full((*mask.shape, 3), rng.integers(120, 255, 3), np.uint8), mask])
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        half = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]]) * 100
        quad = (half @ np.array([[c, s], [-s, c]]) + [320 + 5 * k, 240]).astype(np.float32)
        scene = draw_table(rng, 480, 640, "stone", (50, 50, 50)).astype(np.float32)
        lay(scene, Laid(face, quad), Light())
        bgr = expose(scene, Light(noise=2.0), rng)
        rough = cv2.boxPoints(cv2.minAreaRect(quad + np.float32([3, -4])))
        pictures.append(TeachingPicture(f"face-{k}", bgr, rough.astype(np.float32)))
        quads.append(quad)
    return pictures, quads


@pytest.mark.parametrize(
    ("kind", "aspect"), [("lobes", 1.2), ("wavy", 1.25), ("round", 1.0), ("die-cut", 1.3)]
)
def test_all_pictures_get_one_reference_rectangle(kind, aspect):
    pictures, quads = deck(kind, aspect, (0, 6, -8, 3, -2))
    settled = with_outlines(pictures)
    assert deck_outline(settled)[0] == ("round" if kind == "round" else "bubble")
    for picture, quad in zip(settled, quads, strict=True):
        assert picture.outline is not None
        # A circle leaves its turn open.
        assert kind == "round" or corner_error(picture.quad, quad) < 0.02


def test_the_rectangle_turns_with_the_outline():
    pictures, quads = deck("die-cut", 1.3, (0, 10, -12, 5, -4), seed=4)
    leans = []
    for picture, quad in zip(with_outlines(pictures), quads, strict=True):
        found, true = (q[1] - q[0] for q in (picture.quad, quad))
        leans.append(np.degrees(np.arctan2(*found[::-1]) - np.arctan2(*true[::-1])))
    assert np.ptp(leans) < 3


@pytest.mark.parametrize("kind", ["card", "square"])
def test_rectangles_stay_as_they_are(kind):
    pictures, _ = deck(kind, 1.0 if kind == "square" else 1.4, (0, 6, -8, 3, -2))
    assert with_outlines(pictures) is pictures
    assert deck_outline(pictures) == ("card", None)


def test_the_table_is_taken_out_of_templates():
    pictures, _ = deck("lobes", 1.2, (0, 6, -8))
    clean = without_table(with_outlines(pictures)[0])
    assert clean.bgr[5, 5].tolist() == list(TABLE)
    x, y = clean.quad.mean(0).astype(int)
    assert np.array_equal(clean.bgr[y, x], pictures[0].bgr[y, x])
    assert without_table(pictures[0]) is pictures[0]
