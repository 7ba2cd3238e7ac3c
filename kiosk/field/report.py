"""Writes a report: a part of a recording, or the whole, in one file that may be passed on.

A report says what is in it before it is saved. It holds seats in place of names, no address and
no path; pictures are those of the camera, black outside the part that people choose.
"""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import msgspec
import numpy as np

from kiosk.field.about import ABOUT, CALIBRATION, DECK, FORMAT, GAME, KEPT, RULED, TRUTH
from kiosk.field.film import (
    FILM,
    INDEX,
    Picture,
    Segment,
    decoded,
    index_of,
    jpegs,
    placed_in_film,
)
from kiosk.field.opening import MANIFEST, MOST_BYTES, Manifest, Packed
from kiosk.field.recording import Recording
from kiosk.field.writing import jpeg_encoder
from kiosk.game.overruling import to_json
from kiosk.serving.schema import Message, Number, Text, Word, read
from kiosk.version import version
from models.deck import Deck, load_deck
from models.drawing.raster import face_picture
from rules.errors import FairdealError
from rules.files import read_bytes, replacing

BEFORE_S, AFTER_S = 20.0, 10.0  # of a call
LONGEST_BEFORE_S = 45.0  # to begin at a calm moment
LATE_S = 2.0  # a call is told so long after its picture at most
FACE_PX = 400
REPORT = "report.json"
LEAST_PART, ROUNDED = 0.01, 1e-6  # of the picture's sides
Box = tuple[float, float, float, float]
_EPOCH = (1980, 1, 1, 0, 0, 0)  # of every file: a report tells no times of the disk


class Mark(Message, frozen=True):
    """A call that people want to be looked at: it was wrong."""

    at: Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
    call: Word
    rule: Word = ""
    event: Number = 0
    place: Word | None = None
    card: Word | None = None
    seat: int | None = None


class Said(Message, frozen=True):
    """`report.json`: what the report is about. `licence`: under which it may be used."""

    mark: Mark | None = None
    note: Text = ""
    licence: Literal["CC0-1.0", ""] = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """What goes into a report. `mark`: only the seconds around it; None: the whole recording.

    `names`: of the players by their seats; none: they stay seats. `part`: x, y, width and height
    of the part of the picture that stays, in parts of it.
    """

    mark: Mark | None = None
    names: tuple[str, ...] = ()
    note: str = ""
    part: Box | None = None
    is_free: bool = False  # given to everybody, CC0


@dataclass(frozen=True, slots=True)
class Contents:
    """What a report will hold, for people to see first. Times in s, sizes in bytes."""

    began: float
    until: float
    pictures: int
    size: tuple[int, int]
    events: int
    calls: int
    overruled: int
    deck: str
    names: tuple[str, ...]
    bytes: int

    def lines(self) -> Iterator[str]:
        """In words."""
        seconds = self.until - self.began
        yield (f"film: {seconds:.0f} s, {self.pictures} pictures of {self.size[0]}×{self.size[1]} "
               f"px, no sound; {self.bytes / 1e6:.1f} MB")  # fmt: skip
        yield (f"game: {self.events} events, {self.calls} calls, {self.overruled} overruled; "
               "seats, options, versions, changed settings")  # fmt: skip
        yield f"deck {self.deck} with its pictures, and the table's calibration"
        yield f"names: {', '.join(self.names)}" if self.names else "names: none, seats only"


def cut(recording: Recording, wish: Wish) -> Recording:
    """The part of a recording that a report holds. FairdealError where nothing was filmed then."""
    if wish.mark is None:
        return recording
    at = wish.mark.at
    if not recording.began <= at <= recording.until + LATE_S:
        raise FairdealError(
            f"a moment of the film, {recording.began:.1f} to {recording.until:.1f} s",
            f"{at:.1f} s", "record before you play, or name another recording",
        )  # fmt: skip
    before = [each for each in recording.segments if each.began.at <= at - BEFORE_S]
    calm = [s for s in before if s.began.is_calm and s.began.at >= at - LONGEST_BEFORE_S]
    first = (calm or before or [recording.segments[0]])[-1]
    kept = tuple(
        each for each in recording.segments if first.began.at <= each.began.at <= at + AFTER_S
    )
    until = kept[-1].until + LATE_S
    lines = tuple(line for line in recording.lines if float(line["at"]) <= until)
    events = sum("event" in line for line in lines)
    ruled = tuple(each for each in recording.overruled if each.event <= events)
    return replace(recording, segments=kept, lines=lines, overruled=ruled)


def contents(recording: Recording, wish: Wish) -> Contents:
    """What the report of this part will hold. Raises FairdealError."""
    part = cut(recording, wish)
    first = decoded(next(jpegs(part.segments[0]))[1], "the first picture")
    return Contents(
        part.began, part.until, part.pictures, (first.shape[1], first.shape[0]),
        sum("event" in line for line in part.lines), len(part.calls), len(part.overruled),
        part.about.deck, wish.names, sum(p.size for s in part.segments for p in s.pictures),
    )  # fmt: skip


def write_report(recording: Recording, wish: Wish, out: Path) -> Path:
    """Writes the report in one step. FairdealError where it would be too large, or cannot be."""
    part = cut(recording, wish)
    size = sum(picture.size for segment in part.segments for picture in segment.pictures)
    if size > MOST_BYTES * 0.9:
        raise FairdealError(f"a film of at most {MOST_BYTES >> 20} MB", f"{size >> 20} MB",
                            "save the part around a call, with --call")  # fmt: skip
    files: dict[str, Packed] = {}
    with (
        replacing(out, "a file for the report", mode=0o600, is_new=True) as file,
        zipfile.ZipFile(file, "w", allowZip64=False) as packed,
    ):
        for name, data in _files(part, wish):
            _put(packed, name, data)
            files[name] = Packed(size=len(data), sha256=hashlib.sha256(data).hexdigest())
        manifest = Manifest(format=FORMAT, version=version(), files=files)
        _put(packed, MANIFEST, msgspec.json.encode(manifest))
    return out


