"""Where a table and a board keep their files: beside the default journal."""

from __future__ import annotations

from pathlib import Path

from kiosk.game.paths import default_journal


def table_folder(club: str, table: str) -> Path:
    """Of a table's queue and evidence."""
    return default_journal().parent / "club" / club / "tables" / table


def board_folder(club: str) -> Path:
    """Of a board's calls, tournament and paired devices."""
    return default_journal().parent / "club" / club / "board"


def default_club_file() -> Path | None:
    """`club.toml` beside the default journal; None where there is none."""
    path = default_journal().parent / "club.toml"
    return path if path.is_file() else None
