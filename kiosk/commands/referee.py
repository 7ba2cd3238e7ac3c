"""`fairdeal referee GAME --source S …`: referees one game."""

import argparse
from pathlib import Path


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `referee` with its arguments, which are a contract."""
    parser = subparsers.add_parser("referee", help="referee one game from a camera or a recording")
    add = parser.add_argument
    add("game", metavar="GAME", help="suds, …")
    add("--source", required=True, metavar="S", help="picamera, a camera number, a video file, "
        "a folder of pictures, a URL (rtsp, http), simulated[:script]")  # fmt: skip
    add("--deck", metavar="D", help="a shipped deck, or a deck folder (default: the game's own)")
    add("--players", type=int, metavar="N", help="default: the least the game takes")
    add("--option", action="append", default=[], metavar="K=V", help="an option of the game")
    add("--seats", metavar="SIDES", help="sides of the picture of seats 1..N, by commas")
    add("--headless", action="store_true", help="no view: calls as JSON Lines on standard output")
    add("--journal", type=Path, metavar="FILE", help="SQLite, or text where it ends in .jsonl")
    add("--resume", action="store_true", help="go on with the game that was cut off")
    add("--signals", metavar="OUT", help="mock, gpio, board[:PORT], none; several by commas")
    add("--live", action="store_true", help="play a recorded source in real time")
    add("--wait-start", action="store_true", help="a recorded game waits for a start button")
    add("--rate", type=float, metavar="R", help="pictures a second of a folder or camera")
    add("--threads", type=int, default=2, metavar="T", help="of the networks (default 2)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """0 when the recording ends or the user stops; FairdealError for what the user can mend."""
    from dataclasses import replace

    from kiosk.commands.replay import parse_options
    from kiosk.table_for import read_order
    from rules.games import game
    from vision.eyes import Eyes
    from vision.sources import open_source

    players = args.players if args.players is not None else game(args.game).players[0]
    order = read_order(args.game, args.deck, players, parse_options(args.option), args.seats)
    eyes = Eyes.open(order.deck, args.threads)
    with open_source(args.source, live=args.live, rate=args.rate) as source:
        order = replace(
            order, signals=args.signals, journal=args.journal, resume=args.resume,
            start=source.recorded and not args.wait_start, threads=args.threads,
        )  # fmt: skip
        return _headless(order, source, eyes) if args.headless else _shown(order, source, eyes)


def _headless(order, source, eyes) -> int:
    from kiosk.table_for import run_table

    def tell(event, calls) -> None:
        for call in calls:
            print(call.to_json(), flush=True)

    run_table(order, source, eyes, listener=tell)
    return 0


def _shown(order, source, eyes) -> int:
    from kiosk.watching import run_shown

    summary = run_shown(order, source, eyes)
    print(summary)
    return 0
