"""What a running table tells people through, and the two that show nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from vision.frame import Frame
from vision.scene.watcher import Observation


class Display(Protocol):
    """Shows a running table to people; told of everything, asked for keys."""

    def frame(self, frame: Frame, observation: Observation, seconds: float) -> None:
        """A frame was judged; `seconds`: what the work on it took."""

    def lost(self, why: str) -> None:
        """The table cannot be judged, and why; empty when it can be again."""

    def presses(self) -> tuple[tuple[str, int | None], ...]:
        """Buttons pressed on keyboard or page since the last time, with their seat."""


class NoDisplay:
    """Shows nothing."""

    def frame(self, frame: Frame, observation: Observation, seconds: float) -> None:
        """Nothing to show."""

    def lost(self, why: str) -> None:
        """Nothing to show."""

    def presses(self) -> tuple[tuple[str, int | None], ...]:
        """Nobody can press."""
        return ()


class Unseen(NoDisplay):
    """Shows nothing, but says in a line when the table is out of view, and when it is back."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._is_lost = say, False

    def lost(self, why: str) -> None:
        """A line when that changes, not while it lasts."""
        if bool(why) != self._is_lost:
            self._is_lost = bool(why)
            self._say(why or "the table is in view again")
