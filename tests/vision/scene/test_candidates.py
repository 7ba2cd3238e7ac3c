"""Candidates: rest told by the card's own pixels, certainty, proposals, places in millimetres."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.games import game
from rules.table.layout import Side
from vision.plane import Plane, TablePlane
from vision.scene.background import Change
from vision.scene.candidates import Candidate, Candidates
from vision.scene.light import Light
from vision.scene.patches import patch_of, unchanged
from vision.scene.places import GamePlaces
from vision.scene.proposals import proposed
from vision.scene.table import Card, Table, corners_of
from vision.settings import VisionSettings

QUAD = np.array([[100, 80], [190, 80], [190, 206], [100, 206]], np.float32)


def table(seed=0):
    """A table of fine grain with a textured card at QUAD, (300, 400, 3)."""
    random = np.random.default_rng(seed)
    bgr = random.normal(120, 4, (300, 400, 3))
    bgr[80:206, 100:190] = cv2.resize(random.uniform(0, 255, (14, 10, 3)), (90, 126))
    return bgr.clip(0, 255).astype(np.uint8)


def covered(bgr, left):
    """The same with a plain hand over all right of the column `left`."""
    out = bgr.copy()
    out[60:230, left:] = (150, 180, 220)
    return out


def test_a_card_lies_still_while_a_third_of_it_is_unchanged():
    bgr = table()
    patch = patch_of(bgr, QUAD)
    assert unchanged(patch, bgr, QUAD) == 1.0
    assert 0.4 < unchanged(patch, covered(bgr, 150), QUAD) < 0.7
    assert unchanged(patch, covered(bgr, 90), QUAD) < 0.2
    assert unchanged(patch, np.roll(bgr, 15, axis=1), QUAD) < 0.2


def test_a_card_that_has_gone_is_not_unchanged_in_dim_light():
    """Its faint print differs from the table by little."""
    bgr = table()
    dim = ((bgr.astype(np.float32) - 120.0) * 0.2 + 120.0).astype(np.uint8)
    gone = dim.copy()
    gone[80:206, 100:190] = dim[80:206, 220:310]
    patch = patch_of(dim, QUAD)
    assert unchanged(patch, dim, QUAD) == 1.0
    assert unchanged(patch, gone, QUAD) < 0.2


def test_only_the_visible_part_of_a_card_tells_whether_it_lies_still():
    bgr = table()
    patch = patch_of(covered(bgr, 140), QUAD)
    visible = np.zeros((16, 12), bool)
    visible[:, :5] = True
    assert unchanged(patch, bgr, QUAD) < 0.7
    assert unchanged(patch, bgr, QUAD, visible) > 0.9


def test_another_face_at_another_place_is_that_of_a_card_laid_on_the_first():
    """Else the name is in doubt, and the card is that of the player who laid the lower one."""
    lower = Candidate(1, QUAD, QUAD, 0.0, 2.0, 0.9, side="left").named("jd", 0.98, QUAD, table())
    upper = lower.named("kd", 0.98, QUAD + np.float32((20, -11)), table())
    face, evidence, lead = upper.best()
    assert (face, evidence) == ("kd", lead) and upper.certainty() > 0.97
    assert (upper.since, upper.side, upper.looks) == (2.0, None, 1)
    # At the same place one of the looks errs.
    torn = lower.named("kd", 0.98, QUAD + np.float32((3, -2)), table())
    assert torn.certainty() < 0.6 and (torn.since, torn.side) == (0.0, "left")


def test_looks_that_agree_make_a_name_surer_and_others_less_sure():
    card = Candidate(1, QUAD, QUAD, 0.0, 0.0, 0.9)
    once = card.named("hat", 0.9, QUAD, table())
    assert once.certainty() == pytest.approx(0.9)
    assert once.named("hat", 0.9, QUAD, table()).certainty() == pytest.approx(0.95)
    often = once
    for _ in range(10):  # looks at one still picture: their errors are shared
        often = often.named("hat", 0.9, QUAD, table())
    assert often.certainty() == pytest.approx(0.975)
    torn = once.named("pants", 0.8, QUAD, table())
    assert torn.certainty() == pytest.approx(0.18 / (0.18 + 0.08 + 0.02))
    assert card.named("unknown", 0.4, QUAD, table()).certainty() == 0.0


def test_two_sure_looks_outweigh_three_doubtful_ones():
    """Looks at a whole pile may take it for one card, each time."""
    card = Candidate(1, QUAD, QUAD, 0.0, 0.0, 0.9)
    for face, confidence in (("socks", 0.89), ("pants", 0.999)) * 2:
        card = card.named(face, confidence, QUAD, table())
    assert card.named("socks", 0.89, QUAD, table()).best()[0] == "pants"


def test_a_still_card_keeps_its_number_though_its_boxes_shake():
    follow, bgr = Candidates(VisionSettings()), table()
    one = np.ones(1, np.float32)
    follow.see(QUAD[None], one, one > 0, 0.0, bgr)
    follow.keep(tuple(card.named("hat", 0.9, QUAD, bgr) for card in follow.coming))
    hand = covered(bgr, 160)
    (card,) = follow.see((QUAD + 8)[None], one, one > 0, 0.1, hand)
    assert (card.number, card.frames, card.best()[0]) == (1, 2, "hat")
    gone = covered(bgr, 90)
    (other,) = follow.see((QUAD + 8)[None], one, one > 0, 0.2, gone)
    assert other.number != 1 and not other.evidence


def change(changed):
    still = np.full(changed.shape, 1.0, np.float32)
    low = np.zeros((*changed.shape, 3), np.uint8)
    return Change(
        low, changed, changed & False, still, still, changed, 1.0, 1.0, Light.dark(low.shape)
    )


def test_a_change_without_a_box_is_proposed_with_the_size_of_the_lying_cards():
    lying = Table().with_card(Card(1, "hat", "pile/1", corners_of(QUAD + 150)))
    changed = np.zeros((150, 200), bool)
    changed[42:80, 52:90] = True  # half of a pale card
    free = np.ones_like(changed)
    (quad,) = proposed(change(changed), free, lying, 0.5)
    sides = sorted(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1))
    assert sides == pytest.approx([90, 90, 126, 126], rel=0.05)
    assert np.linalg.norm(quad.mean(0) - (142, 122)) < 4
    assert len(proposed(change(changed), ~free, lying, 0.5)) == 0
    moving = replace(change(changed), still_s=np.zeros(changed.shape, np.float32))
    assert len(proposed(moving, free, lying, 0.5)) == 0


def test_places_are_found_in_millimetres_with_and_without_a_calibrated_plane():
    layout = game("suds").layout
    plane = Plane.of(np.diag([0.7, 0.7, 1.0]))
    for tables in ((), (TablePlane(plane, (400, 300), (280.0, 210.0)),)):
        places = GamePlaces(layout, (Side.BOTTOM, Side.LEFT), (63.0, 88.2), tables)
        lying = Table()
        for number, (shift, place) in enumerate([(0, "pile/1"), (15, "pile/1"), (200, "pile/2")]):
            quad = QUAD + np.float32([shift, 0])
            spot = places.spot(quad, lying, (400, 300), "hat", "left")
            assert spot.place == place
            places.laid(place, number, quad)
            lying = lying.with_card(Card(number, "hat", place, corners_of(quad)))
        places.refine((400, 300))
        quad = QUAD + np.float32([205, 5])
        assert places.spot(quad, lying, (400, 300)).place == "pile/2"


def test_one_misread_under_a_hand_hardly_counts_against_many_clear_looks():
    card = Candidate(1, QUAD, QUAD, 0.0, 0.0, 0.9).named("socks", 0.9, QUAD, table())
    for _ in range(3):
        card = card.named("pants", 0.997, QUAD, table())
    assert card.best()[0] == "pants" and card.certainty() > 0.98


@pytest.mark.parametrize(("looks", "is_lost"), [(0, True), (1, True), (2, False)])
def test_a_card_that_rested_without_a_name_is_lost_when_another_box_takes_its_place(looks, is_lost):
    """It can be named in an older frame, unless more looks would tell no more."""
    follow, bgr, one = Candidates(VisionSettings()), table(), np.ones(1, np.float32)
    for at in (0.0, 0.1):
        follow.see(QUAD[None], one, one > 0, at, bgr)
    for _ in range(looks):
        follow.keep(tuple(card.named("unknown", 0.4, None, bgr) for card in follow.coming))
    follow.see((QUAD + 20)[None], one, one > 0, 0.2, bgr)
    assert bool(follow.lost) is is_lost
