"""Where cards of Sooty lie: on which card an Oofle or a wand does, and sets that come again."""

import random

import pytest
from arrangements import table
from poses import before_seat, shifted

from rules.table.layout import Side


def test_a_card_that_covers_half_of_another_names_it():
    at = table("sooty", random.Random(3), 2)
    first = before_seat(at, 1, -80, 60)
    at.lay("sooty-3", first, "seat/1/set/1")
    at.lay("sooty-5", shifted(first, 66, 0), "seat/1/set/1")
    _, spot = at.lay("oofle-dust", shifted(first, 70, 35), "seat/1/set/1", Side.LEFT)
    assert (spot.place, spot.on) == ("seat/1/set/1", "sooty-5")


@pytest.mark.parametrize(
    ("step", "down", "on"),
    [(20, 0, None), (60, 0, None), (-60, 20, "sooty-3"), (-30, 30, "sooty-5")],
)
def test_a_second_oofle_lies_on_the_card_of_which_it_covers_what_shows(step, down, on):
    """Beyond the first Oofle, as a fan goes on, it tells no card."""
    at = table("sooty", random.Random(3), 2)
    first = before_seat(at, 1, -80, 60)
    for n, face in enumerate(("sooty-3", "sooty-5")):
        at.lay(face, shifted(first, 50 * n, 0), "seat/1/set/1")
    at.lay("oofle-dust", shifted(first, 80, 0), "seat/1/set/1", Side.LEFT)
    _, spot = at.lay("oofle-dust", shifted(first, 80 + step, down), "seat/1/set/1", Side.LEFT)
    assert (spot.place, spot.on) == ("seat/1/set/1", on)


def test_a_wand_lies_on_the_oofle_though_it_covers_more_of_the_next_card():
    at = table("sooty", random.Random(3), 2)
    first = before_seat(at, 1, -180, 120)
    at.lay("sooty-3", first, "seat/1/set/1")
    at.lay("sooty-5", shifted(first, 66, 0), "seat/1/set/1")
    at.lay("oofle-dust", shifted(first, 0, 35), "seat/1/set/1")
    _, wand = at.lay("magic-wand", shifted(first, 40, 15), "seat/1/set/1")
    assert wand.on == "oofle-dust"
    at.lay("oofle-dust", shifted(first, 70, 35), "seat/1/set/1", Side.LEFT)
    assert at.lay("magic-wand", shifted(first, -5, 50), "seat/1/set/1")[1].on == "sooty-3"
    far = shifted(first, 66, -45)
    assert at.lay("magic-wand", far, "seat/1/set/1")[1].on == "sooty-5"


def test_a_wand_beside_the_only_oofle_of_a_set_releases_it_whatever_it_covers():
    at = table("sooty", random.Random(3), 2)
    first = before_seat(at, 1, -180, 120)
    at.lay("sooty-3", first, "seat/1/set/1")
    at.lay("sooty-5", shifted(first, 66, 0), "seat/1/set/1")
    assert at.lay("magic-wand", shifted(first, 0, -50), "seat/1/set/1")[1].on == "sooty-3"
    at.lay("oofle-dust", shifted(first, 70, 35), "seat/1/set/1", Side.LEFT)
    assert at.lay("magic-wand", shifted(first, -10, 50), "seat/1/set/1")[1].on is None


def test_a_set_that_has_gone_keeps_its_name_for_a_chain_at_its_place():
    at = table("sooty", random.Random(3), 2)
    first = before_seat(at, 1, -140, 60)
    at.lay("sooty-3", first, "seat/1/set/1")
    at.cards.clear()
    apart, there = shifted(first, 280, 0), shifted(first, 4, -3)
    assert at.lay("sweep-2", apart, "seat/1/set/2")[1].place == "seat/1/set/2"
    assert at.lay("sweep-4", there, "seat/1/set/1")[1].place == "seat/1/set/1"


@pytest.mark.parametrize(
    ("starts", "right", "place"),
    [((-130, 0), -10, "seat/1/set/1"), ((-130, 0), 54, "seat/1/set/2"),
     ((0, -130), -10, "seat/1/set/2"), ((0, -130), 54, "seat/1/set/1")],
)  # fmt: skip
def test_a_card_on_both_sets_of_a_seat_continues_the_fan_whose_next_card_it_is(
    starts, right, place
):
    """Beyond the fan of six it lies more on the other one's first card than on its last one."""
    at = table("sooty", random.Random(3), 2)
    for number, begin in enumerate(starts, 1):
        for step in range(6 if begin else 3):
            pose = before_seat(at, 1, begin + (20 if begin else 18) * step, 60)
            at.lay(
                f"sooty-{step + 1}" if begin else f"sweep-{step + 1}", pose, f"seat/1/set/{number}"
            )
    _, spot = at.lay("sweep-5", before_seat(at, 1, right, 60), place)
    assert spot.place == place
    assert 0.5 <= spot.sure < 1.0 and spot.other in ("seat/1/set/1", "seat/1/set/2")
