"""What a journal keeps beside events and calls: overrulings, and where people moved places to."""

from __future__ import annotations

import sqlite3

from kiosk.journal.entries import MOST_ROW_BYTES, MovedEntry, OverruledEntry, checksum

MOST_PLACES = 1000  # of one game that are read


def keep_overruled(base: sqlite3.Connection, game: int, k: int, entry: OverruledEntry) -> None:
    """Writes overruling `k` (from 1) of a game, within the caller's transaction."""
    sealed = checksum(game, k, entry.event, entry.ruling)
    row = (game, k, entry.event, entry.ruling, sealed)
    base.execute("INSERT INTO overrulings VALUES (?, ?, ?, ?, ?)", row)


def keep_moved(base: sqlite3.Connection, game: int, entry: MovedEntry) -> None:
    """Writes where a place is now, within the caller's transaction."""
    if entry.at is None:
        base.execute("DELETE FROM moved WHERE game=? AND place=?", (game, entry.place))
        return
    at = f"{entry.at[0]:.4f} {entry.at[1]:.4f}"
    row = (game, entry.place, at, checksum(game, entry.place, at))
    base.execute("INSERT OR REPLACE INTO moved VALUES (?, ?, ?, ?)", row)


def moved_places(base: sqlite3.Connection, game: int) -> dict[str, tuple[float, float]]:
    """Where the moved places of a game are, in parts of the picture.

    A damaged row is left out: the game's own layout finds its place again.
    """
    rows = base.execute(
        "SELECT place, at, crc FROM moved WHERE game=? AND length(place) + length(at) <= ?"
        " ORDER BY place LIMIT ?",
        (game, MOST_ROW_BYTES, MOST_PLACES),
    )
    found = {}
    for place, at, crc in rows:
        if crc == checksum(game, place, at):
            x, y = at.split()
            found[place.decode()] = (float(x), float(y))
    return found
