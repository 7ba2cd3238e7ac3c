"""Looks at a database's file before it is opened: nothing of a foreign file changes.

SQLite's file format, sections 1.3 and 4: https://sqlite.org/fileformat2.html
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from kiosk.journal.migration import is_version_1
from rules.errors import FairdealError
from rules.files import opened, special_kind

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
ANOTHER = "name another with --journal"
_WAL_MAGIC = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_PAGE_SIZES = range(512, 65_537)


def is_there(path: Path, what: str, application: int) -> bool:
    """Whether the file holds a database of this application; False for nothing, or an empty file.

    FairdealError for anything else. `what` names the database in it.
    """
    try:
        if not special_kind(path) and not path.exists():
            return False
    except OSError as error:
        raise FairdealError(what, error.strerror or str(error), ANOTHER, str(path)) from error
    with opened(path, what, ANOTHER) as file:
        header = file.read(HEADER_BYTES)
    if not header:
        return False
    if len(header) < HEADER_BYTES or not header.startswith(MAGIC):
        raise FairdealError(what, f"another kind of file at {path}", ANOTHER)
    if _application(header) == application or _is_in_log(path, application):
        return True
    if _application(header) == 0 and _is_bare(header) and not has_log(path):
        return False
    if _is_of_version_1(path):
        return True
    raise FairdealError(what, f"another SQLite file at {path}", ANOTHER)


def has_log(path: Path) -> bool:
    """Whether SQLite has pages of the database in its write-ahead log."""
    try:
        return _log_of(path).stat().st_size > 0
    except OSError:
        return False


def uri_of(path: Path, words: str) -> str:
    """The file as SQLite opens it with these parameters."""
    return f"file:{quote(str(path.absolute()))}?{words}"


def _application(header: bytes) -> int:
    return int.from_bytes(header[68:72], "big")


def _is_bare(header: bytes) -> bool:
    """Whether no table was ever made: the schema's cookie is 0."""
    return header[40:44] == bytes(4)


def _log_of(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(whole.name + "-wal")


def _is_in_log(path: Path, application: int) -> bool:
    """Whether the log's newest first page says so: the database may have been cut off young."""
    found = 0
    with suppress(OSError, FairdealError), opened(_log_of(path), "a write-ahead log") as log:
        header = log.read(_WAL_HEADER)
        size = int.from_bytes(header[8:12], "big")
        if int.from_bytes(header[:4], "big") not in _WAL_MAGIC or size not in _PAGE_SIZES:
            return False
        while len(frame := log.read(_FRAME_HEADER + HEADER_BYTES)) > _FRAME_HEADER:
            if int.from_bytes(frame[:4], "big") == 1:
                found = _application(frame[_FRAME_HEADER:])
            log.seek(size - HEADER_BYTES, 1)
    return found == application


def _is_of_version_1(path: Path) -> bool:
    """Immutable: SQLite neither locks the file nor makes another beside it."""
    uri = uri_of(path, "mode=ro&immutable=1")
    try:
        with closing(sqlite3.connect(uri, uri=True)) as base:
            base.text_factory = bytes
            return is_version_1(base)
    except (sqlite3.Error, ValueError):
        return False
