"""The page's server as a process: uvicorn on a port, the referee's link on a local socket.

`python -m kiosk.web.server --link SOCKET --port 8080` serves until it is told to stop; it prints
one line, `page: http://…`, once it listens.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from calibration import entry
from kiosk.web.access import Access
from kiosk.web.app import PageSettings, make_app
from kiosk.web.first_hour.process import HourProcess
from kiosk.web.hub import Hub
from kiosk.web.state import Phase
from kiosk.web.table import RefereeProcess
from rules.errors import FairdealError

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080
BACKLOG = 128
STOP_S = 2  # how long open pages may take to end when the server stops


def build_parser() -> entry.Parser:
    """The arguments of the server process."""
    parser = entry.Parser(prog="python -m kiosk.web.server", description="The page's server.")
    parser.add_argument("--link", type=Path, required=True, help="the referee's local socket")
    parser.add_argument("--folder", type=Path, required=True, help="evidence and paired devices")
    parser.add_argument("--host", default=DEFAULT_HOST)
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Serves until it is stopped. Raises FairdealError where the port cannot be had."""
    settings = PageSettings(args.host, checked_port(args.port), args.folder)
    asyncio.run(serve(settings, args.link))
    return 0


def checked_port(port: int) -> int:
    """The port. Raises FairdealError where it is none; 0 takes a free one."""
    if not 0 <= port <= 65535:
        raise FairdealError("a port from 0 to 65535", str(port), "mend --port")
    return port


async def serve(
    settings: PageSettings,
    link: Path,
    table: RefereeProcess | None = None,
    hour: HourProcess | None = None,
) -> None:
    """Runs the server; `link` is the path of the referee's socket.

    `table` starts games, `hour` the set-up. A game that ran when the server ended goes on.
    """
    hub = Hub()
    access = Access(settings.folder / "devices.json")
    listening = bound(settings)
    settings = replace(settings, port=listening.getsockname()[1])
    server = uvicorn.Server(server_config(make_app(hub, access, settings, table, hour)))
    async with _linked(hub, link):
        print(f"page: http://{shown_host(settings.host)}:{settings.port}/", flush=True)
        resuming = None
        if table is not None:
            table.on_change = lambda state: hub.show_referee(state.to_json())
            table.on_change(table.state)
            table.is_over = lambda: hub.state["phase"] == Phase.OVER
            resuming = asyncio.create_task(table.resume_cut(settings.folder / "decks"))
        try:
            await server.serve(sockets=[listening])
        finally:
            if resuming is not None:
                resuming.cancel()
            for child in (table, hour):
                if child is not None:
                    await child.stop()


def server_config(app: Starlette) -> uvicorn.Config:
    """How uvicorn serves a page: quietly, and soon at an end."""
    return uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", server_header=False,
        timeout_graceful_shutdown=STOP_S, limit_concurrency=400,
    )  # fmt: skip


def bound(settings: PageSettings) -> socket.socket:
    """A socket that listens already. Raises FairdealError where the port cannot be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(BACKLOG)  # before the address is printed: pages may come at once
    except OSError as error:
        listening.close()
        todo = "take another --port" if error.errno == errno.EADDRINUSE else "mend --host or --port"
        raise FairdealError(
            f"a free port {settings.port} on {settings.host}", error.strerror or str(error), todo
        ) from error
    return listening


@contextlib.asynccontextmanager
async def _linked(hub: Hub, path: Path) -> AsyncIterator[None]:
    server = await hub.listen(path)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def shown_host(host: str) -> str:
    """The host as people type it."""
    return "localhost" if host in ("127.0.0.1", "::1") else host


if __name__ == "__main__":
    sys.exit(entry.run("fairdeal page", build_parser, None))
