"""Power cuts on a loop-mounted ext4 file system: what was told is in the journal afterwards.

The cut is ext4's shutdown call: all that was not flushed is lost, as with a plug that is pulled.
What a drive's own cache loses is not tried. Needs root, loop devices and mkfs.ext4.
"""

from __future__ import annotations

import fcntl
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from host import children
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from kiosk.journal.opening import file_of, open_new
from kiosk.journal.text import read_lines
from rules.errors import FairdealError
from rules.table.event import Placed

IMAGE_MB = 48
SHUTDOWN, NO_FLUSH = 0x8004587D, 2  # EXT4_IOC_SHUTDOWN, EXT4_GOING_FLAGS_NOLOGFLUSH
LONGEST_S = 1.5  # from the first event to the cut
EVENTS_A_MINUTE = 30  # of a lively game
SECTOR_BYTES = 512


@dataclass(slots=True)
class PowerScore:
    """What came of the cuts. All but `cuts`, `told` and `kept` should be 0."""

    cuts: int = 0
    told: int = 0
    kept: int = 0
    lost: int = 0  # told and not in the journal
    damaged: int = 0  # journals that could not be read, or with another content
    torn_text: int = 0  # text journals with fewer whole lines than were told
    faults: list[str] = field(default_factory=list)


def can_cut() -> bool:
    """Whether this machine allows it."""
    return os.geteuid() == 0 and Path("/dev/loop-control").exists() and _has("mkfs.ext4")


def power_cuts(count: int, seed: int) -> PowerScore:
    """Cuts the power `count` times, every third time on a text journal. Raises FairdealError."""
    if not can_cut():
        raise FairdealError("root with loop devices and mkfs.ext4", "none", "leave out --power")
    rng, score = Random(seed), PowerScore()
    with tempfile.TemporaryDirectory(prefix="fairdeal-power-") as folder:
        for number in range(count):
            name = "game.jsonl" if number % 3 == 2 else "game.sqlite"
            image, mount = Path(folder) / "disk.img", Path(folder) / "disk"
            mount.mkdir(exist_ok=True)
            _make(image)
            with _mounted(image, mount):
                told = _cut(mount, name, rng)
            with _mounted(image, mount):
                _look(mount / name, told, score)
    return score


def writes_a_minute(seconds: float) -> dict[str, float]:
    """What a game of `EVENTS_A_MINUTE` writes to the disk, per minute: writes, kB, flushes."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-writes-") as folder:
        image, mount = Path(folder) / "disk.img", Path(folder) / "disk"
        mount.mkdir()
        _make(image)
        with _mounted(image, mount) as device:
            opened = open_new(mount / "game.sqlite", GameHead("suds", 2), print)
            before, events = _counts(device), round(seconds * EVENTS_A_MINUTE / 60)
            for number in range(events):
                event = Placed(float(number), "hat", f"pile/{number + 1}", 1)
                opened.journal.wait(opened.journal.write(EventEntry(event)), 10.0)
                time.sleep(60 / EVENTS_A_MINUTE)
            after = _counts(device)
            opened.journal.close()
    minutes = seconds / 60
    writes, sectors, flushes = ((b - a) / minutes for a, b in zip(before, after, strict=True))
    return {"writes": writes, "kB": sectors * SECTOR_BYTES / 1000, "flushes": flushes}


def _make(image: Path) -> None:
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(IMAGE_MB << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)


@contextmanager
def _mounted(image: Path, mount: Path) -> Iterator[str]:
    """Mounts the image. Yields the name of its loop device."""
    subprocess.run(["mount", "-o", "loop", str(image), str(mount)], check=True)
    try:
        shown = subprocess.run(
            ["losetup", "-j", str(image), "-n", "-O", "NAME"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        yield Path(shown.split()[0]).name
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def _counts(device: str) -> tuple[int, int, int]:
    """Writes, sectors written and flushes of a block device so far."""
    words = Path(f"/sys/block/{device}/stat").read_text().split()
    return int(words[4]), int(words[6]), int(words[15])


def _cut(mount: Path, name: str, rng: Random) -> int:
    """A process writes until the power goes. How many events it had told."""
    words = [sys.executable, "-m", "lab.chaos.power", str(mount / name), str(rng.random())]
    root = Path(__file__).parents[2]
    with children.start(words, stdout=subprocess.PIPE, cwd=root) as child:
        assert child.stdout is not None
        pipe = child.stdout.fileno()
        said = os.read(pipe, 1)  # the first event is told
        folder = os.open(mount, os.O_RDONLY)
        os.set_blocking(pipe, False)
        time.sleep(rng.random() * LONGEST_S)
        # What is said after the cut is said without power: only what came before counts.
        while more := _available(pipe):
            said += more
        fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", NO_FLUSH))
        child.send_signal(signal.SIGKILL)
        os.close(folder)
    return said.count(b"\n")


def _available(pipe: int) -> bytes:
    try:
        return os.read(pipe, 65_536)
    except BlockingIOError:
        return b""


def _look(path: Path, told: int, score: PowerScore) -> None:
    score.cuts += 1
    score.told += told
    try:
        journal = JournalFile(file_of(path), create=False)
        kept = [event.at for event in journal.events(1)]
        journal.close()
    except FairdealError:
        score.damaged += 1
        return
    score.kept += len(kept)
    if told > len(kept):
        score.faults.append(f"{path.name}: told {told}, kept {len(kept)}")
    score.lost += max(0, told - len(kept))
    score.damaged += kept != [float(k) for k in range(len(kept))]
    if path.suffix == ".jsonl":
        score.torn_text += len(read_lines(path)) < told


def _has(command: str) -> bool:
    return any((Path(folder) / command).exists() for folder in ("/usr/sbin", "/sbin", "/usr/bin"))


def _write_for_ever(path: Path, seed: str) -> None:
    """The child: tells each event once the journal has it."""
    opened = open_new(path, GameHead("suds", 2), print)
    rng, number, told = Random(seed), 0, 0
    while True:
        ticket = 0
        for _ in range(rng.randint(1, 4)):
            event = Placed(float(number), "hat", f"pile/{number + 1}", 1)
            ticket = opened.journal.write(EventEntry(event))
            number += 1
        if opened.journal.wait(ticket, 10.0) and not opened.journal.fault:
            print("told\n" * (number - told), end="", flush=True)
            told = number
        time.sleep(rng.random() * 0.02)


if __name__ == "__main__":
    _write_for_ever(Path(sys.argv[1]), sys.argv[2])
