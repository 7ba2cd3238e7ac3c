"""The teaching pictures of a folder by face; writes a taught deck to disk."""

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from calibration.deck.face_names import check_name, face_of_file, is_camera_name, is_name
from calibration.deck.teach import TeachingPicture
from calibration.pictures import write
from models.deck import Deck
from models.gallery import BACK, Gallery
from rules.errors import FairdealError
from rules.files import opened, write_file

ENDINGS = (".jpg", ".jpeg", ".png")
OTHER_ENDINGS = (".heic", ".heif", ".avif", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".pdf")

Refuse = Callable[[FairdealError], None]


def teaching_files(folder: Path, known: set[str], refuse: Refuse) -> list[tuple[str, Path]]:
    """The usable files of a folder with their faces, sorted by name; the others go to `refuse`.

    known: the faces of the game; empty if any name will do. FairdealError without any picture.
    """
    files = []
    for path in _pictures(folder):
        face = face_of_file(path)
        try:
            if path.suffix.lower() not in ENDINGS:
                kind = path.suffix[1:].upper()
                raise FairdealError("jpg or png", kind, "export it as JPEG", str(path))
            check_name(face, path, known)
            files.append((face, path))
        except FairdealError as error:
            refuse(error)
    return _without_copies(files, refuse)


def faces_in(folder: Path, known: set[str]) -> set[str]:
    """The faces that a folder's pictures are named after, usable or not; the back left out."""
    named = {face_of_file(path) for path in _pictures(folder)} - {BACK}
    return {face for face in named if (face in known if known else is_name(face))}


def row_pictures(folder: Path, known: set[str], is_wanted: bool) -> list[Path]:
    """The pictures of a folder, if they show cards to be named: where that `is_wanted`, or where
    cameras named them all. Else none. known: as for `teaching_files`."""
    paths = _pictures(folder)
    are_unnamed = all(is_camera_name(path) and face_of_file(path) not in known for path in paths)
    return paths if is_wanted or are_unnamed else []


def _pictures(folder: Path) -> list[Path]:
    """All picture files of a folder, whether they can be read or not. FairdealError for none."""
    if not folder.is_dir():
        raise FairdealError("a folder of pictures", f"no folder {folder}", "name it with --from")
    paths = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    pictures = [path for path in paths if path.suffix.lower() in (*ENDINGS, *OTHER_ENDINGS)]
    if not pictures:
        raise FairdealError(
            "pictures <face>.jpg or <face>.png", f"none in {folder}", "put one a face there"
        )
    return pictures


def _without_copies(files: list[tuple[str, Path]], refuse: Refuse) -> list[tuple[str, Path]]:
    """The files less those whose content stands under two faces: one of the names is wrong."""
    by_content: dict[str, list[tuple[str, Path]]] = {}
    for face, path in files:
        by_content.setdefault(_digest(path), []).append((face, path))
    kept = []
    for same in by_content.values():
        if len({face for face, _ in same}) == 1:
            kept.append(same[0])
            continue
        names = " and ".join(path.name for _, path in same)
        for _, path in same:
            refuse(FairdealError("another picture for each face", f"one picture as {names}",
                                 "photograph both cards", str(path)))  # fmt: skip
    return sorted(kept, key=lambda file: file[1])


def _digest(path: Path) -> str:
    """The content's hash; a file that cannot be read is like no other."""
    try:
        with opened(path, "a picture") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FairdealError:
        return str(path)


def write_deck(deck: Deck, gallery: Gallery) -> None:
    """Writes the deck's folder."""
    write_pictures(deck.folder, gallery)
    write_file(deck.folder / "deck.toml", deck.to_toml(), "a place for the deck")
    gallery.save(deck.taught)


def write_pictures(folder: Path, gallery: Gallery) -> None:
    """Writes the pictures of a deck's faces: `faces/<face>.png`, the second one of a face to
    `faces/<face>.2.png`, and so on."""
    faces = folder / "faces"
    make_folder(faces)
    for name, template in zip(numbered(gallery.faces), gallery.templates, strict=True):
        write(faces / f"{name}.png", template)


def keep_pictures(pictures: list[TeachingPicture], folder: Path) -> None:
    """Saves what a camera saw if the deck is refused; `--from` can continue with it."""
    names = numbered(picture.face for picture in pictures)
    make_folder(folder)
    for name, picture in zip(names, pictures, strict=True):
        write(folder / f"{name}.jpg", picture.bgr)  # a png may count as flat art
    print(f"The pictures are kept: add the missing ones and use --from {folder}", file=sys.stderr)


def make_folder(folder: Path) -> None:
    """Makes a folder of a deck. FairdealError if it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError("a place for the deck", found, "name another", str(folder)) from None


def numbered(faces: Iterable[str]) -> list[str]:
    """File names without an ending: hat, hat.2, hat.3 …"""
    seen: Counter[str] = Counter()
    names = []
    for face in faces:
        seen[face] += 1
        names.append(face if seen[face] == 1 else f"{face}.{seen[face]}")
    return names
