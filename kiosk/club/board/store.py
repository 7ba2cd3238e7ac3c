"""What a board keeps: every call once, what people decided, the tournament. SQLite, mode 0600."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kiosk.club.board.table import Numbers
from kiosk.club.payloads import SentCall, read, text_of
from kiosk.journal.connecting import connect
from rules.errors import FairdealError

APPLICATION, VERSION = 0x46424F41, 1
MOST_CALLS = 1_000_000  # with more the oldest go
SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    k INTEGER PRIMARY KEY AUTOINCREMENT, spot TEXT NOT NULL, session TEXT NOT NULL,
    n INTEGER NOT NULL, received REAL NOT NULL, payload BLOB NOT NULL, UNIQUE (spot, session, n));
CREATE TABLE IF NOT EXISTS decided (
    spot TEXT NOT NULL, session TEXT NOT NULL, n INTEGER NOT NULL, verdict TEXT NOT NULL,
    at REAL NOT NULL, PRIMARY KEY (spot, session, n)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class Store:
    """One board's file. One thread at a time may use it."""

    def __init__(self, path: Path) -> None:
        """Raises FairdealError for a file that cannot be made, or is another program's."""
        self._path, self._base = path, connect(path, "a board's file", APPLICATION)
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._base.close()
            raise FairdealError(
                "a board's file", f"{path}: {error}", "move it away; a new one is made"
            ) from error

    def _prepare(self) -> None:
        application = self._base.execute("PRAGMA application_id").fetchone()[0]
        tables = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and application != APPLICATION:
            raise sqlite3.DatabaseError("another program's file")
        self._base.execute("PRAGMA journal_mode=WAL")
        # A call that a power cut takes is asked for again: its number is missing.
        self._base.execute("PRAGMA synchronous=NORMAL")
        self._base.execute(f"PRAGMA application_id={APPLICATION}")
        self._base.execute(f"PRAGMA user_version={VERSION}")
        self._base.executescript(SCHEMA)

    def add(self, calls: Iterable[tuple[str, SentCall]], now: float) -> None:
        """Keeps calls of tables, each once. Raises FairdealError where the disk fails."""
        rows = [
            (table, call.session, call.n, now, text_of(call.to_payload())) for table, call in calls
        ]
        with self._base_at_work():
            self._base.execute("BEGIN")
            try:
                self._base.executemany(
                    "INSERT OR IGNORE INTO calls (spot, session, n, received, payload)"
                    " VALUES (?, ?, ?, ?, ?)", rows,
                )  # fmt: skip
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def trim(self) -> None:
        """Drops the oldest calls beyond the bound."""
        ((last,),) = self._run("SELECT coalesce(max(k), 0) FROM calls")
        self._run("DELETE FROM calls WHERE k <= ?", last - MOST_CALLS)

    def numbers(self) -> dict[tuple[str, str], Numbers]:
        """The call numbers that are here, by table and session."""
        found: dict[tuple[str, str], Numbers] = {}
        rows = self._run("SELECT spot, session, n FROM calls ORDER BY k")
        for spot, session, n in rows:
            found.setdefault((spot.decode(), session.decode()), Numbers()).add(n)
        return found

    def calls(self, table: str, session: str, most: int = 1000) -> list[SentCall]:
        """The newest calls of a session, oldest first."""
        rows = self._run(
            "SELECT payload FROM calls WHERE spot=? AND session=? ORDER BY n DESC LIMIT ?",
            table, session, most,
        )  # fmt: skip
        return [call for (payload,) in reversed(rows) for call in _kept_call(payload)]

    def log(self, table: str, most: int = 500) -> list[dict[str, Any]]:
        """The newest calls of a table over all sessions, newest first, as they were sent."""
        rows = self._run(
            "SELECT payload, received FROM calls WHERE spot=? ORDER BY k DESC LIMIT ?", table, most
        )
        return [
            {**call.to_payload(), "received": received}
            for payload, received in rows
            for call in _kept_call(payload)
        ]

    def count(self) -> int:
        """How many calls are kept."""
        return int(self._run("SELECT count(*) FROM calls")[0][0])

    def decide(self, table: str, session: str, n: int, verdict: str, now: float) -> None:
        """What a person decided of a call."""
        row = (table, session, n, verdict, now)
        self._run("INSERT OR REPLACE INTO decided VALUES (?, ?, ?, ?, ?)", *row)

    def decided(self, table: str, session: str) -> dict[int, str]:
        """What people decided in a session, by call."""
        rows = self._run(
            "SELECT n, verdict FROM decided WHERE spot=? AND session=?", table, session
        )
        return {n: verdict.decode() for n, verdict in rows}

    def keep(self, name: str, value: dict[str, Any] | None) -> None:
        """Keeps a value under a name; None removes it."""
        if value is None:
            self._run("DELETE FROM kept WHERE name=?", name)
        else:
            self._run("INSERT OR REPLACE INTO kept VALUES (?, ?)", name, json.dumps(value))

    def kept(self, name: str) -> bytes | None:
        """The JSON text of a kept value; None if nothing was kept."""
        rows = self._run("SELECT value FROM kept WHERE name=?", name)
        return rows[0][0] if rows else None

    def _run(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Raises FairdealError where the disk fails."""
        with self._base_at_work():
            return self._base.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def _base_at_work(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise FairdealError(
                "a disk that keeps what the board hears", str(error), "free some space"
            ) from error

    def close(self) -> None:
        """Harmless when done twice."""
        self._base.close()


def _kept_call(payload: bytes) -> list[SentCall]:
    """A call as it was kept; none for a damaged one, so that the others are shown."""
    try:
        return [read(SentCall, payload)]
    except FairdealError:
        return []
