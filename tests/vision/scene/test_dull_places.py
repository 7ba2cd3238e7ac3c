from dataclasses import replace

import numpy as np
import pytest

from vision.scene.candidates import Candidate
from vision.scene.dull_places import FIRST, FIRST_FRESH, DullPlaces
from vision.scene.looks import LONGEST_S
from vision.settings import VisionSettings
from vision.sightings import NOTHING, UNKNOWN

QUAD = np.float32([[40, 30], [100, 30], [100, 110], [40, 110]])


def table(seed=3):
    return np.random.default_rng(seed).integers(40, 220, (160, 200, 3)).astype(np.uint8)


def box(is_fresh):
    return Candidate(1, QUAD, QUAD, 0.0, 0.0, 0.5, fresh=is_fresh)


def looked(dull, card, times, picture, at=0.0):
    for _ in range(times):
        before, card = card, card.named(NOTHING, 0.9, None, picture)
        dull.looked(before, card, picture, at)
    return card


@pytest.mark.parametrize(("is_fresh", "first"), [(False, FIRST), (True, FIRST_FRESH)])
def test_a_box_that_shows_nothing_is_looked_at_ever_less_often(is_fresh, first):
    dull, picture = DullPlaces(VisionSettings()), table()
    card = looked(dull, box(is_fresh), first - 1, picture)
    assert not dull.spared(card, picture, 0.01)
    waits = []
    for _ in range(8):
        looked(dull, card, 1, picture)
        waits.append(next(w for w in np.arange(0.1, 9, 0.1) if not dull.spared(card, picture, w)))
    assert waits == sorted(waits) and waits[0] < 0.6 and waits[-1] == pytest.approx(LONGEST_S)


def test_a_change_at_a_dull_place_is_looked_at_at_once():
    dull, picture = DullPlaces(VisionSettings()), table()
    looked(dull, box(is_fresh=False), 6, picture)
    assert dull.spared(box(is_fresh=False), picture, 0.01)
    assert not dull.spared(box(is_fresh=True), picture, 0.01)


def test_another_picture_ends_the_wait():
    dull, picture = DullPlaces(VisionSettings()), table()
    looked(dull, box(is_fresh=True), 9, picture)
    assert dull.spared(box(is_fresh=True), picture, 0.01)
    assert not dull.spared(box(is_fresh=True), table(seed=4), 0.01)


def test_a_face_that_is_seen_ends_the_wait():
    dull, picture = DullPlaces(VisionSettings()), table()
    card = looked(dull, box(is_fresh=True), 9, picture)
    dull.looked(card, replace(card, evidence=(("hat", 0.8),)), picture, 0.0)
    assert not dull.spared(box(is_fresh=True), picture, 0.01)


def test_a_new_box_at_a_dull_place_has_its_looks():
    dull, picture = DullPlaces(VisionSettings()), table()
    looked(dull, box(is_fresh=True), 6, picture)
    spared = dull.spared(box(is_fresh=True), picture, 0.01)
    assert (spared.looks, spared.empty) == (6, 6)


def test_a_card_without_a_name_is_no_dull_place():
    dull, picture = DullPlaces(VisionSettings()), table()
    card = box(is_fresh=True)
    for _ in range(9):
        before, card = card, card.named(UNKNOWN, 0.9, None, picture)
        dull.looked(before, card, picture, 0.0)
    assert dull.spared(box(is_fresh=True), picture, 0.01) is None
