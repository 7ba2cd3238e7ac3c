"""A disk that is filled in mid-game, on a small file system in memory. Needs root."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.machine import MachineSettings
from kiosk.game.room import RoomKeeper, Stores
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.opening import open_new, read_journal
from rules.table.event import Placed

DISK_MB = 12
EVENTS = 600
CALL_BYTES = 60_000  # of one call's pictures


@dataclass(frozen=True, slots=True)
class DiskScore:
    """`longest_s`: that writing an event took the loop; `late`: events told before kept."""

    what: str
    events: int
    kept: int
    longest_s: float
    late: int
    pictures_left: int
    lines: tuple[str, ...]


def can_fill() -> bool:
    """Whether a small file system can be mounted."""
    return os.geteuid() == 0


def full_disks() -> list[DiskScore]:
    """The disk is full of evidence; of foreign files that go after a while; of foreign files."""
    return [
        _trial("full of pictures of calls", evidence=True, is_freed=False),
        _trial("full of other files, freed after 1 s", evidence=False, is_freed=True),
        _trial("full of other files for good", evidence=False, is_freed=False),
    ]


def _trial(what: str, *, evidence: bool, is_freed: bool) -> DiskScore:
    said: list[str] = []
    with tempfile.TemporaryDirectory(prefix="fairdeal-full-") as folder:
        size = f"size={DISK_MB}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], check=True)
        try:
            return _play(what, Path(folder), said, evidence, is_freed)
        finally:
            subprocess.run(["umount", folder], check=True)


def _play(what: str, home: Path, said: list[str], evidence: bool, is_freed: bool) -> DiskScore:
    path, pictures = home / "journal.sqlite", home / "page" / "evidence"
    settings = MachineSettings(keep_free_mb=0)  # the disk may fill up: that is the trial
    room = RoomKeeper(Stores(path, pictures), settings, said.append)
    opened = open_new(path, GameHead("suds", 2), said.append, room.make)
    room.keep()
    timer = threading.Timer(1.0, lambda: (home / "other").unlink(missing_ok=True))
    longest, late = 0.0, 0
    for number in range(EVENTS):
        if number == EVENTS // 3:
            _fill(home, pictures if evidence else None)
            if is_freed:
                timer.start()
        began = time.monotonic()
        event = Placed(float(number), "hat", f"pile/{number + 1}", 1)
        ticket = opened.journal.write(EventEntry(event))
        late += not opened.journal.wait(ticket, 2.0)
        longest = max(longest, time.monotonic() - began)
        if is_freed:
            time.sleep(0.005)
    timer.join() if is_freed else timer.cancel()
    opened.journal.close()
    with suppress(FileNotFoundError):
        (home / "other").unlink()
    left = sum(1 for _ in pictures.glob("*/*"))
    kept = len(read_journal(path, 1))
    return DiskScore(what, EVENTS, kept, longest, late, left, tuple(said))


def _fill(home: Path, pictures: Path | None) -> None:
    """Writes until nothing fits any more."""
    with suppress(OSError):
        for call in range(100_000):
            if pictures is not None:
                folder = pictures / "1" / f"{call:06d}"
                folder.mkdir(parents=True)
                (folder / "0.jpg").write_bytes(os.urandom(CALL_BYTES))
            else:
                with (home / "other").open("ab") as file:
                    file.write(bytes(4096))
