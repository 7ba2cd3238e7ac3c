"""The page's server as a process: uvicorn on a port, the referee's link on a local socket.

`python -m kiosk.web.server --link SOCKET --port 8080` serves until it is told to stop; it prints
one line, `page: http://…`, once it listens.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from calibration import entry
from kiosk.serving.connections import Gate, GatedConfig, GatedServer
from kiosk.serving.lines import Lines, quiet_logs
from kiosk.serving.listening import bound, checked_port, shown_host
from kiosk.web.access import Access
from kiosk.web.app import make_app
from kiosk.web.camera import CameraChoice
from kiosk.web.first_hour.process import HourProcess
from kiosk.web.hub import Hub
from kiosk.web.phone.desk import PhoneDesk, open_desk
from kiosk.web.phone.door import SecureDoor
from kiosk.web.settings import PageSettings
from kiosk.web.state import Phase
from kiosk.web.table import RefereeProcess
from vision.sources.phone_wire import phone_socket

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8080


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


async def serve(
    settings: PageSettings,
    link: Path,
    table: RefereeProcess | None = None,
    hour: HourProcess | None = None,
) -> None:
    """Runs the server; `link` is the path of the referee's socket.

    `table` starts games, `hour` the set-up. A game that ran when the server ended goes on.
    """
    hub, lines = Hub(), Lines("page")
    quiet_logs(lines)
    access = Access(settings.folder / "devices.json")
    listening = bound(settings.host, settings.port)
    settings = replace(settings, port=listening.getsockname()[1])
    phone = None
    if table is not None:
        phone = PhoneDesk(CameraChoice(table, hour, settings.folder), on_change=hub.show_phone)
    app = make_app(hub, access, settings, table, hour, phone)
    config = GatedConfig(app, Gate(settings.connections, lines))
    server = GatedServer(config)
    if phone is not None:
        folder = settings.folder / "certificate"
        phone.door = SecureDoor(server, config, settings.host, folder, settings.secure_port)
    async with _linked(hub, link), open_desk(phone, phone_socket(), lines):
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


@contextlib.asynccontextmanager
async def _linked(hub: Hub, path: Path) -> AsyncIterator[None]:
    server = await hub.listen(path)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(entry.run("fairdeal page", build_parser, None))
