"""Where Sooty's sets and its discard pile lie."""

from rules.layout import Layout
from rules.sooty.state import DUST, INDEX, WAND

PLACES_TEXT = "seat/N/set/1, seat/N/set/2, discard"


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    return place == "discard" or INDEX.get(place, 99) < 2 * players


LAYOUT = Layout(
    strips={"set/1": (0.0, 0.5), "set/2": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
    half_covers=frozenset({DUST, WAND}),
)
