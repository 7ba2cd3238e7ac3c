"""`fairdeal calibrate deck`: teaches a deck from one picture a face, live or from a folder."""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from calibration.deck.face_names import (
    cards_of,
    faces_of,
    game_of_faces,
    game_of_folder,
    shipped_deck,
    taught_face,
)
from models.deck import Deck, check_complete, load_deck
from models.gallery import BACK, Gallery
from rules.errors import FairdealError

if TYPE_CHECKING:  # a command line must start before the networks are loaded
    from calibration.deck.proposals import Finder
    from calibration.deck.teach import TeachingPicture
    from vision.networks.embedder import Embedder

WIDTH_MM = 63.0  # of a card whose size nobody gave
SHORTEST_MM, LONGEST_MM = 20.0, 250.0
ASPECTS = 0.8, 2.0  # height / width that a measured card may have
TWINS_SHOWN = 12
FEW = 5  # pictures that do not confirm the cards' shape
NAMES_SHOWN = 8


def run(args: argparse.Namespace) -> int:
    """Teaches or checks a deck. Returns 0; FairdealError for what the user can mend."""
    if args.check:
        return _check(args)
    if args.folder or args.source:
        return teach_pictures(args)
    return _teach_own_art(args)


def _teach_own_art(args: argparse.Namespace) -> int:
    from calibration.deck import teach
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
    return _report(deck, gallery, embedder, 0.0, [])


def teach_pictures(args: argparse.Namespace, finder: "Finder | None" = None) -> int:
    """Teaches a deck from `args.folder` or `args.source`. Returns 0; FairdealError.

    `finder` finds the cards; by default a new one.
    """
    from calibration.deck import teach
    from calibration.deck.deck_files import keep_pictures, write_deck
    from calibration.deck.proposals import CardFinder
    from vision.networks.embedder import Embedder
    from vision.networks.locator import Locator
    from vision.recognition.closeup import Closeup

    out = args.out or Path(args.name)
    if args.folder and args.folder.resolve() == (out / "faces").resolve():
        raise FairdealError("pictures outside the new deck", str(args.folder), "name another --out")
    began = time.monotonic()
    refused: list[str] = []
    embedder = Embedder()
    pictures: list[TeachingPicture] = []
    try:
        finder = finder or CardFinder(Closeup(Locator(), embedder.corners))
        game, expected, pictures = _pictures(args, out, finder, refused)
        if not pictures:
            raise FairdealError("at least one usable picture", "none", "photograph each face alone")
        deck = _deck(args, game, pictures, out)
        _check_faces(deck, expected)
        gallery = teach.build_gallery(pictures, embedder)
    except FairdealError:
        _say_refused(refused, sys.stderr)
        if args.source and pictures:
            keep_pictures(pictures, out.with_name(out.name + "-pictures"))
        raise
    if not args.size and len(pictures) < FEW:
        _confirm_shape(deck, len(pictures))
    write_deck(deck, gallery)
    return _report(deck, gallery, embedder, time.monotonic() - began, refused)


def _confirm_shape(deck: Deck, count: int) -> None:
    """Fewer than FEW pictures do not confirm the cards' shape: asks, if there is a terminal."""
    shape = f"{deck.width_mm:g} × {deck.height_mm:g}"
    pictures = "1 picture" if count == 1 else f"{count} pictures"
    print(f"Only {pictures}: the cards' shape, {shape}, is not confirmed. "
          "Measure a card and give --size WxH in mm.")  # fmt: skip
    if sys.stdin.isatty() and input(f"Is {shape} about right? [y/n] ").strip().lower() != "y":
        raise FairdealError("cards of that shape", "another shape", "give --size WxH in mm")


def _pictures(
    args: argparse.Namespace, out: Path, finder: "Finder", refused: list[str]
) -> "tuple[str, set[str], list[TeachingPicture]]":
    """The game (or ""), the faces that the deck must have, and the usable pictures.

    One line goes into `refused` for each picture that is not used.
    """
    game = args.game or game_of_folder(out)
    known = faces_of(game)
    aspect = _aspect_of_size(args.size)
    if args.source:
        from calibration.deck import live_teach

        taken = live_teach.from_camera(args.source, known, finder, aspect, args.signals)
        return game, known, taken
    from calibration.deck.deck_files import faces_in, teaching_files
    from calibration.deck.photographs import read_pictures

    def refuse(error: FairdealError) -> None:
        refused.append(str(error))

    known |= cards_of(game)
    files = teaching_files(args.folder, known, refuse)
    expected = faces_in(args.folder, known)
    return game or game_of_faces(expected), expected, read_pictures(files, finder, aspect, refuse)


