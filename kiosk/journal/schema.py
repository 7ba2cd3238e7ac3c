"""The shape of a journal's SQLite file, and how it is opened."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kiosk.journal.entries import GameHead, Spot, checksum
from kiosk.journal.lock import MODE
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

    `seconds`: how long it was played, by the game's own clock.
    """

    number: int
    began: float
    last: float
    is_ended: bool
    head: GameHead
    events: int
    seconds: float = 0.0


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


def sealed_rows(game: int, events: int, calls: int, overrulings: int) -> str:
    """How many rows a game has, with a checksum."""
    seal = checksum(game, events, calls, overrulings)
    return f"{events} {calls} {overrulings} {seal}"


def last_numbers(base: sqlite3.Connection, game: int) -> tuple[int, int, int]:
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


def connect(path: Path) -> sqlite3.Connection:
    """Opens the file, readable by its owner only."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE))
        if path.stat().st_uid == os.geteuid():
            path.chmod(MODE)
        base = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise unwritable(path, error) from error
    base.text_factory = bytes  # damaged text is no reason for an error of its own
    return base


def unwritable(path: Path, error: Exception) -> FairdealError:
    """What a user can do about a journal that fails."""
    found = getattr(error, "strerror", None) or str(error)
    return FairdealError("a journal that can be written", f"{path}: {found}", "name another file")
