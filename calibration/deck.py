"""`fairdeal calibrate deck`: teaches a deck from one picture a face, live or from a folder."""

import argparse
import json
import time
from collections.abc import Iterable
from pathlib import Path

import cv2

from models.deck import Deck, Face, check_complete, load_deck, shipped_decks
from rules.errors import FairdealError

PICTURES = (".jpg", ".jpeg", ".png")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `calibrate deck`."""
    parser.add_argument("name", help="the deck's name, e.g. suds-1997")
    parser.add_argument("--from", dest="folder", type=Path, metavar="DIR",
                        help="one picture a face, <face>.jpg|png (more: <face>.2.jpg …)")  # fmt: skip
    parser.add_argument(
        "--source", help="teach live from this camera: put a card down, it beeps, next"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="the deck folder to write (default: ./NAME)"
    )
    parser.add_argument("--game", help="the game whose faces the deck must have")
    parser.add_argument("--size", metavar="WxH", help="the card's size in mm, e.g. 63x88")
    parser.add_argument("--outline", choices=("card", "round", "bubble"), default="card")
    parser.add_argument(
        "--check", metavar="PICTURE|SOURCE", help="say what a card is, teach nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Teaches or checks. Returns 0; FairdealError for what the user can mend."""
    if args.check:
        return _check(args)
    from calibration import teach
    from vision.locate import Locator
    from vision.name import Embedder

    embedder = Embedder()
    if not args.folder and not args.source:
        deck = load_deck(args.name)
        pictures = teach.from_deck(deck)
        gallery = teach.teach(pictures, embedder, exact=True)
        gallery.save(deck.taught)
        return _report(deck, gallery, embedder, 0.0, [])
    locator = Locator()
    aspect = _size(args.size)[1] / _size(args.size)[0] if args.size else None
    began = time.monotonic()
    refused: list[str] = []
    if args.folder:
        pictures = _from_folder(args.folder, locator, aspect, refused)
    else:
        from calibration.live_teach import from_camera

        pictures = from_camera(args.source, _faces_of(args.game), locator, aspect)
    if not pictures:
        raise FairdealError(
            "at least one usable picture", "none", refused[0] if refused else "add pictures"
        )
    gallery = teach.teach(pictures, embedder)
    out = args.out or Path(args.name)
    deck = _deck(args, [p.face for p in pictures], out, aspect or _aspect(pictures))
    if deck.game:
        from rules.games import game

        known = game(deck.game)
        check_complete(deck, known.cards if not callable(known.cards) else deck.names)
    (out / "faces").mkdir(parents=True, exist_ok=True)
    for face, look in zip(gallery.faces, gallery.looks, strict=True):
        cv2.imwrite(str(out / "faces" / f"{face}.png"), look)
    (out / "deck.toml").write_text(deck.to_toml(), encoding="utf-8")
    gallery.save(deck.taught)
    return _report(deck, gallery, embedder, time.monotonic() - began, refused)


def _from_folder(folder: Path, locator, aspect: float | None, refused: list[str]) -> list:
    from calibration.teach import from_file

    if not folder.is_dir():
        raise FairdealError("a folder of pictures", f"no folder {folder}", "name it with --from")
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not paths:
        raise FairdealError(
            "pictures <face>.jpg or <face>.png", f"none in {folder}", "put one a face there"
        )
    pictures = []
    for path in paths:
        try:
            pictures.append(from_file(path.name.split(".")[0].lower(), path, locator, aspect))
        except FairdealError as error:
            refused.append(str(error))
    return pictures


def _deck(args: argparse.Namespace, faces: Iterable[str], out: Path, aspect: float) -> Deck:
    width, height = _size(args.size) if args.size else (63.0, round(63.0 * aspect, 1))
    names = [f for f in dict.fromkeys(faces) if f != "back"]
    game = args.game or next((g for g in _games() if set(names) >= _faces_of(g)), "")
    return Deck(
        args.name, game, width, height, args.outline, tuple(Face(n) for n in names), "back", out
    )


def _games() -> list[str]:
    return sorted({load_deck(name).game for name in shipped_decks()})


def _faces_of(game: str | None) -> set[str]:
    for name in shipped_decks():
        deck = load_deck(name)
        if deck.game == game:
            return set(deck.names)
    return set()


def _aspect(pictures: list) -> float:
    import numpy as np

    sizes = [
        np.linalg.norm(p.quad[3] - p.quad[0]) / np.linalg.norm(p.quad[1] - p.quad[0])
        for p in pictures
    ]
    return float(np.clip(np.median(sizes), 0.8, 2.0))


def _size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(x) for x in text.lower().split("x"))
        if not (20 <= width <= 250 and 20 <= height <= 250):
            raise ValueError
    except ValueError:
        raise FairdealError("a size in mm such as 63x88", f"'{text}'", "measure a card") from None
    return width, height


def _report(deck: Deck, gallery, embedder, seconds: float, refused: list[str]) -> int:
    from calibration.teach import twins

    faces = [f for f in dict.fromkeys(gallery.faces) if f != "back"]
    print(
        f"Taught {len(faces)} faces of {deck.name} ({len(gallery.faces)} pictures) in {seconds:.1f} s: {deck.folder}"
    )
    if "back" not in gallery.faces:
        print("No picture of the back (back.jpg): a card that lies face down will be `unknown`.")
    for line in refused:
        print(f"Not used: {line}")
    for a, b, likeness, turned in twins(gallery, embedder)[:12]:
        how = (
            "the same but for a turn: mark one of them"
            if turned
            else "near twins: the second look tells them apart"
        )
        print(f"{a} and {b} look alike ({likeness:.0%}), {how}.")
    return 0


def _check(args: argparse.Namespace) -> int:
    from vision.eyes import Eyes
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
