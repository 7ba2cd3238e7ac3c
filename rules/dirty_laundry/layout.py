"""Where Dirty Laundry's machines, clothesline, action cards and the seats' cards lie."""

from rules.layout import Layout

_ROWS = ("/items", "", "/garments")
LAYOUT = Layout(
    strips={
        "garments": (0.0, 0.55),
        "hand-wash/items": (0.55, 0.7),
        "hand-wash": (0.7, 0.85),
        "hand-wash/garments": (0.85, 1.0),
    },
    middles={
        "discard": (0.0, 0.0, 0.15, 0.5),
        "actions": (0.0, 0.5, 0.15, 1.0),
        "clothesline": (0.75, 0.0, 1.0, 1.0),
        **{
            f"machine/{k + 1}{part}": (0.15 + 0.2 * k, row / 3, 0.35 + 0.2 * k, (row + 1) / 3)
            for k in range(3)
            for row, part in enumerate(_ROWS)
        },
    },
    cards_turn=True,
)
