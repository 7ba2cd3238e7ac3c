"""What tests need besides Python, and what is not tested without it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AXE = ROOT / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
TSC = ROOT / ".npm" / "node_modules" / "typescript" / "bin" / "tsc"
BRINGS_TOOLS = "make test-tools"


@dataclass(frozen=True)
class Need:
    """`what` is needed to test `tests`; `brought_by`: a command that brings it, or advice."""

    what: str
    tests: str
    is_there: Callable[[], bool]
    brought_by: str = BRINGS_TOOLS

    @property
    def reason(self) -> str:
        """Why a test is skipped, as its summary tells it."""
        return f"no {self.what}: {self.tests} not tested"


def programs(*names: str) -> Callable[[], bool]:
    """Whether all of them are installed."""
    return lambda: all(shutil.which(name) for name in names)


# What asks the program itself imports it only when it is asked: this file is for every test.
def is_broker_there() -> bool:
    """Whether Mosquitto is installed, and openssl for its certificates."""
    from kiosk.club.broker import require_mosquitto
    from rules.errors import FairdealError

    try:
        require_mosquitto()
    except FairdealError:
        return False
    return shutil.which("openssl") is not None


def can_build_firmware() -> bool:
    """Whether the firmware can be built and simulated."""
    from device.serial.simulated_uno import missing

    return not missing()


def can_cut_power() -> bool:
    """Whether a file system can be cut off."""
    from lab.chaos.power import can_cut

    return can_cut()


def can_fill_disk() -> bool:
    """Whether a small file system can be mounted."""
    from lab.chaos.disk import can_fill

    return can_fill()


BROWSER = Need("chromium and chromedriver", "the pages are", programs("chromium", "chromedriver"))
AXE_CORE = Need("axe-core", "accessibility is", AXE.is_file)
BROKER = Need("Mosquitto with openssl", "the club is", is_broker_there)
ESPEAK = Need("espeak-ng", "spoken calls are", programs("espeak-ng"))
POPPLER = Need("pdftoppm", "printed decks are", programs("pdftoppm"))
FIRMWARE = Need("gcc-avr with simavr", "the firmware is", can_build_firmware)
SYSTEMD = Need(
    "systemd", "its units are",
    lambda: programs("systemctl", "systemd-analyze")() and Path("/usr/lib/systemd/system").is_dir(),
)  # fmt: skip
LOOP_DEVICES = Need(
    "root with loop devices and mkfs.ext4", "power cuts are", can_cut_power, "run as root on Linux"
)
MOUNTING = Need(
    "root, to mount a file system", "full disks are", can_fill_disk, "run as root on Linux"
)
FULL_DEVICE = Need(
    "/dev/full", "writing to a full disk is", Path("/dev/full").exists, "run on Linux"
)
PROC = Need("/proc", "what a process holds is", Path("/proc/self/fd").exists, "run on Linux")
ALL = (
    BROWSER, AXE_CORE, BROKER, ESPEAK, POPPLER, FIRMWARE, SYSTEMD, LOOP_DEVICES, MOUNTING,
    FULL_DEVICE, PROC,
)  # fmt: skip


def need(wanted: Need) -> None:
    """Skips the test that calls it where that is not there."""
    if not wanted.is_there():
        pytest.skip(wanted.reason)


def needs(wanted: Need) -> pytest.MarkDecorator:
    """Marks a test, or a file, to be skipped where that is not there."""
    return pytest.mark.skipif(not wanted.is_there(), reason=wanted.reason)
