"""Writes a running game's journal on a thread of its own: the loop never waits for the disk."""

from __future__ import annotations

import errno
import sqlite3
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kiosk.journal.entries import Entry
from kiosk.journal.file import JournalFile
from kiosk.journal.lock import GameLock
from kiosk.journal.text import TextCopy

ALL_KEPT = sys.maxsize  # what `kept` says of a journal that keeps nothing (more)


@dataclass(frozen=True, slots=True)
class WriterLimits:
    """Bounds of the journal's thread."""

    queue: int = 10_000  # entries that wait; with more the journal ends there
    batch: int = 500  # entries of one transaction
    patience_s: float = 0.25  # one attempt while another process writes
    give_up_s: float = 60.0  # attempts for so long, then the journal ends there
    full_s: float = 0.5  # between two attempts on a full disk, for which there is no end
    join_s: float = 5.0  # wait at the end for what is not written yet


LIMITS = WriterLimits()


MakeRoom = Callable[[], bool]
"""Gives something up on a full disk; whether there was anything."""


def no_room() -> bool:
    """Nothing may be given up."""
    return False


class Journal(Protocol):
    """Where a session writes. No method but `wait` and `close` waits for the disk."""

    def write(self, entry: Entry) -> int:
        """Takes an entry; its ticket."""
        ...

    @property
    def kept(self) -> int:
        """The highest ticket whose entry is durable, or is not going to be."""
        ...

    @property
    def fault(self) -> str:
        """Why nothing is written now, or nothing. Nobody waits for a journal with a fault."""
        ...

    def wait(self, ticket: int, timeout_s: float | None) -> bool:
        """Whether the ticket is kept, waited for at most so long."""
        ...

    def close(self) -> None:
        """Harmless when done twice."""
        ...


class NoJournal:
    """Keeps nothing."""

    fault = ""

    def write(self, entry: Entry) -> int:
        """Nothing to keep."""
        return 0

    @property
    def kept(self) -> int:
        """Nobody needs to wait."""
        return ALL_KEPT

    def wait(self, ticket: int, timeout_s: float | None) -> bool:
        """Nobody needs to wait."""
        return True

    def close(self) -> None:
        """Nothing to give back."""


class JournalWriter:
    """One game's journal. It owns the file, the game's lock and the text copy, and closes them.

    Where it cannot write, it says so once and ends there: what was written stays whole, because a
    gap would replay as another game. On a full disk it has `make_room` give something up, and
    tries until there is room; entries wait meanwhile.
    """

    def __init__(
        self,
        file: JournalFile,
        game: int,
        lock: GameLock,
        say: Callable[[str], None],
        text: TextCopy | None = None,
        clock: Callable[[], float] = time.monotonic,
        make_room: MakeRoom = no_room,
    ) -> None:
        self.number, self.fault = game, ""
        self._file, self._lock, self._text = file, lock, text
        self._say, self._clock, self._make_room = say, clock, make_room
        self._queue: deque[Entry] = deque()
        self._change = threading.Condition()
        self._taken, self._kept = 0, 0
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def write(self, entry: Entry) -> int:
        """Takes an entry; its ticket. A full queue ends the journal."""
        with self._change:
            self._taken += 1
            if self._kept < ALL_KEPT:
                if len(self._queue) >= LIMITS.queue:
                    self._give_up(f"{LIMITS.queue} entries wait for the disk")
                else:
                    self._queue.append(entry)
                self._change.notify_all()
            return self._taken

    @property
    def kept(self) -> int:
        """The highest ticket whose entry is durable, or is not going to be."""
        return self._kept

    def wait(self, ticket: int, timeout_s: float | None) -> bool:
        """Whether the ticket is kept, waited for at most so long."""
        with self._change:
            self._change.wait_for(lambda: self._kept >= ticket or bool(self.fault), timeout_s)
            return self._kept >= ticket

    def close(self) -> None:
        """Writes what waits, within `join_s`, and gives everything back."""
        with self._change:
            if self._is_closed:
                return
            self._is_closed = True
            self._change.notify_all()
        self._thread.join(LIMITS.join_s)
        if self._thread.is_alive():
            self._say(f"journal: {len(self._queue)} entries were not written; left behind")
            return
        if self._text is not None:
            self._text.close()
            if self._file.has_only_ended():  # the text says all of it
                self._file.remove()
        self._file.close()
        self._lock.release()

    # -- the thread -------------------------------------------------------------------------

    def _run(self) -> None:
        self._file.set_patience(LIMITS.patience_s)
        while batch := self._next():
            reason = self._keep(batch)
            with self._change:
                if reason:
                    self._give_up(reason)
                elif self._kept < ALL_KEPT:
                    self._kept += len(batch)
                self._change.notify_all()

    def _next(self) -> list[Entry]:
        """The next entries, waited for; none when it is closed and all is written."""
        with self._change:
            self._change.wait_for(lambda: bool(self._queue) or self._is_closed)
            count = min(len(self._queue), LIMITS.batch)
            return [self._queue.popleft() for _ in range(count)]

    def _keep(self, batch: list[Entry]) -> str:
        """Writes a batch; why it cannot be written, or nothing."""
        began = self._clock()
        while True:
            try:
                self._file.append(self.number, batch)
                break
            except sqlite3.OperationalError as error:
                code = (error.sqlite_errorcode or 0) & 0xFF
                if code == sqlite3.SQLITE_FULL and self._wait_for_room(str(error)):
                    continue
                is_busy = code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                if not is_busy or self._clock() - began > LIMITS.give_up_s:
                    return f"{self._file.path}: {error}"
            except sqlite3.Error as error:
                return f"{self._file.path}: {error}"
        return self._copy(batch)

    def _copy(self, batch: list[Entry]) -> str:
        """Writes a batch's text."""
        if self._text is None:
            return self._recover()
        try:
            self._text.write(batch)
        except OSError as error:
            reason = error
        else:
            return self._recover()
        while reason.errno == errno.ENOSPC and self._wait_for_room(reason.strerror or "full"):
            try:
                self._text.go_on()
            except OSError as error:
                reason = error
            else:
                return self._recover()
        return f"{reason.strerror}"

    def _wait_for_room(self, why: str) -> bool:
        """The disk is full: whether to try again. What waits is told before it is kept."""
        if self._make_room():
            return True
        with self._change:
            if not self.fault:
                self.fault = f"{self._file.path}: {why}"
                self._say(f"journal: {self.fault}; the game goes on and is kept once there is room")
            self._change.notify_all()
            return not self._change.wait_for(lambda: self._is_closed, LIMITS.full_s)

    def _recover(self) -> str:
        if self.fault:
            self.fault = ""
            self._say("journal: there is room again; the game is kept")
        return ""

    def _give_up(self, reason: str) -> None:
        """Called with the lock held."""
        if self._kept < ALL_KEPT:
            self._kept, self.fault = ALL_KEPT, reason
            self._queue.clear()
            self._say(f"journal: {reason}; the game goes on, and is not kept from here on")
