"""Calls on their way to the broker: a bounded queue on the disk, in order, kept after sending.

What the broker confirmed stays for a while: a board that misses a number asks for it again, for a
broker that is killed forgets what it had confirmed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from kiosk.club.payloads import SentCall, text_of
from kiosk.journal.connecting import connect

SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    k INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, n INTEGER NOT NULL,
    payload BLOB NOT NULL, confirmed INTEGER NOT NULL DEFAULT 0, UNIQUE (session, n));
CREATE INDEX IF NOT EXISTS waiting ON calls (k) WHERE NOT confirmed;
"""
APPLICATION = 0x46434C42  # "FCLB"


@dataclass(frozen=True, slots=True)
class OutboxLimits:
    """Bounds of the queue."""

    most: int = 50_000  # calls on the disk, some 25 MB; with more the oldest go
    sessions: int = 2000  # earlier games whose calls can be asked for again


@dataclass(frozen=True, slots=True)
class Letter:
    """A call as it is sent. `k`: its number in the queue."""

    k: int
    session: str
    n: int
    payload: bytes


class Outbox:
    """One table's queue. One thread at a time may use it. sqlite3.Error where the disk fails."""

    def __init__(self, path: Path, limits: OutboxLimits | None = None) -> None:
        """Raises FairdealError where the file cannot be made."""
        self._limits = limits or OutboxLimits()
        self._base = connect(path, "a queue of calls", APPLICATION)
        self._base.execute("PRAGMA journal_mode=WAL")
        # The journal has every call durably; this copy may lose its last second in a power cut.
        self._base.execute("PRAGMA synchronous=NORMAL")
        self._base.execute(f"PRAGMA application_id={APPLICATION}")
        self._base.executescript(SCHEMA)
        self.lost = 0  # calls that left the full queue before the broker had them

    def add(self, calls: list[SentCall]) -> None:
        """Keeps calls, in order, in one transaction."""
        rows = [(call.session, call.n, text_of(call.to_payload())) for call in calls]
        self._base.execute("BEGIN")
        try:
            self._base.executemany(
                "INSERT OR IGNORE INTO calls (session, n, payload) VALUES (?, ?, ?)", rows
            )
            self._base.execute("COMMIT")
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._trim()

    def waiting(self, after: int, most: int) -> list[Letter]:
        """Calls that the broker has not confirmed, numbered above `after`, oldest first."""
        return self._letters(
            "SELECT k, session, n, payload FROM calls WHERE NOT confirmed AND k > ?"
            " ORDER BY k LIMIT ?", (after, most),
        )  # fmt: skip

    def confirm(self, ks: list[int]) -> None:
        """The broker has these."""
        self._base.executemany("UPDATE calls SET confirmed=1 WHERE k=?", [(k,) for k in ks])

    def again(self, session: str, first: int, last: int, most: int) -> list[Letter]:
        """The calls `first` to `last` of a session, as far as they are kept."""
        return self._letters(
            "SELECT k, session, n, payload FROM calls WHERE session=? AND n BETWEEN ? AND ?"
            " ORDER BY n LIMIT ?", (session, first, last, most),
        )  # fmt: skip

    def sessions(self) -> dict[str, int]:
        """The newest sessions that are here from their first call on: how many calls each made."""
        rows = self._base.execute(
            "SELECT session, max(n) FROM calls GROUP BY session HAVING min(n) = 1"
            " ORDER BY max(k) DESC LIMIT ?",
            (self._limits.sessions,),
        ).fetchall()
        return {session.decode(): n for session, n in rows}

    def close(self) -> None:
        """Harmless when done twice."""
        self._base.close()

    def _letters(self, query: str, values: tuple) -> list[Letter]:
        rows = self._base.execute(query, values).fetchall()
        return [Letter(k, session.decode(), n, payload) for k, session, n, payload in rows]

    def _trim(self) -> None:
        (count,) = self._base.execute("SELECT count(*) FROM calls").fetchone()
        over = count - self._limits.most
        if over <= 0:
            return
        oldest = "SELECT k FROM calls ORDER BY confirmed DESC, k LIMIT ?"
        (unsent,) = self._base.execute(
            f"SELECT count(*) FROM calls WHERE NOT confirmed AND k IN ({oldest})", (over,)
        ).fetchone()
        self._base.execute(f"DELETE FROM calls WHERE k IN ({oldest})", (over,))
        self.lost += unsent


DISK_ERRORS = (sqlite3.Error, OSError)
