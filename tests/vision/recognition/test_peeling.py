"""The cards of a fan are found one under the other."""

import numpy as np
import pytest

from vision.geometry import scaled
from vision.matching.occlusion import CELLS, Occluder
from vision.recognition.confidence import Confidence, Evidence
from vision.recognition.judge import Judge
from vision.recognition.peeling import LIMITS, Peeling
from vision.recognition.placing import WHOLE, shown
from vision.recognition.recognised import Recognised

BGR = np.zeros((600, 800, 3), np.uint8)
NO_BOX = np.zeros((0, 4, 2), np.float32)


def quad_at(x):
    return np.array([[x, 100], [x + 120, 100], [x + 120, 270], [x, 270]], np.float32)


def recognised(face, quad, correlation=0.9, similarity=0.9, half=0.9):
    seen = Evidence(similarity, 0.4, correlation, half, 1.0, 0.0, 1.0, 0.0, 0.9)
    return Recognised(face, seen, quad, 1.0, (face,), Occluder.whole(quad))


def nothing(quad):
    """What a box is named whose corners went astray."""
    seen = Evidence(0.2, 0.0, 0.1, 0.2, 0.0, 3.0, 0.0, 3.0, 0.1)
    return Recognised("socks", seen, quad, 0.1, ("socks",), Occluder.whole(quad))


class Boxes:
    """Finds the card of each box once the card on it is known."""

    def __init__(self, cards):
        self.cards, self.looks = cards, 0

    def in_box(self, bgr, box, known, plane):
        self.looks += 1
        for k, card in enumerate(self.cards):
            is_its_box = abs(float(box[0, 0] - card.quad[0, 0])) < 10
            is_known = any(one is card for one in known)
            is_bare = k == 0 or any(one is self.cards[k - 1] for one in known)
            if is_its_box and is_bare and not is_known:
                return card
        return None


@pytest.fixture(scope="module")
def judge():
    return Judge(Confidence.load())


def fan(count):
    """Cards of a fan, the topmost first, and their boxes, the lowest first."""
    faces = ("hat", "pants", "socks", "boxers", "wild", "t-shirt")
    cards = [recognised(faces[k], quad_at(300 - 40 * k)) for k in range(count)]
    return cards, np.stack([card.quad + 4 for card in reversed(cards)])


@pytest.mark.parametrize("threads", [1, 2])
def test_each_pass_finds_the_next_card_of_a_fan(judge, threads):
    cards, boxes = fan(4)
    top = recognised("sneakers", quad_at(600))
    search = Boxes(cards)
    peeling = Peeling(search, judge, 170 / 120, threads)
    known = [top]
    found, further = peeling.searched(BGR, boxes, [nothing(box) for box in boxes], known, NO_BOX)
    assert [one.face for one in found] == [one.face for one in reversed(cards)]
    assert further == [] and known == [top]


def test_a_box_of_a_low_score_is_searched_beside_a_known_card_only(judge):
    cards, _ = fan(2)
    weak = np.stack([cards[1].quad, quad_at(20)])
    search = Boxes(cards)
    none, further = Peeling(search, judge, 170 / 120).searched(BGR, NO_BOX, [], cards[:1], weak)
    assert none == [] and further == [cards[1]]
    assert search.looks == 1


def test_the_passes_are_few_and_end_when_nothing_is_found(judge):
    cards, boxes = fan(6)
    search = Boxes(cards)
    named, _ = Peeling(search, judge, 170 / 120).searched(
        BGR, boxes, [nothing(box) for box in boxes], [], NO_BOX
    )
    assert sum(one in cards for one in named) == LIMITS.passes
    idle = Boxes([])
    Peeling(idle, judge, 170 / 120).searched(
        BGR, boxes, [nothing(box) for box in boxes], [], NO_BOX
    )
    assert idle.looks == len(boxes)


def test_a_named_card_that_matches_badly_is_placed_anew(judge):
    box = quad_at(300)
    bad = recognised("hat", scaled(box, 0.8), correlation=0.3, similarity=0.8, half=0.5)
    assert judge.is_named(bad)
    good = recognised("hat", box)
    cards, further = Peeling(Boxes([good]), judge, 170 / 120).searched(
        BGR, box[None], [bad], [bad], NO_BOX
    )
    assert cards == [good] and further == []


def test_a_card_whose_embedding_is_a_whole_faces_hides_all_under_it():
    quad = quad_at(100)
    cells = np.zeros(CELLS, bool)
    faint = recognised("hat", quad, similarity=WHOLE - 0.01)
    faint = Recognised(*(getattr(faint, name) for name in
                         ("face", "evidence", "quad", "is_card", "compared")),
                       Occluder(quad, cells))  # fmt: skip
    assert not shown([faint])[0].is_visible.any()
    clear = recognised("hat", quad, similarity=WHOLE)
    assert shown([clear])[0].is_visible.all()
