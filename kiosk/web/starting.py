"""The routes of the start screen: what may be played, start, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kiosk.serving.answers import Json, body_as
from kiosk.web.first_hour.record import load_steps
from kiosk.web.guard import must_act
from kiosk.web.messages import StartGame
from kiosk.web.setup import load_last, offered, read_setup, save_last, usual_seats
from rules.errors import FairdealError

if TYPE_CHECKING:
    from kiosk.web.first_hour.process import HourProcess
    from kiosk.web.table import RefereeProcess


def starting_routes() -> list[Route]:
    """The routes; without a table of our own (`demo --page`) they answer that there is none."""
    return [
        Route("/api/setup", _setup),
        Route("/api/games", _start, methods=["POST"]),
        Route("/api/games/current", _stop, methods=["DELETE"]),
    ]


async def _setup(request: Request) -> Response:
    folder = request.app.state.settings.folder
    last = load_last(folder / "last.json", folder / "decks")
    found = await run_in_threadpool(offered, folder / "decks", last)
    table: RefereeProcess | None = request.app.state.table
    return Json({
        **found,
        "can_start": table is not None,
        "is_running": table is not None and table.is_running,
        "said": [] if table is None else list(table.said),
        "seats": await run_in_threadpool(usual_seats, table.source if table else ""),
        "is_set_up": bool(await run_in_threadpool(load_steps, folder)),
    })  # fmt: skip


async def _start(request: Request) -> Response:
    table = table_of(request)
    wish = await body_as(request, StartGame)
    folder = request.app.state.settings.folder
    try:
        setup = await run_in_threadpool(read_setup, wish, folder / "decks")
        async with request.app.state.camera:
            await _end_set_up(request)
            await table.start(setup)
    except FairdealError as error:
        raise HTTPException(409, str(error)) from error
    await run_in_threadpool(save_last, folder / "last.json", setup)
    return Json({"ok": True})


async def _stop(request: Request) -> Response:
    if not await table_of(request).stop(is_over=True):
        raise HTTPException(409, "no game is running")
    return Json({"ok": True})


async def _end_set_up(request: Request) -> None:
    """The camera is one: a game takes it from the set-up."""
    hour: HourProcess | None = request.app.state.hour
    if hour is not None:
        await hour.stop()


def table_of(request: Request) -> RefereeProcess:
    """The process that referees this page's games. HTTPException for a watcher, and for a page that
    starts no games."""
    must_act(request)
    table: RefereeProcess | None = request.app.state.table
    if table is None:
        raise HTTPException(409, "this page shows one game; `fairdeal kiosk` starts games")
    return table