def _check_faces(deck: Deck, expected: set[str]) -> None:
    """FairdealError if a face has no usable picture: of the game, of the files, of the old deck.

    Without it, recognition would name its cards as the faces most like it.
    """
    missing = sorted(expected - set(deck.names))
    if missing:
        raise FairdealError(
            "a usable picture of every face", f"none of {_listed(missing)}",
            "take these pictures again; no deck was written", f"deck {deck.name}",
        )  # fmt: skip
    if deck.game:
        check_complete(deck, cards_of(deck.game))
    if not (deck.folder / "deck.toml").is_file():
        return
    missing = sorted(set(load_deck(deck.folder).names) - set(deck.names))
    if missing:
        raise FairdealError(
            f"every face of the deck in {deck.folder}", f"no picture of {_listed(missing)}",
            "add pictures, or name another --out",
        )  # fmt: skip


def _listed(names: list[str]) -> str:
    more = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _deck(
    args: argparse.Namespace, game: str, pictures: "list[TeachingPicture]", out: Path
) -> Deck:
    from calibration.deck.outline import deck_outline

    aspect = _aspect_of_size(args.size) or _aspect(pictures)
    width, height = _size(args.size) if args.size else (WIDTH_MM, round(WIDTH_MM * aspect, 1))
    names = list(dict.fromkeys(p.face for p in pictures if p.face != BACK))
    game = game or game_of_faces(set(names))
    shipped = shipped_deck(game)
    known = {face.name: face for face in shipped.faces} if shipped else {}
    faces = tuple(taught_face(known.get(name), name, names) for name in names)
    learnt, polygon = deck_outline(pictures)
    # Flat art and a few pictures may leave the outline open: then the hint counts.
    outline = args.outline or "card" if polygon is None else learnt
    return Deck(Path(args.name).name, game, width, height, outline, faces, BACK, out)


def _aspect(pictures: "Iterable[TeachingPicture]") -> float:
    """Median height / width of the cards in the pictures."""
    import numpy as np

    sizes = [
        np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
        for p in pictures
    ]
    return float(np.clip(np.median(sizes), *ASPECTS))


def _aspect_of_size(text: str | None) -> float | None:
    if not text:
        return None
    width, height = _size(text)
    return height / width


def _size(text: str) -> tuple[float, float]:
    """`63x88` → (63.0, 88.0) mm."""
    try:
        width, height = (float(x) for x in text.lower().split("x"))
        if not all(SHORTEST_MM <= side <= LONGEST_MM for side in (width, height)):
            raise ValueError
    except ValueError:
        raise FairdealError("a size in mm such as 63x88", f"'{text}'", "measure a card") from None
    return width, height


def _report(
    deck: Deck, gallery: Gallery, embedder: "Embedder", seconds: float, refused: list[str]
) -> int:
    from calibration.deck.teach import near_twins

    faces = [f for f in dict.fromkeys(gallery.faces) if f != BACK]
    pictures = f"{len(gallery.faces)} pictures"
    print(
        f"Taught {len(faces)} faces of {deck.name} ({pictures}) in {seconds:.1f} s: {deck.folder}"
    )
    several = [f"{count} of {face}" for face, count in Counter(gallery.faces).items() if count > 1]
    if several:
        print(f"More than one picture: {_listed(several)}. All are used.")
    if BACK not in gallery.faces:
        print("No picture of the back (back.jpg): a card that lies face down will be `unknown`.")
    _say_refused(refused, sys.stdout)
    for a, b, likeness, turned in near_twins(gallery, embedder)[:TWINS_SHOWN]:
        how = (
            "the same but for a turn: mark one of them"
            if turned
            else "near twins: template matching tells them apart"
        )
        print(f"{a} and {b} look alike ({likeness:.0%}), {how}.")
    return 0


def _say_refused(refused: list[str], stream: TextIO) -> None:
    for line in refused:
        print(f"Not used: {line}", file=stream)


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
