"""`fairdeal calibrate …` and `python -m calibration …`: one file per sub-command."""

import argparse
import importlib

from calibration import options
from rules.files import check_folder, check_writable

# Part → (module that runs it, help).
PARTS = {
    "camera": ("calibration.lens.camera", "the lens, from pictures of the printed ChArUco board"),
    "table": ("calibration.table.table", "the table's place and size in millimetres"),
    "deck": ("calibration.deck.deck", "teach a deck from one picture per face"),
    "light": ("calibration.light.light", "check and lock exposure, white balance and focus"),
    "signals": ("calibration.signals", "play every lamp and tone and ask whether it came"),
    "check": ("calibration.check", "all checks at once, on a page with a verdict per item"),
}


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `calibrate` to a command line."""
    parser = subparsers.add_parser("calibrate", help="set up camera, table, deck, light and lamps")
    fill(parser)


def fill(parser: argparse.ArgumentParser) -> None:
    """Adds the sub-commands to a parser."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for name, (_, words) in PARTS.items():
        part = parts.add_parser(name, help=words, description=words)
        options.PARTS[name](part)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the sub-command. Returns its exit code.

    Where its files go is looked at first: nobody films for minutes in vain.
    """
    for place in ("proof", "page"):
        if path := getattr(args, place, None):
            check_writable(path, f"a file for --{place}")
    if folder := getattr(args, "store", None):
        check_folder(folder, "a folder of calibrations")
    if out := getattr(args, "out", None):
        check_folder(out.resolve().parent, "a folder for the new deck")
    return importlib.import_module(PARTS[args.part][0]).run(args)
