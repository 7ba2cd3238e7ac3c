"""One pile in the middle, and a stock before every seat."""

from rules.table.layout import Layout

LAYOUT = Layout(strips={"stock": (0.0, 1.0)}, middles={"play": (0.0, 0.0, 1.0, 1.0)})


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    return place == "play" or place in {f"seat/{n}/stock" for n in range(1, players + 1)}
