"""Where the two piles of each seat and the discard pile lie."""

from rules.game import seats
from rules.layout import Layout

PLACES_TEXT = "seat/N/left, seat/N/right, discard"


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    if place == "discard":
        return True
    parts = place.split("/")
    if len(parts) != 3 or parts[0] != "seat" or parts[2] not in ("left", "right"):
        return False
    return parts[1] in seats(players)


LAYOUT = Layout(
    strips={"left": (0.0, 0.5), "right": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
)
