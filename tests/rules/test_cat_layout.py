"""Where the piles of The Cat in the Hat lie: a place that was called otherwise before."""

import random
from dataclasses import replace

import pytest
from arrangements import WIDTH, table
from poses import before_seat, in_middle


@pytest.mark.parametrize("is_in_middle", [False, True])
def test_an_empty_discard_pile_before_a_seat_is_that_seats(is_in_middle):
    """A card of another player that was taken back may have been called a discard there."""
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    pose = in_middle(at) if is_in_middle else before_seat(at, 3, -60, 0.2 * at.extent.height)
    at.lay("d", pose, "discard", at.sides[0])
    at.take("discard")
    _, spot = at.lay("r", pose, "discard", at.sides[2])
    assert (spot.place == "discard") is is_in_middle
    if not is_in_middle:
        assert (spot.place or "").startswith("seat/3/") and spot.other == "discard"


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_an_emptied_discard_pile_a_little_off_the_middle_stays_the_discard_pile(seat):
    """A plane that is fitted to few cards is a little off: the middle of the table is not known."""
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    half = min(at.extent.width, at.extent.height) / 2
    pose = before_seat(at, seat, 0, 0.85 * half)
    at.lay("y", pose, "discard", at.sides[seat % 3])
    at.take("discard")
    _, spot = at.lay("voom", pose, "discard", at.sides[seat - 1])
    assert spot.place == "discard" and spot.sure > 0.9


def test_a_card_in_line_with_a_seats_pile_is_before_that_seat_whoever_laid_it():
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    deep = 0.22 * at.extent.height
    at.lay("t", before_seat(at, 3, 50, deep), "seat/3/left", at.sides[2])
    theirs = replace(before_seat(at, 3, -60, deep), degrees=at.sides[0].degrees)
    _, spot = at.lay("d", theirs, "seat/3/right", at.sides[0])
    assert (spot.place or "").startswith("seat/3/") and spot.other == "discard"
    _, middle = at.lay("i", in_middle(at), "discard", at.sides[0])
    assert middle.place == "discard" and middle.sure > 0.9


def test_where_a_pile_is_born_that_was_called_the_discard_there_is_none():
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    pose = before_seat(at, 3, -60, 0.2 * at.extent.height)
    at.lay("d", pose, "discard", at.sides[0])
    at.take("discard")
    _, spot = at.lay("r", pose, "discard", at.sides[2])
    assert spot.renames == ("discard", spot.place)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_pile_that_was_taken_away_is_laid_again_beside_the_other_one(seat):
    """A card that was dropped far to the left was told as the left pile; then that pile begins."""
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    deep, width = 0.2 * at.extent.height, WIDTH
    side = at.sides[seat - 1]
    _, right = at.lay("y", before_seat(at, seat, 0.8 * width, deep), f"seat/{seat}/right", side)
    dropped = before_seat(at, seat, -2.6 * width, deep)
    _, left = at.lay("j", dropped, f"seat/{seat}/left", side)
    assert (right.place, left.place) == (f"seat/{seat}/right", f"seat/{seat}/left")
    at.take(f"seat/{seat}/left")
    _, spot = at.lay("j", before_seat(at, seat, -0.6 * width, deep), f"seat/{seat}/left", side)
    assert spot.place == f"seat/{seat}/left" and spot.sure > 0.9


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize(("face", "at_width", "name"), [("e", -1.0, "left"), ("b", 0.9, "right")])
def test_a_pile_with_the_wrong_name_is_renamed(seat, face, at_width, name):
    """It was called the left one before the plane was known, and lies to the right. The second pile
    tells that, and a card that is laid on it."""
    at = table("cat-in-the-hat", random.Random(8), 3)
    at.is_playing = True
    deep, side = 0.2 * at.extent.height, at.sides[seat - 1]
    at.lay("c", before_seat(at, seat, 0.9 * WIDTH, deep), f"seat/{seat}/left", side)
    pose = before_seat(at, seat, at_width * WIDTH, deep)
    _, spot = at.lay(face, pose, f"seat/{seat}/{name}", side)
    assert spot.renames == (f"seat/{seat}/left", f"seat/{seat}/right")
    assert spot.place == f"seat/{seat}/{name}" and spot.sure > 0.9
