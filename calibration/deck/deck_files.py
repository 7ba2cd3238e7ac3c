"""Reads the list of teaching pictures of a folder; writes a taught deck to disk."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from calibration.deck.teach import TeachingPicture
from calibration.pictures import write
from models.deck import Deck
from models.gallery import Gallery
from rules.errors import FairdealError

ENDINGS = (".jpg", ".jpeg", ".png")


def teaching_files(folder: Path) -> list[Path]:
    """The pictures of a folder by name. FairdealError if there is no folder or no picture."""
    if not folder.is_dir():
        raise FairdealError("a folder of pictures", f"no folder {folder}", "name it with --from")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not paths:
        raise FairdealError(
            "pictures <face>.jpg or <face>.png", f"none in {folder}", "put one a face there"
        )
    return paths


def write_deck(deck: Deck, gallery: Gallery) -> None:
    """Writes the deck's folder. The second picture of a face is faces/<face>.2.png, and so on."""
    for name, template in zip(numbered(gallery.faces), gallery.templates, strict=True):
        write(deck.folder / "faces" / f"{name}.png", template)
    try:
        (deck.folder / "deck.toml").write_text(deck.to_toml(), encoding="utf-8")
        gallery.save(deck.taught)
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError("a place for the deck", found, "", str(deck.folder)) from None


def keep_pictures(pictures: list[TeachingPicture], folder: Path) -> None:
    """Saves what a camera saw if the deck is refused; `--from` can continue with it."""
    names = numbered(picture.face for picture in pictures)
    for name, picture in zip(names, pictures, strict=True):
        write(folder / f"{name}.png", picture.bgr)
    print(f"The pictures are kept: add the missing ones and use --from {folder}", file=sys.stderr)


def numbered(faces: Iterable[str]) -> list[str]:
    """File names without an ending: hat, hat.2, hat.3 …"""
    seen: Counter[str] = Counter()
    names = []
    for face in faces:
        seen[face] += 1
        names.append(face if seen[face] == 1 else f"{face}.{seen[face]}")
    return names
