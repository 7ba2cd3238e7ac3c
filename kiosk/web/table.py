"""The referee as a child of the page's server: started, watched and stopped by the start screen."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from kiosk.web.setup import TableSetup
from rules.errors import FairdealError

PROVE_S = 2.0  # a referee that ends within this time did not start
STOP_S = 8.0  # until a referee that does not stop is killed
WORDS_KEPT = 20


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What is the same for all games of a table. `words`: more arguments of `referee`."""

    source: str
    link: Path
    words: tuple[str, ...] = ()


class RefereeProcess:
    """At most one referee. Its last lines on standard error are kept for the health page."""

    def __init__(self, settings: TableSettings) -> None:
        self._settings = settings
        self._child: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.said: deque[str] = deque(maxlen=WORDS_KEPT)

    @property
    def is_running(self) -> bool:
        """Whether a game is refereed now."""
        return self._child is not None and self._child.returncode is None

    async def start(self, setup: TableSetup, *, resume: bool = False) -> None:
        """Starts a game. Raises FairdealError with the referee's own line where it ends at once."""
        if self.is_running:
            raise FairdealError("no game under way", "a running one", "end it first")
        words = [
            sys.executable, "-m", "kiosk.cli", "referee", *setup.words(),
            "--source", self._settings.source, "--headless",
            "--page-link", str(self._settings.link), *self._settings.words,
            *(["--resume"] if resume else []),
        ]  # fmt: skip
        self.said.clear()
        self._child = await asyncio.create_subprocess_exec(
            *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        self._reader = asyncio.create_task(self._listen(self._child))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._child.wait(), PROVE_S)
        if self._child.returncode not in (None, 0):
            await self._reader
            found = self.said[-1] if self.said else f"exit code {self._child.returncode}"
            raise FairdealError("a referee that starts", found.removeprefix("fairdeal: "))

    async def stop(self) -> bool:
        """Stops the game; it can be resumed. False where there was none."""
        child = self._child
        if child is None or child.returncode is not None:
            return False
        child.terminate()
        try:
            await asyncio.wait_for(child.wait(), STOP_S)
        except TimeoutError:
            child.kill()
            await child.wait()
        return True

    async def _listen(self, child: asyncio.subprocess.Process) -> None:
        assert child.stderr is not None
        while line := await child.stderr.readline():
            self.said.append(line.decode("utf-8", "replace").strip()[:300])
