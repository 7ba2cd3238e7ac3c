"""The shape of a journal's SQLite file."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kiosk.journal.entries import GameHead, Spot, checksum
from rules.errors import FairdealError

VERSION = 2
APPLICATION = 0x46414952  # "FAIR"; SQLite's place for whose file this is
BUSY_S = 5.0  # wait for another process that writes, before and after a game
MOST_S = 1e11  # later times of day are damage
TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY AUTOINCREMENT, began REAL NOT NULL, last REAL NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL, crc INTEGER NOT NULL,
    rows TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS events (
    game INTEGER NOT NULL, n INTEGER NOT NULL, event TEXT NOT NULL, spot TEXT,
    crc INTEGER NOT NULL, PRIMARY KEY (game, n)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls (
    game INTEGER NOT NULL, k INTEGER NOT NULL, n INTEGER NOT NULL, call TEXT NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (game, k)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS overrulings (
    game INTEGER NOT NULL, k INTEGER NOT NULL, n INTEGER NOT NULL, ruling TEXT NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (game, k)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moved (
    game INTEGER NOT NULL, place TEXT NOT NULL, at TEXT NOT NULL, crc INTEGER NOT NULL,
    PRIMARY KEY (game, place)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the journal. `began`, `last`: s since 1970; `last` is its latest event's.

    `seconds`: how long it was played, by the game's own clock. `missing`: at least so many of its
    last events are lost by a damage.
    """

    number: int
    began: float
    last: float
    is_ended: bool
    head: GameHead
    events: int
    seconds: float = 0.0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event as it was written: its number from 1, its line, where its card lay."""

    number: int
    line: str
    spot: Spot | None


@dataclass(frozen=True, slots=True)
class KeptCall:
    """A call as it was written, after the event of that number."""

    event: int
    line: str


Counts = tuple[int, int, int]
"""Of a game: its events, calls and overrulings."""


def sealed_rows(game: int, events: int, calls: int, overrulings: int) -> str:
    """How many rows a game has, with a checksum."""
    seal = checksum(game, events, calls, overrulings)
    return f"{events} {calls} {overrulings} {seal}"


def read_sealed(text: object, game: int) -> Counts | None:
    """The counts of `sealed_rows`; None for anything else."""
    words = text.split() if isinstance(text, bytes) else []
    if len(words) != 4 or not all(word.isdigit() and len(word) < 10 for word in words[:3]):
        return None
    events, calls, overrulings = (int(word) for word in words[:3])
    counts = (events, calls, overrulings)
    return counts if b" ".join(words).decode("latin-1") == sealed_rows(game, *counts) else None


def last_numbers(base: sqlite3.Connection, game: int) -> Counts:
    """The numbers of a game's last event, call and overruling; 0 where there is none."""
    return base.execute(
        "SELECT (SELECT coalesce(max(n), 0) FROM events WHERE game=?1),"
        " (SELECT coalesce(max(k), 0) FROM calls WHERE game=?1),"
        " (SELECT coalesce(max(k), 0) FROM overrulings WHERE game=?1)",
        (game,),
    ).fetchone()


def is_time(value: object) -> bool:
    """Whether it is a time of day (s since 1970)."""
    return isinstance(value, float) and 0 <= value < MOST_S


def unwritable(path: Path, error: Exception) -> FairdealError:
    """What a user can do about a journal that fails."""
    return _unusable("written", path, error)


def unreadable(path: Path, error: Exception) -> FairdealError:
    """The same, of one that is only read."""
    return _unusable("read", path, error)


def _unusable(how: str, path: Path, error: Exception) -> FairdealError:
    found = getattr(error, "strerror", None) or str(error)
    return FairdealError(f"a journal that can be {how}", f"{path}: {found}", "name another file")
