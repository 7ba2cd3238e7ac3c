"""One referee per camera: a lock file that the system releases even if the program is killed."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
import tempfile
from pathlib import Path

from rules.errors import FairdealError


class CameraLock:
    """Holds a camera for this process; `take` raises FairdealError where another one has it."""

    def __init__(self, device: str, folder: Path | None = None) -> None:
        self._device = device
        slug = re.sub(r"[^A-Za-z0-9]+", "-", os.path.realpath(device)).strip("-")
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        base = folder or (Path(runtime) if runtime else _own_folder())
        self._path = base / f"fairdeal-camera-{slug}.lock"
        self._fd: int | None = None

    def take(self) -> None:
        """Harmless when this very lock is held already."""
        if self._fd is not None:
            return
        try:
            fd = _opened(self._path)
        except OSError as error:
            raise FairdealError(
                "a lock file for the camera", f"{self._path}: {error.strerror}", "remove it"
            ) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(fd, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(fd)
            raise FairdealError(
                f"{self._device} for one referee",
                f"two referees for one camera (process {holder} has it)",
                "stop the other one first",
            ) from error
        os.ftruncate(fd, 0)
        os.pwrite(fd, str(os.getpid()).encode(), 0)
        self._fd = fd

    def give_back(self) -> None:
        """The file stays; only its lock goes."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


class NoLock:
    """For an adapter whose camera is locked by the process that started it."""

    def take(self) -> None:
        """Nothing to take."""

    def give_back(self) -> None:
        """Nothing to give back."""


def _own_folder() -> Path:
    """A folder of this user's for locks; nobody else can put a link there."""
    return Path(tempfile.gettempdir()) / f"fairdeal-{os.getuid()}"


def _opened(path: Path) -> int:
    """The file descriptor of the lock file. OSError for a link, or a file of somebody else.

    A link in a folder that all may write would let others choose which file is truncated.
    """
    path.parent.mkdir(mode=0o700, exist_ok=True)
    folder = path.parent.lstat()
    if not stat.S_ISDIR(folder.st_mode) or folder.st_uid not in (os.getuid(), 0):
        raise OSError(errno.EPERM, "its folder belongs to somebody else")
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    fd = os.open(path, flags, 0o600)
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1 or found.st_uid != os.getuid():
        os.close(fd)
        raise OSError(errno.EPERM, "it is a link or belongs to somebody else")
    return fd
