"""The set-up as a child of the page's server. It holds the camera, so it never runs in a game."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from kiosk.web.children import Child
from rules.errors import FairdealError


@dataclass(frozen=True, slots=True)
class HourSettings:
    """What the set-up is started with; words as for `referee`."""

    source: str
    link: Path
    folder: Path
    signals: str | None = None


class HourProcess:
    """At most one set-up."""

    def __init__(self, settings: HourSettings) -> None:
        self._settings = settings
        self._child = Child("a set-up")
        self.source = settings.source  # the camera of the next start, as typed

    @property
    def is_running(self) -> bool:
        """Whether the set-up runs, and holds the camera."""
        return self._child.is_running

    @property
    def said(self) -> tuple[str, ...]:
        """Its last lines on standard error."""
        return tuple(self._child.said)

    async def start(self) -> None:
        """Starts it, unless it runs. Raises FairdealError where it ends at once."""
        if self.is_running:
            return
        settings = self._settings
        words = [
            sys.executable, "-m", "kiosk.web.first_hour.worker", "--link", str(settings.link),
            "--folder", str(settings.folder), "--source", self.source,
            *(["--signals", settings.signals] if settings.signals else []),
        ]  # fmt: skip
        await self._child.start(words)
        if not self.is_running:
            raise FairdealError("a set-up that goes on", self._child.last_word or "its end")

    async def stop(self) -> bool:
        """Ends it and frees the camera. False where there was none."""
        return await self._child.stop()
