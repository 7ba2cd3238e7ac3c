"""A real board, watched as a page watches it: which calls it shows, and whether any twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Self

from kiosk.club.board.board import Board, BoardSettings
from kiosk.club.board.store import Store
from kiosk.club.settings import ClubFile

START_S = 10.0
CallKey = tuple[str, str, int]  # table, session, number


class WatchedBoard:
    """The board on a thread of its own, until the end of a `with`."""

    def __init__(self, club: ClubFile, folder: Path, say: Callable[[str], None]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "board.sqlite"
        self._settings = BoardSettings(club, say=say)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="watched-board", daemon=True)
        self._is_ready = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self.board: Board | None = None
        self.twice: set[CallKey] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.wait(START_S)
        return self

    def __exit__(self, *_: object) -> None:
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(START_S)

    def kept(self) -> set[CallKey]:
        """The calls in the board's file."""
        store = Store(self.path)
        try:
            found = store.numbers()
        finally:
            store.close()
        return {
            (*key, n)
            for key, numbers in found.items()
            for n in (*range(1, numbers.top + 1), *numbers.beyond)
        }

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        store = Store(self.path)
        self.board = Board(self._settings, store)
        self._task = asyncio.current_task()
        watching = asyncio.create_task(self._watch(self.board))
        self._is_ready.set()
        try:
            await self.board.run()
        finally:
            watching.cancel()
            store.close()

    async def _watch(self, board: Board) -> None:
        async for change in board.live.follow():
            for key, table in json.loads(change or "{}").items():
                if key.startswith("table/"):
                    shown = Counter(call["n"] for call in table["calls"])
                    self.twice |= {
                        (table["name"], table["session"], n) for n, k in shown.items() if k > 1
                    }
