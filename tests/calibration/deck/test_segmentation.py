"""The card of a teaching picture is told from its table by colour."""

import cv2
import numpy as np
import pytest

from calibration.deck.proposals import edge_share, fitted_quad, outline_iou, refined_contour
from calibration.deck.segmentation import segment
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table

QUAD = np.float32([[210, 130], [352, 122], [362, 330], [204, 322]])
CARD = np.full((300, 210, 4), 250, np.uint8)


def picture(kind="stone", colour=(60, 58, 54), light=None, card=CARD, quad=QUAD):
    light = light or Light(noise=2.0)
    scene = draw_table(np.random.default_rng(3), 480, 640, kind, colour).astype(np.float32)
    lay(scene, Laid(card, quad), light)
    return expose(scene, light, np.random.default_rng(4))


def best(bgr, quad=QUAD):
    return max(segment(bgr), key=lambda region: outline_iou(region.contour, quad))


@pytest.mark.parametrize(
    "light",
    [
        Light(noise=2.0),
        Light(noise=2.0, gain=0.4),
        Light(noise=2.0, tint=(0.7, 1.0, 1.3)),
        Light(noise=2.0, slope=(0.3, -0.2)),
    ],
)
@pytest.mark.parametrize("table", [("stone", (60, 58, 54)), ("wood", (45, 62, 88))])
def test_a_white_card_on_a_dark_table_in_any_light(light, table):
    region = best(picture(*table, light))
    quad = fitted_quad(region)
    starts = [np.linalg.norm(np.roll(quad, k, 0) - QUAD, axis=1).max() for k in range(4)]
    assert min(starts) < 0.02 * 208
    assert region.rim == 0 and region.solidity > 0.95


def test_the_same_picture_gives_the_same_regions():
    first, second = segment(picture()), segment(picture())
    assert len(first) == len(second) > 0
    assert all(np.array_equal(a.contour, b.contour) for a, b in zip(first, second, strict=True))


def test_a_round_card_is_no_quad_and_its_contour_is_exact():
    card = np.zeros((300, 300, 4), np.uint8)
    cv2.circle(card, (150, 150), 149, (240, 240, 250, 255), -1)
    quad = np.float32([[200, 120], [400, 120], [400, 320], [200, 320]])
    bgr = picture(card=card, quad=quad)
    region = best(bgr, quad)
    assert outline_iou(region.contour, fitted_quad(region)) < 0.9
    rim = refined_contour(bgr, region.contour)
    radius = np.linalg.norm(rim - [300, 220], axis=1)
    assert abs(np.median(radius) - 99.5) < 1 and radius.std() < 1.5


def test_an_edge_is_where_the_colour_changes():
    bgr = picture()
    region = best(bgr)
    assert edge_share(bgr, region) > 0.95
    bgr[:, :280] = bgr[10, 10]  # the card's left half is gone
    assert edge_share(bgr, region) < 0.7


def test_a_plain_table_has_no_large_region_with_an_edge():
    bgr = expose(draw_table(np.random.default_rng(3), 480, 640, "plain", (90, 120, 60)).astype(
        np.float32), Light(noise=2.0), np.random.default_rng(4))  # fmt: skip
    assert all(edge_share(bgr, region) < 0.5 for region in segment(bgr))
