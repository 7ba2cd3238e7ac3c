"""Which place of the game is which place that is seen."""

from __future__ import annotations

import pytest

from kiosk.game.table_link import Renaming
from kiosk.game.table_match import agrees, match_tables

HAT, SHIRT = ("hat",), ("hat", "t-shirt")


def names(known, seen, known_spots=None, seen_spots=None):
    return dict(match_tables(known, seen, known_spots or {}, seen_spots or {}).names)


def test_piles_are_matched_by_their_top_cards():
    known = {"pile/2": HAT, "pile/5": SHIRT}
    seen = {"pile/1": ("t-shirt",), "pile/2": HAT}
    match = match_tables(known, seen, {}, {})
    assert match.names == {"pile/1": "pile/5", "pile/2": "pile/2"} and match.is_same
    match = match_tables(known, {"pile/1": HAT}, {}, {})
    assert match.names == {"pile/1": "pile/2"} and match.known_only == ("pile/5",)
    match = match_tables({"discard": ("a",)}, {"discard": ("b",)}, {}, {})
    assert match.seen_only == match.known_only == ("discard",)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.3, -0.1)])
def test_piles_with_equal_tops_are_matched_by_position_wherever_the_camera_is(shift):
    known = {"pile/1": SHIRT, "pile/2": ("wild", "t-shirt"), "pile/3": HAT}
    spots = {"pile/1": (0.2, 0.3), "pile/2": (0.7, 0.3), "pile/3": (0.5, 0.1)}
    seen = {"pile/1": ("t-shirt",), "pile/2": HAT, "pile/3": ("t-shirt",)}
    seen_spots = {"pile/1": (0.71, 0.31), "pile/2": (0.5, 0.1), "pile/3": (0.19, 0.3)}
    moved = {p: (x + shift[0], y + shift[1]) for p, (x, y) in seen_spots.items()}
    found = names(known, seen, spots, moved)
    assert found == {"pile/1": "pile/2", "pile/2": "pile/3", "pile/3": "pile/1"}


def test_without_positions_equal_piles_keep_the_order_of_their_numbers():
    known = {"pile/4": HAT, "pile/9": HAT}
    assert names(known, {"pile/1": HAT, "pile/2": HAT}) == {"pile/1": "pile/4", "pile/2": "pile/9"}


def test_many_piles_are_matched_by_position_too():
    known = {f"pile/{k}": HAT for k in range(1, 13)}
    spots = {f"pile/{k}": (0.07 * k, 0.2 + 0.02 * (k % 3)) for k in range(1, 13)}
    seen = {f"pile/{13 - k}": HAT for k in range(1, 13)}
    seen_spots = {f"pile/{13 - k}": (0.07 * k + 0.03, 0.21) for k in range(1, 13)}
    found = names(known, seen, spots, seen_spots)
    assert found == {f"pile/{13 - k}": f"pile/{k}" for k in range(1, 13)}


@pytest.mark.parametrize(("known", "seen", "expected"), [
    (("hat", "t-shirt"), ("t-shirt",), True),
    (("hat", "t-shirt"), ("hat", "t-shirt"), True),
    (("hat", "t-shirt"), ("t-shirt", "hat"), True),
    (("hat", "t-shirt"), ("hat",), False),
    (("hat", "t-shirt"), ("t-shirt", "t-shirt"), False),
    (("hat", "t-shirt"), ("unknown",), True),
    (("hat",), ("unknown", "unknown"), False),
    (("unknown",), ("unknown",), True),
])  # fmt: skip
def test_lower_cards_may_be_hidden_but_the_top_must_be_seen(known, seen, expected):
    assert agrees(known, seen) is expected


def test_new_piles_get_numbers_that_were_never_used():
    renaming = Renaming({"pile/1": "pile/5"}, {"pile/5": HAT})
    places = ["pile/1", "pile/2", "discard", "pile/2"]
    assert [renaming.name(place) for place in places] == ["pile/5", "pile/6", "discard", "pile/6"]


def test_cards_that_changed_piles_do_not_swap_the_piles():
    """One pile lost its top card to the other: each is still the one that lies there."""
    known = {
        "pile/1": ("hat", "t-shirt", "boxers", "pants"),
        "pile/2": ("hat", "t-shirt", "boxers"),
    }
    seen = {"pile/1": ("boxers",), "pile/2": ("boxers", "pants")}
    spots = {"pile/1": (0.27, 0.27), "pile/2": (0.53, 0.33)}
    match = match_tables(known, seen, spots, spots)
    assert match.names == {"pile/1": "pile/1", "pile/2": "pile/2"}
    assert match.changed == {"pile/1": (3, 1), "pile/2": (3, 1)}


def test_a_known_top_that_comes_to_light_means_that_what_lay_on_it_went():
    known, spots = {"pile/2": ("hat", "t-shirt")}, {"pile/2": (0.5, 0.5)}
    seen = {"pile/1": ("pants", "t-shirt", "boxers")}
    match = match_tables(known, seen, spots, {"pile/1": (0.5, 0.5)}, {"pile/1": 1})
    assert match.names == {"pile/1": "pile/2"} and not match.is_same
    assert match.lifted == {"pile/1": 1} and match.changed == {"pile/1": (2, 2)}


def test_one_pile_that_agrees_by_chance_moves_no_camera():
    known = {"pile/1": ("hat", "boxers"), "pile/2": ("hat", "pants"), "pile/3": ("hat",)}
    spots = {"pile/1": (0.26, 0.27), "pile/2": (0.53, 0.33), "pile/3": (0.76, 0.2)}
    seen = {"pile/1": ("boxers",), "pile/2": ("socks",), "pile/3": ("t-shirt",)}
    seen_spots = {"pile/1": (0.53, 0.33), "pile/2": (0.26, 0.27), "pile/3": (0.76, 0.2)}
    match = match_tables(known, seen, spots, seen_spots)
    assert match.names == {"pile/1": "pile/2", "pile/2": "pile/1", "pile/3": "pile/3"}
