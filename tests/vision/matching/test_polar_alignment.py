"""Round cards: how far they are turned, told by their picture."""

import cv2
import numpy as np
import pytest

from vision.geometry import iou
from vision.matching.polar_alignment import polar_spectrum, rotation
from vision.matching.template_match import HEIGHT, WIDTH, normalised
from vision.recognition.orientations import rotated


def face(seed):
    """A busy square picture."""
    noise = np.random.default_rng(seed).integers(20, 235, (9, 9, 3)).astype(np.uint8)
    return cv2.resize(noise, (200, 200), interpolation=cv2.INTER_CUBIC)


def look(picture):
    """The picture as a look."""
    return normalised(cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))


def turned(picture, degrees, off=(0.0, 0.0)):
    """The picture turned clockwise about its middle, as it is seen."""
    about = cv2.getRotationMatrix2D((99.5, 99.5), -degrees, 1.0)
    about[:, 2] += off
    return cv2.warpAffine(picture, about, (200, 200), borderMode=cv2.BORDER_REFLECT)


@pytest.mark.parametrize("degrees", [0, 13, 77, 180, 271, 359])
def test_the_turn_is_told_to_a_degree_or_two(degrees):
    seen = np.degrees(
        rotation(polar_spectrum(look(turned(face(1), degrees))), polar_spectrum(look(face(1))))
    )
    assert abs((seen - degrees + 180) % 360 - 180) < 2


def test_off_its_middle_and_half_covered_it_is_told_nearly():
    picture = turned(face(2), 40, off=(4.0, -3.0))
    picture[:, 120:] = 90
    seen = np.degrees(rotation(polar_spectrum(look(picture)), polar_spectrum(look(face(2)))))
    assert abs(seen - 40) < 6


def test_a_card_spun_by_the_turn_lies_as_it_lies():
    half = np.array([[-1, -1.07], [1, -1.07], [1, 1.07], [-1, 1.07]]) * 50 + 300
    quad = half.astype(np.float32)
    there = rotated(quad, np.radians(35), 1.07)
    assert iou(rotated(there, np.radians(-35), 1.07), quad) > 0.99
    assert np.linalg.norm(rotated(there, np.radians(-35), 1.07) - quad, axis=1).max() < 0.1
    down = there[3] - there[0]
    assert np.degrees(np.arctan2(-down[0], down[1])) == pytest.approx(35, abs=0.1)
    assert np.array_equal(rotated(np.roll(quad, -1, 0), 0.0, 1.0)[0].round(), [352, 248])
