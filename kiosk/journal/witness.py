"""How many rows each game had at least, kept outside SQLite's files.

A damaged write-ahead log is cut to its good part without a word: SQLite cannot tell lost
transactions from some that never were. This file can: 64 bytes for each game, written after each
transaction, on the disk every few seconds. After a power cut it may know less than the journal,
never more.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kiosk.journal.schema import Counts, read_sealed, sealed_rows
from rules.errors import FairdealError
from rules.files import opened

ENDING = ".rows"
RECORD_BYTES = 64
MOST_GAMES = 100_000
SYNC_S = 5.0


class Witness:
    """The file beside a journal. A fault of it harms no game: then it knows nothing."""

    def __init__(self, journal: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.path = journal.with_name(journal.name + ENDING)
        self._clock, self._synced = clock, -SYNC_S
        self._descriptor: int | None = None

    def note(self, game: int, counts: Counts) -> None:
        """The game has so many events, calls and overrulings on the disk."""
        self._write(game, sealed_rows(game, *counts))

    def forget(self, game: int) -> None:
        """The game is deleted."""
        if game <= self.highest():
            self._write(game, "")

    def counts(self, game: int) -> Counts | None:
        """What was noted of a game; None where nothing was, or the record is damaged."""
        if not 1 <= game <= MOST_GAMES:
            return None
        try:
            with opened(self.path, "the journal's counts") as file:
                file.seek(RECORD_BYTES * (game - 1))
                return read_sealed(file.read(RECORD_BYTES).strip(), game)
        except FairdealError:
            return None

    def highest(self) -> int:
        """The highest number of a game of which something was noted."""
        try:
            return min(self.path.stat().st_size // RECORD_BYTES, MOST_GAMES)
        except OSError:
            return 0

    def clear(self) -> None:
        """The journal is new: an older one's file says nothing about it."""
        self.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Harmless when done twice."""
        if self._descriptor is not None:
            with suppress(OSError):
                os.fdatasync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, game: int, text: str) -> None:
        record = text.ljust(RECORD_BYTES - 1).encode() + b"\n"
        if not 1 <= game <= MOST_GAMES or len(record) != RECORD_BYTES:
            return
        try:
            if self._descriptor is None:
                flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
                self._descriptor = os.open(self.path, flags, 0o600)
            os.pwrite(self._descriptor, record, RECORD_BYTES * (game - 1))
            if self._clock() - self._synced >= SYNC_S:
                os.fdatasync(self._descriptor)
                self._synced = self._clock()
        except OSError:
            return
