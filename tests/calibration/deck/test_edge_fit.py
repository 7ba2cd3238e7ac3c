"""Outlines are laid on edges: from a rough start, in perspective, with a part that is hidden."""

import cv2
import numpy as np
import pytest

from calibration.deck.edge_fit import fit_outline, mapped, moved, resampled, soft_picture
from calibration.deck.rectangle_fit import fit_rectangle
from calibration.deck.teach import TeachingPicture
from lab.evaluation.teaching_cards import draw_outline
from models.crop import rectangle
from models.drawing.scene import Laid, Light, expose, lay

TRUE = np.float32([[180, 90], [420, 110], [450, 400], [160, 380]])


def picture(quad=TRUE, mask=None):
    """A plain card at the quad on a plain table, with noise, (480, 640, 3)."""
    mask = np.full((400, 300), 255, np.uint8) if mask is None else mask
    card = np.dstack([np.full((*mask.shape, 3), (230, 235, 240), np.uint8), mask])
    scene = np.full((480, 640, 3), (60, 50, 40), np.float32)
    lay(scene, Laid(card, quad), Light(shadow_depth=0.0))
    return expose(scene, Light(noise=2.0), np.random.default_rng(3))


def test_the_corners_of_a_rectangle_move_to_its_edges():
    rough = TRUE + np.float32([[4, 3], [-4, 2], [3, -5], [2, 4]])
    settled, fit = fit_rectangle(TeachingPicture("hat", picture(), rough))
    assert fit.share > 0.98
    assert np.linalg.norm(settled.quad - TRUE, axis=1).max() < 1.0


def test_a_quad_without_edges_stays():
    plain = np.full((480, 640, 3), 90, np.uint8)
    taken = TeachingPicture("hat", plain, TRUE)
    settled, fit = fit_rectangle(taken)
    assert settled is taken and fit.share == 0 and fit.contrast < 1


def test_a_hidden_part_does_not_move_the_outline():
    bgr = picture()
    cv2.circle(bgr, (300, 390), 45, (120, 150, 200), -1)  # a fingertip over the lower side
    rough = TRUE + np.float32([[3, 2], [-3, 2], [2, -3], [2, 3]])
    settled, _ = fit_rectangle(TeachingPicture("hat", bgr, rough))
    assert np.linalg.norm(settled.quad - TRUE, axis=1).max() < 2.0


def test_an_outline_of_any_shape_is_fitted_in_perspective():
    mask = draw_outline(np.random.default_rng(5), "wavy", 400, 300)
    rims, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = resampled((max(rims, key=len)[:, 0] + 0.5) / [300, 400])
    to = cv2.getPerspectiveTransform(rectangle(1, 1), TRUE).astype(np.float64)
    start = to @ np.array([[0.97, 0.03, 0.02], [-0.02, 1.03, -0.02], [0, 0, 1]])
    fit = fit_outline(soft_picture(picture(mask=mask), 250), outline, start)
    assert fit.share > 0.98 and fit.contrast > 25
    assert np.linalg.norm(fit.points - mapped(to, outline), axis=1).max() < 1.5


def test_an_outline_is_resampled_and_moved_in_shares_of_its_size():
    square = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
    points = resampled(square, 80)
    assert np.linalg.norm(np.diff(points, axis=0), axis=1) == pytest.approx(0.1)
    grown = moved(points, np.full(80, 0.1))
    assert np.ptp(grown, axis=0) == pytest.approx([2.4, 2.4], abs=0.1)
