"""`fairdeal demo [GAME]`: the whole machine at work on a simulated table, nothing attached."""

import argparse


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `demo [GAME]`."""
    parser = subparsers.add_parser("demo", help="a simulated game, filmed, judged and signalled")
    parser.add_argument("game", nargs="?", default="suds", metavar="GAME", help="default: suds")
    parser.add_argument("--script", metavar="S", help="a script of the simulated table")
    parser.add_argument("--players", type=int, metavar="N", help="default: the script's")
    parser.add_argument("--signals", metavar="OUT", help="as for `referee` (default: mock pins)")
    parser.add_argument("--threads", type=int, default=2, metavar="T", help="of the networks")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Plays the script to its end in real time and says what was seen."""
    from dataclasses import replace

    from kiosk.game.assembly import read_order
    from kiosk.terminal.watching import run_shown
    from models.drawing.script import read_script
    from vision.recognition.eyes import Eyes
    from vision.sources import open_source

    name = args.script or args.game
    players = read_script(name).players
    order = read_order(args.game, None, players, {}, None)
    order = replace(order, signals=args.signals or "mock")
    eyes = Eyes.open(order.deck, args.threads)
    with open_source(f"simulated:{name}", live=True) as source:
        print(run_shown(order, source, eyes))
    return 0
