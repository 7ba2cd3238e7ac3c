"""Corners before and after the close look compete where the close look is unsure."""

from types import SimpleNamespace

import numpy as np
import pytest
from covered_cards import quad_at

from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, lay
from models.drawing.tables import draw_table
from models.gallery import load_gallery
from vision.geometry import iou
from vision.networks.corners import RefinedCorners
from vision.recognition.recogniser import Recogniser


@pytest.fixture(scope="module")
def gallery(suds, embedder):
    return load_gallery(suds.taught, embedder.checksum)


@pytest.fixture(scope="module")
def card(suds):
    """A table with one card: (picture, its quad)."""
    scene = draw_table(np.random.default_rng(3), 480, 640, "felt").astype(np.float32)
    quad = quad_at(suds, 320, 240, 20)
    lay(scene, Laid(face_picture(suds, "sneakers", 400), quad), Light(noise=0.0))
    return np.clip(scene, 0, 255).astype(np.uint8), quad


def seen(suds, gallery, embedder, bgr, wide, close, is_right):
    """What is recognised if the wide look finds the corners `wide`, and the close one `close`."""

    def refine(bgr, quads, aspect):
        sure = np.array([0.9]), np.array([is_right])
        return RefinedCorners(close[None].copy(), *sure, wide[None].copy())

    looks = {"embed": embedder.embed, "embed_ways": embedder.embed_ways}
    networks = SimpleNamespace(corners=SimpleNamespace(refine=refine), **looks)
    aspect = suds.height_mm / suds.width_mm
    return Recogniser(gallery, suds.outline, aspect, networks).recognise(bgr, wide[None])[0]


def test_corners_that_the_close_look_lost_are_those_of_the_wide_look(suds, gallery, embedder, card):
    bgr, quad = card
    astray = quad + np.float32([70, 40])
    found = seen(suds, gallery, embedder, bgr, quad, astray, is_right=0.2)
    assert found.face == "sneakers" and iou(found.quad, quad) > 0.95


def test_an_unsure_close_look_that_found_the_card_stays(suds, gallery, embedder, card):
    bgr, quad = card
    astray = quad + np.float32([70, 40])
    found = seen(suds, gallery, embedder, bgr, astray, quad, is_right=0.2)
    assert found.face == "sneakers" and iou(found.quad, quad) > 0.95


def test_a_sure_close_look_has_no_rival(suds, gallery, embedder, card):
    bgr, quad = card
    astray = quad + np.float32([70, 40])
    found = seen(suds, gallery, embedder, bgr, quad, astray, is_right=0.9)
    assert iou(found.quad, astray) > 0.8 > iou(found.quad, quad)


@pytest.mark.parametrize("degrees", [0, 100])
def test_the_wide_looks_corners_are_given_too(suds, embedder, card, degrees):
    bgr, quad = card
    rng = np.random.default_rng(degrees)
    box = quad + rng.normal(0, 8, (4, 2)).astype(np.float32)
    found = embedder.corners.refine(bgr, np.stack([box, box]), 88 / 63)
    assert found.quads.shape == found.coarse.shape == (2, 4, 2)
    assert iou(found.coarse[0], quad) > 0.85
    kept = found.where(np.array([True, False]))
    assert kept.coarse.shape == (1, 4, 2) and len(kept.is_right) == 1


def test_boxes_without_a_card_give_no_corners_by_the_wide_look_alone(suds, embedder, card):
    bgr, quad = card
    bare = quad_at(suds, 90, 130, 0)
    [found] = embedder.corners.coarse(bgr, np.stack([bare, quad]))
    assert iou(found, quad) > 0.85
    assert len(embedder.corners.coarse(bgr, bare[None])) == 0


def test_an_embedding_upside_down_is_that_of_the_turned_quad(embedder, card):
    bgr, quad = card
    upside_down = np.roll(quad, 2, axis=0)
    turned = np.stack([np.stack([quad] * 11), np.stack([upside_down] * 11)])
    both = embedder.embed_ways(bgr, turned)
    each = embedder.embed(bgr, np.stack([quad, upside_down]))
    assert both.shape[:2] == (2, 11)
    assert (both @ each.T)[0, :, 0].min() > 0.999 and (both @ each.T)[1, :, 1].min() > 0.999
