"""The colours of two faces that share their drawing, seen in the light of any lamp."""

import cv2
import numpy as np
import pytest

from vision.matching.colours import colour_margin, colours
from vision.matching.template_match import HEIGHT, WIDTH

RED, PURPLE, BLACK = (50, 40, 200), (140, 40, 110), (30, 30, 30)
SHOWN = np.ones((HEIGHT, WIDTH, 1), np.float32)


def ring(ink, at=(60, 80), size=(34, 20)):
    """A white card with a thin ring."""
    picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    cv2.ellipse(picture, at, size, 0, 0, 360, ink, 2, cv2.LINE_AA)
    return picture


def under(lamp, picture):
    """The picture in the light of a lamp, a factor for each channel."""
    return np.clip(picture * np.array(lamp), 0, 255).astype(np.uint8)


LAMPS = [(1.0, 1.0, 1.0), (0.65, 0.9, 1.05), (1.05, 0.95, 0.7), (0.35, 0.4, 0.5)]


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize(("ink", "other"), [(RED, PURPLE), (PURPLE, RED), (BLACK, RED)])
def test_a_line_that_lies_aside_has_its_colour_under_any_lamp(lamp, ink, other):
    seen = colours(under(lamp, ring(ink, at=(62, 79))))
    mine, rival = colours(ring(ink)), colours(ring(other))
    margin, weight = colour_margin(seen, mine, rival, SHOWN)
    assert margin > 0.5 and weight > 0.5
    assert colour_margin(seen, rival, mine, SHOWN) == pytest.approx((-margin, weight))


def test_what_cannot_be_seen_is_not_compared():
    hidden = SHOWN.copy()
    hidden[40:120] = 0
    seen, mine, rival = colours(ring(RED)), colours(ring(RED)), colours(ring(PURPLE))
    assert colour_margin(seen, mine, rival, SHOWN).margin > 0.9
    assert colour_margin(seen, mine, rival, hidden) == (0.0, 0.0)
    assert colour_margin(seen, mine, rival, np.zeros_like(SHOWN)) == (0.0, 0.0)


def test_faces_that_differ_by_shapes_alone_have_no_colour_to_compare():
    mine, rival = colours(ring(BLACK)), colours(ring(BLACK, size=(20, 34)))
    assert colour_margin(mine, mine, rival, SHOWN).weight < 0.05


def test_a_reflection_on_a_teaching_picture_is_no_other_ink():
    """Two faces with one coloured picture; a warm reflection lay on the second one when taught."""
    art = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    cv2.circle(art, (60, 70), 40, (60, 190, 230), -1)
    cv2.circle(art, (60, 90), 16, (50, 40, 200), -1)
    veiled = (art * 0.6 + np.array([70.0, 80.0, 90.0])).astype(np.uint8)
    seen = colours(under((0.8, 0.9, 1.0), art))
    assert colour_margin(seen, colours(veiled), colours(art), SHOWN).weight < 0.05
