"""The pictures of `calibrate deck NAME PICTURE…`: cards in rows, named in reading order."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.deck_files import make_folder
from calibration.deck.face_names import cards_of, face_of_file, faces_of, game_of_folder, is_name
from calibration.deck.film_cards import Namer
from calibration.deck.named_sheets import NamedSheet, named, read_names
from calibration.deck.row_finding import SeveralFinder
from calibration.deck.segmentation import Image
from calibration.deck.sheet_files import sheets_of
from calibration.deck.sheets import Sheet
from calibration.pictures import write
from models.gallery import BACK
from rules.errors import FairdealError

SHOWN_PX = 1400  # longer side of a numbered picture
GREEN, RED, WHITE = (60, 170, 40), (40, 40, 220), (255, 255, 255)  # BGR


def named_sheets(
    args: argparse.Namespace,
    pictures: Sequence[Path],
    out: Path,
    finder: SeveralFinder,
    namer: Namer,
) -> tuple[NamedSheet, ...]:
    """The cards of the pictures with their names: from `--names`, the file's name of a picture of
    one card, or asked for. FairdealError where nobody can say them."""
    refused: list[FairdealError] = []
    sheets = sheets_of(pictures, finder, namer, refused.append)
    for error in refused:
        print(f"Not used: {error}", file=sys.stderr)
    if not sheets:
        raise FairdealError("pictures of cards", "none that shows one", "take them again")
    game = args.game or game_of_folder(out)
    known = (faces_of(game) | cards_of(game) | {BACK}) if game else set()
    if args.names:
        write_numbered(out, sheets)
        return tuple(named(sheets, read_names(args.names), known))
    if not args.rows and all(_own_name(sheet, known) for sheet in sheets):
        return tuple(NamedSheet(sheet.sure, (_own_name(sheet, known),)) for sheet in sheets)
    return _asked(sheets, write_numbered(out, sheets), known)


def _own_name(sheet: Sheet, known: set[str]) -> str:
    """The face that the picture of one card is named after, or ""."""
    face = face_of_file(Path(sheet.where))
    is_face = face in known if known else is_name(face) and not face[:1].isdigit()
    return face if is_face and len(sheet.sure.cards) == 1 else ""


def _asked(
    sheets: Sequence[Sheet], numbered: Sequence[Path], known: set[str]
) -> tuple[NamedSheet, ...]:
    """Asks for the names, sheet by sheet. FairdealError without a terminal."""
    count = sum(len(sheet.cards) for sheet in sheets)
    if not sys.stdin.isatty():
        raise FairdealError(
            f"--names with {count} names in reading order", "none",
            f"the cards are numbered on {', '.join(map(str, numbered))}; `-` leaves one out",
        )  # fmt: skip
    found: list[NamedSheet] = []
    for sheet, path in zip(sheets, numbered, strict=True):
        print(f"{path} shows {len(sheet.cards)} cards, numbered.")
        while True:
            try:
                words = input("Their names in that order (`-` leaves one out): ")
                found += named([sheet], read_names(words), known)
                break
            except FairdealError as error:
                print(error)
            except EOFError:
                raise FairdealError("names of the cards", "the end of the input") from None
    return tuple(found)


def write_numbered(out: Path, sheets: Sequence[Sheet]) -> list[Path]:
    """Writes `rows-N.jpg` to the deck's folder, a picture for each sheet with its cards numbered
    throughout. Returns the paths."""
    make_folder(out)
    paths, first = [], 1
    for number, sheet in enumerate(sheets, 1):
        paths.append(out / f"rows-{number}.jpg")
        write(paths[-1], numbered_picture(sheet, first))
        first += len(sheet.cards)
    return paths


def numbered_picture(sheet: Sheet, first: int = 1) -> Image:
    """The sheet with outlines and numbers on its cards; red are things that may be none."""
    scale = min(1.0, SHOWN_PX / max(sheet.bgr.shape[:2]))
    size = [max(1, round(side * scale)) for side in sheet.bgr.shape[1::-1]]
    shown = np.array(cv2.resize(sheet.bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    for number, card in enumerate(sheet.cards, first):
        colour = GREEN if card.doubt is None else RED
        quad = np.rint(card.quad * scale * 16).astype(np.int32)
        cv2.polylines(shown, [quad], True, colour, 2, cv2.LINE_AA, 4)
        words = str(number)
        (w, h), _ = cv2.getTextSize(words, 0, 0.8, 2)
        x, y = np.rint(card.quad.mean(0) * scale).astype(int)
        cv2.rectangle(shown, (int(x - w // 2 - 5), int(y - h // 2 - 5)),
                      (int(x + w // 2 + 5), int(y + h // 2 + 6)), colour, -1)  # fmt: skip
        cv2.putText(shown, words, (int(x - w // 2), int(y + h // 2)), 0, 0.8, WHITE, 2, cv2.LINE_AA)
    return shown
