"""Keeps the recordings of a folder within a bound: the oldest film goes first."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from device.machine import disk_free
from kiosk.field.about import ABOUT, FILM
from kiosk.field.film import FILM as PICTURES
from kiosk.field.film import INDEX

MEGABYTE = 1 << 20
SPARE_MB = 100  # above what the game itself keeps free: recordings go before evidence


class Space:
    """The recordings in `folder`. `most_mb`: what they may take; `keep_free_mb`: of the disk.

    `free` gives the free bytes of a folder's disk.
    """

    def __init__(
        self,
        folder: Path,
        most_mb: int,
        keep_free_mb: int,
        free: Callable[[Path], int | None] = disk_free,
    ) -> None:
        self._folder, self._free = folder, free
        self._most = most_mb * MEGABYTE
        self._keep_free = (keep_free_mb + SPARE_MB) * MEGABYTE

    def make(self, current: Path) -> bool:
        """Drops the oldest film until the rest fits; False where that is not enough.

        `current`: the segment that is written now, which stays.
        """
        films = _films(self._folder)
        total = sum(size for _, size in films)
        kept = [film for film in films if film[0] != current]
        while total > self._most or self._is_full():
            if not kept:
                return total <= self._most and not self._is_full()
            film, size = kept.pop(0)
            drop(film)
            total -= size
        return True

    def _is_full(self) -> bool:
        free = self._free(self._folder)
        return free is not None and free < self._keep_free


def recordings_in(folder: Path) -> list[Path]:
    """The recordings of a folder, oldest first."""
    try:
        found = [path for path in folder.iterdir() if not path.is_symlink()]
    except OSError:
        return []
    return sorted(path for path in found if (path / ABOUT).is_file())


def drop(film: Path) -> None:
    """Removes a segment, and its recording with its last one."""
    recording = film.parent.parent
    for path in (film, film.with_suffix(INDEX)):
        with suppress(OSError):
            path.unlink(missing_ok=True)
    if not any(film.parent.glob(f"*{PICTURES}")):
        shutil.rmtree(recording, ignore_errors=True)


def _films(folder: Path) -> list[tuple[Path, int]]:
    """The segments of all recordings with their bytes, oldest first."""
    found = []
    for recording in recordings_in(folder):
        for path in sorted((recording / FILM).glob(f"*{PICTURES}")):
            with suppress(OSError):
                found.append((path, path.stat().st_size))
    return found