def marks_in(folder: Path) -> tuple[Mark, ...]:
    """The calls of a recording that people kept, oldest first."""
    path = folder / KEPT
    if not path.is_file():
        return ()
    data = read_bytes(path, "the calls that were kept")
    return tuple(read(Mark, line) for line in data[: data.rfind(b"\n") + 1].splitlines())


def keep_mark(folder: Path, mark: Mark) -> None:
    """Notes a call in its recording. Raises OSError."""
    with (folder / KEPT).open("ab") as file:
        file.write(msgspec.json.encode(mark) + b"\n")


def mark_of(call: dict[str, Any]) -> Mark:
    """A call, as the game or the page tells it, as a mark."""
    keys = ("rule", "event", "place", "card", "seat")
    found = {key: call[key] for key in keys if call.get(key) is not None}
    return Mark(at=float(call["at"]), call=str(call["call"]), **found)


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.external_attr = (stat.S_IFREG | 0o600) << 16
    is_dense = name.endswith((FILM, ".jpg", ".png", ".npz"))
    entry.compress_type = zipfile.ZIP_STORED if is_dense else zipfile.ZIP_DEFLATED
    packed.writestr(entry, data)


def _files(part: Recording, wish: Wish) -> Iterator[tuple[str, bytes]]:
    """The names and contents of all files but the manifest."""
    about = msgspec.structs.replace(part.about, names=list(wish.names), number=None)
    yield ABOUT, msgspec.json.format(msgspec.json.encode(about))
    licence: Literal["CC0-1.0", ""] = "CC0-1.0" if wish.is_free else ""
    said = Said(mark=wish.mark, note=wish.note, licence=licence)
    yield REPORT, msgspec.json.encode(said)
    yield GAME, _lines(json.dumps(line) for line in part.lines)
    yield RULED, _lines(to_json(each) for each in part.overruled)
    marks = (msgspec.json.encode(each).decode() for each in marks_in(part.folder))
    yield KEPT, _lines(marks)
    truth = part.folder / TRUTH
    if truth.is_file():
        yield TRUTH, read_bytes(truth, "what was labelled")
    yield from _deck_files(part.folder / DECK)
    for path in sorted((part.folder / CALIBRATION).glob("camera-*.toml")):
        yield f"{CALIBRATION}/{path.name}", read_bytes(path, "a calibration")
    for segment in part.segments:
        film, index = _segment(segment, wish.part)
        yield f"film/{segment.film.stem}{FILM}", film
        yield f"film/{segment.film.stem}{INDEX}", index


def _segment(segment: Segment, part: Box | None) -> tuple[bytes, bytes]:
    """Film and index of a segment; with a part, of pictures that are black outside it."""
    encode = jpeg_encoder(90)
    shown: dict[Picture, bytes] = {}
    for line, jpeg in jpegs(segment):
        if part is not None:
            jpeg = encode(_within(decoded(jpeg, str(segment.film)), part))
        shown[line] = jpeg
    lines = placed_in_film(segment, shown)
    return b"".join(shown.values()), index_of(segment.began, lines)


def _within(bgr: np.ndarray, part: Box) -> np.ndarray:
    height, width = bgr.shape[:2]
    x, y, wide, high = part
    rows = slice(round(y * height), round((y + high) * height))
    columns = slice(round(x * width), round((x + wide) * width))
    kept = np.zeros_like(bgr)
    kept[rows, columns] = bgr[rows, columns]
    return kept


def _deck_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The deck as it was taught; its faces as JPEG, for a drawing may hold more than a picture."""
    yield f"{DECK}/deck.toml", read_bytes(folder / "deck.toml", "the recording's deck")
    for name in ("taught.npz", "learned.npz"):
        if (folder / name).is_file():
            yield f"{DECK}/{name}", read_bytes(folder / name, "a gallery", most=1 << 28)
    deck = load_deck(folder)
    for name in (*deck.names, "back"):
        jpeg = _face(deck, name)
        if jpeg is not None:
            yield f"{DECK}/faces/{name}.jpg", jpeg


def _face(deck: Deck, name: str) -> bytes | None:
    try:
        pixels = face_picture(deck, name, FACE_PX).astype(np.float32)
    except FairdealError:
        return None  # decks without art are taught from pictures alone
    alpha = pixels[..., 3:] / 255.0
    flat = pixels[..., :3] * alpha + 255.0 * (1.0 - alpha)
    return jpeg_encoder(90)(np.ascontiguousarray(cv2.convertScaleAbs(flat)))


def _lines(lines: Iterator[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def read_part(text: str) -> Box:
    """x, y, width, height in parts of the picture, by commas. Raises FairdealError."""
    try:
        x, y, wide, high = (float(each) for each in text.split(","))
    except ValueError:
        raise _no_part(text) from None
    return checked_part((x, y, wide, high))


def checked_part(part: Box) -> Box:
    """A part of the picture that holds anything. Raises FairdealError."""
    x, y, wide, high = part
    least = x >= 0.0 and y >= 0.0 and wide > LEAST_PART and high > LEAST_PART
    if not (least and x + wide <= 1.0 + ROUNDED and y + high <= 1.0 + ROUNDED):
        raise _no_part(",".join(f"{each:g}" for each in part))
    return part


def _no_part(text: str) -> FairdealError:
    return FairdealError("a part as X,Y,WIDTH,HEIGHT, in parts of the picture", ascii(text))
