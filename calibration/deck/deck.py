"""`fairdeal calibrate deck`: teaches a deck from one picture a face, live or from a folder."""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from calibration.pictures import write
from models.deck import Deck, Face, check_complete, load_deck, shipped_decks
from models.gallery import BACK
from rules.errors import FairdealError

PICTURES = (".jpg", ".jpeg", ".png")


def run(args: argparse.Namespace) -> int:
    """Teaches or checks. Returns 0; FairdealError for what the user can mend."""
    if args.check:
        return _check(args)
    from calibration.deck import teach
    from vision.networks.embedder import Embedder
    from vision.networks.locator import Locator
    from vision.recognition.closeup import Closeup

    embedder = Embedder()
    if not args.folder and not args.source:
        try:
            deck = load_deck(args.name)
        except FairdealError as error:
            raise FairdealError(
                "pictures of the cards, or a deck to teach anew", f"neither: {error.found}",
                "give --from DIR or --source S",
            ) from error  # fmt: skip
        pictures = teach.pictures_of_deck(deck)
        gallery = teach.build_gallery(pictures, embedder)
        gallery.save(deck.taught)
        return _report(deck, gallery, embedder, 0.0, [])
    out = args.out or Path(args.name)
    game = args.game or _game_at(out)
    known = _faces_of(game)
    if args.folder and args.folder.resolve() == (out / "faces").resolve():
        raise FairdealError("pictures outside the new deck", str(args.folder), "name another --out")
    locator = Closeup(Locator(), embedder.corners)
    aspect = _size(args.size)[1] / _size(args.size)[0] if args.size else None
    began = time.monotonic()
    refused: list[str] = []
    if args.folder:
        pictures = _from_folder(args.folder, locator, aspect, known | _cards(game), refused)
    else:
        from calibration.deck.live_teach import from_camera

        pictures = from_camera(args.source, known, locator, aspect, args.signals)
    try:
        if not pictures:
            raise FairdealError("at least one usable picture", "none", "photograph each face alone")
        deck = _deck(args, game, [p.face for p in pictures], out, aspect or _aspect(pictures))
        _check_faces(deck)
        gallery = teach.build_gallery(pictures, embedder)
    except FairdealError:
        _say_refused(refused, sys.stderr)
        if args.source and pictures:
            _keep(pictures, out.with_name(out.name + "-pictures"))
        raise
    _write(deck, gallery)
    return _report(deck, gallery, embedder, time.monotonic() - began, refused)


def _check_faces(deck: Deck) -> None:
    """Refuses what lacks a face of its game, or of the deck that it would replace."""
    if deck.game:
        check_complete(deck, _cards(deck.game))
    if not (deck.folder / "deck.toml").is_file():
        return
    lacking = sorted(set(load_deck(deck.folder).names) - set(deck.names))
    if lacking:
        raise FairdealError(
            f"every face of the deck in {deck.folder}",
            f"no picture of {', '.join(lacking[:8])}",
            "add pictures, or name another --out",
        )


def _write(deck: Deck, gallery) -> None:
    """Writes the deck's folder; a face's second picture is faces/<face>.2.png, and so on."""
    for name, look in zip(_numbered(gallery.faces), gallery.templates, strict=True):
        write(deck.folder / "faces" / f"{name}.png", look)
    try:
        (deck.folder / "deck.toml").write_text(deck.to_toml(), encoding="utf-8")
        gallery.save(deck.taught)
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError("a place for the deck", found, "", str(deck.folder)) from None


def _keep(pictures: list, folder: Path) -> None:
    """What a camera saw is not lost when the deck is refused: `--from` goes on with it."""
    names = _numbered(p.face for p in pictures)
    for name, picture in zip(names, pictures, strict=True):
        write(folder / f"{name}.png", picture.bgr)
    print(f"The pictures are kept: add the missing ones and use --from {folder}", file=sys.stderr)


def _numbered(faces: Iterable[str]) -> list[str]:
    """File names without a suffix: hat, hat.2, hat.3 …"""
    seen: Counter[str] = Counter()
    names = []
    for face in faces:
        seen[face] += 1
        names.append(face if seen[face] == 1 else f"{face}.{seen[face]}")
    return names


def _from_folder(
    folder: Path, locator, aspect: float | None, known: set[str], refused: list[str]
) -> list:
    from calibration.deck.photographs import read_pictures

    if not folder.is_dir():
        raise FairdealError("a folder of pictures", f"no folder {folder}", "name it with --from")
    paths = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not paths:
        raise FairdealError(
            "pictures <face>.jpg or <face>.png", f"none in {folder}", "put one a face there"
        )
    files = []
    for path in paths:
        face = path.name.split(".")[0].lower()
        try:
            _check_name(face, path, known)
            files.append((face, path))
        except FairdealError as error:
            refused.append(str(error))
    return read_pictures(files, locator, aspect, lambda error: refused.append(str(error)))


def _check_name(face: str, path: Path, known: set[str]) -> None:
    if not face.replace("-", "").isalnum():
        raise FairdealError(
            "a face of small letters, digits and hyphens",
            f"'{face}'",
            "name the file after its face",
            where=str(path),
        )
    if known and face not in known | {BACK}:
        raise FairdealError(
            "a face of the game", f"'{face}'", "name the file after its face", where=str(path)
        )


def _deck(
    args: argparse.Namespace, game: str, faces: Iterable[str], out: Path, aspect: float
) -> Deck:
    width, height = _size(args.size) if args.size else (63.0, round(63.0 * aspect, 1))
    names = [f for f in dict.fromkeys(faces) if f != BACK]
    game = game or next((g for g in _games() if set(names) >= _faces_of(g)), "")
    shipped = _shipped(game)
    known = {face.name: face for face in shipped.faces} if shipped else {}
    taught = tuple(_like(known.get(name), name, names) for name in names)
    return Deck(Path(args.name).name, game, width, height, args.outline, taught, BACK, out)


def _like(shipped: Face | None, name: str, names: list[str]) -> Face:
    """The face with the shipped one's count and notes; a reverse only where it was taught."""
    if shipped is None:
        return Face(name)
    notes = dict(shipped.attributes)
    if notes.get("reverse", name) not in names:
        del notes["reverse"]
    return Face(name, shipped.count, notes)


def _game_at(out: Path) -> str:
    """The game of the deck that lies there already, or none."""
    return load_deck(out).game if (out / "deck.toml").is_file() else ""


def _games() -> list[str]:
    return sorted({load_deck(name).game for name in shipped_decks()})


def _shipped(game: str) -> Deck | None:
    decks = (load_deck(name) for name in shipped_decks())
    return next((deck for deck in decks if game and deck.game == game), None)


def _faces_of(game: str) -> set[str]:
    """The faces of a game: its shipped deck's, or all that its rules know."""
    deck = _shipped(game)
    return set(deck.names) if deck else _cards(game)


def _cards(game: str) -> set[str]:
    if not game:
        return set()
    from rules.games import game as game_named

    return set(game_named(game).cards)


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
    from calibration.deck.teach import near_twins

    faces = [f for f in dict.fromkeys(gallery.faces) if f != BACK]
    pictures = f"{len(gallery.faces)} pictures"
    print(
        f"Taught {len(faces)} faces of {deck.name} ({pictures}) in {seconds:.1f} s: {deck.folder}"
    )
    if BACK not in gallery.faces:
        print("No picture of the back (back.jpg): a card that lies face down will be `unknown`.")
    _say_refused(refused, sys.stdout)
    for a, b, likeness, turned in near_twins(gallery, embedder)[:12]:
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
