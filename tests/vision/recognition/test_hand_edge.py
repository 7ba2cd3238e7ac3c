"""A hand that rests on a card: its edge is no mark of a face that was not taught."""

from dataclasses import replace

import cv2
import pytest
from covered_cards import laid, quad_at

from models.crop import rectangle
from models.gallery import load_gallery
from vision.matching.occlusion import Occluder
from vision.recognition.confidence import Confidence, Evidence
from vision.recognition.judge import Judge
from vision.recognition.namer import Namer
from vision.recognition.recognised import Recognised

SEEN = Evidence(
    0.9, 0.3, 0.78, 0.97, 1.0, 0.0, 1.0, 0.0, 0.0, 0.9, disagreement=1.0, off_hidden=0.2
)


def fingers(bgr, quad, top):
    """Four fingers that reach over the card from below, up to `top` of its height."""
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    for part, width in ((0.25, 20), (0.42, 22), (0.6, 20), (0.76, 18)):
        tip = quad[0] + part * across + (top + 1.2 * (part - 0.4) ** 2) * down
        ends = [tuple(map(int, at)) for at in (tip, tip + 0.9 * down)]
        cv2.line(bgr, *ends, (40, 60, 95), width + 4)  # the shadow
        cv2.line(bgr, *ends, (90, 125, 185), width)


def test_the_edge_of_a_hand_is_left_out(suds, embedder):
    quad = quad_at(suds, 280, 240, 5)
    bgr = laid(suds, [("sneakers", quad)])
    fingers(bgr, quad, 0.35)
    gallery = load_gallery(suds.taught, embedder.checksum)
    namer = Namer(gallery, suds.outline, suds.height_mm / suds.width_mm, embedder)
    [one] = namer.recognise(bgr, quad[None])
    assert one.face == "sneakers"
    assert one.evidence.off_hidden < 0.4 * one.evidence.disagreement


@pytest.mark.parametrize(
    ("change", "is_open", "is_named"),
    [({}, False, True), ({"off_hidden": 1.0}, False, False), ({}, True, False)],
)
def test_it_takes_no_name_unless_faces_lack_in_the_deck(change, is_open, is_named):
    judge = Judge(Confidence.load(), is_open)
    quad = rectangle(80, 120)
    one = Recognised("hat", replace(SEEN, **change), quad, 0.9, ("hat",), Occluder.whole(quad))
    assert judge.is_named(one, has_hand=True) is is_named
    assert not judge.is_named(one)


@pytest.mark.parametrize(
    ("is_card", "similarity", "is_nothing"),
    [(0.1, 0.2, True), (0.6, 0.2, False), (0.1, 0.6, False)],
)
def test_nothing_is_where_neither_corners_nor_likeness_speak_for_a_card(
    is_card, similarity, is_nothing
):
    quad = rectangle(80, 120)
    seen = replace(SEEN, similarity=similarity)
    one = Recognised("hat", seen, quad, is_card, ("hat",), Occluder.whole(quad))
    assert Judge(Confidence.load()).is_nothing(one) is is_nothing
