"""Files and names of a game: its journal, its source, recorded buttons."""

from __future__ import annotations

import os
import re
import zlib
from pathlib import Path

from rules.contract.game import Game
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.files import read_bytes
from rules.table.event import Pressed

MOST_PRESSES_BYTES = 16 * 2**20
NONE = "none"  # the word for no journal


def default_journal() -> Path:
    """`journal.sqlite` in `$FAIRDEAL_HOME`, else in `fairdeal` in the user's state folder."""
    home = os.environ.get("FAIRDEAL_HOME")
    if home:
        return Path(home) / "journal.sqlite"
    base = os.environ.get("XDG_STATE_HOME")
    state = Path(base) if base else Path.home() / ".local" / "state"
    return state / "fairdeal" / "journal.sqlite"


def recordings_folder() -> Path:
    """Where the page's switch records: `recordings` beside the default journal."""
    return default_journal().parent / "recordings"


def journal_for(
    asked: str | None, recorded: bool, source: str = "", *, is_new: bool = True
) -> Path | None:
    """The journal of a game: the file `asked` for, else the table's own. `source`: its pictures'.

    None: nothing is kept. A recorded source can be judged again, so it has no default. `is_new`:
    the game begins; one that goes on is looked for where the table's games are.
    """
    if asked is not None:
        return None if asked == NONE else Path(asked).expanduser()
    return None if recorded else table_journal(source, is_new=is_new)


def table_journal(source: str, *, is_new: bool = True) -> Path:
    """The journal of the table that this source films.

    It is the default one, unless another table's game is played in that while a new game begins:
    the second table of a machine gets a journal of its own, and keeps it.
    """
    from kiosk.journal.opening import is_played_by_another

    usual = default_journal()
    own = usual.with_name(f"{usual.stem}-{_slug(source)}{usual.suffix}")
    if own.exists() or (is_new and is_played_by_another(usual, source)):
        return own
    return usual


def table_journals(usual: Path | None = None) -> tuple[Path, ...]:
    """The journals of all tables of this machine, the default one first.

    `usual`: another one than the default, with those that tables have beside it.
    """
    usual = usual or default_journal()
    return tuple(sorted(usual.parent.glob(f"{usual.stem}*{usual.suffix}"), key=_without_ending))


def other_journals(path: Path | None) -> tuple[Path, ...]:
    """The journals of this machine's other tables; none for a file that a user named."""
    usual = default_journal()
    if path is None or path.parent != usual.parent or not path.name.startswith(usual.stem):
        return ()
    return tuple(each for each in table_journals() if each != path)


def _without_ending(path: Path) -> str:
    return path.stem


def _slug(source: str) -> str:
    """A source as part of a file's name."""
    words = re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-") or "camera"
    return words if len(words) <= 40 else f"{words[:40]}-{zlib.crc32(source.encode()):08x}"


def source_name(spec: str) -> str:
    """A source as it may be written down: without the password of a stream."""
    from vision.sources.stream import without_password

    return without_password(spec) if "://" in spec else spec


def read_presses(path: Path | None, game: Game, players: int) -> tuple[Pressed, ...]:
    """The `pressed` events of a file of JSON Lines; none for None. Raises FairdealError."""
    if path is None:
        return ()
    data = read_bytes(path, "a file of presses", most=MOST_PRESSES_BYTES)
    presses = []
    for event in read_events(data.splitlines(), game, players):
        if not isinstance(event, Pressed):
            raise FairdealError("only `pressed` events", event.kind, where=str(path))
        presses.append(event)
    return tuple(presses)
