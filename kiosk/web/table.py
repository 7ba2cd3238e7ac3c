"""The referee as a child of the page's server: started, watched, restarted, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kiosk.web.children import Child
from kiosk.web.setup import TableSetup, load_last
from rules.errors import FairdealError

PAUSES_S = (1.0, 2.0, 5.0, 10.0, 30.0)  # before a referee that stopped is started again
STEADY_S = 60.0  # a referee that ran so long is no failed attempt
PLAYING = "playing.json"  # the game that should run; it goes on after a power cut


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What is the same for all games of a table. `words`: more arguments of `referee`.

    `folder`: the page's, where the running game is noted.
    """

    source: str
    link: Path
    folder: Path
    words: tuple[str, ...] = ()
    pauses_s: tuple[float, ...] = PAUSES_S


@dataclass(frozen=True, slots=True)
class RefereeState:
    """How the referee is. `why` it stopped; `pause_s` until it is started again, None for never.

    `names`: of the players in the order of their seats, until others play; an empty one is called
    by its seat.
    """

    is_running: bool = False
    why: str = ""
    pause_s: float | None = None
    tries: int = 0
    names: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The JSON object of docs/api.md."""
        return asdict(self)


class RefereeProcess:
    """At most one referee. One that stops is started again, with growing pauses.

    `on_change` hears how it is; `is_over` tells whether the game came to its end; `sleep` waits so
    many seconds.
    """

    def __init__(
        self,
        settings: TableSettings,
        on_change: Callable[[RefereeState], None] = lambda state: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings, self._sleep = settings, sleep
        self.on_change = on_change
        self.source = settings.source  # the camera of the next start, as typed
        self.is_over: Callable[[], bool] = lambda: True
        self._child = Child("a referee")
        self._watcher: asyncio.Task[None] | None = None
        self._deck = ""
        self.state = RefereeState()

    @property
    def is_running(self) -> bool:
        """Whether a game is refereed now, or will be again after a pause."""
        return self._child.is_running or self.state.pause_s is not None

    @property
    def deck(self) -> str:
        """The deck of the game that is refereed, as the page lists it; empty without a game."""
        return self._deck if self.is_running else ""

    @property
    def said(self) -> tuple[str, ...]:
        """The referee's last lines on standard error."""
        return tuple(self._child.said)

    async def start(self, setup: TableSetup, *, resume: bool = False) -> None:
        """Starts a game. Raises FairdealError with the referee's own line where it ends at once.

        `resume`: a game that was cut off goes on, where there is one.
        """
        if self.is_running:
            raise FairdealError("no game under way", "a running one", "end it first")
        self._deck = setup.deck
        await self._child.start(self._words(setup, resume))
        self._note(setup)
        self._changed(RefereeState(self._child.is_running, names=setup.names))
        self._watcher = asyncio.create_task(self._watch(setup))

    async def resume_cut(self, decks: Path) -> None:
        """Goes on with the game that ran when the page's server ended; none is no error."""
        setup = load_last(self._settings.folder / PLAYING, decks)
        if setup is None:
            return
        try:
            await self.start(setup, resume=True)
        except FairdealError as error:
            self._watcher = asyncio.create_task(self._restart(setup, str(error)))

    async def stop(self, *, is_over: bool = False) -> bool:
        """Stops the game; it can be resumed. False where there was none.

        `is_over`: people ended it, so a restart of the page does not go on with it.
        """
        was_running = self.is_running
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
            self._watcher = None
        await self._child.stop()
        if is_over:
            self._forget()
        self._changed(RefereeState(names=self.state.names))
        return was_running

    def _words(self, setup: TableSetup, resume: bool) -> list[str]:
        return [
            sys.executable, "-m", "kiosk.cli", "referee", *setup.words(),
            "--source", self.source, "--headless", "--live",
            "--page-link", str(self._settings.link), *self._settings.words,
            *(["--resume", "auto"] if resume else []),
        ]  # fmt: skip

    async def _watch(self, setup: TableSetup) -> None:
        """Waits for the referee's end. It is started again, unless the game came to its end.

        A machine that goes down tells the referee to stop first: its game goes on later.
        """
        loop = asyncio.get_running_loop()
        tries = 0
        while True:
            began = loop.time()
            code = await self._child.ended()
            if code == 0 and self.is_over():
                self._forget()
                self._changed(RefereeState(names=self.state.names))
                return
            tries = 1 if loop.time() - began > STEADY_S else tries + 1
            why = self._child.last_word or f"the referee ended with code {code}"
            tries = await self._again(setup, why, tries)

    async def _restart(self, setup: TableSetup, why: str) -> None:
        await self._again(setup, why, 1)
        await self._watch(setup)

    async def _again(self, setup: TableSetup, why: str, tries: int) -> int:
        """Starts it until it runs, with growing pauses; the number of attempts."""
        pauses = self._settings.pauses_s
        while True:
            pause = pauses[min(tries, len(pauses)) - 1]
            self._changed(RefereeState(False, why, pause, tries, setup.names))
            await self._sleep(pause)
            try:
                await self._child.start(self._words(setup, resume=True))
            except FairdealError as error:
                why, tries = error.found, tries + 1
                continue
            self._changed(RefereeState(True, why, None, tries, setup.names))
            return tries

    def _changed(self, state: RefereeState) -> None:
        self.state = state
        self.on_change(state)

    def _note(self, setup: TableSetup) -> None:
        """Notes the game on the disk; without it, it does not go on by itself, no more."""
        path = self._settings.folder / PLAYING
        with contextlib.suppress(OSError):
            part = path.with_suffix(".part")
            part.write_text(json.dumps(asdict(setup)), encoding="utf-8")
            os.replace(part, path)

    def _forget(self) -> None:
        with contextlib.suppress(OSError):
            (self._settings.folder / PLAYING).unlink(missing_ok=True)
