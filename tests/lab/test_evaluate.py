"""What the measure measures: finds, names and corners against known truth."""

import cv2
import numpy as np
import pytest

from calibration.deck.proposals import CardFinder
from kiosk.cli import main
from lab.evaluation.eyes import as_boxes, most_telling, photographed
from lab.evaluation.report import put_section
from lab.evaluation.scoring import Score, Truth, add_picture
from lab.evaluation.sets import draw_deck, drawn, stills
from models.drawing.raster import face_picture
from rules.errors import FairdealError
from vision.geometry import iou
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup
from vision.sightings import Sightings

CARD = np.float32([[0, 0], [70, 0], [70, 100], [0, 100]])


def seen(*cards):
    """Sightings of (quad, face)."""
    quads = np.float32([quad for quad, _ in cards]).reshape(-1, 4, 2)
    ones = np.ones(len(cards), np.float32)
    return Sightings(quads, ones, tuple(face for _, face in cards), ones, ones.astype(bool))


def scored(truths, sightings):
    score = Score()
    add_picture(score, "picture", truths, sightings)
    return score.row()


def test_the_same_quad_shares_all_and_one_beside_it_nothing():
    assert iou(CARD, CARD) == pytest.approx(1.0)
    assert iou(CARD, CARD + np.float32([35, 0])) == pytest.approx(1 / 3, abs=1e-3)
    assert iou(CARD, CARD + np.float32([200, 0])) == 0.0


def test_a_picture_seen_wholly_right():
    truths = [Truth(CARD, "hat", 1.0), Truth(CARD + np.float32([200, 0]), "socks", 0.8)]
    row = scored(truths, seen((CARD, "hat"), (CARD + np.float32([200, 0]), "socks")))
    assert (row["recall"], row["precision"], row["right"], row["whole table"]) == (1, 1, 1, 1)
    assert row["corner median"] == 0


def test_a_missed_card_a_wrong_name_and_a_find_where_nothing_lies():
    far = CARD + np.float32([200, 0])
    truths = [Truth(CARD, "hat", 1.0), Truth(far, "socks", 1.0)]
    row = scored(truths, seen((CARD, "pants"), (CARD + np.float32([500, 0]), "unknown")))
    assert (row["recall"], row["precision"], row["whole table"]) == (0.5, 0.5, 0)
    assert (row["right"], row["wrong"], row["unknown"]) == (0, 1, 0)


def test_a_card_hidden_too_far_counts_neither_way():
    truths = [Truth(CARD, "hat", 0.2)]
    assert scored(truths, seen())["whole table"] == 1
    assert scored(truths, seen((CARD, "hat")))["precision"] == 1


def test_one_card_found_twice_is_one_find_too_many():
    row = scored([Truth(CARD, "hat", 1.0)], seen((CARD, "hat"), (CARD + np.float32([3, 0]), "hat")))
    assert (row["recall"], row["precision"]) == (1, 0.5)


def test_corners_are_parts_of_the_cards_length_from_any_first_corner():
    off = np.roll(CARD + np.float32([1, 0]), 2, axis=0)
    row = scored([Truth(CARD, "hat", 1.0)], seen((off, "hat")))
    assert row["corner median"] == pytest.approx(0.01)


def test_cards_cut_by_the_edge_are_boxes_in_the_picture_and_count_where_labelled():
    cut, inside = CARD - np.float32([30, 0]), CARD + np.float32([100, 50])
    label = np.float32([[0, 0], [40, 0], [40, 100], [0, 100]])
    found = as_boxes(seen((cut, "ten"), (inside, "ace")), [Truth(label, "ten", 1.0)], (300, 300))
    assert found.faces == ("ten", "ace")
    assert iou(found.quads[0], label) == pytest.approx(1.0)
    assert as_boxes(seen((cut, "ten")), [], (300, 300)).faces == ()


def test_the_most_telling_vectors_are_one_of_each_group_first():
    groups = np.eye(3)[[0, 0, 0, 1, 1, 2]] + np.random.default_rng(1).normal(0, 0.01, (6, 3))
    order = most_telling(groups / np.linalg.norm(groups, axis=1, keepdims=True))
    assert sorted(order) == list(range(6))
    assert [min(k // 3 + k // 5, 2) for k in order[:3]] == [0, 1, 2]


def test_a_drawn_deck_has_no_two_faces_that_are_the_same():
    deck = draw_deck(np.random.default_rng(2), 6)
    assert len(deck.faces) == 7 and "back" in deck.faces
    notes = {}
    pictures = list(drawn(np.random.default_rng(3), deck, 2, "set", notes, (640, 360)))
    assert [name for name, _, _ in pictures] == ["set-00", "set-01"] == list(notes)
    for _, bgr, truths in pictures:
        assert bgr.shape == (360, 640, 3) and truths
        assert all(t.face in deck.faces and 0 <= t.visible <= 1 for t in truths)


def test_a_deck_is_photographed_until_every_face_is_taught(suds, embedder):
    art = {face: face_picture(suds, face, 480) for face in (*suds.names[:3], "back")}
    finder = CardFinder(Closeup(Locator(), embedder.corners))
    taken = photographed(np.random.default_rng(4), art, finder)
    assert [p.face for p in taken] == list(art)
    aspects = [np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
               for p in taken]  # fmt: skip
    assert aspects == pytest.approx([suds.height_mm / suds.width_mm] * len(art), rel=0.05)


def test_a_picture_that_is_missing_is_one_line(tmp_path):
    (tmp_path / "truth.json").write_text('[{"image": "a.jpg", "cards": []}]')
    with pytest.raises(FairdealError, match=r"a\.jpg"):
        list(stills(tmp_path))
    cv2.imwrite(str(tmp_path / "a.jpg"), np.zeros((40, 60, 3), np.uint8))
    assert [bgr.shape for _, bgr, _ in stills(tmp_path)] == [(40, 60, 3)]


def test_a_section_is_written_over_and_the_others_stay(tmp_path):
    path = tmp_path / "REPORT.md"
    put_section(path, "stills", "first")
    put_section(path, "clips", "other")
    put_section(path, "stills", "second")
    text = path.read_text()
    assert "first" not in text and text.count("## Stills") == 1
    assert text.index("second") < text.index("other")


def test_a_set_that_is_none_is_refused_in_one_line(capsys):
    assert main(["evaluate", "nothing"]) == 2
    assert main(["evaluate", "stills", "--from", "/no/such/folder"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all("expected" in line for line in said)
