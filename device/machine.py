"""The state of the machine: temperature, supply voltage, free disk, synchronised clock.

Reads the kernel's files; `vcgencmd` only where a Raspberry Pi's kernel lacks the file.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.settings import check_fields, read_fields, setting

Run = Callable[[list[str]], str | None]

UNDER_VOLTAGE, THROTTLED, UNDER_VOLTAGE_BEFORE = 0x1, 0xE, 0x10000  # bits of get_throttled
THROTTLED_FILES = "sys/devices/platform/soc*/soc*firmware/get_throttled"
RUN_S = 2.0  # a command that takes longer gives nothing
TIME_ERROR = 5  # adjtimex: the clock is not synchronised


@dataclass(frozen=True, slots=True)
class MachineSettings:
    """What the program may do with the machine. Raises FairdealError for a value out of bounds."""

    keep_free_mb: int = setting(
        200, "free space below which evidence goes, then old games",
        unit="MB", low=0, high=1_000_000,
    )  # fmt: skip
    history_days: int = setting(
        365, "games that ended longer ago may go when the disk is full", unit="days", low=0,
        high=36_500,
    )  # fmt: skip
    reboot_after_s: int = setting(
        0, "the machine is restarted when the camera's driver hangs for so long; 0: never",
        unit="s", low=0, high=86_400,
    )  # fmt: skip
    incomplete_decks: bool = setting(
        False, "games begin with decks that lack faces; cards of these faces are unknown"
    )
    learn: bool = setting(
        False, "after a game the deck keeps a few pictures of cards that were seen clearly in it"
    )

    def __post_init__(self) -> None:
        check_fields(self, "machine")

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> MachineSettings:
        """Settings from text form. FairdealError for unknown keys and values out of bounds."""
        return read_fields(cls, values, "machine")


@dataclass(frozen=True, slots=True)
class Machine:
    """None: this machine does not tell. `celsius`: of the processor.

    `under_voltage`: now; `under_voltage_before`: since the machine was started. `throttled`: the
    processor is slowed down now. `disk_free`: bytes. `clock_synchronised`: by NTP or the like.
    """

    celsius: float | None = None
    under_voltage: bool | None = None
    under_voltage_before: bool | None = None
    throttled: bool | None = None
    disk_free: int | None = None
    clock_synchronised: bool | None = None


def read_machine(folder: Path, root: Path = Path("/"), run: Run | None = None) -> Machine:
    """The state now. `folder`: on the disk whose free space counts; `root`: that of /sys.

    Never raises: what cannot be read is None.
    """
    bits = _throttled(root, run or run_command)
    return Machine(
        celsius(root),
        _has(bits, UNDER_VOLTAGE) if bits is not None else _alarm(root),
        _has(bits, UNDER_VOLTAGE_BEFORE),
        _has(bits, THROTTLED),
        disk_free(folder),
        is_clock_synchronised(),
    )


def celsius(root: Path = Path("/")) -> float | None:
    """The processor's temperature. Without a zone named cpu: the hottest zone."""
    zones = {}
    for zone in sorted(root.glob("sys/class/thermal/thermal_zone*")):
        value = _text(zone / "temp")
        if value is not None and re.fullmatch(r"-?\d+", value):
            zones[_text(zone / "type") or zone.name] = int(value) / 1000
    processor = [value for kind, value in zones.items() if "cpu" in kind]
    return max(processor or zones.values(), default=None)


def disk_free(folder: Path) -> int | None:
    """Bytes that may still be written on the folder's disk; the folder need not exist yet."""
    there = next((p for p in (folder, *folder.parents) if p.exists()), Path("/"))
    try:
        return shutil.disk_usage(there).free
    except OSError:
        return None


def is_clock_synchronised() -> bool | None:
    """Whether the time of day comes from a time server; None where the kernel does not tell."""
    try:
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
    except (OSError, AttributeError):
        return None
    state = adjtimex(ctypes.create_string_buffer(512))  # zeros ask and change nothing
    return None if state < 0 else state != TIME_ERROR


def run_command(command: list[str]) -> str | None:
    """The output of a command; None if it is missing, fails or takes too long."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_S, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None


def _throttled(root: Path, run: Run) -> int | None:
    """The bits of the Raspberry Pi's firmware."""
    for path in root.glob(THROTTLED_FILES):
        value = _text(path)
        if value is not None and re.fullmatch(r"(0x)?[0-9a-fA-F]+", value):
            return int(value, 16)
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", run(["vcgencmd", "get_throttled"]) or "")
    return int(found[1], 16) if found else None


def _alarm(root: Path) -> bool | None:
    """The kernel's own alarm: under-voltage within the last seconds."""
    for monitor in root.glob("sys/class/hwmon/hwmon*"):
        if _text(monitor / "name") == "rpi_volt":
            value = _text(monitor / "in0_lcrit_alarm")
            return None if value is None else value != "0"
    return None


def _has(bits: int | None, wanted: int) -> bool | None:
    return None if bits is None else bool(bits & wanted)


def _text(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(64).decode("ascii", "replace").strip()
    except OSError:
        return None


def is_writable(folder: Path) -> bool:
    """Whether files may be made in the folder, or in the nearest one above it that exists."""
    there = next((p for p in (folder, *folder.parents) if p.exists()), Path("/"))
    return os.access(there, os.W_OK)
