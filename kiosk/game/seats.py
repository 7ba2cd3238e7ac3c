"""The side of the picture at which each seat sits."""

from __future__ import annotations

from rules.errors import FairdealError
from rules.table.layout import SIDES, default_sides


def read_sides(text: str | None, players: int) -> tuple[str, ...]:
    """The sides of seats 1..N; the usual ones for None. Raises FairdealError.

    Up to four players sit at different sides. More players share sides.
    """
    if text is None:
        return default_sides(players)
    sides = tuple(side.strip() for side in text.split(","))
    shared = players <= len(SIDES) and len(set(sides)) != len(sides)
    if shared or len(sides) != players or any(side not in SIDES for side in sides):
        raise FairdealError(
            f"--seats with {players} different sides of {', '.join(SIDES)}", repr(text)
        )
    return sides
