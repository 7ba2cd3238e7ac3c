"""At which side of the picture each seat sits, and where cards may lie in each game."""

from __future__ import annotations

from rules.errors import FairdealError

SIDES = ("bottom", "left", "top", "right")  # clockwise, as seen from above


def read_sides(text: str | None, players: int) -> tuple[str, ...]:
    """The sides of seats 1..N; the first N, clockwise, where none are named. FairdealError."""
    if text is None:
        return SIDES[:players]
    sides = tuple(side.strip() for side in text.split(","))
    known = all(side in SIDES for side in sides)
    if not known or len(set(sides)) != len(sides) or len(sides) != players:
        raise FairdealError(
            f"--seats with {players} different sides of {', '.join(SIDES)}", repr(text)
        )
    return sides
