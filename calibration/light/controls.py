"""A camera's exposure, gain, white balance and focus: V4L2 and libcamera, and a fake.

The V4L2 controls of a USB camera stay as they are set until it is unplugged, whoever films.
Source: v4l2-ctl of v4l-utils. Those of a Pi camera hold while it is open (calibration/picontrols).
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import Protocol

from calibration.light.pi_controls import PiControls
from rules.errors import FairdealError
from vision.sources.source import Source

# The switch of each automatic, what it is when on and off, and what it governs.
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
        """Lets the camera find its own settings."""

    def lock(self) -> dict[str, float]:
        """Holds what the camera has found; returns all that is now locked."""

    def apply(self, values: Mapping[str, float]) -> None:
        """Sets what was locked before."""


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
        # The switches first: a value cannot be set while its automatic is on.
        switches = {name for name, *_ in AUTOMATICS}
        self._set({k: v for k, v in values.items() if k in switches})
        self._set({k: v for k, v in values.items() if k not in switches})

    def _set(self, values: Mapping[str, float]) -> None:
        if values:
            pairs = ",".join(f"{name}={value:.0f}" for name, value in values.items())
            self._run(["v4l2-ctl", "-d", self._device, f"--set-ctrl={pairs}"])


class FakeControls:
    """Controls of a camera that is not there."""

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
    """The controls of a camera number or /dev/videoN, or of the open `source` if it is a Pi's.

    None for a source that has none.
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
            "an answer of v4l2-ctl", str(error), "plug the camera in anew"
        ) from None
    if done.returncode:
        found = (done.stderr or done.stdout).strip() or f"exit code {done.returncode}"
        raise FairdealError("the camera's controls", found, "run `fairdeal doctor`")
    return done.stdout
