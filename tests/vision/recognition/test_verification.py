"""A card is laid on the taught faces: its corners become true, and near twins are told apart."""

import cv2
import numpy as np
import pytest

from vision.matching.fine_templates import FineTemplates
from vision.matching.template_match import HEIGHT, WIDTH, better_half
from vision.matching.templates import BLURS, Templates
from vision.recognition.verification import LIMITS, Candidate, verify

TRUE = np.float32([[200, 110], [331, 131], [300, 322], [168, 293]])
LENGTH = 190.0  # px, of the card above


def face(numeral, seed=3):
    """A busy card, (320, 240, 3), whose numeral alone differs."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(60, 220, (16, 12, 3)).astype(np.uint8)
    picture = cv2.resize(noise, (240, 320), interpolation=cv2.INTER_CUBIC)
    cv2.rectangle(picture, (16, 16), (76, 90), (250, 250, 250), -1)
    cv2.putText(picture, numeral, (22, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (20, 20, 20), 6)
    return picture


def picture(numeral):
    return cv2.resize(face(numeral), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)


def look(numeral):
    return Templates(picture(numeral)[None]).sharp[0]


def compared(frame, numerals, quad):
    candidates = [Candidate(numeral, k, quad) for k, numeral in enumerate(numerals)]
    pictures = np.stack([picture(n) for n in numerals])
    fine = np.stack([cv2.cvtColor(face(n), cv2.COLOR_BGR2GRAY) for n in numerals])
    return verify(frame, candidates, Templates(pictures), FineTemplates(fine))


def table(numeral, quad=TRUE, blur=0.0):
    """A frame (420, 520, 3) in which the card lies at `quad`, darker, blurred and with noise."""
    art = face(numeral)
    corners = np.float32([[0, 0], [240, 0], [240, 320], [0, 320]])
    to = cv2.getPerspectiveTransform(corners, quad)
    frame = np.full((420, 520, 3), (70, 110, 60), np.uint8)
    laid = cv2.warpPerspective(art, to, (520, 420), flags=cv2.INTER_AREA)
    inside = cv2.fillConvexPoly(np.zeros((420, 520), np.uint8), quad.astype(np.int32), 1) > 0
    frame[inside] = laid[inside]
    if blur:
        frame = cv2.GaussianBlur(frame, (0, 0), blur)
    noise = np.random.default_rng(5).normal(0, 4, frame.shape)
    return np.clip(frame * 0.8 + noise, 0, 255).astype(np.uint8)


def off(quad, truth=TRUE):
    return np.linalg.norm(quad - truth, axis=1).max() / LENGTH


@pytest.mark.parametrize("seed", range(4))
def test_corners_that_are_a_little_off_are_set_right(seed):
    rng = np.random.default_rng(seed)
    guess = TRUE + rng.normal(0, 0.02 * LENGTH, (4, 2)).astype(np.float32)
    found = compared(table("7"), "7", guess)
    assert off(guess) > 0.015
    assert off(found.quad) < 0.012
    assert found.correlation > 0.8
    assert found.moved > 0


def test_the_numeral_that_is_there_wins_with_corners_a_little_off():
    guess = TRUE + np.float32([[4, -3], [-4, 3], [3, 4], [-3, -4]])
    for there, other in (("3", "8"), ("8", "3"), ("7", "1")):
        frame = table(there)
        for order in ((there, other), (other, there)):
            found = compared(frame, order, guess)
            assert order[found.chosen] == there


@pytest.mark.parametrize("blur", [2.5, 4.0])
def test_a_blurred_card_is_compared_with_faces_as_blurred(blur):
    for there, other in (("3", "8"), ("8", "3"), ("7", "1")):
        found = compared(table(there, blur=blur), (other, there), TRUE)
        assert found.chosen == 1
        assert found.correlation > 0.9
        assert found.contest.residual < 1.0


def test_the_blurred_looks_are_ever_softer():
    looks = Templates(picture("3")[None])
    edges = [float(np.abs(np.diff(looks.normal(0, blur), axis=1)).mean()) for blur in BLURS]
    assert edges == sorted(edges, reverse=True)
    assert looks.normal(0) is looks.sharp[0]


def test_a_card_that_is_nothing_like_it_is_left_where_it_lies():
    rng = np.random.default_rng(2)
    strange = rng.integers(0, 255, (420, 520, 3)).astype(np.uint8)
    found = compared(cv2.GaussianBlur(strange, (0, 0), 4), "7", TRUE)
    assert off(found.quad) == 0
    assert found.moved == 0 < LIMITS.moved


def test_the_better_half_still_fits_where_the_other_is_covered():
    whole = look("7")
    covered = whole.copy()
    covered[: HEIGHT * 2 // 5] = np.random.default_rng(1).normal(
        0, 1, covered[: HEIGHT * 2 // 5].shape
    )
    assert better_half(covered, whole) > 0.95
    assert better_half(look("7")[::-1], whole) < 0.7
