"""How long a screen says that somebody types wrong digits to pair a device."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from kiosk.web.access import Tries

SHOWN_S = 600.0


class ShownTries:
    """What is said now; `changed` is called when that changes. Lives on one event loop."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._tries, self._changed = Tries(), changed
        self._end: asyncio.TimerHandle | None = None

    @property
    def body(self) -> dict[str, Any]:
        """As the page shows it."""
        return {"wrong": self._tries.wrong, "is_closed": self._tries.is_closed}

    def show(self, tries: Tries) -> None:
        """Somebody typed digits; wrong ones are shown for some minutes."""
        if self._end is not None:
            self._end.cancel()
            self._end = None
        if tries.wrong:
            self._end = asyncio.get_running_loop().call_later(SHOWN_S, self.show, Tries())
        if tries != self._tries:
            self._tries = tries
            self._changed()
