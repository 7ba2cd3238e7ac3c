"""What really happened in a recording, as people labelled it: `truth.json`.

Its keys are those of the filmed games that the project measures itself with. All times are the
game's, in s.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from kiosk.field.about import TRUTH
from kiosk.field.opening import ENDING
from kiosk.field.recording import Recording
from kiosk.serving.schema import Text, Word, read
from rules.errors import FairdealError
from rules.files import read_bytes, write_file
from rules.table.event import Event, Placed, Pressed, Removed
from rules.table.layout import SIDES

At = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
Seat = Annotated[int, msgspec.Meta(ge=1, le=99)]
MOST_LABELS = 100_000


class Happened(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card came to rest or was taken, or a button was pressed."""

    at: At
    event: Literal["placed", "removed", "pressed"]
    card: Word | None = None
    place: Word | None = None
    seat: Seat | None = None
    button: Word | None = None


class Due(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A call that a referee who sees everything makes."""

    t: At
    kind: Word
    rule: Word | None = None
    place: Word | None = None
    face: Word | None = None
    seat: Seat | None = None


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """A recording's truth. Other keys, as the rendered films have them, are left alone."""

    game: Word
    players: Seat
    deck: Word = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    seats: Annotated[list[Seat], msgspec.Meta(max_length=99)] = msgspec.field(default_factory=list)
    light: Text = ""
    table: Text = ""
    fps: float = 0.0
    width: int = 0
    height: int = 0
    duration_s: float = 0.0
    clip: Text = ""
    events_truth: Annotated[list[Happened], msgspec.Meta(max_length=MOST_LABELS)]
    expected_calls: Annotated[list[Due], msgspec.Meta(max_length=MOST_LABELS)]
    pressed: list[Happened] = msgspec.field(default_factory=list)


def truth_path(named: Path) -> Path:
    """Where the truth of a recording stands: in its folder, or beside its .fairdeal file."""
    return (
        named / TRUTH
        if named.is_dir()
        else named.with_name(named.name.removesuffix(ENDING) + ".json")
    )


def find_truth(named: Path, unpacked: Path) -> Truth | None:
    """The truth beside a file, else the one inside; None without any. FairdealError."""
    for path in (truth_path(named), unpacked / TRUTH):
        if path.is_file():
            return read_truth(path)
    return None


def read_truth(path: Path) -> Truth:
    """A truth file. Raises FairdealError."""
    try:
        return read(Truth, read_bytes(path, "a truth file"))
    except FairdealError as error:
        raise FairdealError(error.expected, error.found, "label it once more", str(path)) from None


def write_truth(path: Path, truth: Truth) -> None:
    """Writes a truth file in one step. Raises FairdealError."""
    data = msgspec.json.format(msgspec.json.encode(truth), indent=1)
    write_file(path, data, "a file for the truth")


def head_of(recording: Recording, size: tuple[int, int]) -> dict[str, Any]:
    """The keys of a truth that the recording itself knows."""
    about = recording.about
    seconds = recording.until - recording.began
    return {
        "game": about.game, "players": about.players, "deck": about.deck,
        "options": dict(about.options), "clip": recording.folder.name,
        "seats": [SIDES.index(side) + 1 for side in about.sides if side in SIDES],
        "width": size[0], "height": size[1], "duration_s": round(seconds, 1),
        "fps": round(recording.pictures / seconds, 1) if seconds > 0 else 0.0,
    }  # fmt: skip


def happened_of(event: Event) -> Happened | None:
    """An event as a label; None for one that is no act."""
    match event:
        case Placed(at=at, card=card, place=place, seat=seat):
            return Happened(at=at, event="placed", card=card, place=place, seat=seat)
        case Removed(at=at, card=card, place=place, seat=seat):
            return Happened(at=at, event="removed", card=card, place=place, seat=seat)
        case Pressed(at=at, button=button, seat=seat):
            return Happened(at=at, event="pressed", button=button, seat=seat)
        case _:
            return None
