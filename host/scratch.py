"""Temporary folders that go when their process ends, even if it is killed."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "fairdeal-run-"
JOIN_S = 5.0
# A shell of some 1 MB waits for the end of a pipe that only this process holds. Children that end
# at the same moment may still write, so it tries for some seconds.
_JANITOR = """
trap '' HUP INT TERM
read -r line
tries=0
until rm -rf -- "$1" || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
"""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder that only this user can read, removed at the end of the block or the process.

    Folders of processes that were killed together with their janitor go at the next start.
    """
    remove_stale(Path(tempfile.gettempdir()))
    folder, lock = _made()
    janitor = subprocess.Popen(
        ["/bin/sh", "-c", _JANITOR, "sh", str(folder)], cwd="/", start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
        assert janitor.stdin is not None
        janitor.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            janitor.wait(JOIN_S)


def remove_stale(parent: Path) -> None:
    """Removes this user's scratch folders that no living process holds."""
    for folder in parent.glob(f"{PREFIX}*"):
        with suppress(OSError):  # in use, somebody else's, or gone
            lock = _locked(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _made() -> tuple[Path, int]:
    """A new folder and the descriptor of its lock, which the system gives back at the end."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        # Before it is locked, another process may take it for a stale one and remove it.
        with suppress(FileNotFoundError, BlockingIOError):
            lock = _locked(folder)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _locked(folder: Path) -> int:
    """The descriptor of a lock on a folder of this user's. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.fstat(descriptor).st_uid != os.getuid():
            raise PermissionError(errno.EPERM, "it belongs to somebody else", str(folder))
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
