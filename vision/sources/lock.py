"""One referee a camera: a lock file, given back by the system even when a program is killed."""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from pathlib import Path

from rules.errors import FairdealError


class CameraLock:
    """Holds a camera for this process; `take` raises FairdealError where another one has it."""

    def __init__(self, device: str, folder: Path | None = None) -> None:
        self._device = device
        slug = re.sub(r"[^A-Za-z0-9]+", "-", os.path.realpath(device)).strip("-")
        base = folder or Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
        self._path = base / f"fairdeal-camera-{slug}.lock"
        self._fd: int | None = None

    def take(self) -> None:
        """Harmless when this very lock is held already."""
        if self._fd is not None:
            return
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
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
