"""Serves the board until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

import uvicorn

from kiosk.club.board.app import make_board_app
from kiosk.club.board.board import Board, BoardSettings
from kiosk.club.board.store import Store
from kiosk.serving.connections import Gate, GatedConfig, GatedServer
from kiosk.serving.lines import quiet_logs
from kiosk.serving.listening import bound, shown_host
from kiosk.web.access import Access
from kiosk.web.settings import PageSettings


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where the board listens, and the folder of what it keeps."""

    host: str
    port: int
    folder: Path


async def serve_board(
    settings: BoardSettings, place: BoardPlace, ready: Callable[[str], None]
) -> None:
    """Serves until Ctrl-C or SIGTERM; `ready` hears the address. Raises FairdealError."""
    place.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    page = PageSettings(place.host, place.port, place.folder)
    store = Store(place.folder / "board.sqlite")
    try:
        access = Access(place.folder / "devices.json")
        listening = bound(page.host, page.port)
        page = replace(page, port=listening.getsockname()[1])
        board = Board(settings, store)
        quiet_logs(board.lines)
        app = make_board_app(board, access, page)
        server = _Server(GatedConfig(app, Gate(page.connections, board.lines)), board)
        work = asyncio.create_task(board.run())
        work.add_done_callback(lambda _: setattr(server, "should_exit", True))
        ready(f"board: http://{shown_host(place.host)}:{page.port}/")
        try:
            await server.serve(sockets=[listening])
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
    finally:
        store.trim()
        store.close()


class _Server(GatedServer):
    """Lets the followers of the board go when it is told to stop: their answers never end."""

    def __init__(self, config: uvicorn.Config, board: Board) -> None:
        super().__init__(config)
        self._board, self._loop = board, asyncio.get_running_loop()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As uvicorn's; called in a signal handler."""
        for feed in (self._board.live, self._board.late.feed):
            self._loop.call_soon_threadsafe(feed.close)
        super().handle_exit(sig, frame)
