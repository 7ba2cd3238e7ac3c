"""The film of a recording: JPEG pictures in segments, each beside its index.

`00001.mjpeg` holds whole JPEG files, one after the other; most players show it as a film.
`00001.jsonl` has a line for each picture: time, place in the film, bytes, checksum. Every
picture stands for itself, so a film may be cut anywhere and may end anywhere.
"""

from __future__ import annotations

import io
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from kiosk.serving.schema import Message, read
from models.picture_file import LARGEST_FILE, Image, decoded_picture
from rules.errors import FairdealError
from rules.files import opened, read_bytes

SYNC_S = 1.0  # what is older than this survives a power cut
SEGMENT_S, LONGEST_S = 5.0, 15.0  # the next segment begins when the table is calm, or at last
FILM, INDEX = ".mjpeg", ".jsonl"
MOST_INDEX = 16 << 20  # bytes of one segment's index
MOST_SEGMENT = 1 << 30
MOST_PICTURES = 100_000  # of one segment
MOST_PLACES = 200

At = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
Spot = tuple[Annotated[float, msgspec.Meta(ge=-100, le=100)],
             Annotated[float, msgspec.Meta(ge=-100, le=100)]]  # fmt: skip
Spots = Annotated[dict[str, Spot], msgspec.Meta(max_length=MOST_PLACES)]


class Began(Message, frozen=True, tag_field="is", tag="began"):
    """The first line of an index. `at`: the game's time (s).

    `events`: how many the game had had. `is_calm`: no hand was over the table, no mistake open.
    `spots`: where the places lay, in widths of the picture; `moved`: places that people moved, in
    parts of it.
    """

    at: At
    events: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
    is_calm: bool = False
    spots: Spots = msgspec.field(default_factory=dict)
    moved: Spots = msgspec.field(default_factory=dict)


class Picture(Message, frozen=True, tag_field="is", tag="picture"):
    """A picture taken `at` (s of the game), `size` bytes at `start` of the film."""

    at: At
    start: Annotated[int, msgspec.Meta(ge=0, le=MOST_SEGMENT)]
    size: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_FILE)]
    crc: int


class CameraLost(Message, frozen=True, tag_field="is", tag="lost"):
    """The camera gave nothing from `at` (s of the game) on."""

    at: At
    why: Annotated[str, msgspec.Meta(max_length=500)]


Line = Began | Picture | CameraLost


class SegmentWriter:
    """Writes one segment. OSError where it cannot; what was written before stays whole."""

    def __init__(self, folder: Path, number: int, began: Began) -> None:
        self.began, self.size = began, 0
        self.paths = segment_paths(folder, number)
        self._film = _created(self.paths[0])
        try:
            self._index = _created(self.paths[1])
        except OSError:
            self._film.close()
            raise
        self._synced_at = began.at
        self._note(began)

    def add(self, at: float, jpeg: bytes) -> None:
        """A picture. Its bytes are written before its line."""
        line = Picture(at=at, start=self.size, size=len(jpeg), crc=zlib.crc32(jpeg))
        self._film.write(jpeg)
        self.size += len(jpeg)
        self._note(line)
        if at - self._synced_at >= SYNC_S:
            self._synced_at = at
            self.sync()

    def lose(self, at: float, why: str) -> None:
        """The camera is lost."""
        self._note(CameraLost(at=at, why=why[:500]))

    def sync(self) -> None:
        """All that was added is on the disk when this returns."""
        for file in (self._film, self._index):
            file.flush()
            os.fdatasync(file.fileno())

    def close(self) -> None:
        """Syncs and closes; harmless when done twice."""
        try:
            if not self._film.closed:
                self.sync()
        finally:
            for file in (self._film, self._index):
                file.close()

    def _note(self, line: Line) -> None:
        self._index.write(msgspec.json.encode(line) + b"\n")


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment as it was found: its film, and the whole lines of its index."""

    film: Path
    began: Began
    lines: tuple[Picture | CameraLost, ...]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures in order."""
        return tuple(line for line in self.lines if isinstance(line, Picture))

    @property
    def until(self) -> float:
        """The time (s) of its last line."""
        return self.lines[-1].at if self.lines else self.began.at


