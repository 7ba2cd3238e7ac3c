"""Two faces of which the shapes tell one and the colours the other."""

import cv2
import numpy as np
import pytest

from models.gallery import FINE
from vision.matching.colours import colours
from vision.matching.fine_match import FineCrop
from vision.matching.fine_templates import FineTemplates, View
from vision.matching.masked_crop import MaskedCrop
from vision.matching.occlusion import Occluder
from vision.matching.template_match import HEIGHT, WIDTH, normalised
from vision.recognition.contest import Contestant, between

RED, BLACK = (60, 60, 200), (60, 60, 60)
QUAD = np.float32([[100, 100], [460, 100], [460, 580], [100, 580]])


def disc(colour):
    picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    return cv2.circle(picture, (30, 50), 18, colour, -1)


def bar(colour):
    picture = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    return cv2.rectangle(picture, (12, 41), (48, 59), colour, -1)


def black_disc():
    """A card in a frame: (picture, quad)."""
    frame = np.full((680, 560, 3), 90, np.uint8)
    frame[100:580, 100:460] = cv2.resize(disc(BLACK), (360, 480), interpolation=cv2.INTER_CUBIC)
    return frame, QUAD


@pytest.mark.parametrize(("is_covered", "is_told"), [(False, True), (True, False)])
def test_colours_forbid_the_name_of_a_covered_card_only(is_covered, is_told):
    """A lamp may colour a card that is seen whole, and its shapes are registered well."""
    over = [Occluder.whole(QUAD + np.float32([0, 290]))] if is_covered else []
    bgr, quad = black_disc()
    crop = MaskedCrop.cut(bgr, quad, over)
    one, other = (
        Contestant(face, View(number, False), template, crop.match(template), colours(picture))
        for number, (face, picture) in enumerate((("red disc", disc(RED)), ("bar", bar(BLACK))))
        for template in [normalised(picture)]
    )
    grey = [cv2.cvtColor(one, cv2.COLOR_BGR2GRAY) for one in (disc(RED), bar(BLACK))]
    taught = FineTemplates(np.stack([cv2.resize(one, FINE[::-1]) for one in grey]))
    contest = between(crop, one, other, FineCrop.cut(bgr, quad, over, 0.0), taught)
    assert (contest.lead > 1.0) is is_told
    assert contest.lead >= 0.0
