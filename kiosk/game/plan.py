"""Where people put the places of a table, and how the scene sees its plane.

The loop and the page share one plan. The scene's `GamePlaces` asks for moved places on the loop's
thread; the page moves them and asks for the plane on its own. Every value is frozen and replaced
as a whole.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

from vision.plane import Plane, TablePlane

MOST_MOVED = 64  # places of one game
Point = tuple[float, float]

Keep = Callable[[str, Point | None], object]
"""Told a place and its new point; None where it was freed."""


class Sees(Protocol):
    """What the plan needs of the scene's places."""

    def seen(self, size: tuple[int, int]) -> TablePlane | Plane | None: ...


class TablePlan:
    """Moved places (place → centre in parts of the picture) and the plane of the scene."""

    def __init__(self) -> None:
        self._moved: Mapping[str, Point] = MappingProxyType({})
        self._keep: Keep = lambda place, at: None
        self._places: Sees | None = None
        self._lock = threading.Lock()

    @property
    def moved(self) -> Mapping[str, Point]:
        """The places that people moved; a snapshot."""
        return self._moved

    def restore(self, moved: Iterable[tuple[str, Point]], keep: Keep) -> None:
        """Takes the moved places of the game that begins. `keep` is told what is moved from now
        on, on the thread that moves."""
        with self._lock:
            self._moved, self._keep = MappingProxyType(dict(moved)), keep

    def seen(self, size: tuple[int, int]) -> TablePlane | Plane | None:
        """The table or plane in pictures of `size` (width, height); None while unknown."""
        places = self._places
        return None if places is None else places.seen(size)

    def watch(self, places: Sees) -> None:
        """Takes the places of a new watcher."""
        self._places = places

    def move(self, place: str, at: Point) -> bool:
        """Moves a place to a point in parts of the picture; False where there are too many."""
        with self._lock:
            if place not in self._moved and len(self._moved) >= MOST_MOVED:
                return False
            self._moved = MappingProxyType({**self._moved, place: at})
            self._keep(place, at)
            return True

    def free(self, place: str) -> bool:
        """The game's own layout finds the place again; False where it was not moved."""
        with self._lock:
            if place not in self._moved:
                return False
            left = {name: at for name, at in self._moved.items() if name != place}
            self._moved = MappingProxyType(left)
            self._keep(place, None)
            return True
