"""Keeps room on the disk for the running game: evidence goes first, then old games.

A reserve file beside the journal is given up when the disk is full: SQLite needs some room to
delete anything.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from device.machine import MachineSettings, disk_free
from kiosk.journal.file import RESERVE, JournalFile
from rules.errors import FairdealError, plain

EVIDENCE = Path("page") / "evidence"  # of a table, beside its journal; the page writes it
RESERVE_BYTES = 2 << 20
MEGABYTE = 1 << 20
DAY_S = 86_400.0
REST_S = 60.0  # between two searches where nothing may go
AT_ONCE = 20  # of evidence or games, before the free space is looked at again


@dataclass(frozen=True, slots=True)
class Stores:
    """What there is on the disk: the journal (None: none is kept), and the evidence of calls.

    Evidence is a folder for each game with a folder for each call.
    """

    journal: Path | None
    evidence: Path


class RoomKeeper:
    """Makes room. May be asked from any thread; one works at a time.

    `free` (bytes) of a folder's disk; `wall`: time of day (s); `clock` (s) never goes back.
    """

    def __init__(
        self,
        stores: Stores,
        settings: MachineSettings,
        say: Callable[[str], None],
        free: Callable[[Path], int | None] = disk_free,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stores, self._settings, self._say = stores, settings, say
        self._free, self._wall, self._clock = free, wall, clock
        self._lock = threading.Lock()
        self._said: set[str] = set()
        self._rests_until = 0.0

    def keep(self) -> None:
        """Called every few seconds: makes room before the disk is full, and the reserve after."""
        with self._lock:
            if not self._is_short():
                self._put_reserve()
                return
            if self._clock() < self._rests_until:
                return
            while self._is_short():
                if not (self._drop_evidence() or self._drop_games()):
                    self._rests_until = self._clock() + REST_S
                    return

    def make(self) -> bool:
        """A write found the disk full. Whether something was given up."""
        with self._lock:
            return self._give_up_reserve() or self._drop_evidence() or self._drop_games()

    # -- what goes --------------------------------------------------------------------------

    def _is_short(self) -> bool:
        free = self._free(self._folder())
        return free is not None and free < self._settings.keep_free_mb * MEGABYTE

    def _folder(self) -> Path:
        journal = self._stores.journal
        return journal.parent if journal is not None else self._stores.evidence

    def _drop_evidence(self) -> bool:
        """The evidence of the oldest calls."""
        oldest = sorted(_calls_in(self._stores.evidence))[:AT_ONCE]
        for _, folder in oldest:
            shutil.rmtree(folder, ignore_errors=True)
        gone = [folder for _, folder in oldest if not folder.exists()]
        if gone:
            self._say_once("the disk is nearly full: the oldest pictures of calls are deleted")
        return bool(gone)

    def _drop_games(self) -> bool:
        """The oldest games that are over for longer than the setting says."""
        path = self._stores.journal
        if path is None or not path.is_file():
            return False
        before = self._wall() - self._settings.history_days * DAY_S
        dropped = 0
        try:
            journal = JournalFile(path, create=False)
            try:
                old = [row for row in journal.games() if row.is_ended and row.last < before]
                for row in old[:AT_ONCE]:
                    journal.delete(row.number)
                    dropped += 1
            finally:
                journal.close()
        except FairdealError:
            return dropped > 0
        if dropped:
            days = self._settings.history_days
            self._say_once(f"the disk is nearly full: games older than {days} days are deleted")
        return dropped > 0

    # -- the reserve ------------------------------------------------------------------------

    def _reserve(self) -> Path | None:
        journal = self._stores.journal
        return None if journal is None else journal.with_name(journal.name + RESERVE)

    def _put_reserve(self) -> None:
        path = self._reserve()
        if path is None or path.exists() or not path.parent.is_dir():
            return
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
            descriptor = os.open(path, flags, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, RESERVE_BYTES)
            finally:
                os.close(descriptor)
        except OSError:
            path.unlink(missing_ok=True)

    def _give_up_reserve(self) -> bool:
        path = self._reserve()
        if path is None or not path.exists():
            return False
        try:
            path.unlink()
        except OSError:
            return False
        return True

    def _say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self._say(plain(line))


def _calls_in(evidence: Path) -> Iterator[tuple[float, Path]]:
    """The folders of calls with their times."""
    try:
        games = [game for game in evidence.iterdir() if game.is_dir() and not game.is_symlink()]
    except OSError:
        return
    for game in games:
        try:
            for call in game.iterdir():
                if call.is_dir() and not call.is_symlink():
                    yield call.stat().st_mtime, call
        except OSError:
            continue
