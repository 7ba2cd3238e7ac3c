"""The drawn teaching pictures: the same for a seed, their truth exact, their errors measured."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.deck.teach import TeachingPicture
from lab.evaluation.teaching import TeachingResult, corner_error, corner_errors, section
from lab.evaluation.teaching_cards import OUTLINES, draw_outline
from lab.evaluation.teaching_pictures import FACES, Folder, draw_folders

QUAD = np.float32([[100, 100], [300, 110], [310, 390], [95, 380]])


@pytest.fixture(scope="module")
def folder():
    return next(draw_folders(7, 1))


def test_a_seed_gives_the_same_pictures(folder):
    again = next(draw_folders(7, 1))
    for one, other in zip(folder.samples, again.samples, strict=True):
        assert np.array_equal(one.bgr, other.bgr) and one.notes == other.notes


def test_good_pictures_show_a_whole_card_and_bad_ones_have_no_truth(folder):
    good = [sample for sample in folder.samples if sample.quad is not None]
    assert len(good) == FACES and len(folder.samples) == FACES + 2
    for sample in good:
        assert (sample.quad > 0).all() and (sample.quad < sample.bgr.shape[1::-1]).all()
    assert all(s.notes[0].startswith("bad") for s in folder.samples if s.quad is None)


@pytest.mark.parametrize("kind", sorted(set(OUTLINES)))
def test_an_outline_touches_all_sides_of_its_box(kind):
    mask = draw_outline(np.random.default_rng(2), kind, 300, 240) > 127
    assert mask[:3].any() and mask[-3:].any() and mask[:, :3].any() and mask[:, -3:].any()
    rims, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    assert len(rims) == 1


def test_a_corner_error_is_a_share_of_the_length_whichever_corner_comes_first():
    length = (np.linalg.norm(QUAD[3] - QUAD[0]) + np.linalg.norm(QUAD[2] - QUAD[1])) / 2
    moved = QUAD + np.float32([[0, 0], [0, 14], [0, 0], [0, 0]])
    assert corner_error(QUAD, QUAD) == 0
    assert corner_error(np.roll(moved, 2, 0), QUAD) == pytest.approx(14 / length)


def test_outlines_are_held_against_the_deck_s_common_rectangle(folder):
    samples = [s for s in folder.samples if s.quad is not None]
    taken = {s.face: TeachingPicture(s.face, s.bgr, s.quad) for s in samples}
    bubbles = Folder(replace(folder.deck, outline="lobes"), folder.samples)
    assert max(corner_errors(bubbles, taken).values()) < 1e-3
    odd = samples[0]
    shift = (odd.quad[3] - odd.quad[0]) * np.float32(0.1)
    taken[odd.face] = TeachingPicture(odd.face, odd.bgr, odd.quad + shift)
    errors = corner_errors(bubbles, taken)
    assert errors[odd.face] == pytest.approx(0.1, abs=0.02)
    assert max(error for face, error in errors.items() if face != odd.face) < 0.01


def test_the_section_counts_good_and_bad(folder):
    result = TeachingResult()
    for number, sample in enumerate(folder.samples):
        taken = None if number == 0 else TeachingPicture(sample.face, sample.bgr, QUAD)
        is_counted = sample.quad is not None and taken is not None
        result.add(sample.face, sample, taken, 0.005 if is_counted else None)
    text = section(result, "command", "machine")
    assert f"| all | {FACES} | {(FACES - 1) / FACES:.1%}" in text and "| 2 | 2 |" in text
    assert "good refused: face-0" in text and "bad taken" in text
