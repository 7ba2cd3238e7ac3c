"""Decks: which card shows which face, read from `deck.toml` and checked.

A deck is a folder: `deck.toml`, `faces/<face>.svg` (or png, jpg), `faces/back.svg` and, after
teaching, `taught.npz`. Shipped decks are in `models/decks/`; a user's deck may be anywhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import tomli_w

from rules.errors import FairdealError
from rules.files import shown
from rules.settings import read_toml

SHIPPED = Path(__file__).parent / "decks"
OUTLINES = ("card", "round", "bubble")
ART_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg")
KEYS = {
    "name", "title", "game", "width_mm", "height_mm", "outline", "corner_mm", "back", "faces",
    "extras", "missing",
}  # fmt: skip
# Names of a game that are no face of a card.
NEVER_DRAWN = frozenset({"unknown", "back"})
# Some decks print two actions on one card: either group is complete.
EITHER = ((frozenset({"repair", "wreck"}), frozenset({"repair-wreck"})),)
SMALLEST_MM, LARGEST_MM = 20.0, 250.0


@dataclass(frozen=True)
class Face:
    """One face: its name, the number of cards that show it, and further keys of `deck.toml`.

    Attributes that this project reads: `reverse`, the face on the card's other side (default:
    the deck's back), and `side = "reverse"` for the face that starts face down.
    """

    name: str
    count: int = 1
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Deck:
    """The contents of a `deck.toml`. Sizes in mm; `extras` are printed but never recognised;
    `missing`: faces of the pack that are not taught."""

    name: str
    game: str
    width_mm: float
    height_mm: float
    outline: str
    faces: tuple[Face, ...]
    back: str
    folder: Path
    title: str = ""
    corner_mm: float = 3.0
    extras: tuple[Face, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the faces in the order of the file."""
        return tuple(face.name for face in self.faces)

    @property
    def taught(self) -> Path:
        """Path of the gallery, whether it exists or not."""
        return self.folder / "taught.npz"

    @property
    def learned(self) -> Path:
        """Path of the pictures that it learned at the table, whether they exist or not."""
        return self.folder / "learned.npz"

    def face(self, name: str) -> Face:
        """The face or extra of that name; KeyError if there is none."""
        for face in (*self.faces, *self.extras):
            if face.name == name:
                return face
        raise KeyError(name)

    def art(self, face: str | Face) -> Path:
        """Path of the art of a face, an extra or the back. FairdealError if there is none."""
        name = face.name if isinstance(face, Face) else face
        for suffix in ART_SUFFIXES:
            path = self.folder / "faces" / f"{name}{suffix}"
            if path.is_file():
                return path
        raise FairdealError(
            f"a picture faces/{name}.svg, .png or .jpg",
            "none",
            "put it there or take the face out of deck.toml",
            where=str(self.folder),
        )

    def to_toml(self) -> str:
        """Text of a `deck.toml` that reads back as this deck."""
        head: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "game": self.game,
            "width_mm": self.width_mm,
            "height_mm": self.height_mm,
            "outline": self.outline,
            "corner_mm": self.corner_mm,
            "back": self.back,
        }
        if self.missing:
            head["missing"] = list(self.missing)
        text = tomli_w.dumps(head)
        for table, faces in (("faces", self.faces), ("extras", self.extras)):
            for face in faces:
                entry = {"name": face.name, "count": face.count, **face.attributes}
                text += f"\n[[{table}]]\n{tomli_w.dumps(entry)}"
        return text


def shipped_decks() -> tuple[str, ...]:
    """Names of the shipped decks."""
    return tuple(sorted(path.parent.name for path in SHIPPED.glob("*/deck.toml")))


def load_deck(name_or_folder: str | Path) -> Deck:
    """Reads a shipped deck by name, or any deck by its folder.

    FairdealError if the deck is missing or its file is wrong.
    """
    folder = Path(name_or_folder)
    if not (folder / "deck.toml").is_file():
        shipped = SHIPPED / str(name_or_folder)
        if "/" in str(name_or_folder) or not (shipped / "deck.toml").is_file():
            raise FairdealError(
                f"a folder with a deck.toml or one of {', '.join(shipped_decks())}",
                f"'{name_or_folder}'",
                "see docs/decks.md for a deck of your own",
                where="deck",
            )
        folder = shipped
    path = folder / "deck.toml"
    fields = read_toml(path, "a text file in TOML", "mend or replace the file")
    return _deck(fields, folder.resolve(), path)


def missing_faces(names: Iterable[str], game_cards: Iterable[str]) -> list[str]:
    """The faces that a game needs and that are not among the names, sorted."""
    names = set(names)
    missing = set(game_cards) - names - NEVER_DRAWN
    for groups in EITHER:
        if any(group <= names for group in groups):
            missing -= frozenset().union(*groups)
    return sorted(missing)


