"""Where on the disk a table keeps what it needs, unless it is told otherwise."""

from __future__ import annotations

import os
from pathlib import Path

NONE = "none"


def default_journal() -> Path:
    """`journal.sqlite` in `$FAIRDEAL_HOME`, else in `fairdeal` in the user's state folder."""
    home = os.environ.get("FAIRDEAL_HOME")
    if home:
        return Path(home) / "journal.sqlite"
    base = os.environ.get("XDG_STATE_HOME")
    state = Path(base) if base else Path.home() / ".local" / "state"
    return state / "fairdeal" / "journal.sqlite"


def journal_for(asked: str | None, recorded: bool) -> Path | None:
    """The journal of a game: what a user `asked` for, else a live game's own place.

    A recording can be judged again, so nothing of it is kept unless asked for.
    """
    if asked is not None:
        return None if asked == NONE else Path(asked).expanduser()
    return None if recorded else default_journal()
