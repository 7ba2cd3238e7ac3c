"""Pictures of the set-up on the disk: proofs, teaching pictures, the toss of the trial."""

from __future__ import annotations

import os
import re
from pathlib import Path

from kiosk.web.pictures import jpeg
from rules.errors import FairdealError
from vision.frame import Image

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")  # of a picture, a deck, a face
KEPT_QUALITY = 95  # teaching reads these again
KEPT_WIDTH_PX = 1920


def kept_jpeg(folder: Path, name: str, bgr: Image, width: int = KEPT_WIDTH_PX) -> Path:
    """Writes a picture (H, W, 3) BGR as `folder/name.jpg`, at most `width` px across. Raises
    FairdealError."""
    return kept_bytes(folder / f"{name}.jpg", jpeg(bgr, width, KEPT_QUALITY))


def kept_bytes(path: Path, data: bytes) -> Path:
    """Writes a file, whole or not at all. Raises FairdealError."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.write_bytes(data)
        os.replace(part, path)
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError("a disk that takes the picture", found, "free some space") from None
    return path


def teaching_folder(folder: Path, name: str) -> Path:
    """Where the pictures of a deck lie until it is made. `folder`: the page's."""
    return folder / "teaching" / name


def is_name(text: str) -> bool:
    """Whether this may be the name of a picture, a deck or a face: no path can be built of it."""
    return NAME.fullmatch(text) is not None


def number_of(path: Path) -> int:
    """A number that changes with the file; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns // 1_000_000
    except OSError:
        return 0
