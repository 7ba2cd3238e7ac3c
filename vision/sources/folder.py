"""A folder of pictures (or one picture), in natural order, at a given rate."""

from __future__ import annotations

import re
from pathlib import Path

from models.picture_file import read_picture
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.source import Source

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
DEFAULT_RATE = 15.0


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Sorts `2.jpg` before `10.jpg`."""
    parts = re.split(r"(\d+)", name.lower())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """The folder's pictures in natural order; hidden files and other files are left out."""
    found = (p for p in folder.iterdir() if p.suffix.lower() in PICTURES and p.is_file())
    return tuple(sorted((p for p in found if p.name[0] != "."), key=lambda p: natural_key(p.name)))


class FolderSource(Source):
    """Pictures as frames, `rate` of them a second.

    FairdealError for an empty folder, and for a picture that `models.picture_file` refuses.
    """

    def __init__(self, path: Path, rate: float | None = None) -> None:
        self.name = path.name or str(path)
        self._rate = DEFAULT_RATE if rate is None else rate
        if not self._rate > 0:
            raise FairdealError("a rate above 0 pictures a second", str(rate))
        self._paths = pictures_in(path) if path.is_dir() else (path,)
        self._number = 0
        if not self._paths:
            raise FairdealError(
                "a folder of pictures", f"no picture in {path}", "put jpg or png files there"
            )

    def read(self) -> Frame | None:
        if self._number >= len(self._paths):
            return None
        bgr = read_picture(self._paths[self._number])
        frame = Frame(bgr, self._number / self._rate, self._number)
        self._number += 1
        return frame

    def skip_to(self, at: float) -> None:
        self._number = max(self._number, min(int(at * self._rate), len(self._paths)))
