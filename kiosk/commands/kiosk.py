"""`fairdeal kiosk`: serves the page, from which games are started on this table."""

import argparse


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `kiosk [--source S] [--port P] [--host H]`."""
    parser = subparsers.add_parser("kiosk", help="the page: start games, follow and overrule them")
    parser.add_argument("--source", metavar="S", help="as for `referee` (default: picamera on a "
        "Raspberry Pi with one, else camera 0)")  # fmt: skip
    parser.add_argument("--port", type=int, default=8080, metavar="P", help="default: 8080")
    parser.add_argument("--host", default="127.0.0.1", metavar="H",
        help="0.0.0.0 lets phones on the network pair (default: this machine only)")  # fmt: skip
    parser.add_argument("--signals", metavar="OUT", help="as for `referee`")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves until Ctrl-C. Raises FairdealError where it cannot."""
    import asyncio
    import tempfile
    from pathlib import Path

    from kiosk.web.app import PageSettings
    from kiosk.web.page import page_folder
    from kiosk.web.server import checked_port, serve
    from kiosk.web.table import RefereeProcess, TableSettings

    folder = page_folder()
    folder.mkdir(parents=True, exist_ok=True)
    settings = PageSettings(args.host, checked_port(args.port), folder)
    signals = ("--signals", args.signals) if args.signals else ()
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as runtime:
        link = Path(runtime) / "page"
        source = args.source or _default_source()
        table = RefereeProcess(TableSettings(source, link, signals))
        asyncio.run(serve(settings, link, table))
    return 0


def _default_source() -> str:
    from importlib.util import find_spec

    return "picamera" if find_spec("picamera2") is not None else "0"
