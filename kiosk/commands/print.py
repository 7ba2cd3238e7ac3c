"""`fairdeal print deck|mat|board`: PDFs to scale."""

import argparse
from pathlib import Path


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
    mat.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=4, help="seats to mark")
    board = targets.add_parser("board", help="the ChArUco board for `calibrate camera`")
    for target in (deck, mat, board):
        target.add_argument("--out", type=Path, metavar="FILE", help="the PDF to write")
        target.add_argument("--paper", choices=("a4", "letter", "a3"), default="a4")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Writes the PDF. Returns 0; FairdealError if it cannot be written."""
    name = Path(args.name).name if args.target == "deck" else args.target
    out: Path = args.out or Path(f"fairdeal-{name}-{args.paper}.pdf")
    if args.target == "deck":
        from kiosk.printing.decks import print_deck

        print_deck(args.name, out, args.paper, args.scale)
        print(f"{out}: print at 100 %")
        return 0
    from kiosk.printing import sheets

    if args.target == "board":
        count = sheets.board_pdf(out, args.paper)
    else:
        from vision.mat import MATS

        count = sheets.mat_pdf(out, MATS[args.size], args.paper, args.players)
    sheet = "sheet" if count == 1 else "sheets"
    print(f"{out}: {count} {sheet}; print at 100 %, then measure the ruler")
    return 0
