"""What a journal keeps, as frozen values with a text form and a checksum for each row."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from rules.errors import FairdealError
from rules.table.call import Call
from rules.table.event import Event

Spot = tuple[float, float]
"""Where a card lies: x and y of its middle, in widths of the picture."""

MOST_ROW_BYTES = 65_536  # of one event, call or head; longer rows are refused before they are read
MOST_ROWS = 1_000_000  # events or calls of one game that are read


@dataclass(frozen=True, slots=True)
class GameHead:
    """What a game was started with. `deck`: its folder; `seats`: sides of seats 1..N.

    `is_clock_unsure`: no time server had set the clock, so the journal's times of day may be
    wrong. The times of events are those of the game and do not depend on it.
    """

    game: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    deck: str = ""
    seats: str = ""
    source: str = ""
    is_clock_unsure: bool = False

    def to_json(self) -> str:
        """One line of JSON that `read_head` reads back."""
        return json.dumps({**asdict(self), "options": dict(self.options)})


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An event with the calls that it brought. `spot`: where its card lies, if that was seen."""

    event: Event
    calls: tuple[Call, ...] = ()
    spot: Spot | None = None


@dataclass(frozen=True, slots=True)
class EndEntry:
    """The game is over; `calls` are those of its end."""

    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class OverruledEntry:
    """People overruled event `event` (from 1). `ruling`: one line of JSON."""

    event: int
    ruling: str


@dataclass(frozen=True, slots=True)
class MovedEntry:
    """People moved a place to a point, in parts of the picture; None: they let it free again."""

    place: str
    at: tuple[float, float] | None


Entry = EventEntry | EndEntry | OverruledEntry | MovedEntry


def read_head(text: bytes, where: str) -> GameHead:
    """A head's text form. Raises FairdealError."""
    try:
        found = json.loads(text.decode("utf-8"))
        head = GameHead(
            str(found["game"]), int(found["players"]),
            {str(k): str(v) for k, v in found["options"].items()},
            str(found["deck"]), str(found["seats"]), str(found["source"]),
            found.get("is_clock_unsure") is True,
        )  # fmt: skip
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FairdealError("the head of a game", "a damaged one", where=where) from error
    return head


def time_of(line: bytes | None) -> float:
    """The game's time (s) of an event's line; 0 without one that can be read."""
    try:
        at = json.loads(line or b"{}")["at"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0.0
    return float(at) if isinstance(at, (int, float)) and at >= 0 else 0.0


def spot_text(spot: Spot | None) -> str | None:
    """A spot's text form, to a ten-thousandth of the picture's width."""
    return None if spot is None else f"{spot[0]:.4f} {spot[1]:.4f}"


def read_spot(text: bytes | None) -> Spot | None:
    """A spot from its text form; None for a row without one."""
    if text is None:
        return None
    x, y = text.decode("ascii").split()
    return float(x), float(y)


def checksum(*parts: object) -> int:
    """CRC-32 of a row: any single flipped bit in it is found."""
    packed = b"\x1f".join(part if isinstance(part, bytes) else str(part).encode() for part in parts)
    return zlib.crc32(packed)
