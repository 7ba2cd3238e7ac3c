"""Where the two piles of each seat and the discard pile lie."""

from rules.layout import Layout

LAYOUT = Layout(
    strips={"left": (0.0, 0.5), "right": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
)
