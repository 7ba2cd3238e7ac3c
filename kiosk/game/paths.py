"""Where a game keeps its journal, unless the user names another place."""

from __future__ import annotations

import os
from pathlib import Path

NONE = "none"  # the word for no journal


def default_journal() -> Path:
    """`journal.sqlite` in `$FAIRDEAL_HOME`, else in `fairdeal` in the user's state folder."""
    home = os.environ.get("FAIRDEAL_HOME")
    if home:
        return Path(home) / "journal.sqlite"
    base = os.environ.get("XDG_STATE_HOME")
    state = Path(base) if base else Path.home() / ".local" / "state"
    return state / "fairdeal" / "journal.sqlite"


def journal_for(asked: str | None, recorded: bool) -> Path | None:
    """The journal of a game: the file `asked` for, else the default of a live game.

    None: nothing is kept. A recorded source can be judged again, so it has no default.
    """
    if asked is not None:
        return None if asked == NONE else Path(asked).expanduser()
    return None if recorded else default_journal()