def segment_paths(folder: Path, number: int) -> tuple[Path, Path]:
    """Film and index of a segment."""
    return folder / f"{number:05d}{FILM}", folder / f"{number:05d}{INDEX}"


def segments_in(folder: Path) -> tuple[Segment, ...]:
    """The segments of a folder in order. An index that a power cut ended counts up to there."""
    found = (read_segment(path) for path in sorted(folder.glob(f"*{INDEX}")))
    return tuple(each for each in found if each is not None and each.lines)


def read_segment(index: Path) -> Segment | None:
    """A segment; None where not even its first line is whole. FairdealError for other damage."""
    film = index.with_suffix(FILM)
    data = read_bytes(index, "the index of a film", most=MOST_INDEX)
    whole = data[: data.rfind(b"\n") + 1].splitlines()
    if not whole:
        return None
    where = str(index)
    lines: list[Line] = [_line(text, where) for text in whole[: MOST_PICTURES + 1]]
    began, *rest = lines
    if not isinstance(began, Began):
        raise FairdealError("an index that says when it began", "none", where=where)
    size = film.stat().st_size if film.is_file() else 0
    kept: list[Picture | CameraLost] = []
    last = began.at
    for line in rest:
        if isinstance(line, Began) or line.at < last:
            raise FairdealError("an index in the order of time", "another", where=where)
        if isinstance(line, Picture) and line.start + line.size > size:
            break  # the film was cut off
        last = line.at
        kept.append(line)
    return Segment(film, began, tuple(kept))


def jpegs(segment: Segment) -> Iterator[tuple[Picture, bytes]]:
    """The pictures of a segment as they were written. FairdealError for a damaged one."""
    with opened(segment.film, "the film of a recording") as file:
        for line in segment.pictures:
            yield line, _jpeg(file, line, segment.film)


def jpeg_of(segment: Segment, picture: Picture) -> bytes:
    """One picture of a segment. FairdealError for a damaged one."""
    with opened(segment.film, "the film of a recording") as file:
        return _jpeg(file, picture, segment.film)


def placed_in_film(
    segment: Segment, shown: Mapping[Picture, bytes]
) -> tuple[Picture | CameraLost, ...]:
    """The lines of a film of these pictures, one after the other, in place of the segment's."""
    lines: list[Picture | CameraLost] = []
    start = 0
    for line in segment.lines:
        if isinstance(line, Picture):
            jpeg = shown[line]
            line = Picture(at=line.at, start=start, size=len(jpeg), crc=zlib.crc32(jpeg))
            start += len(jpeg)
        lines.append(line)
    return tuple(lines)


def index_of(began: Began, lines: Iterable[Picture | CameraLost]) -> bytes:
    """The text of an index."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (began, *lines))


def decoded(jpeg: bytes, where: str) -> Image:
    """A picture's pixels (H, W, 3) BGR. FairdealError if it is no picture or too large."""
    return np.asarray(decoded_picture(jpeg, where), np.uint8)


def _jpeg(file: io.BufferedReader, line: Picture, film: Path) -> bytes:
    file.seek(line.start)
    data = file.read(line.size)
    if len(data) != line.size or zlib.crc32(data) != line.crc:
        raise FairdealError(
            "the pictures as they were recorded", f"another one at {line.at:.2f} s",
            "copy the file once more", str(film),
        )  # fmt: skip
    return data


def _line(text: bytes, where: str) -> Line:
    try:
        return read(Line, text)
    except FairdealError as error:
        raise FairdealError(f"an index of a film; {error.expected}", error.found,
                            "copy the file once more", where) from None  # fmt: skip


def _created(path: Path) -> io.BufferedWriter:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    return open(os.open(path, flags, 0o600), "wb")
