"""What happened at the table, kept through a power cut: SQLite (WAL), or JSON Lines as text."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from rules.call import Call
from rules.errors import FairdealError
from rules.event import Event, Pressed
from rules.game import Setup, make_setup
from rules.games import game as game_named
from rules.reader import read_events

RESUME_WITHIN_S = 6 * 3600.0
VERSION = 1
_TABLES = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, began REAL NOT NULL, last REAL NOT NULL, game TEXT NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    event TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    call TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS buttons (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    button TEXT NOT NULL, seat INTEGER);
CREATE TABLE IF NOT EXISTS settings (
    game INTEGER NOT NULL REFERENCES games, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (game, name));
CREATE INDEX IF NOT EXISTS events_of ON events (game, id);
CREATE INDEX IF NOT EXISTS calls_of ON calls (game, id);
"""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was cut off: its number in the journal, and all that was written of it."""

    number: int
    game: str
    setup: Setup
    events: tuple[Event, ...]


class Journal(Protocol):
    """Where a running table writes; each write lasts when the method returns."""

    def begin(self, game: str, setup: Setup, settings: Mapping[str, str]) -> None:
        """A game begins; the writes that follow are its own."""

    def event(self, event: Event) -> None:
        """Before the event is judged."""

    def calls(self, calls: Iterable[Call]) -> None:
        """What the referee said."""

    def end(self) -> None:
        """The game is over, and is not gone on with."""

    def close(self) -> None:
        """Harmless when done twice."""


class NoJournal:
    """Writes nothing."""

    def begin(self, game: str, setup: Setup, settings: Mapping[str, str]) -> None:
        """Nothing to keep."""

    def event(self, event: Event) -> None:
        """Nothing to keep."""

    def calls(self, calls: Iterable[Call]) -> None:
        """Nothing to keep."""

    def end(self) -> None:
        """Nothing to keep."""

    def close(self) -> None:
        """Nothing to give back."""


class TextJournal(NoJournal):
    """Events and calls as JSON Lines, in the order they came, flushed line by line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("w", encoding="utf-8")
        except OSError as error:
            raise _unwritable(path, error) from error

    def event(self, event: Event) -> None:
        self._line(event.to_json())

    def calls(self, calls: Iterable[Call]) -> None:
        for call in calls:
            self._line(call.to_json())

    def close(self) -> None:
        with suppress(OSError):  # a full disk was said when the line was written
            self._file.close()

    def _line(self, text: str) -> None:
        try:
            self._file.write(text + "\n")
            self._file.flush()
        except OSError as error:
            raise _unwritable(self._path, error) from error


