"""`fairdeal print deck|mat|board`: PDFs to scale."""

import argparse
from pathlib import Path

from calibration.arguments import whole
from kiosk.printing.paper import PAPERS_MM


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `print` and its three targets."""
    parser = subparsers.add_parser("print", help="PDFs to scale: a deck, the table mat, the board")
    targets = parser.add_subparsers(dest="target", required=True, metavar="deck|mat|board")
    deck = targets.add_parser("deck", help="a printable deck with cut marks")
    deck.add_argument("name", help="a shipped deck's name or a deck folder")
    deck.add_argument("--scale", type=float, default=1.0, metavar="X",
                      help="cards of X times their size (default 1; a printer that makes "
                      "97 mm of 100: 1.03)")  # fmt: skip
    mat = targets.add_parser("mat", help="the table mat with markers and seats")
    mat.add_argument("--size", choices=("table", "a3", "a4"), default="table",
                     help="table: 700x450 mm over several sheets")  # fmt: skip
    mat.add_argument("--game", metavar="GAME", help="print this game's places (default: none)")
    mat.add_argument("--players", type=whole(1, 8), metavar="N",
                     help="seats to mark (default: 4, or the game's most)")  # fmt: skip
    board = targets.add_parser("board", help="the ChArUco board for `calibrate camera`")
    for target in (deck, mat, board):
        target.add_argument("--out", type=Path, metavar="FILE", help="the PDF to write")
        target.add_argument("--paper", choices=tuple(PAPERS_MM),
                            help="default: a4; a3 for the mat of that size")  # fmt: skip
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the PDF. Returns 0; FairdealError if it cannot be written."""
    name = Path(args.name).name if args.target == "deck" else args.target
    paper = args.paper or ("a3" if args.target == "mat" and args.size == "a3" else "a4")
    out: Path = args.out or Path(f"fairdeal-{name}-{paper}.pdf")
    if args.target == "deck":
        from kiosk.printing.decks import print_deck

        print_deck(args.name, out, paper, args.scale)
        print(f"{out}: print at 100 %")
        return 0
    if args.target == "board":
        from kiosk.printing.board import board_pdf

        count = board_pdf(out, paper)
    else:
        from kiosk.printing.mat import Printed, mat_pdf
        from vision.mat import MATS

        printed = (
            Printed.of_game(args.game, args.players) if args.game
            else Printed.plain(args.players or 4)
        )  # fmt: skip
        count = mat_pdf(out, MATS[args.size], paper, printed)
    sheet = "sheet" if count == 1 else "sheets"
    print(f"{out}: {count} {sheet}; print at 100 %, then measure the ruler")
    return 0
