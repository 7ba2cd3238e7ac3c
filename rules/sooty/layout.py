"""Where Sooty's sets and its discard pile lie."""

from rules.layout import Layout
from rules.sooty.state import DUST, WAND

LAYOUT = Layout(
    strips={"set/1": (0.0, 0.5), "set/2": (0.5, 1.0)},
    middles={"discard": (0.0, 0.0, 1.0, 1.0)},
    half_covers=frozenset({DUST, WAND}),
)
