"""A game as JSON Lines: events and calls in the order they came, written beside the journal."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from kiosk.journal.entries import EndEntry, Entry, EventEntry
from kiosk.journal.lock import MODE
from kiosk.journal.reading import JournalReader
from kiosk.journal.schema import unwritable
from rules.errors import FairdealError
from rules.files import check_writable, read_bytes

NOTHING_TO_SYNC = (errno.EINVAL, errno.EROFS, errno.ENOTSUP)  # a pipe or a device
TEXT_JOURNAL = "a text journal"
MOST_TEXT_BYTES = 1 << 30  # a longer file is not read
_CALL = re.compile(rb'\{"at": [0-9.e+-]+, "call": "')  # as `Call.to_json` begins


class TextCopy:
    """Appends to a file; what was there before stays. Each `write` is durable when it returns."""

    def __init__(self, path: Path) -> None:
        self._path, self._waiting = path, b""
        check_writable(path, TEXT_JOURNAL)
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._descriptor = os.open(path, flags, MODE)
        except OSError as error:
            raise unwritable(path, error) from error

    def write(self, entries: Sequence[Entry]) -> None:
        """OSError where it cannot be written: the writer decides what that means."""
        self.write_lines(lines_of(entries))

    def write_lines(self, lines: Iterable[str]) -> None:
        """Appends whole lines and waits until they are on the disk."""
        self._waiting += "".join(f"{line}\n" for line in lines).encode()
        self.go_on()

    def go_on(self) -> None:
        """Writes what an error left over."""
        while self._waiting:
            self._waiting = self._waiting[os.write(self._descriptor, self._waiting) :]
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            if error.errno not in NOTHING_TO_SYNC:
                raise

    def close(self) -> None:
        """Closes the file."""
        with suppress(OSError):
            os.close(self._descriptor)


def lines_of(entries: Iterable[Entry]) -> Iterator[str]:
    """The lines of entries: each event, then its calls. Nothing else is written as text."""
    for entry in entries:
        if isinstance(entry, EventEntry):
            yield entry.event.to_json()
        if isinstance(entry, (EventEntry, EndEntry)):
            for call in entry.calls:
                yield call.to_json()


def lines_in(journal: JournalReader, game: int, *, calls: bool = True) -> Iterator[str]:
    """The lines of a game in a journal, in the order in which they came."""
    said: dict[int, list[str]] = {}
    if calls:
        for call in journal.calls(game):
            said.setdefault(call.event, []).append(call.line)
    yield from said.get(0, ())
    for event in journal.lines(game):
        yield event.line
        yield from said.get(event.number, ())


def is_call(line: bytes) -> bool:
    """Whether a line of a text journal is a call."""
    return _CALL.match(line) is not None


def without_calls(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text journal with each call blank, so that an error names the file's line."""
    for line in lines:
        yield b"\n" if is_call(line) else line


def check_new(path: Path) -> None:
    """Raises FairdealError where the file holds something: it is never written over.

    The same for what is no regular file, and for a missing folder.
    """
    check_writable(path, TEXT_JOURNAL)
    if path.is_file() and path.stat().st_size:
        raise FairdealError(
            "a new file for the journal", f"{path} with {path.stat().st_size} bytes",
            "name another, or go on with its game by --resume",
        )  # fmt: skip


def read_lines(path: Path) -> list[bytes]:
    """The whole lines of a text journal. A last line that was cut off is left out."""
    data = read_bytes(path, TEXT_JOURNAL, most=MOST_TEXT_BYTES)
    return data[: data.rfind(b"\n") + 1].splitlines()


def mend(path: Path, lines: Sequence[str]) -> None:
    """Completes a text journal that was cut off: it lacks the end of `lines` at most.

    Raises FairdealError where it holds something else.
    """
    kept = read_lines(path) if path.exists() else []
    wanted = [line.encode() for line in lines]
    if kept != wanted[: len(kept)]:
        raise FairdealError(
            "the text journal as it was written", f"{path} changed since", "name another file"
        )
    copy = TextCopy(path)
    try:
        # A line that was cut off was never acted upon: it gives way to the whole one.
        os.truncate(path, sum(len(line) + 1 for line in kept))
        copy.write_lines(lines[len(kept) :])
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        copy.close()
