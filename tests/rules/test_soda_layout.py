"""Where Soda's cards lie: stacks, played cards, won piles, and what is shown after an Ace."""

import random

import pytest
from arrangements import table
from poses import before_seat, in_middle, shifted

from rules.table.layout import Side


def test_stacks_that_lie_when_the_table_is_first_seen_are_no_played_cards():
    at = table("soda", random.Random(8), 3)
    for k, suit in enumerate("cdhs"):
        assert at.lay(f"2{suit}", in_middle(at, 75 * k - 110, -70), f"score/{suit}")[1].place == (
            f"score/{suit}"
        )
    assert at.lay("6h", in_middle(at, 0, 60), "play", Side.LEFT)[1].place == "play"
    assert at.lay("6d", in_middle(at, 20, 60), "play")[1].place == "play"


@pytest.mark.parametrize(("side", "place"), [(None, "score/c"), (Side.LEFT, "play")])
def test_a_stack_that_is_named_after_the_first_play_lay_there_if_no_hand_has_laid_it(side, place):
    """In the dark its top card may have no name until then."""
    at = table("soda", random.Random(8), 3)
    at.is_playing = True
    at.lay("kd", in_middle(at, 0, 60), "play", Side.BOTTOM)
    assert at.lay("2c", in_middle(at, -110, -70), place, side)[1].place == place


def test_the_scoring_card_below_a_taken_one_is_on_its_stack_though_nothing_is_left_of_it():
    at = table("soda", random.Random(8), 3)
    stack = in_middle(at, -110, -70)
    at.lay("2c", stack, "score/c")
    at.is_playing = True
    at.lay("kd", in_middle(at, 0, 60), "play", Side.LEFT)
    at.take("score/c")
    assert at.lay("3c", shifted(stack, 1.0, -1.0), "score/c", Side.RIGHT)[1].place == "score/c"


def test_a_scoring_card_is_won_by_the_seat_before_which_it_lies_whoever_lays_it():
    at = table("soda", random.Random(10), 3)
    for value in range(10, 1, -1):
        at.lay(f"{value}c", in_middle(at, -110, -70), "score/c")
    at.lay("kd", in_middle(at, 0, 60), "play", Side.BOTTOM)
    at.take("score/c")
    before_two = before_seat(at, 2, -60, 0.24 * at.extent.height)
    for came_from in ("score/c", None):
        assert at.lay("2c", before_two, None, Side.TOP, came_from)[1].place == "seat/2/won"


def test_a_scoring_card_that_was_played_before_is_laid_where_a_seat_laid_one():
    """It is the same card, or the one like it of the other pack. Elsewhere it is discarded."""
    at = table("soda", random.Random(10), 3)
    at.is_playing = True
    at.lay("kd", in_middle(at, 0, 60), "play", Side.BOTTOM)
    before_two = before_seat(at, 2, -60, 0.24 * at.extent.height)
    at.lay("4h", before_two, "seat/2/won", Side.TOP, "score/h")
    at.take("seat/2/won")
    _, spot = at.lay("7d", shifted(before_two, 8.0, -5.0), None, Side.TOP, "play")
    assert (spot.place, spot.other) == ("seat/2/won", "discard") and spot.sure > 0.9
    assert at.lay("8d", in_middle(at, 300, 60), None, Side.TOP, "play")[1].place == "discard"


def test_a_thing_away_from_the_played_cards_lies_at_no_place():
    """A phone that somebody moves. A card that nobody can name beside them may be played."""
    at = table("soda", random.Random(10), 3)
    at.is_playing = True
    at.lay("kd", in_middle(at, 0, 60), "play", Side.BOTTOM)
    far, near = in_middle(at, 150, 60), in_middle(at, 60, 60)
    assert at.lay("unknown", far, None, Side.LEFT)[1].place is None
    assert at.lay("unknown", near, "play", Side.LEFT)[1].place == "play"


def test_without_an_ace_a_card_between_middle_and_seat_is_played():
    at = table("soda", random.Random(12), 4)
    between = in_middle(at, 0, 0.12 * at.extent.height)
    _, spot = at.lay("9c", between, "play", Side.BOTTOM)
    assert spot.place == "play" and spot.sure > 0.9
    at.lay("ad", in_middle(at), "play", Side.LEFT)
    _, spot = at.lay("kc", in_middle(at, 150, 0.12 * at.extent.height), "discard", Side.BOTTOM)
    assert {spot.place, spot.other} == {"discard", "seat/1/hand"}


