"""Reads a journal's games, each row checked against its checksum. Nothing on the disk changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from kiosk.journal.aside import moved_places
from kiosk.journal.connecting import connect_to_read
from kiosk.journal.entries import (
    MOST_ROW_BYTES,
    MOST_ROWS,
    OverruledEntry,
    checksum,
    read_head,
    read_spot,
    time_of,
)
from kiosk.journal.lock import GameLock
from kiosk.journal.migration import brought_forward, check_version
from kiosk.journal.schema import (
    Counts,
    GameRow,
    KeptCall,
    KeptEvent,
    is_time,
    read_sealed,
    unreadable,
)
from kiosk.journal.witness import Witness
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.event import Event

_CALL = b'"call": '  # in each line of a call, and in no ruling


class JournalReader:
    """The games of a journal. One thread at a time may use it.

    Raises FairdealError for what cannot be read. A journal of an older version is brought to the
    present form in memory.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._witness = path, Witness(path)
        base = self._connected()
        try:
            with self._readable():
                self._base = self._prepared(base)
        except BaseException:
            base.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def games(self) -> list[GameRow]:
        """All games, oldest first. A game whose head is damaged is left out."""
        rows = []
        for number in self._numbers():
            try:
                rows.append(self.row(number))
            except FairdealError:
                continue
        return rows

    def lost_games(self) -> dict[int, int]:
        """Games of which the journal has nothing left, a damaged log being cut: number → events
        that it had at least."""
        known = set(self._numbers())
        lost = {n: self._noted(n)[0] for n in range(1, self._witness.highest() + 1)}
        return {number: events for number, events in lost.items() if events and number not in known}

    def highest(self) -> int:
        """The highest number that a game ever had, deleted ones included; 0 without any."""
        query = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name='games'"
        with self._readable():
            highest = int(self._base.execute(query).fetchone()[0])
        return max(highest, self._witness.highest())

    def row(self, game: int) -> GameRow:
        """One game. Raises FairdealError if it is missing or its head is damaged."""
        with self._readable():
            found = self._base.execute(
                "SELECT began, last, ended, head, crc, (SELECT count(*) FROM events WHERE game=id),"
                " (SELECT event FROM events WHERE game=id ORDER BY n DESC LIMIT 1)"
                " FROM games WHERE id=? AND length(head) <= ?",
                (game, MOST_ROW_BYTES),
            ).fetchone()
        if found is None:
            lost = self._noted(game)[0]
            words = f", whose {lost} events are lost by a damage" if lost else ""
            raise FairdealError("a game in the journal", f"no game {game} in {self.path}{words}",
                                "see `fairdeal games`")  # fmt: skip
        began, last, ended, head, crc, events, latest = found
        is_whole = isinstance(head, bytes) and crc == checksum(head)
        if not is_whole or not all(is_time(t) for t in (began, last)):
            raise self._damaged(f"the head of game {game}")
        read = read_head(head, f"{self.path}, game {game}")
        missing = max(0, self._noted(game)[0] - events)
        return GameRow(game, began, last, bool(ended), read, events, time_of(latest), missing)

    def lines(self, game: int) -> Iterator[KeptEvent]:
        """The events of a game as they were written, each checked against its checksum."""
        rows = self._rows("SELECT n, event, spot, crc FROM events WHERE game=? ORDER BY n",
                          "events", "event", game)  # fmt: skip
        for expected, (n, line, spot, crc) in enumerate(rows, 1):
            # A row of another table, on a page that took this one's place, has other kinds.
            is_event = isinstance(line, bytes) and (spot is None or isinstance(spot, bytes))
            if n != expected or not is_event or crc != checksum(game, n, line, spot):
                raise self._damaged(f"event {expected} of game {game}")
            with self._readable():
                kept = KeptEvent(n, line.decode(), read_spot(spot))
            yield kept
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
            is_call = isinstance(n, int) and isinstance(line, bytes) and _CALL in line
            if k != expected or not is_call or crc != checksum(game, k, n, line):
                raise self._damaged(f"call {expected} of game {game}")
            with self._readable():
                kept = KeptCall(n, line.decode())
            yield kept
        self._check_rows(game, 1, len(rows))

    def overrulings(self, game: int) -> Iterator[OverruledEntry]:
        """What people overruled, in order."""
        rows = self._rows("SELECT k, n, ruling, crc FROM overrulings WHERE game=? ORDER BY k",
                          "overrulings", "ruling", game)  # fmt: skip
        for expected, (k, n, ruling, crc) in enumerate(rows, 1):
            is_ruling = isinstance(n, int) and isinstance(ruling, bytes) and _CALL not in ruling
            if k != expected or not is_ruling or crc != checksum(game, k, n, ruling):
                raise self._damaged(f"overruling {expected} of game {game}")
            with self._readable():
                kept = OverruledEntry(n, ruling.decode())
            yield kept
        self._check_rows(game, 2, len(rows))

    def moved(self, game: int) -> dict[str, tuple[float, float]]:
        """Where people moved places to, in parts of the picture."""
        with self._readable():
            return moved_places(self._base, game)

    def lock(self, game: int) -> GameLock:
        """The lock of a game, not taken yet."""
        return GameLock(self.path, game)

    def close(self) -> None:
        """Harmless when done twice."""
        self._base.close()

    # -- SQLite -----------------------------------------------------------------------------

    def _connected(self) -> sqlite3.Connection:
        if not self.path.exists() and not self.path.is_symlink():
            raise FairdealError("a journal", f"nothing at {self.path}",
                                "name a file with --journal")  # fmt: skip
        return connect_to_read(self.path)

    def _prepared(self, base: sqlite3.Connection) -> sqlite3.Connection:
        check_version(base, self.path)
        return brought_forward(base)

    def _numbers(self) -> list[int]:
        with self._readable():
            return [int(n) for (n,) in self._base.execute("SELECT id FROM games ORDER BY id")]

    def _noted(self, game: int) -> Counts:
        """The rows that the game had at least, by what is kept beside the journal."""
        return self._witness.counts(game) or (0, 0, 0)

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
        is_empty = kept is not None and kept[0] == b""
        counts = (0, 0, 0) if is_empty else read_sealed(kept[0] if kept else None, game)
        if counts is None or found != counts[which]:
            raise self._damaged(f"the end of game {game}")

    def _damaged(self, what: str) -> FairdealError:
        return FairdealError("an undamaged journal", f"{what} damaged in {self.path}",
                             "`fairdeal games export` saves what is whole before it")  # fmt: skip

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OverflowError, ValueError, KeyError, TypeError) as error:
            raise self._fault(error) from error

    def _fault(self, error: Exception) -> FairdealError:
        return unreadable(self.path, error)
