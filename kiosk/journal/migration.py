"""Brings the journal of an older version to the present one, in one transaction.

Version 1 had no checksums and no spots; of version 2 there are files without the count of rows.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Iterable
from pathlib import Path

from kiosk.journal.entries import GameHead, checksum
from kiosk.journal.schema import APPLICATION, TABLES, VERSION, sealed_rows
from rules.errors import FairdealError

OLD_GAMES = "SELECT id, began, last, game, players, options, ended FROM games ORDER BY id"
NEW_TABLES = {"games", "events", "calls", "overrulings", "moved"}
OLD_TABLES = {"games", "events", "calls", "buttons", "settings"}


def is_new(base: sqlite3.Connection) -> bool:
    """Whether nothing is in it yet."""
    return base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0


def check_version(base: sqlite3.Connection, path: Path) -> None:
    """Raises FairdealError for a foreign database, and for a journal of a newer version."""
    if is_new(base):
        return
    application = base.execute("PRAGMA application_id").fetchone()[0]
    version = base.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION and not is_version_1(base):
        raise FairdealError("a journal of fairdeal", f"another SQLite file at {path}",
                            "name another with --journal")  # fmt: skip
    if version not in (1, VERSION):
        raise FairdealError(f"a journal of version {VERSION} or older",
                            f"version {version} in {path}", "name another")  # fmt: skip


def bring_forward(base: sqlite3.Connection) -> None:
    """Brings a checked journal, or an empty one, to the present form."""
    if is_version_1(base):
        from_version_1(base)
    elif lacks_counts(base):
        add_counts(base)
    if _lacks_tables(base):
        _make_tables(base)


def brought_forward(base: sqlite3.Connection) -> sqlite3.Connection:
    """The journal in its present form; an older one is copied into memory, and the file closed."""
    if not (is_version_1(base) or lacks_counts(base) or _lacks_tables(base)):
        return base
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    memory.text_factory = bytes
    try:
        base.backup(memory)
        bring_forward(memory)
    except BaseException:
        memory.close()
        raise
    base.close()
    return memory


def is_version_1(base: sqlite3.Connection) -> bool:
    """Whether it is a journal of fairdeal before there were checksums."""
    if base.execute("PRAGMA user_version").fetchone()[0] != 1:
        return False
    names = {_text(name) for (name,) in base.execute("SELECT name FROM sqlite_master")}
    return names >= OLD_TABLES and "options" in _columns(base, "games")


def lacks_counts(base: sqlite3.Connection) -> bool:
    """Whether it is of version 2 before games said how many rows they have."""
    return "crc" in _columns(base, "games") and "rows" not in _columns(base, "games")


def _lacks_tables(base: sqlite3.Connection) -> bool:
    names = {_text(name) for (name,) in base.execute("SELECT name FROM sqlite_master")}
    return not names >= NEW_TABLES


def _make_tables(base: sqlite3.Connection) -> None:
    base.execute("BEGIN IMMEDIATE")
    try:
        for statement in TABLES.split(";"):
            base.execute(statement)
        base.execute(f"PRAGMA application_id={APPLICATION}")
        base.execute(f"PRAGMA user_version={VERSION}")
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


def from_version_1(base: sqlite3.Connection) -> None:
    """Rewrites all games. Raises sqlite3.Error or ValueError: nothing is changed then."""
    base.execute("BEGIN IMMEDIATE")
    try:
        if not is_version_1(base):  # another process was first
            base.execute("ROLLBACK")
            return
        games = [_OldGame(base, *row) for row in base.execute(OLD_GAMES).fetchall()]
        for table in sorted(OLD_TABLES):
            base.execute(f"DROP TABLE {table}")
        for statement in TABLES.split(";"):
            base.execute(statement)
        for game in games:
            game.write(base)
        base.execute(f"PRAGMA application_id={APPLICATION}")
        base.execute(f"PRAGMA user_version={VERSION}")
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


def add_counts(base: sqlite3.Connection) -> None:
    """Counts the rows of every game and seals the counts."""
    base.execute("BEGIN IMMEDIATE")
    try:
        if lacks_counts(base):
            base.execute("ALTER TABLE games ADD COLUMN rows TEXT NOT NULL DEFAULT ''")
            for (game,) in base.execute("SELECT id FROM games").fetchall():
                counts = [
                    base.execute(f"SELECT count(*) FROM {table} WHERE game=?", (game,)).fetchone()[
                        0
                    ]
                    for table in ("events", "calls", "overrulings")
                ]
                sealed = sealed_rows(game, *counts)
                base.execute("UPDATE games SET rows=? WHERE id=?", (sealed, game))
        base.execute("COMMIT")
    except BaseException:
        if base.in_transaction:
            base.execute("ROLLBACK")
        raise


class _OldGame:
    """A game of version 1, read whole."""

    def __init__(
        self, base: sqlite3.Connection, number: int, began: float, last: float, game: bytes,
        players: int, options: bytes, ended: int,
    ) -> None:  # fmt: skip
        self._number, self._began, self._last, self._ended = number, began, last, ended
        query = "SELECT name, value FROM settings WHERE game=?"
        said = {_text(name): _text(value) for name, value in base.execute(query, (number,))}
        self._head = GameHead(
            _text(game), players, json.loads(_text(options)), said.get("deck", ""),
            said.get("seats", ""), said.get("source", ""),
        ).to_json()  # fmt: skip
        self._events = _rising(_lines(base, "event", "events", number))
        self._calls = [json.loads(line) for line in _lines(base, "call", "calls", number)]

    def write(self, base: sqlite3.Connection) -> None:
        """In the present form. A call belongs to the last event that is not later."""
        game, head = self._number, self._head
        counted = sealed_rows(game, len(self._events), len(self._calls), 0)
        base.execute(
            "INSERT INTO games (id, began, last, ended, head, crc, rows)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (game, self._began, self._last, self._ended, head, checksum(head), counted),
        )
        times = []
        for n, event in enumerate(self._events, 1):
            line = json.dumps(event)
            times.append(event["at"])
            row = (game, n, line, None, checksum(game, n, line, None))
            base.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
        for k, call in enumerate(self._calls, 1):
            n, line = bisect_right(times, call["at"]), json.dumps(call, ensure_ascii=False)
            said = (game, k, n, line, checksum(game, k, n, line))
            base.execute("INSERT INTO calls VALUES (?, ?, ?, ?, ?)", said)


def _lines(base: sqlite3.Connection, column: str, table: str, game: int) -> list[str]:
    rows = base.execute(f"SELECT {column} FROM {table} WHERE game=? ORDER BY id", (game,))
    return [_text(line) for (line,) in rows]


def _rising(lines: Iterable[str]) -> list[dict]:
    """Events as JSON. Version 1 sometimes wrote a time before the last one's."""
    events: list[dict] = []
    for line in lines:
        event = json.loads(line)
        if events:
            event["at"] = max(event["at"], events[-1]["at"])
        events.append(event)
    return events


def _columns(base: sqlite3.Connection, table: str) -> set[str]:
    return {_text(row[1]) for row in base.execute(f"PRAGMA table_info({table})")}


def _text(value: object) -> str:
    """Text of a file whose texts are read as bytes."""
    if not isinstance(value, (bytes, str)):
        raise ValueError(f"expected text, found {type(value).__name__}")
    return value.decode() if isinstance(value, bytes) else value
