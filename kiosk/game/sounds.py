"""What people set of a table's sounds while it plays: muted for a while, calls spoken or not.

Page and terminal set it, lamps and speech ask it, each on its own thread. Every value is replaced
as a whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from device.speech import LANGUAGES

MOST_MUTED_S = 7200.0
MUTE_S = 600.0  # what one key or button mutes for


class Sounds:
    """Sounds of one table. `clock` (s) only measures how long it is muted."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._muted_until = float("-inf")
        self._language = ""

    @property
    def language(self) -> str:
        """The language of spoken calls; empty: they are off."""
        return self._language

    def speak(self, language: str) -> bool:
        """Switches spoken calls on in a language, or off by an empty one; False: unknown."""
        if language and language not in LANGUAGES:
            return False
        self._language = language
        return True

    def mute(self, seconds: float) -> None:
        """Mutes tones and words for so long, 7,200 s at most; 0 ends it."""
        bounded = min(max(seconds, 0.0), MOST_MUTED_S)
        self._muted_until = self._clock() + bounded if bounded else float("-inf")

    def toggle(self) -> None:
        """Mutes for some minutes, or ends that."""
        self.mute(0.0 if self.is_muted else MUTE_S)

    @property
    def is_muted(self) -> bool:
        """Whether nothing sounds now; lamps shine all the same."""
        return self._clock() < self._muted_until

    @property
    def muted_s(self) -> float:
        """How long it stays muted (s); 0 where it is not."""
        return max(0.0, self._muted_until - self._clock())
