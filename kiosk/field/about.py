"""What a recording says of itself: `recording.json`, its names of files, and what is beside it."""

from __future__ import annotations

import platform
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any

import cv2
import msgspec

from calibration.settings import Settings
from kiosk.serving.schema import Message, Number, Seat, Word, read_file
from kiosk.version import version
from rules.errors import FairdealError
from rules.files import write_file

FORMAT = 1
ABOUT, GAME, RULED, KEPT, TRUTH = (
    "recording.json", "game.jsonl", "overruled.jsonl", "kept.jsonl", "truth.json",
)  # fmt: skip
FILM, DECK, CALIBRATION = "film", "deck", "calibration"
MOST_SIDE = 8192  # px of a recorded picture
EXPECTED = "a recording"

Short = Annotated[str, msgspec.Meta(max_length=200)]
Value = bool | int | float | str | None
Changed = Annotated[
    dict[Word, Annotated[dict[Word, Value], msgspec.Meta(max_length=200)]],
    msgspec.Meta(max_length=10),
]
Line = Annotated[str, msgspec.Meta(max_length=1000)]
Presses = Annotated[list[Line], msgspec.Meta(max_length=10_000)]
Names = Annotated[list[Short], msgspec.Meta(max_length=99)]


class About(Message, frozen=True):
    """A recording. `made`: the day and hour; `source`: the kind of camera, and no address.

    `is_live`: a camera's, so that buttons count between two pictures. `is_started`: the game was
    started by its first moment. `presses`: buttons that came from a file, as events. `settings`:
    those of the networks and the scene that are not the usual ones. `number`: the game's in this
    machine's journal; reports leave it out.
    """

    format: int
    version: Short
    made: Short
    game: Word
    players: Seat
    options: Annotated[dict[Word, Word], msgspec.Meta(max_length=50)]
    sides: Annotated[list[Word], msgspec.Meta(max_length=99)]
    deck: Word
    source: Word
    is_live: bool
    is_started: bool
    presses: Presses = msgspec.field(default_factory=list)
    settings: Changed = msgspec.field(default_factory=dict)
    machine: Short = ""
    names: Names = msgspec.field(default_factory=list)
    drops: Annotated[int, msgspec.Meta(ge=0)] = 0
    number: Number | None = None


class _Format(msgspec.Struct):
    """What the files of every format say."""

    format: int


def read_about(folder: Path) -> About:
    """What a recording says of itself. Raises FairdealError, also for a newer one."""
    path = folder / ABOUT
    if not path.is_file():
        raise FairdealError(
            "a recording of `fairdeal referee --record`, or a .fairdeal file",
            f"no {ABOUT} in {folder}", "name another",
        )  # fmt: skip
    found = read_file(_Format, path, EXPECTED)
    check_format(found.format, str(path))
    try:
        return read_file(About, path, EXPECTED)
    except FairdealError as error:
        raise FairdealError(error.expected, error.found, "name another", str(path)) from None


def check_format(found: int, where: str) -> None:
    """FairdealError for files of a newer fairdeal."""
    if found != FORMAT:
        raise FairdealError(
            f"a recording of format {FORMAT}", f"format {found}", "update fairdeal", where
        )


def write_about(folder: Path, about: About) -> None:
    """Writes `recording.json` in one step. Raises FairdealError."""
    data = msgspec.json.format(msgspec.json.encode(about))
    write_file(folder / ABOUT, data, "a file in the recording", mode=0o600)


def unusual(settings: Settings) -> dict[str, dict[str, Value]]:
    """The settings of networks and scene that differ from the defaults."""
    found = {}
    for name, group in (("vision", settings.vision), ("engines", settings.engines)):
        usual: dict[str, Any] = {each.name: each.default for each in fields(group)}
        changed = {key: value for key, value in asdict(group).items() if value != usual[key]}
        if changed:
            found[name] = changed
    return found


def machine() -> str:
    """What was recorded with, in a line."""
    parts = (
        platform.machine(), platform.system(), f"Python {platform.python_version()}",
        f"OpenCV {cv2.__version__}", f"fairdeal {version()}",
    )  # fmt: skip
    return ", ".join(parts)


def source_kind(name: str) -> str:
    """The kind of camera, without an address or a path."""
    if "://" in name:
        return "stream"
    for kind in ("picamera", "simulated", "phone"):
        if name.startswith(kind):
            return kind
    return "usb" if name.isdecimal() or name.startswith("/dev/") else "file"
