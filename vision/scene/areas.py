"""Where each game's places lie by default, as parts of the table seen from above."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError
from vision.scene.hands import SIDES
from vision.scene.layout import Area, Areas, Layout, Piles
from vision.settings import VisionSettings

Box = tuple[float, float, float, float]

_DEEP = 0.28
_MIDDLE: Box = (_DEEP, _DEEP, 1 - _DEEP, 1 - _DEEP)
_SUITS = "cdhs"

# Parts of a seat's own strip, as its player sees it: from the left, to the right, 0 to 1.
_STRIPS: dict[str, dict[str, tuple[float, float]]] = {
    "sooty": {"set/1": (0.0, 0.5), "set/2": (0.5, 1.0)},
    "cat-in-the-hat": {"left": (0.0, 0.5), "right": (0.5, 1.0)},
    "soda": {"won": (0.0, 0.4), "hand": (0.4, 1.0)},
    "dirty-laundry": {
        "garments": (0.0, 0.55),
        "hand-wash/items": (0.55, 0.7),
        "hand-wash": (0.7, 0.85),
        "hand-wash/garments": (0.85, 1.0),
    },
}

# Parts of the middle of the table: left, top, right, bottom, 0 to 1.
_MIDDLES: dict[str, dict[str, Box]] = {
    "sooty": {"discard": (0.0, 0.0, 1.0, 1.0)},
    "cat-in-the-hat": {"discard": (0.0, 0.0, 1.0, 1.0)},
    "soda": {
        **{f"score/{s}": (k / 4, 0.0, (k + 1) / 4, 0.5) for k, s in enumerate(_SUITS)},
        "play": (0.3, 0.5, 1.0, 1.0),
        "discard": (0.0, 0.5, 0.3, 1.0),
    },
    "dirty-laundry": {
        "discard": (0.0, 0.0, 0.15, 0.5),
        "actions": (0.0, 0.5, 0.15, 1.0),
        "clothesline": (0.75, 0.0, 1.0, 1.0),
        **{
            f"machine/{k + 1}{part}": (0.15 + 0.2 * k, row / 3, 0.35 + 0.2 * k, (row + 1) / 3)
            for k in range(3)
            for row, part in enumerate(("/items", "", "/garments"))
        },
    },
}
_HALF_COVERS = {"sooty": frozenset({"oofle-dust", "magic-wand"})}
_TURNS = frozenset({"dirty-laundry"})


def default_seats(players: int) -> tuple[str, ...]:
    """The sides at which seats 1 to N sit, clockwise; from five on two share a long side."""
    if players <= 4:
        return SIDES[:players]
    top = ("top",) * (players - 4)
    return ("bottom", "bottom", "left", *top, "right")


def layout_for(
    game: str,
    seats: Sequence[str],
    settings: VisionSettings | None = None,
    homography: npt.NDArray[np.float64] | None = None,
    size_mm: tuple[float, float] | None = None,
) -> Layout:
    """The layout of a game. `homography` (3, 3) px → mm needs `size_mm`, the table's size from
    its top-left corner as pictured; without both, places are parts of the picture.

    Raises FairdealError for a side that is none.
    """
    for side in seats:
        if side not in SIDES:
            raise FairdealError(f"sides out of {', '.join(SIDES)}", f"{side!r}", "mend --seats")
    settings = settings or VisionSettings()
    if game == "suds":
        return Piles(settings.pile_near, settings.pile_overlap)
    across, down = size_mm if homography is not None and size_mm is not None else (1.0, 1.0)
    areas = tuple(
        Area(area.place, tuple((x * across, y * down) for x, y in area.polygon))
        for area in default_areas(game, seats)
    )
    covers = _HALF_COVERS.get(game, frozenset())
    return Areas(areas, homography, game in _TURNS, covers)


def default_areas(game: str, seats: Sequence[str]) -> tuple[Area, ...]:
    """The game's places in the unit square (0, 0) top left to (1, 1) bottom right."""
    if game not in _STRIPS:
        raise FairdealError(f"one of {', '.join(sorted(_STRIPS))}", f"{game!r}", "name such a game")
    areas = []
    for index, side in enumerate(seats):
        share, sharing = seats[:index].count(side), seats.count(side)
        for part, (left, right) in _STRIPS[game].items():
            # Clockwise around the table is from right to left as the players of a side see it.
            start = (sharing - 1 - share) / sharing
            box = (start + left / sharing, start + right / sharing)
            areas.append(Area(f"seat/{index + 1}/{part}", _strip(side, *box)))
    x0, y0, x1, y1 = _MIDDLE
    for place, (left, top, right, bottom) in _MIDDLES[game].items():
        xs = (x0 + (x1 - x0) * left, x0 + (x1 - x0) * right)
        ys = (y0 + (y1 - y0) * top, y0 + (y1 - y0) * bottom)
        corners = ((xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1]))
        areas.append(Area(place, corners))
    return tuple(areas)


def _strip(side: str, left: float, right: float) -> tuple[tuple[float, float], ...]:
    """A part of the strip at a side, from `left` to `right` as its player sees it."""
    if side in ("left", "right"):  # between the strips at the top and at the bottom
        left, right = (_DEEP + (1 - 2 * _DEEP) * at for at in (left, right))
    corners = ((left, _DEEP), (right, _DEEP), (right, 0.0), (left, 0.0))
    turn = {
        "bottom": lambda u, v: (u, 1 - v),
        "left": lambda u, v: (v, u),
        "top": lambda u, v: (1 - u, v),
        "right": lambda u, v: (1 - v, 1 - u),
    }[side]
    return tuple(turn(u, v) for u, v in corners)
