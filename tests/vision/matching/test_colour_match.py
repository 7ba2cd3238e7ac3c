"""Near twins that differ in colour, or in how strong a mark is, told apart in any light."""

import cv2
import numpy as np
import pytest

from vision.matching.colour_match import colour_margin
from vision.matching.template_match import HEIGHT, WIDTH

BARE = np.ones((HEIGHT, WIDTH, 1), np.float32)
LIGHTS = [(1.0, 1.0, 1.0), (0.45, 0.5, 0.55), (0.6, 0.9, 1.15)]  # even, dim, warm: B, G, R


def card(ground=(240, 240, 240), mark=(30, 30, 30)):
    """A face, (HEIGHT, WIDTH, 3), with a picture that all have, a `ground` and a `mark`."""
    picture = np.full((HEIGHT, WIDTH, 3), ground, np.uint8)
    picture[:8], picture[-8:], picture[:, :8], picture[:, -8:] = 250, 250, 250, 250
    cv2.circle(picture, (70, 90), 22, (60, 140, 40), -1)
    cv2.putText(picture, "J", (14, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.0, mark, 4)
    return picture


def lit(picture, light, seed=0):
    """As a camera sees it: `light` by colour, a lamp at one side, noise."""
    lamp = np.linspace(0.75, 1.1, WIDTH)[None, :, None]
    noise = np.random.default_rng(seed).normal(0, 5, picture.shape)
    return np.clip(picture * np.array(light) * lamp + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize(
    ("a", "b"),
    [
        (card(), card(mark=(150, 160, 170))),  # a dark and a pale numeral
        (card(), card(mark=(40, 40, 200))),  # black and red
        (card(ground=(200, 190, 60)), card(ground=(60, 40, 150))),
        (card(ground=(200, 230, 240)), card(ground=(240, 225, 200))),
    ],
)
def test_a_card_has_the_colours_of_its_own_face(a, b, light):
    assert colour_margin(lit(a, light), a, b, BARE) > 0.4
    assert colour_margin(lit(b, light), a, b, BARE) < -0.4


def test_a_tone_turned_round_has_the_other_sign():
    a, b = card(), card(mark=(40, 40, 200))
    seen = lit(a, LIGHTS[1])
    assert colour_margin(seen, a, b, BARE) == pytest.approx(
        -colour_margin(seen, b, a, BARE), abs=0.01
    )


def test_what_lies_on_the_mark_tells_nothing():
    a, b = card(), card(mark=(40, 40, 200))
    bare = BARE.copy()
    bare[10:60, :50] = 0
    assert abs(colour_margin(lit(a, LIGHTS[0]), a, b, bare)) < 0.2
    hand = lit(a, LIGHTS[0])
    hand[10:60, :50] = (120, 150, 200)
    assert abs(colour_margin(hand, a, b, BARE)) < 0.2


def test_faces_without_a_difference_are_even():
    assert colour_margin(lit(card(), LIGHTS[0]), card(), card(), BARE) == pytest.approx(0, abs=0.01)
    assert colour_margin(lit(card(), LIGHTS[0]), card(), card(mark=(9, 9, 200)), BARE * 0) == 0
