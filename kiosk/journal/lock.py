"""One process plays a game: a lock per game of a journal, released when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from rules.errors import FairdealError

MODE = 0o600


class GameLock:
    """Holds game `number` of the journal at `path` from `take` to `release`.

    The lock is an flock on a file of its own: SQLite loses its locks when another descriptor of
    the database is closed.
    """

    def __init__(self, path: Path, number: int) -> None:
        self._path = path.with_name(f"{path.name}.game-{number}.lock")
        self._number = number
        self._descriptor: int | None = None

    def take(self) -> None:
        """Raises FairdealError where another process plays the game."""
        if not self._try():
            raise FairdealError(
                f"game {self._number} to be free", "another process that plays it",
                "stop that one first",
            )  # fmt: skip

    def is_free(self) -> bool:
        """Whether nobody plays the game now."""
        if self._descriptor is not None:
            return False
        if not self._path.exists():
            return True
        is_free = self._try()
        self.release()
        return is_free

    def release(self) -> None:
        """Harmless when done twice."""
        if self._descriptor is None:
            return
        self._path.unlink(missing_ok=True)  # before it is unlocked: nobody else holds it
        os.close(self._descriptor)
        self._descriptor = None

    def _try(self) -> bool:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        while True:
            try:
                descriptor = os.open(self._path, flags, MODE)
            except OSError as error:
                raise FairdealError(
                    "a lock file that can be written", f"{self._path}: {error.strerror}",
                    "name another --journal",
                ) from error  # fmt: skip
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
                return False
            if self._is_same_file(descriptor):
                self._descriptor = descriptor
                return True
            os.close(descriptor)  # its last holder has removed the file meanwhile

    def _is_same_file(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False