def check_complete(deck: Deck, game_cards: Iterable[str]) -> None:
    """FairdealError if the deck lacks a face that its game needs."""
    listed = missing_faces(deck.names, game_cards)
    if listed:
        shown = ", ".join(listed[:8]) + (f" and {len(listed) - 8} more" if len(listed) > 8 else "")
        raise FairdealError(
            "every card of the game in the deck",
            f"none for {shown}",
            "teach the missing faces with `fairdeal calibrate deck`",
            where=f"deck {deck.name}",
        )


def _deck(fields: Mapping[str, Any], folder: Path, path: Path) -> Deck:
    unknown = sorted(set(fields) - KEYS)
    if unknown:
        _refuse(path, f"only the keys {', '.join(sorted(KEYS))}", f"'{unknown[0]}'")
    outline = _field(fields, "outline", str, path, default="card")
    if outline not in OUTLINES:
        _refuse(path, f"outline one of {', '.join(OUTLINES)}", f"'{outline}'")
    faces = _faces(fields, "faces", path)
    extras = _faces(fields, "extras", path)
    if not faces:
        _refuse(path, "at least one [[faces]]", "none")
    names = [face.name for face in (*faces, *extras)]
    double = sorted({name for name in names if names.count(name) > 1})
    if double:
        _refuse(path, "each face once", f"'{double[0]}' {names.count(double[0])} times")
    for face in faces:
        reverse = face.attributes.get("reverse", face.name)
        if reverse not in names:
            _refuse(path, f"the reverse of '{face.name}' to be a face of the deck", shown(reverse))
    return Deck(
        name=_field(fields, "name", str, path),
        game=_field(fields, "game", str, path, default=""),
        width_mm=_size(fields, "width_mm", path),
        height_mm=_size(fields, "height_mm", path),
        outline=outline,
        faces=faces,
        back=_back(fields, path),
        folder=folder,
        title=_field(fields, "title", str, path, default=""),
        corner_mm=_size(fields, "corner_mm", path, 0.0, default=3.0),
        extras=extras,
        missing=_missing(fields, path),
    )


def _faces(fields: Mapping[str, Any], key: str, path: Path) -> tuple[Face, ...]:
    tables = fields.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        _refuse(path, f"{key} as tables [[{key}]]", shown(tables))
    return tuple(_face(table, key, path) for table in tables)


def _face(table: Mapping[str, Any], key: str, path: Path) -> Face:
    name = _field(table, "name", str, path)
    _refuse_name(name, f"[[{key}]]", path)
    count = _field(table, "count", int, path, default=1)
    if isinstance(count, bool) or not 0 <= count <= 200:
        _refuse(path, f"count of '{name}' from 0 to 200", shown(count))
    attributes = {key: value for key, value in table.items() if key not in ("name", "count")}
    return Face(name, count, MappingProxyType(attributes))


def _back(fields: Mapping[str, Any], path: Path) -> str:
    back: str = _field(fields, "back", str, path, default="back")
    _refuse_name(back, "back", path)
    return back


def _missing(fields: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    names = _field(fields, "missing", list, path, default=[])
    for name in names:
        if not isinstance(name, str):
            _refuse(path, "missing as names of faces", repr(name)[:40])
        _refuse_name(name, "missing", path)
    return tuple(names)


def _refuse_name(name: str, key: str, path: Path) -> None:
    """A name is also a file name: it must not leave the deck's folder."""
    if not name or name != name.lower() or not name.replace("-", "").isalnum():
        _refuse(path, f"a name in {key} of small letters, digits and hyphens", f"'{name}'")


def _size(
    fields: Mapping[str, Any], key: str, path: Path, least: float = SMALLEST_MM,
    default: float | None = None,
) -> float:  # fmt: skip
    value = _field(fields, key, (int, float), path, default)
    if isinstance(value, bool) or not least <= value <= LARGEST_MM:
        _refuse(path, f"{key} from {least:g} to {LARGEST_MM:g} mm", shown(value))
    return float(value)


def _field(fields: Mapping[str, Any], key: str, kind: Any, path: Path, default: Any = None) -> Any:
    value = fields.get(key, default)
    if value is None:
        _refuse(path, f"a key '{key}'", "none")
    if not isinstance(value, kind) or (kind is str and not value.isprintable()):
        wanted = "printable text" if kind is str else "a number"
        _refuse(path, f"{key} to be {wanted}", shown(value))
    return value


def _refuse(path: Path, expected: str, found: str) -> None:
    raise FairdealError(expected, found, "mend the file", where=str(path))
