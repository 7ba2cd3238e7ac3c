"""What `Eyes.see` shows of all that was found and named: each card once."""

import cv2
import numpy as np

from vision.networks.locator import SCORE, Locator
from vision.recognition.eyes import Eyes
from vision.settings import VisionSettings
from vision.sightings import Located, Named

CARD = np.float32([[100, 100], [200, 100], [200, 240], [100, 240]])
AWAY = CARD + np.float32([400, 0])


class Found:
    """A locator and a namer of cards that are known."""

    def __init__(self, *cards):
        self.quads = np.array([quad for quad, _, _ in cards], np.float32).reshape(-1, 4, 2)
        self.faces = tuple(face for _, face, _ in cards)
        self.confidences = np.array([confidence for _, _, confidence in cards])

    def locate(self, bgr, long_side=416, score=0.35, part=None, same=0.5):
        self.score = score
        return Located(self.quads, np.full(len(self.quads), 0.9, np.float32))

    def name_all(self, bgr, quads, scores, weak):
        is_up = np.ones(len(self.quads), bool)
        return Named(self.faces, self.confidences, self.quads, is_up)


def shown(*cards):
    found = Found(*cards)
    return Eyes(found, found).see(np.zeros((400, 800, 3), np.uint8)).faces


def beside(shared):
    """The card so far aside that it shares this (intersection over union) with itself."""
    return CARD + np.float32([100 * (1 - shared) / (1 + shared), 0])


def test_a_face_that_lies_nearly_where_it_lay_was_found_twice():
    assert shown((CARD, "hat", 0.99), (beside(0.7), "hat", 0.9)) == ("hat",)
    assert shown((CARD, "hat", 0.99), (beside(0.6), "hat", 0.9)) == ("hat", "hat")


def test_two_faces_in_a_pile_are_two_cards():
    assert shown((CARD, "hat", 0.99), (beside(0.7), "wild", 0.9)) == ("hat", "wild")
    assert shown((CARD, "hat", 0.99), (beside(0.8), "wild", 0.9)) == ("hat",)


def test_what_has_no_name_is_the_card_that_it_shares_most_with():
    assert shown((CARD, "hat", 0.99), (beside(0.65), "unknown", 0.4)) == ("hat",)
    assert shown((CARD, "hat", 0.99), (beside(0.55), "unknown", 0.4)) == ("hat", "unknown")


class AtTwoSizes:
    """A locator that finds other boxes at its largest input than at the next one."""

    def __init__(self, largest, next_one):
        self.found = {640: largest, 384: next_one}

    def locate(self, bgr, long_side, score, part, same):
        quads = np.array(self.found.get(long_side, []), np.float32).reshape(-1, 4, 2)
        return Located(quads, np.linspace(0.9, 0.8, len(quads), dtype=np.float32))


def test_neighbours_in_a_fan_are_two_boxes_at_one_size_of_the_input():
    fan, blank = [CARD, beside(0.65)], np.zeros((400, 800, 3), np.uint8)
    assert len(Eyes(AtTwoSizes(fan, []), None).locate_all(blank)) == 2
    assert len(Eyes(AtTwoSizes(fan[:1], fan[1:]), None).locate_all(blank)) == 1


def test_what_is_nothing_or_of_another_size_is_left_out():
    large = CARD.mean(0) + 2 * (CARD - CARD.mean(0)) + np.float32([0, 400])
    assert shown(
        (CARD, "hat", 0.99), (AWAY, "nothing", 0.5), (large, "unknown", 0.5), (AWAY, "wild", 0.9)
    ) == ("hat", "wild")


def test_a_bare_table_shows_nothing():
    assert shown() == ()


def test_the_setting_of_the_score_reaches_the_locator():
    found, frame = Found(), np.zeros((40, 40, 3), np.uint8)
    Eyes(found, found, score=VisionSettings(score=0.1).score).locate(frame)
    assert found.score == 0.1
    Eyes(found, found).locate(frame)
    assert found.score == SCORE == VisionSettings().score


def test_a_lower_score_locates_faint_cards():
    """The setting did nothing below the locator's own least score."""
    rng = np.random.default_rng(4)
    noise = cv2.resize(rng.integers(0, 255, (27, 48, 3)).astype(np.uint8), (640, 360))
    counts = [len(Locator().locate(noise, score=score)) for score in (0.05, 0.35)]
    assert counts[0] > counts[1]


def test_boxes_of_a_low_score_are_passed_on_apart_and_shown_only_as_cards():
    """A weak box is no card by itself: only what the namer finds there is."""
    found = Found((CARD, "hat", 0.99))
    passed = []

    def locate(bgr, long_side=416, score=0.35, part=None, same=0.5):
        boxes = [(CARD, 0.9), (AWAY, 0.1)]
        quads, scores = zip(*[one for one in boxes if one[1] >= score], strict=True)
        return Located(np.stack(quads), np.float32(scores))

    def name_all(bgr, quads, scores, weak):
        passed.append((quads, scores, weak))
        return Found.name_all(found, bgr, quads, scores, weak)

    found.locate, found.name_all = locate, name_all
    assert Eyes(found, found).see(np.zeros((400, 800, 3), np.uint8)).faces == ("hat",)
    [(quads, scores, weak)] = passed
    assert quads.tolist() == [CARD.tolist()] and scores == [np.float32(0.9)]
    assert weak.tolist() == [AWAY.tolist()]
