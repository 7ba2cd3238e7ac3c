"""Where Soda's scoring cards, its played cards and the seats' cards lie."""

from rules.game import seats
from rules.layout import Layout
from rules.soda.state import SUITS

PLACES_TEXT = "play, discard, score/c to score/s, seat/N/won, seat/N/hand"


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    if place in ("play", "discard", *(f"score/{suit}" for suit in SUITS)):
        return True
    part = place.split("/")
    return (
        len(part) == 3
        and part[0] == "seat"
        and part[1] in seats(players)
        and (part[2] in ("won", "hand"))
    )


LAYOUT = Layout(
    strips={"won": (0.0, 0.4), "hand": (0.4, 1.0)},
    middles={
        **{f"score/{suit}": (k / 4, 0.0, (k + 1) / 4, 0.5) for k, suit in enumerate(SUITS)},
        "play": (0.3, 0.5, 1.0, 1.0),
        "discard": (0.0, 0.5, 0.3, 1.0),
    },
)
