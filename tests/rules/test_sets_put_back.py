"""Sooty: a set that is lifted and put back keeps its number."""

import random

from arrangements import table
from poses import before_seat, shifted


def test_the_second_set_put_back_while_the_first_one_is_gone_is_the_second_set():
    at = table("sooty", random.Random(3), 3)
    first, second = (before_seat(at, 2, x, 0.2 * at.extent.height) for x in (-90, 90))
    at.lay("sooty-5", first, "seat/2/set/1", at.sides[1])
    at.lay("sweep-5", second, "seat/2/set/2", at.sides[1])
    at.take("seat/2/set/1")
    at.take("seat/2/set/2")
    back = shifted(second, 2, 3)
    spot = at.lay("sweep-5", back, "seat/2/set/2", at.sides[0], "seat/2/set/2")[1]
    assert spot.place == "seat/2/set/2"
    assert at.lay("sooty-5", first, "seat/2/set/1", at.sides[1])[1].place == "seat/2/set/1"
