"""The layout of a game's places in the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError
from rules.games import game as game_named
from rules.layout import SIDES, Side
from vision.scene.layout import Area, Areas, Layout, Piles
from vision.settings import VisionSettings


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
    layout = game_named(game).layout
    if not layout.strips and not layout.middles:
        return Piles(settings.pile_near, settings.pile_overlap)
    across, down = size_mm if homography is not None and size_mm is not None else (1.0, 1.0)
    areas = tuple(
        Area(area.place, tuple((x * across, y * down) for x, y in area.polygon))
        for area in layout.areas([Side(side) for side in seats])
    )
    return Areas(areas, homography, layout.cards_turn, layout.half_covers)
