"""Public photographs: their truth holds together, crops keep their corners, ends are counted."""

import cv2
import numpy as np
import pytest

from calibration.deck.ends import Asked, Taken, Unusable
from calibration.deck.teach import TeachingPicture
from kiosk.cli import main
from lab.evaluation.public_sets import (
    KnownCard,
    KnownPicture,
    PublicResult,
    PublicSet,
    add_ends,
    add_names,
    public_section,
    public_sets,
    read_set,
    seen_pictures,
    write_teaching,
)
from lab.evaluation.scoring import Score
from rules.errors import FairdealError
from vision.geometry import aspect
from vision.sightings import Sightings

QUAD = np.float32([[100, 60], [170, 60], [170, 160], [100, 160]])


@pytest.mark.parametrize("name", public_sets())
def test_the_truth_of_a_set_holds_together(name):
    known = read_set(name)
    cards = [card for picture in known.pictures for card in picture.cards]
    taught = [card.face for card in cards if card.teaches]
    assert len(taught) == len(set(taught)) >= 8
    assert {card.face for card in cards} == set(taught)
    assert len({picture.image for picture in known.pictures}) == len(known.pictures)
    for card in cards:
        if card.quad is not None:
            assert cv2.isContourConvex(card.quad) and cv2.contourArea(card.quad, True) > 0
            assert 0.9 < aspect(card.quad) < 1.5


def test_the_sets_have_the_faces_that_were_counted():
    counts = {name: sum(card.teaches for picture in read_set(name).pictures
                        for card in picture.cards) for name in public_sets()}  # fmt: skip
    assert counts == {"memory": 9, "poker": 47, "schnapsen": 20}


def test_an_unknown_set_and_a_set_without_its_folder(capsys):
    with pytest.raises(FairdealError, match="memory, poker, schnapsen"):
        read_set("tarot")
    assert main(["evaluate", "photos", "poker"]) == 2
    assert "--from" in capsys.readouterr().err


def one_set(**changes):
    card = KnownCard("hat", QUAD, True)
    return PublicSet("one", (0.25, 0.4), True, (KnownPicture("a.png", (card,)),), **changes)


def test_a_teaching_crop_keeps_its_corners(tmp_path):
    bgr = np.zeros((300, 400, 3), np.uint8)
    cv2.fillConvexPoly(bgr, QUAD.astype(np.int32), (255, 255, 255))
    cv2.imwrite(str(tmp_path / "a.png"), bgr)
    truths = write_teaching(one_set(), tmp_path, tmp_path, seed=1)
    cut = cv2.imread(str(tmp_path / "hat.jpg"))
    low, high = truths["hat"].min(0), truths["hat"].max(0)
    assert 0.24 * 70 - 1 <= low[0] <= 0.4 * 70 + 1 and 0.24 * 100 - 1 <= low[1] <= 0.4 * 100 + 1
    assert cut.shape[1] < 70 * 1.8 + 2 and cut.shape[0] < 100 * 1.8 + 2
    x, y = ((low + high) / 2).astype(int)
    assert cut[y, x].min() > 245 and cut[int(low[1]) - 4, x].max() < 20


def test_a_partly_known_picture_is_seen_around_its_known_cards(tmp_path):
    cv2.imwrite(str(tmp_path / "a.png"), np.full((300, 400, 3), 90, np.uint8))
    [(picture, bgr)] = seen_pictures(one_set(), tmp_path)
    assert bgr.shape == (160, 130, 3)
    assert picture.cards[0].quad == pytest.approx(QUAD - np.float32([70, 30]))


def test_ends_are_counted_and_answered_as_a_person_would():
    bgr = np.zeros((300, 400, 3), np.uint8)
    good, bad = (TeachingPicture("hat", bgr, quad) for quad in (QUAD, QUAD + np.float32([40, 0])))
    off = TeachingPicture("b", bgr, bad.quad)
    why = FairdealError("one card", "2 cards")
    ends = [
        Taken("a", TeachingPicture("a", bgr, QUAD)), Taken("b", off),
        Asked("c", "c", bgr, (good,), why), Asked("d", "d", bgr, (bad,), why),
        Unusable("e", "e", why),
    ]  # fmt: skip
    result = PublicResult()
    answered = add_ends(result, ends, dict.fromkeys("abcde", QUAD))
    assert (result.taught, result.taken, result.asked, result.unusable) == (5, 2, 2, 1)
    assert result.asked_right == 1 and len(result.told) == 4
    assert [type(end) for end in answered] == [Taken] * 4 + [Unusable]
    assert answered[3].picture.quad == pytest.approx(QUAD)
    text = public_section(result, "one", "cmd", "here")
    assert "| 5 | 2 | 1 | 1 | 2 (1) | 1 |" in text


def test_cards_known_by_name_only():
    def seen(*faces):
        ones = np.ones(len(faces), np.float32)
        quads = np.zeros((len(faces), 4, 2), np.float32)
        return Sightings(quads, ones, faces, ones, ones.astype(bool))

    score = Score()
    add_names(score, "x", ["a", "b"], seen("a", "b"))
    add_names(score, "y", ["a", "b"], seen("a", "unknown", "c"))
    add_names(score, "z", ["a", "b"], seen("c"))
    assert (score.cards, score.found, score.finds, score.false) == (6, 5, 6, 1)
    assert (score.right, score.unknown, score.wrong, score.whole) == (3, 1, 1, 1)
