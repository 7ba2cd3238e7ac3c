"""The journal's file: SQLite in WAL mode, all games of a table, a checksum for each row."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kiosk.journal.aside import keep_moved, keep_overruled
from kiosk.journal.connecting import connect
from kiosk.journal.entries import (
    EndEntry,
    Entry,
    EventEntry,
    GameHead,
    MovedEntry,
    OverruledEntry,
    checksum,
    spot_text,
)
from kiosk.journal.migration import bring_forward, check_version, is_new
from kiosk.journal.reading import JournalReader
from kiosk.journal.schema import last_numbers, sealed_rows, unwritable
from kiosk.journal.witness import ENDING
from rules.errors import FairdealError

RESERVE = ".reserve"  # ending of the file beside a journal that is given up on a full disk


class JournalFile(JournalReader):
    """Reads and writes games. `clock` tells the time of day (s since 1970).

    Without `create`, a missing file is refused.
    """

    def __init__(
        self, path: Path, *, create: bool = True, clock: Callable[[], float] = time.time
    ) -> None:
        self._creates, self._clock = create, clock
        super().__init__(path)

    # -- writing ----------------------------------------------------------------------------

    def begin(self, head: GameHead, above: int = 0) -> int:
        """A new game; its number, higher than all before it and than `above`."""
        now, text = self._clock(), head.to_json()
        with self._readable(), self.writing():
            cursor = self._base.execute(
                "INSERT INTO games (id, began, last, head, crc) VALUES (?, ?, ?, ?, ?)",
                (max(above, self.highest()) + 1, now, now, text, checksum(text)),
            )
        assert cursor.lastrowid is not None
        self._witness.note(cursor.lastrowid, (0, 0, 0))
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
        self._witness.note(game, (n, k, r))

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
            self._witness.forget(game)
        finally:
            lock.release()

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
        for ending in ("", "-wal", "-shm", RESERVE, ENDING):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)

    def close(self) -> None:
        """Harmless when done twice."""
        self._witness.close()
        super().close()

    # -- SQLite -----------------------------------------------------------------------------

    def _connected(self) -> sqlite3.Connection:
        if not self._creates and not self.path.exists() and not self.path.is_symlink():
            raise FairdealError("a journal", f"nothing at {self.path}",
                                "name a file with --journal")  # fmt: skip
        return connect(self.path)

    def _prepared(self, base: sqlite3.Connection) -> sqlite3.Connection:
        check_version(base, self.path)
        # FULL: a committed transaction survives a power cut.
        base.execute("PRAGMA synchronous=FULL")
        if is_new(base):
            self._witness.clear()
        # Before there is a log: the file itself says from its first page on whose it is.
        bring_forward(base)
        base.execute("PRAGMA journal_mode=WAL")
        return base

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

    def _fault(self, error: Exception) -> FairdealError:
        return unwritable(self.path, error)
