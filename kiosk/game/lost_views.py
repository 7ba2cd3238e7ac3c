"""Who has lost the view of the table: camera, place and picture, each for itself."""

from __future__ import annotations

from kiosk.game.news import LostBy
from rules.table.event import Blind, Sighted


class LostViews:
    """Turns the losses of several causes into one `blind` and one `sighted` for the referee."""

    def __init__(self) -> None:
        self._whys: dict[LostBy, str] = {}

    @property
    def is_any(self) -> bool:
        """Whether the table is out of view."""
        return bool(self._whys)

    def has(self, by: LostBy, why: str | None = None) -> bool:
        """Whether this cause holds, for that reason if one is given."""
        return by in self._whys and (why is None or self._whys[by] == why)

    def lose(self, by: LostBy, why: str, at: float) -> tuple[Blind, ...]:
        """`blind` where the view was not lost yet."""
        is_first = not self._whys
        self._whys[by] = why
        return (Blind(at),) if is_first else ()

    def find(self, by: LostBy, at: float) -> tuple[Sighted, ...]:
        """`sighted` where this was the last cause."""
        if by not in self._whys:
            return ()
        del self._whys[by]
        return () if self._whys else (Sighted(at),)
