"""Where Dirty Laundry's garments and items lie before a seat, and where the clothesline begins."""

import random

import pytest
from arrangements import LENGTH, table
from poses import before_seat, in_middle, shifted

from rules.games.dirty_laundry.layout import LAYOUT
from rules.table.layout import Pose, Side


@pytest.mark.parametrize(
    ("face", "other", "is_one"),
    [
        ("p2-white-stain", "p2-white-stain-ruined", True),
        ("machine", "machine-broken", True),
        ("back", "red-sock", True),
        ("p2-white-stain", "p1-white-stain-ruined", False),
        ("sort", "rinse", False),
        ("back", "wash", False),
        ("back", "back", False),
    ],
)
def test_two_faces_are_those_of_one_card(face, other, is_one):
    assert LAYOUT.sides(face, other) is LAYOUT.sides(other, face) is is_one


@pytest.mark.parametrize(("is_discarded", "least"), [(False, 0.5), (True, 0.85)])
def test_an_item_before_a_seat_goes_with_a_hand_wash_that_is_not_down(is_discarded, least):
    at = table("dirty-laundry", random.Random(9), 2)
    at.is_playing = True
    if is_discarded:
        at.lay("red-sock", in_middle(at, 250), "discard", at.sides[0])
    _, spot = at.lay("detergent", before_seat(at, 2, 120, 60), None, at.sides[1])
    assert (spot.place, spot.other) == ("seat/2/hand-wash/items", "discard")
    assert least < spot.sure < 0.95
    assert at.lay("detergent", in_middle(at, 240), "discard", at.sides[1])[1].place == "discard"


def test_a_card_face_down_before_its_players_seat_goes_with_a_hand_wash_that_is_not_down():
    at = table("dirty-laundry", random.Random(9), 2)
    theirs = before_seat(at, 2, 120, 60)
    at.is_playing = False
    assert at.lay("back", theirs, None, at.sides[1])[1].place is None
    at.is_playing = True
    _, spot = at.lay("back", theirs, None, at.sides[1])
    assert spot.place == "seat/2/hand-wash/items" and 0.85 < spot.sure < 0.95
    assert at.lay("back", theirs, None, at.sides[0])[1].place is None
    assert at.lay("back", in_middle(at, 240), None, at.sides[1])[1].place is None


@pytest.mark.parametrize("face", ["detergent", "back"])
def test_what_is_no_garment_does_not_join_a_row_of_garments(face):
    at = table("dirty-laundry", random.Random(9), 2)
    row = before_seat(at, 2, 0, 60)
    at.lay("p2-white-plain", row, "seat/2/garments", at.sides[1])
    _, spot = at.lay(face, shifted(row, 0, -1.1 * LENGTH), None, at.sides[1])
    assert spot.place != "seat/2/garments"


def test_a_garment_nearer_to_a_side_without_a_seat_begins_the_clothesline():
    at = table("dirty-laundry", random.Random(9), 2)
    at.is_playing = True
    (free,) = (side for side in (Side.RIGHT,) if side not in at.sides)
    corner = Pose(at.extent.right - 50, at.extent.bottom - 110, free.degrees)
    _, spot = at.lay("p1-white-plain", corner, "clothesline", at.sides[0])
    assert (spot.place, spot.other) == ("clothesline", "seat/1/garments")
    row = before_seat(at, 1, -100, 60)
    assert at.lay("p1-colour-plain", row, None, at.sides[0])[1].place == "seat/1/garments"


def test_a_garment_close_to_a_side_is_its_seats_though_another_player_laid_it():
    at = table("dirty-laundry", random.Random(9), 3)
    at.is_playing = True
    near_both = before_seat(at, 1, -0.3 * at.extent.width, 50)
    theirs = Pose(near_both.x, near_both.y, at.sides[1].degrees)
    assert at.lay("p1-white-plain", theirs, None, at.sides[1])[1].place == "seat/1/garments"


@pytest.mark.parametrize(("right", "number"), [(94, 1), (136, 2)])
def test_a_garment_on_the_garments_of_two_machines_continues_the_row_whose_next_it_is(
    right, number
):
    at = table("dirty-laundry", random.Random(9), 2)
    first = in_middle(at, -110, -60)
    for k in (1, 2):
        at.lay("machine", shifted(first, 110 * (k - 1), 0), f"machine/{k}")
    at.is_playing = True
    garments = ("p1-white-plain", "p1-white-stain", "p1-colour-plain", "p1-colour-mesh")
    for step in range(4):
        at.lay(garments[step], shifted(first, 20 * step, LENGTH * 1.06), "machine/1/garments")
    for step in range(2):
        pose = shifted(first, 96 + 20 * step, LENGTH * 1.06)
        at.lay(f"p2-{('white-plain', 'white-stain')[step]}", pose, "machine/2/garments")
    pose = shifted(first, right, LENGTH * 1.06)
    _, spot = at.lay("p2-colour-plain", pose, None)
    assert spot.place == f"machine/{number}/garments"
