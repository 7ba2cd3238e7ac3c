"""Where Soda's scoring cards, its played cards and the seats' cards lie."""

from rules.layout import Layout
from rules.soda.state import SUITS

LAYOUT = Layout(
    strips={"won": (0.0, 0.4), "hand": (0.4, 1.0)},
    middles={
        **{f"score/{suit}": (k / 4, 0.0, (k + 1) / 4, 0.5) for k, suit in enumerate(SUITS)},
        "play": (0.3, 0.5, 1.0, 1.0),
        "discard": (0.0, 0.5, 0.3, 1.0),
    },
)
