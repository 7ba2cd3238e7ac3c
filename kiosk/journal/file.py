"""The journal's file: SQLite in WAL mode, all games of a table, a checksum for each row."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kiosk.journal.aside import keep_moved, keep_overruled, moved_places
from kiosk.journal.entries import (
    MOST_ROW_BYTES,
    MOST_ROWS,
    EndEntry,
    Entry,
    EventEntry,
    GameHead,
    MovedEntry,
    OverruledEntry,
    checksum,
    read_head,
    read_spot,
    spot_text,
    time_of,
)
from kiosk.journal.lock import GameLock
from kiosk.journal.migration import add_counts, from_version_1, is_version_1, lacks_counts
from kiosk.journal.schema import (
    APPLICATION,
    TABLES,
    VERSION,
    GameRow,
    KeptCall,
    KeptEvent,
    connect,
    is_time,
    last_numbers,
    sealed_rows,
    unwritable,
)
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.event import Event

RESERVE = ".reserve"  # ending of the file beside a journal that is given up on a full disk


class JournalFile:
    """Reads and writes games. `clock` tells the time of day (s since 1970).

    One thread at a time may use it. Raises FairdealError for what cannot be read or written.
    """

    def __init__(
        self, path: Path, *, create: bool = True, clock: Callable[[], float] = time.time
    ) -> None:
        self.path, self._clock = path, clock
        if not create and not path.is_file():
            raise FairdealError("a journal", f"nothing at {path}", "name a file with --journal")
        self._base = connect(path)
        try:
            with self._readable():
                self._prepare()
        except BaseException:
            self._base.close()
            raise

    # -- writing ----------------------------------------------------------------------------

    def begin(self, head: GameHead, above: int = 0) -> int:
        """A new game; its number, higher than all before it and than `above`."""
        now, text = self._clock(), head.to_json()
        with self._readable(), self.writing():
            cursor = self._base.execute(
                "INSERT INTO games (id, began, last, head, crc) VALUES (?, ?, ?, ?, ?)",
                (max(above, self._highest()) + 1, now, now, text, checksum(text)),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def append(self, game: int, entries: Sequence[Entry]) -> None:
        """Writes entries in one transaction; all of them are durable when this returns."""
        with self.writing():
            n, k, r = last_numbers(self._base, game)
            for entry in entries:
                if isinstance(entry, EventEntry):
                    n += 1
                    line, spot = entry.event.to_json(), spot_text(entry.spot)
                    row = (game, n, line, spot, checksum(game, n, line, spot))
                    self._base.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
                elif isinstance(entry, OverruledEntry):
                    r += 1
                    keep_overruled(self._base, game, r, entry)
                    continue
                elif isinstance(entry, MovedEntry):
                    keep_moved(self._base, game, entry)
                    continue
                for call in entry.calls:
                    k += 1
                    text = call.to_json()
                    said = (game, k, n, text, checksum(game, k, n, text))
                    self._base.execute("INSERT INTO calls VALUES (?, ?, ?, ?, ?)", said)
                if isinstance(entry, EndEntry):
                    self._base.execute("UPDATE games SET ended=1 WHERE id=?", (game,))
            self._base.execute(
                "UPDATE games SET last=?, rows=? WHERE id=?",
                (self._clock(), sealed_rows(game, n, k, r), game),
            )

    def delete(self, game: int) -> None:
        """Removes a game. Raises FairdealError while it is played."""
        self.row(game)
        lock = self.lock(game)
        lock.take()
        try:
            with self._readable(), self.writing():
                for table in ("events", "calls", "overrulings", "moved"):
                    self._base.execute(f"DELETE FROM {table} WHERE game=?", (game,))
                self._base.execute("DELETE FROM games WHERE id=?", (game,))
        finally:
            lock.release()

    def lock(self, game: int) -> GameLock:
        """The lock of a game, not taken yet."""
        return GameLock(self.path, game)

    # -- reading ----------------------------------------------------------------------------

    def games(self) -> list[GameRow]:
        """All games, oldest first. A game whose head is damaged is left out."""
        with self._readable():
            numbers = [n for (n,) in self._base.execute("SELECT id FROM games ORDER BY id")]
        rows = []
        for number in numbers:
            try:
                rows.append(self.row(number))
            except FairdealError:
                continue
        return rows

    def highest(self) -> int:
        """The highest number that a game ever had, deleted ones included; 0 without any."""
        with self._readable():
            return self._highest()

    def row(self, game: int) -> GameRow:
        """One game. Raises FairdealError where there is none, or its head is damaged."""
        with self._readable():
            found = self._base.execute(
                "SELECT began, last, ended, head, crc, (SELECT count(*) FROM events WHERE game=id),"
                " (SELECT event FROM events WHERE game=id ORDER BY n DESC LIMIT 1)"
                " FROM games WHERE id=? AND length(head) <= ?",
                (game, MOST_ROW_BYTES),
            ).fetchone()
        if found is None:
            raise FairdealError("a game in the journal", f"no game {game} in {self.path}",
                                "see `fairdeal games`")  # fmt: skip
        began, last, ended, head, crc, events, latest = found
        if crc != checksum(head) or not all(is_time(t) for t in (began, last)):
            raise self._damaged(f"the head of game {game}")
        read = read_head(head, f"{self.path}, game {game}")
        return GameRow(game, began, last, bool(ended), read, events, time_of(latest))

    def lines(self, game: int) -> Iterator[KeptEvent]:
        """The events of a game as they were written, each checked against its checksum."""
        rows = self._rows("SELECT n, event, spot, crc FROM events WHERE game=? ORDER BY n",
                          "events", "event", game)  # fmt: skip
        for expected, (n, line, spot, crc) in enumerate(rows, 1):
            if n != expected or crc != checksum(game, n, line, spot):
                raise self._damaged(f"event {expected} of game {game}")
            yield KeptEvent(n, line.decode(), read_spot(spot))
        self._check_rows(game, 0, len(rows))

    def events(self, game: int) -> tuple[Event, ...]:
        """All events of a game, checked as `fairdeal replay` checks them."""
        head = self.row(game).head
        lines = [kept.line.encode() for kept in self.lines(game)]
        if not lines:
            return ()
        return tuple(read_events(lines, game_named(head.game), head.players))

    def calls(self, game: int) -> Iterator[KeptCall]:
        """The calls of a game as they were written."""
        rows = self._rows("SELECT k, n, call, crc FROM calls WHERE game=? ORDER BY k",
                          "calls", "call", game)  # fmt: skip
        for expected, (k, n, line, crc) in enumerate(rows, 1):
            if k != expected or crc != checksum(game, k, n, line):
                raise self._damaged(f"call {expected} of game {game}")
            yield KeptCall(n, line.decode())
        self._check_rows(game, 1, len(rows))

    def overrulings(self, game: int) -> Iterator[OverruledEntry]:
        """What people overruled, in order."""
        rows = self._rows("SELECT k, n, ruling, crc FROM overrulings WHERE game=? ORDER BY k",
                          "overrulings", "ruling", game)  # fmt: skip
        for expected, (k, n, ruling, crc) in enumerate(rows, 1):
            if k != expected or crc != checksum(game, k, n, ruling):
                raise self._damaged(f"overruling {expected} of game {game}")
            yield OverruledEntry(n, ruling.decode())
        self._check_rows(game, 2, len(rows))

    def moved(self, game: int) -> dict[str, tuple[float, float]]:
        """Where people moved places to, in parts of the picture."""
        with self._readable():
            return moved_places(self._base, game)

    def set_patience(self, seconds: float) -> None:
        """How long a write waits for another process that writes."""
        self._base.execute(f"PRAGMA busy_timeout={round(1000 * seconds)}")

    def has_only_ended(self) -> bool:
        """Whether no game in it can be gone on with."""
        with self._readable():
            open_games = self._base.execute("SELECT count(*) FROM games WHERE NOT ended")
            return open_games.fetchone()[0] == 0

    def remove(self) -> None:
        """Closes the file and deletes it with what is kept beside it."""
        self.close()
        for ending in ("", "-wal", "-shm", RESERVE):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def close(self) -> None:
        """Harmless when done twice."""
        self._base.close()

    # -- SQLite -----------------------------------------------------------------------------

    def _prepare(self) -> None:
        application = self._base.execute("PRAGMA application_id").fetchone()[0]
        version = self._base.execute("PRAGMA user_version").fetchone()[0]
        tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and application != APPLICATION and not is_version_1(self._base):
            raise FairdealError("a journal of fairdeal", f"another SQLite file at {self.path}",
                                "name another with --journal")  # fmt: skip
        if tables and version not in (1, VERSION):
            raise FairdealError(f"a journal of version {VERSION} or older",
                                f"version {version} in {self.path}", "name another")  # fmt: skip
        self._base.execute("PRAGMA journal_mode=WAL")
        # FULL: a committed transaction survives a power cut.
        self._base.execute("PRAGMA synchronous=FULL")
        if not tables:
            self._base.execute(f"PRAGMA application_id={APPLICATION}")
            self._base.execute(f"PRAGMA user_version={VERSION}")
        elif version == 1:
            from_version_1(self._base)
        elif lacks_counts(self._base):
            add_counts(self._base)
        self._base.executescript(TABLES)  # older files lack the newest ones

    def _highest(self) -> int:
        query = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name='games'"
        return int(self._base.execute(query).fetchone()[0])

    def _rows(self, query: str, table: str, column: str, game: int) -> list[tuple]:
        with self._readable():
            count, longest = self._base.execute(
                f"SELECT count(*), coalesce(max(length({column})), 0) FROM {table} WHERE game=?",
                (game,),
            ).fetchone()
            if count > MOST_ROWS or longest > MOST_ROW_BYTES:
                raise self._damaged(f"the {table} of game {game}")
            return self._base.execute(query, (game,)).fetchall()

    def _check_rows(self, game: int, which: int, found: int) -> None:
        """Whether no row is missing at the end: `rows` of the game says how many there are."""
        with self._readable():
            kept = self._base.execute("SELECT rows FROM games WHERE id=?", (game,)).fetchone()
        text = kept[0] if kept and isinstance(kept[0], bytes) else b"?"
        counts = [int(word) for word in text.split()[:3] if word.isdigit() and len(word) < 10]
        if text and (len(counts) != 3 or text.decode("latin-1") != sealed_rows(game, *counts)):
            raise self._damaged(f"the end of game {game}")
        if found != (counts[which] if counts else 0):
            raise self._damaged(f"the end of game {game}")

    def _damaged(self, what: str) -> FairdealError:
        return FairdealError("an undamaged journal", f"{what} damaged in {self.path}",
                             "`fairdeal games export` saves what is whole before it")  # fmt: skip

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction. sqlite3.Error where it fails: the writer decides what that means."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError, ValueError, KeyError, TypeError) as error:
            raise unwritable(self.path, error) from error