def test_a_card_above_the_one_under_the_ace_is_discarded():
    """Between the middle and the seat a card may be either; one that is not above it is shown."""
    for face, place in (("kc", "discard"), ("8c", "seat/1/hand")):
        at = table("soda", random.Random(12), 4)
        at.lay("9c", in_middle(at, 0, 60), "play", Side.LEFT)
        at.lay("ad", in_middle(at, 20, 60), "play", Side.TOP)
        _, spot = at.lay(face, in_middle(at, 150, 0.17 * at.extent.height), place, Side.BOTTOM)
        assert spot.place == place


def test_who_has_laid_the_ace_shows_no_cards_so_a_scoring_card_there_is_won():
    at = table("soda", random.Random(12), 4)
    at.lay("9c", in_middle(at, 0, 60), "play", Side.LEFT)
    at.lay("ad", in_middle(at, 20, 60), "play", Side.TOP)
    theirs = before_seat(at, 3, -60, 0.24 * at.extent.height)
    spot = at.lay("6c", theirs, "seat/3/won", Side.TOP)[1]
    assert (spot.place, spot.other) == ("seat/3/won", "seat/3/hand")
    assert at.lay("kc", shifted(theirs, 200, 0), "seat/3/hand", Side.TOP)[1].place != "seat/3/won"
    above = at.lay("10d", shifted(theirs, -200, 0), None, Side.TOP)[1]
    assert (above.place, above.other) == ("seat/3/won", "seat/3/hand")
    other = before_seat(at, 1, -200, 0.24 * at.extent.height)
    assert at.lay("6d", other, "seat/1/hand", Side.BOTTOM)[1].place == "seat/1/hand"


def test_after_an_ace_a_loser_shows_cards_beside_the_won_pile():
    at = table("soda", random.Random(12), 4)
    theirs = before_seat(at, 2, -60, 0.24 * at.extent.height)
    at.lay("2c", theirs, "seat/2/won", Side.LEFT, "score/c")
    at.lay("ad", in_middle(at, 20, 60), "play", Side.TOP)
    beside = shifted(theirs, 85, 0)
    spot = at.lay("8c", beside, "seat/2/hand", Side.LEFT)[1]
    assert (spot.place, spot.other) == ("seat/2/hand", "seat/2/won") and spot.sure < 0.98
    spot = at.lay("3c", shifted(theirs, 20, 0), "seat/2/won", Side.LEFT, "score/c")[1]
    assert spot.place == "seat/2/won"


def test_a_scoring_card_apart_from_the_row_that_a_loser_shows_may_be_called_won():
    at = table("soda", random.Random(12), 4)
    at.lay("ad", in_middle(at, 20, 60), "play", Side.TOP)
    row = before_seat(at, 1, -150, 0.22 * at.extent.height)
    at.lay("8s", row, "seat/1/hand", Side.BOTTOM)
    assert at.lay("6h", shifted(row, 30, 0), "seat/1/hand", Side.BOTTOM)[1].place == "seat/1/hand"
    spot = at.lay("8d", shifted(row, 300, 0), "seat/1/won", Side.BOTTOM)[1]
    assert (spot.place, spot.other) == ("seat/1/won", "seat/1/hand") and spot.sure < 0.98
    assert at.lay("kd", shifted(row, 220, 90), None, Side.BOTTOM)[1].place == "seat/1/hand"


def test_a_card_laid_on_the_ace_out_of_turn_does_not_end_the_showing():
    at = table("soda", random.Random(12), 4)
    at.lay("ad", in_middle(at, 20, 60), "play", Side.TOP)
    at.lay("6d", in_middle(at, 30, 62), "play", Side.RIGHT)
    theirs = before_seat(at, 1, -200, 0.24 * at.extent.height)
    assert at.lay("8d", theirs, "seat/1/hand", Side.BOTTOM)[1].place == "seat/1/hand"


@pytest.mark.parametrize(
    ("came_from", "is_sure"), [("score/s", True), (None, False), ("seat/1/won", False)]
)
def test_after_an_ace_a_loser_may_show_the_card_that_lacks_on_its_stack(came_from, is_sure):
    """There are two of each scoring card: one in each pack."""
    at = table("soda", random.Random(4), 2)
    at.is_playing = False
    for value in ("4s", "3s"):
        at.lay(value, in_middle(at, 0, -100), "score/s")
    at.is_playing = True
    at.lay("kd", in_middle(at, 0, 40), "play", at.sides[1])
    at.lay("ad", in_middle(at, 0, 40), "play", at.sides[0])
    _, spot = at.lay("2s", before_seat(at, 2, -60, 60), None, at.sides[1], came_from)
    assert spot.place == "seat/2/won"
    assert (spot.sure >= 0.98) is is_sure and (spot.other == "seat/2/hand") is not is_sure
