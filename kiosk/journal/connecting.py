"""Opens SQLite files: for writing only what is ours or new, for reading without a trace."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

from kiosk.journal.lock import MODE
from kiosk.journal.looking import has_log, is_there, uri_of
from kiosk.journal.schema import APPLICATION, BUSY_S, unreadable, unwritable
from rules.files import check_writable

JOURNAL = "a journal of fairdeal"


def connect(path: Path, what: str = JOURNAL, application: int = APPLICATION) -> sqlite3.Connection:
    """Opens a database of this application, or makes one, readable by its owner only.

    FairdealError, and nothing changed, for a foreign file, a special one, and a missing folder.
    """
    is_ours = is_there(path, what, application)
    check_writable(path, what)
    try:
        if not is_ours:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE))
        about = path.stat()
        if about.st_uid == os.geteuid() and stat.S_IMODE(about.st_mode) != MODE:
            path.chmod(MODE)
        base = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise unwritable(path, error) from error
    base.text_factory = bytes  # damaged text is no reason for an error of its own
    return base


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Opens a journal so that reading changes nothing and needs no room on the disk.

    Raises FairdealError for a foreign file, and for one that cannot be opened.
    """
    is_there(path, JOURNAL, APPLICATION)
    # With nothing in the log, the file alone is the journal. SQLite keeps an index beside a log;
    # where there is no room for it, the index may be in memory, if nobody else has the file open.
    ways = (
        [("mode=ro", False), ("mode=rw", True)]
        if has_log(path)
        else [("mode=ro&immutable=1", False)]
    )
    failed: sqlite3.Error | None = None
    for words, is_alone in ways:
        base = sqlite3.connect(
            uri_of(path, words), BUSY_S, isolation_level=None, check_same_thread=False, uri=True
        )
        base.text_factory = bytes
        try:
            if is_alone:
                base.execute("PRAGMA locking_mode=EXCLUSIVE")
            base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            base.close()
            failed = failed or error
        else:
            return base
    assert failed is not None
    raise unreadable(path, failed) from failed
