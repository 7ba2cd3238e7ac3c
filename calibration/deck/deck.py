"""`fairdeal calibrate deck`: teaches a deck from one picture a face, live or from a folder."""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from models.deck import Deck, load_deck
from rules.errors import FairdealError

if TYPE_CHECKING:  # a command line must start before the networks are loaded
    from calibration.deck.ends import Answers
    from calibration.deck.named_sheets import NamedSheet

SHORTEST_MM, LONGEST_MM = 20.0, 250.0
FEW = 5  # pictures that do not confirm the cards' shape


def run(args: argparse.Namespace) -> int:
    """Teaches or checks a deck. Returns 0; FairdealError for what the user can mend."""
    if args.check:
        return _check(args)
    if args.history or args.revert is not None:
        return _history(args)
    if (args.rows or args.names) and not (args.pictures or args.folder):
        raise FairdealError("a PICTURE with --rows and --names", "none", "name it after the deck")
    from calibration.deck.ends import read_answers

    answers = read_answers(args.accept, args.corners, args.yes)
    if args.folder or args.source or args.pictures or answers:
        return _teach_pictures(args, answers)
    return _teach_own_art(args)


def _history(args: argparse.Namespace) -> int:
    from calibration.deck import history
    from vision.networks.embedder import namer_checksum

    namer, deck = namer_checksum(), load_deck(args.out or Path(args.name))
    if args.revert is not None:
        state = history.revert(deck.folder, namer, args.revert or None)
        print(f"{deck.name} is what it was in state {state.number}. Undo it with --revert.")
    print("\n".join(history.history_lines(history.states(deck.folder, namer))))
    return 0


def _teach_own_art(args: argparse.Namespace) -> int:
    from calibration.deck import teach
    from calibration.deck.deck_report import say_taught, shown_twins, twin_words
    from vision.networks.embedder import Embedder

    try:
        deck = load_deck(args.name)
    except FairdealError as error:
        raise FairdealError(
            "pictures of the cards, or a deck to teach again", f"neither: {error.found}",
            "give --from DIR or --source S",
        ) from error  # fmt: skip
    embedder = Embedder()
    gallery = teach.build_gallery(teach.pictures_of_deck(deck), embedder)
    gallery.save(deck.taught)
    say_taught(deck, gallery, 0.0)
    for line in twin_words(shown_twins(gallery, embedder)):
        print(line)
    return 0


def _teach_pictures(args: argparse.Namespace, answers: "Answers") -> int:
    from calibration.deck.deck_report import report, say_asked, say_refused
    from calibration.deck.proposals import CardFinder
    from calibration.deck.row_finding import SheetFinder
    from calibration.deck.rows_command import named_sheets
    from calibration.deck.teaching import NothingTaken, Wish, teach_deck
    from vision.networks.embedder import Embedder
    from vision.networks.locator import Locator
    from vision.recognition.closeup import Closeup

    out = args.out or Path(args.name)
    if args.folder and args.folder.resolve() == (out / "faces").resolve():
        raise FairdealError("pictures outside the new deck", str(args.folder), "name another --out")
    size = _size(args.size) if args.size else None
    pictures, folder = _rows_or_folder(args, out)
    began = time.monotonic()
    embedder, locator = Embedder(), Locator()
    finder = CardFinder(Closeup(locator, embedder.corners))
    sheets: tuple[NamedSheet, ...] = ()
    if pictures:
        rows = SheetFinder(locator, embedder.corners)
        sheets = named_sheets(args, pictures, out, rows, embedder)
    wish = Wish(args.name, out, folder, args.source, args.signals, args.game or "", size,
                args.outline, answers, args.add, sheets)  # fmt: skip
    try:
        teaching = teach_deck(wish, finder, embedder)
    except NothingTaken as error:
        say_refused(error.refused, sys.stderr)
        say_asked(wish, error.asked, sys.stderr)
        raise
    if wish.size is None and not wish.keeps and len(teaching.gallery.faces) < FEW:
        _confirm_shape(teaching.deck, len(teaching.gallery.faces))
    report(wish, teaching, embedder, time.monotonic() - began)
    return 0


def _rows_or_folder(args: argparse.Namespace, out: Path) -> tuple[list[Path], Path | None]:
    """The pictures whose cards are named in reading order, and the folder of those that are named
    after their faces."""
    from calibration.deck.deck_files import row_pictures
    from calibration.deck.face_names import cards_of, faces_of, game_of_folder

    if args.pictures or args.folder is None:
        return args.pictures, args.folder
    game = args.game or game_of_folder(out)
    known = faces_of(game) | cards_of(game)
    pictures = row_pictures(args.folder, known, bool(args.rows or args.names))
    return pictures, None if pictures else args.folder


def _confirm_shape(deck: Deck, count: int) -> None:
    """Fewer than FEW pictures do not confirm the cards' shape: asks, if there is a terminal."""
    shape = f"{deck.width_mm:g} × {deck.height_mm:g}"
    pictures = "1 picture" if count == 1 else f"{count} pictures"
    print(f"Only {pictures}: the cards' shape, {shape}, is not confirmed. "
          "Measure a card and give --size WxH in mm.")  # fmt: skip
    if sys.stdin.isatty() and input(f"Is {shape} about right? [y/n] ").strip().lower() != "y":
        raise FairdealError("cards of that shape", "another shape", "give --size WxH in mm")


def _size(text: str) -> tuple[float, float]:
    """`63x88` → (63.0, 88.0) mm."""
    try:
        width, height = (float(x) for x in text.lower().split("x"))
        if not all(SHORTEST_MM <= side <= LONGEST_MM for side in (width, height)):
            raise ValueError
    except ValueError:
        raise FairdealError("a size in mm such as 63x88", f"'{text}'", "measure a card") from None
    return width, height


def _check(args: argparse.Namespace) -> int:
    from vision.recognition.eyes import Eyes
    from vision.sources import open_source

    eyes = Eyes.open(str(args.out or args.name))
    with open_source(args.check) as source:
        frame = source.read()
        if frame is None:
            raise FairdealError("a picture", "none from the source", "check the camera")
        seen = eyes.see(frame.bgr)
    for face, confidence in zip(seen.faces, seen.confidences, strict=True):
        print(json.dumps({"face": face, "confidence": round(float(confidence), 3)}))
    if not seen.faces:
        print("No card is seen.")
    return 0
