"""`fairdeal club`: the board of all tables of a club, with a tournament."""

import argparse
from pathlib import Path

from calibration.arguments import number, whole


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `club`; its file holds the secrets, so that no option does."""
    parser = subparsers.add_parser("club", help="the board of all tables, and a tournament")
    add = parser.add_argument
    add("--club", type=Path, metavar="FILE", help="the board's club file, mode 0600")
    add("--demo", action="store_true",
        help="a broker, four simulated tables and the board, with nothing attached")  # fmt: skip
    add("--port", type=whole(0, 65535), default=8090, metavar="P", help="default: 8090")
    add("--host", default="127.0.0.1", metavar="H",
        help="0.0.0.0 lets phones on the network pair (default: this machine only)")  # fmt: skip
    add("--delay", type=number(0, 3600), default=0.0, metavar="S",
        help="an audience sees everything S seconds later")  # fmt: skip
    new = parser.add_argument_group("a new club", "writes the files of a club and its broker")
    new.add_argument("--new", type=Path, metavar="DIR", help="a new folder for them")
    new.add_argument("--name", default="club", metavar="NAME", help="of the club: a-z, 0-9 and -")
    new.add_argument("--tables", type=int, default=4, metavar="N", help="default: 4")
    new.add_argument("--broker", metavar="HOST", help="the broker's name or address in the network")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serves until Ctrl-C or SIGTERM. Raises FairdealError where it cannot."""
    from rules.errors import FairdealError

    chosen = [name for name in ("club", "demo", "new") if getattr(args, name)]
    if len(chosen) != 1:
        found = " and ".join(f"--{name}" for name in chosen) or "none"
        raise FairdealError("one of --club FILE, --demo and --new DIR", found)
    if args.new is not None:
        return _write(args)
    if args.demo:
        from kiosk.club.demo import run_demo

        run_demo(args.host, args.port, args.delay)
        return 0
    return _serve(args)


def _serve(args: argparse.Namespace) -> int:
    import asyncio
    import contextlib

    from kiosk.club.board.board import BoardSettings
    from kiosk.club.board.server import BoardPlace, serve_board
    from kiosk.club.places import board_folder
    from kiosk.club.settings import read_club_file
    from kiosk.version import version

    club = read_club_file(args.club, is_table=False)
    place = BoardPlace(args.host, args.port, board_folder(club.club))
    settings = BoardSettings(club, args.delay, version())
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_board(settings, place, lambda line: print(line, flush=True)))
    return 0


def _write(args: argparse.Namespace) -> int:
    from kiosk.club.newclub import new_club
    from rules.errors import FairdealError

    if not args.broker:
        raise FairdealError("the broker's name or address", "none", "name it with --broker")
    for line in new_club(args.new, args.name, args.tables, args.broker):
        print(line)
    return 0
