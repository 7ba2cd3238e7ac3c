"""The folder of this user's locks and sockets; nobody else can put a link there."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path


def private_folder() -> Path:
    """`$XDG_RUNTIME_DIR`, else one of this user's among the temporary files; it may not exist."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime or Path(tempfile.gettempdir()) / f"fairdeal-{os.getuid()}")


def make_private(folder: Path) -> None:
    """Makes the folder where it is missing. OSError for a link, or a folder of somebody else."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (os.getuid(), 0):
        raise OSError(errno.EPERM, "its folder belongs to somebody else")
