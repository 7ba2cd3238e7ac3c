"""Picture files for calibration: listing, reading, writing."""

from pathlib import Path

import cv2
import numpy as np

from models.picture_file import read_picture
from rules.errors import FairdealError
from rules.files import special_kind, write_file

ENDINGS = (".jpg", ".jpeg", ".png")


def listed(folder: Path) -> tuple[Path, ...]:
    """The folder's pictures by name. FairdealError if there are none."""
    if folder.is_file() and folder.suffix.lower() in ENDINGS:
        return (folder,)
    if not folder.is_dir():
        found = special_kind(folder) or ("a file" if folder.exists() else "nothing")
        raise FairdealError("a folder of pictures", f"{found} at {folder}", "name another folder")
    files = tuple(sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS))
    if not files:
        kinds = ", ".join(e[1:] for e in ENDINGS)
        raise FairdealError(f"pictures ({kinds})", "none", "put some in", str(folder))
    return files


def read(path: Path) -> np.ndarray:
    """Reads (H, W, 3) uint8 BGR with bounded memory. FairdealError if it is no such picture."""
    return read_picture(path)


def write(path: Path, picture: np.ndarray) -> None:
    """Writes a picture in one step. FairdealError if it cannot be written, or lacks its folder."""
    try:
        ok, data = cv2.imencode(path.suffix or ".png", picture)
    except cv2.error:
        kinds = ", ".join(e[1:] for e in ENDINGS)
        raise FairdealError(f"a name that ends in one of {kinds}", path.name) from None
    if not ok:
        raise FairdealError("a picture that can be written", "none", "name another", str(path))
    write_file(path, data.tobytes(), "a file for a picture")


def has_screen() -> bool:
    """True if a window can be opened here."""
    import os
    import sys

    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True