class SqliteJournal:
    """One file for all games. `clock` tells the time of day in s, to know old games from new."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._game: int | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, isolation_level=None, timeout=5.0)
        except (OSError, sqlite3.Error) as error:
            raise _unwritable(path, error) from error
        with self._mended():
            self._base.execute("PRAGMA journal_mode=WAL")
            # FULL: a commit is on the card before the event is judged, power cut or not.
            self._base.execute("PRAGMA synchronous=FULL")
            found = self._base.execute("PRAGMA user_version").fetchone()[0]
            if found not in (0, VERSION):
                raise FairdealError(
                    f"a journal of version {VERSION}", f"version {found} in {path}", "name another"
                )
            self._base.executescript(_TABLES)
            self._base.execute(f"PRAGMA user_version={VERSION}")

    def begin(self, game: str, setup: Setup, settings: Mapping[str, str]) -> None:
        now = self._clock()
        options = json.dumps(dict(setup.options))
        with self._commit():
            cursor = self._base.execute(
                "INSERT INTO games (began, last, game, players, options) VALUES (?, ?, ?, ?, ?)",
                (now, now, game, setup.players, options),
            )
            self._game = cursor.lastrowid
            rows = [(self._game, name, value) for name, value in settings.items()]
            self._base.executemany("INSERT INTO settings VALUES (?, ?, ?)", rows)

    def go_on(self, number: int) -> None:
        """What is written next belongs to that game, cut off before."""
        self._game = number

    def event(self, event: Event) -> None:
        with self._commit():
            self._base.execute(
                "INSERT INTO events (game, at, event) VALUES (?, ?, ?)",
                (self._game, event.at, event.to_json()),
            )
            if isinstance(event, Pressed):
                self._base.execute(
                    "INSERT INTO buttons (game, at, button, seat) VALUES (?, ?, ?, ?)",
                    (self._game, event.at, event.button, event.seat),
                )
            self._base.execute("UPDATE games SET last=? WHERE id=?", (self._clock(), self._game))

    def calls(self, calls: Iterable[Call]) -> None:
        rows = [(self._game, call.at, call.to_json()) for call in calls]
        if rows:
            with self._commit():
                self._base.executemany("INSERT INTO calls (game, at, call) VALUES (?, ?, ?)", rows)

    def end(self) -> None:
        with self._commit():
            self._base.execute("UPDATE games SET ended=1 WHERE id=?", (self._game,))

    def unfinished(self, game: str, within_s: float = RESUME_WITHIN_S) -> Unfinished | None:
        """The newest game of that name, if it was cut off no longer than `within_s` ago."""
        with self._mended():
            row = self._base.execute(
                "SELECT id, last, players, options, ended FROM games WHERE game=? "
                "ORDER BY id DESC LIMIT 1",
                (game,),
            ).fetchone()
        if row is None or row[4] or self._clock() - row[1] > within_s:
            return None
        setup = make_setup(game_named(game), row[2], json.loads(row[3]))
        return Unfinished(row[0], game, setup, tuple(self.events(row[0])))

    def events(self, number: int) -> Iterator[Event]:
        """All events of a game, checked as `fairdeal replay` checks them."""
        with self._mended():
            game = self._base.execute(
                "SELECT game, players FROM games WHERE id=?", (number,)
            ).fetchone()
            rows = self._base.execute(
                "SELECT event FROM events WHERE game=? ORDER BY id", (number,)
            ).fetchall()
        if game is None:
            raise FairdealError("a game in the journal", f"no game {number}", "name another")
        if rows:
            lines = (text.encode() for (text,) in rows)
            yield from read_events(lines, game_named(game[0]), game[1])

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _commit(self) -> Iterator[None]:
        with self._mended():
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    @contextmanager
    def _mended(self) -> Iterator[None]:
        """SQLite's own errors as what the user can mend: a full disk, a file that is none."""
        try:
            yield
        except sqlite3.Error as error:
            raise _unwritable(self._path, error) from error


class GuardedJournal:
    """A journal that stops where it cannot write, and lets the game go on.

    What was written up to there stays whole; a gap in it would replay as another game.
    """

    def __init__(self, journal: Journal, say: Callable[[str], None]) -> None:
        self._journal, self._say, self._is_whole = journal, say, True

    def begin(self, game: str, setup: Setup, settings: Mapping[str, str]) -> None:
        self._journal.begin(game, setup, settings)

    def event(self, event: Event) -> None:
        self._write(lambda: self._journal.event(event))

    def calls(self, calls: Iterable[Call]) -> None:
        self._write(lambda: self._journal.calls(calls))

    def end(self) -> None:
        self._write(self._journal.end)

    def close(self) -> None:
        self._journal.close()

    def _write(self, write: Callable[[], None]) -> None:
        if not self._is_whole:
            return
        try:
            write()
        except FairdealError as error:
            self._is_whole = False
            self._say(f"journal: {error}; the game goes on, and is not kept from here on")


def open_journal(path: Path | None) -> Journal:
    """By the name: `.jsonl` is text, anything else SQLite, None keeps nothing. FairdealError."""
    if path is None:
        return NoJournal()
    return TextJournal(path) if path.suffix == ".jsonl" else SqliteJournal(path)


def read_journal(path: Path, number: int | None = None) -> tuple[Event, ...]:
    """The events of a game in a SQLite journal, the newest one's unless a `number` is given."""
    if not path.is_file():
        raise FairdealError("a journal", f"nothing at {path}", "name a file")
    journal = SqliteJournal(path)
    try:
        if number is None:
            number = journal._base.execute("SELECT max(id) FROM games").fetchone()[0] or 0
        return tuple(journal.events(number))
    finally:
        journal.close()


def _unwritable(path: Path, error: Exception) -> FairdealError:
    return FairdealError("a journal that can be written", f"{path}: {error}", "name another file")
