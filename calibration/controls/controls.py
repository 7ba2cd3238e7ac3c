"""A camera's exposure, gain, white balance and focus: by V4L2 or libcamera, and a fake.

V4L2 controls of a USB camera hold until it is unplugged, whichever program films (source: v4l2-ctl
of v4l-utils). Controls of a Pi camera hold while it is open (`pi_controls.py`).
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import Protocol

from calibration.controls.pi_controls import PiControls
from rules.errors import FairdealError
from vision.sources.source import Source

# Each automatic control: its switch, the values for on and off, and the controls that it drives.
AUTOMATICS = (
    ("auto_exposure", 3, 1, ("exposure_time_absolute", "gain")),
    ("exposure_auto", 3, 1, ("exposure_absolute", "gain")),
    ("white_balance_automatic", 1, 0, ("white_balance_temperature",)),
    ("white_balance_temperature_auto", 1, 0, ("white_balance_temperature",)),
    ("focus_automatic_continuous", 1, 0, ("focus_absolute",)),
    ("focus_auto", 1, 0, ("focus_absolute",)),
)


class Controls(Protocol):
    """What `calibrate light` needs of a camera."""

    def automatic(self) -> None:
        """Switches the automatic controls on."""

    def lock(self) -> dict[str, float]:
        """Locks the present values; returns all locked controls."""

    def apply(self, values: Mapping[str, float]) -> None:
        """Sets values that were locked before."""


class V4l2Controls:
    """The controls of /dev/videoN by v4l2-ctl."""

    def __init__(self, device: str, run: Callable[[list[str]], str] | None = None) -> None:
        self._device, self._run = device, run or _run

    def read(self) -> dict[str, float]:
        """All controls and their values."""
        text = self._run(["v4l2-ctl", "-d", self._device, "--list-ctrls"])
        pairs = re.findall(r"^\s*(\w+) 0x[0-9a-f]+ \(\w+\)\s*:.*?value=(-?\d+)", text, re.M)
        return {name: float(value) for name, value in pairs}

    def automatic(self) -> None:
        here = self.read()
        self._set({name: on for name, on, _, _ in AUTOMATICS if name in here})

    def lock(self) -> dict[str, float]:
        found = self.read()
        switches = {name: float(off) for name, _, off, _ in AUTOMATICS if name in found}
        self._set(switches)
        values = {
            name: found[name]
            for switch, _, _, governed in AUTOMATICS if switch in found
            for name in governed if name in found
        }  # fmt: skip
        self._set(values)
        return {**switches, **values}

    def apply(self, values: Mapping[str, float]) -> None:
        # Switches first: a value cannot be set while its automatic control is on.
        switches = {name for name, *_ in AUTOMATICS}
        self._set({k: v for k, v in values.items() if k in switches})
        self._set({k: v for k, v in values.items() if k not in switches})

    def _set(self, values: Mapping[str, float]) -> None:
        if values:
            pairs = ",".join(f"{name}={value:.0f}" for name, value in values.items())
            self._run(["v4l2-ctl", "-d", self._device, f"--set-ctrl={pairs}"])


class FakeControls:
    """Controls of a simulated camera."""

    def __init__(self, found: Mapping[str, float]) -> None:
        self.values, self.is_automatic = dict(found), True

    def automatic(self) -> None:
        self.is_automatic = True

    def lock(self) -> dict[str, float]:
        self.is_automatic = False
        return dict(self.values)

    def apply(self, values: Mapping[str, float]) -> None:
        self.is_automatic = False
        self.values.update(values)


def open_controls(spec: str, source: Source | None = None) -> Controls | None:
    """The controls of a camera number, of /dev/videoN, or of the open `source` of a Pi camera.

    None for a source without controls. FairdealError if v4l2-ctl is missing.
    """
    if source is not None and source.steered is not None:
        return PiControls(source.steered)
    device = f"/dev/video{spec}" if spec.isdecimal() else spec
    if not device.startswith("/dev/"):
        return None
    if shutil.which("v4l2-ctl") is None:
        raise FairdealError(
            "v4l2-ctl to lock the camera's light", "none", "sudo apt install v4l-utils"
        )
    return V4l2Controls(device)


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FairdealError(
            "an answer of v4l2-ctl", str(error), "unplug the camera and plug it in again"
        ) from None
    if done.returncode:
        found = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise FairdealError("the camera's controls", found, "run `fairdeal doctor`")
    return done.stdout
