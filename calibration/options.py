"""The options of the sub-commands. Kept apart from their work, so that `--help` starts fast."""

import argparse
from pathlib import Path

from calibration.arguments import number, whole
from rules.errors import FairdealError


def camera(parser: argparse.ArgumentParser) -> None:
    """`calibrate camera`."""
    _frames(parser)
    parser.add_argument(
        "--seconds", type=number(1, 3600), default=180.0, help="longest time to film, s"
    )


def table(parser: argparse.ArgumentParser) -> None:
    """`calibrate table`."""
    _frames(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--corners", nargs=4, metavar="X,Y", help="the table's corners in px, clockwise from the "
        "upper left as seat 1 sees them",
    )  # fmt: skip
    how.add_argument("--click", action="store_true", help="click the four corners on the screen")
    how.add_argument("--cards", metavar="DECK", help="measure by cards of this deck that lie there")
    parser.add_argument("--size", type=size_mm, metavar="WxH", help="the table's size in mm")
    parser.add_argument(
        "--scale",
        type=scale,
        default=1.0,
        help="printed length over nominal length: 0.97 if 100 mm measure 97",
    )
    parser.add_argument("--no-lens", action="store_true", help="ignore the calibrated lens")


def deck(parser: argparse.ArgumentParser) -> None:
    """`calibrate deck`."""
    add = parser.add_argument
    add("name", help="the deck's name, e.g. suds-1997")
    add("pictures", nargs="*", type=Path, metavar="PICTURE", help="photographs of several cards in "
        "rows, scans, PDFs, or films in which cards are laid one by one")  # fmt: skip
    add("--rows", action="store_true", help="ask for the names, also of a picture of one card")
    add("--names", metavar="a,b,c|FILE", help="the names of the PICTUREs' cards in reading order; "
        "`-` leaves one out")  # fmt: skip
    add("--from", dest="folder", type=Path, metavar="DIR",
        help="one picture per face, <face>.jpg|png (more: <face>.2.jpg …); pictures that a "
        "camera named (IMG_1234.jpg), or --rows or --names, are taken as PICTUREs")  # fmt: skip
    add("--source", help="teach live from this camera, card by card, with a beep each")
    add("--signals", metavar="OUTPUTS", help="outputs that beep while teaching live: mock, gpio, "
        "board[:PORT], none (default: a Pi's pins, else the terminal's bell)")  # fmt: skip
    add("--out", type=Path, metavar="DIR", help="the deck folder to write (default: ./NAME)")
    add("--game", help="the game whose faces the deck must have")
    add("--size", metavar="WxH", help="the card's size in mm, e.g. 63x88")
    add("--outline", choices=("card", "round", "bubble"), help="a hint for flat art and for few "
        "pictures: photographs tell it otherwise")  # fmt: skip
    add("--add", action="store_true", help="add to the deck in --out and keep what is taught")
    add("--accept", action="append", default=[], metavar="FACE,…", help="the outline asked for "
        "these faces is right; FACE=2: the second one proposed")  # fmt: skip
    add("--corners", action="append", default=[], metavar="FACE=x,y,x,y,x,y,x,y",
        help="the card's corners in px of its picture, clockwise from its upper left")  # fmt: skip
    add("--yes", action="store_true", help="every outline that is asked is right")
    add("--history", action="store_true", help="list what the deck was before it was taught again")
    add("--revert", nargs="?", type=whole(1, 9999), const=0, metavar="N", help="make the deck what "
        "it was: state N of its history, else the last one")  # fmt: skip
    add("--check", metavar="PICTURE|SOURCE", help="recognise a card, teach nothing")


def light(parser: argparse.ArgumentParser) -> None:
    """`calibrate light`."""
    _frames(parser)
    parser.add_argument(
        "--frames", type=whole(1, 1000), default=30, help="how many frames to judge"
    )


def signals(parser: argparse.ArgumentParser) -> None:
    """`calibrate signals`."""
    parser.add_argument("--signals", metavar="OUTPUTS", help="mock, gpio, board[:PORT], none")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="the signals' settings")
    parser.add_argument("--yes", action="store_true", help="play all signals without asking")


def check(parser: argparse.ArgumentParser) -> None:
    """`calibrate check`."""
    _frames(parser)
    parser.add_argument("--deck", metavar="D", help="a deck whose cards to recognise")
    parser.add_argument("--page", type=Path, default=Path("check.html"), help="the page to write")


def _frames(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--from", dest="folder", type=Path, metavar="DIR", help="pictures to use")
    where.add_argument("--source", metavar="S", help="camera, file or URL as for `referee`")
    parser.add_argument("--camera", metavar="NAME", help="name to store it under (the source's)")
    parser.add_argument("--store", type=Path, metavar="DIR", help="folder of the calibrations")
    parser.add_argument("--proof", type=Path, metavar="FILE", help="file for the proof picture")


def size_mm(text: str) -> tuple[float, float]:
    """`700x450` → (700.0, 450.0)."""
    width, _, height = text.lower().partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected WIDTHxHEIGHT in mm, found {text}") from None


def scale(text: str) -> float:
    """`0.97` or `97%` → 0.97, within 0.2 to 1.3."""
    try:
        value = float(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, found {text}") from None
    if not 0.2 <= value <= 1.3:
        raise argparse.ArgumentTypeError(f"expected 0.2 to 1.3, found {text}")
    return value


def corner(text: str) -> tuple[float, float]:
    """`12,34` → (12.0, 34.0)."""
    x, _, y = text.partition(",")
    try:
        return float(x), float(y)
    except ValueError:
        raise FairdealError("a corner as X,Y in px", text, "type four such pairs") from None


PARTS = {
    "camera": camera,
    "table": table,
    "deck": deck,
    "light": light,
    "signals": signals,
    "check": check,
}
