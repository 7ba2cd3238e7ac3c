"""Exposure, gain, white balance and focus of a Raspberry Pi camera, by libcamera's names.

Only the program that films can set them. They hold until it closes the camera, and take effect
some pictures later; each picture's metadata tells what it was taken with.
Source: The Picamera2 Library, "Camera controls and properties"; libcamera, control_ids_core.yaml.
"""

from collections.abc import Mapping
from typing import Any

from rules.errors import FairdealError
from vision.sources.source import Steered

AF_MANUAL, AF_CONTINUOUS = 0, 2  # libcamera's AfModeEnum
SEARCHING = 1  # AeState and AfState while an automatic is under way
RED, BLUE = "ColourGains.red", "ColourGains.blue"
# Stored controls with their libcamera types; switches with their locked values.
TYPES: dict[str, type] = {
    "AeEnable": bool, "ExposureTime": int, "AnalogueGain": float,
    "AwbEnable": bool, RED: float, BLUE: float, "AfMode": int, "LensPosition": float,
}  # fmt: skip
SWITCHES = {"AeEnable": 0.0, "AwbEnable": 0.0, "AfMode": float(AF_MANUAL)}
OF_SWITCH = {
    "AeEnable": ("ExposureTime", "AnalogueGain"), "AwbEnable": (RED, BLUE),
    "AfMode": ("LensPosition",),
}  # fmt: skip
LEAST_PICTURES, MOST_PICTURES = 12, 120  # for the automatic controls to settle
HELD_PICTURES = 40  # a control that has no effect by then is refused
WITHIN, WITHIN_LEAST = 0.05, 0.05  # relative, absolute: exposure and gain come in steps
_AGAIN = "run `fairdeal calibrate light` again"


class PiControls:
    """`calibration.controls.controls.Controls` of an open Pi camera."""

    def __init__(self, camera: Steered) -> None:
        self._camera = camera

    def automatic(self) -> None:
        """Returns when exposure and focus have settled, or after MOST_PICTURES."""
        automatics = {"AeEnable": True, "AwbEnable": True, "AfMode": AF_CONTINUOUS}
        here = self._camera.ranges()
        self._camera.set_controls({k: v for k, v in automatics.items() if k in here})
        for count in range(MOST_PICTURES):
            if _has_settled(self._camera.metadata()) and count >= LEAST_PICTURES:
                return

    def lock(self) -> dict[str, float]:
        here, told = self._camera.ranges(), self._camera.metadata()
        if "ColourGains" in told:
            told = {**told, RED: told["ColourGains"][0], BLUE: told["ColourGains"][1]}
        values: dict[str, float] = {}
        for switch, off in SWITCHES.items():
            governed = {name: float(told[name]) for name in OF_SWITCH[switch] if name in told}
            if switch in here and governed:
                values |= {switch: off, **governed}
        self.apply(values)
        return values

    def apply(self, values: Mapping[str, float]) -> None:
        """Sets all values or none. FairdealError if the camera does not support or follow them."""
        self._refuse(values)
        self._camera.set_controls(_for_libcamera(values))
        wrong = ""
        for _ in range(HELD_PICTURES):
            wrong = _not_held(values, self._camera.metadata())
            if not wrong:
                return
        raise FairdealError(
            "controls that hold their values", wrong,
            f"{_AGAIN}, with the size and rate that the game uses",
        )  # fmt: skip

    def _refuse(self, values: Mapping[str, float]) -> None:
        """FairdealError for values that this camera does not support."""
        here = self._camera.ranges()
        for name, value in values.items():
            control = name.partition(".")[0]
            if name not in TYPES or control not in here:
                raise FairdealError(
                    f"a camera with the control {name}", "one without", f"another camera? {_AGAIN}"
                )
            low, high = (_number(end) for end in here[control])
            if low < high and not low <= value <= high:
                raise FairdealError(
                    f"{name} from {low:g} to {high:g}", f"{value:g}", f"another camera? {_AGAIN}"
                )


def _number(end: Any) -> float:
    """One end of a range. libcamera gives that of an array control as a sequence."""
    return float(end[0] if isinstance(end, (tuple, list)) else end)


def _for_libcamera(values: Mapping[str, float]) -> dict[str, Any]:
    out: dict[str, Any] = {
        name: TYPES[name](round(value) if TYPES[name] is int else value)
        for name, value in values.items() if name not in (RED, BLUE)
    }  # fmt: skip
    if RED in values and BLUE in values:
        out["ColourGains"] = (float(values[RED]), float(values[BLUE]))
    return out


def _has_settled(told: Mapping[str, Any]) -> bool:
    return (
        bool(told.get("AeLocked", True))
        and told.get("AeState") != SEARCHING
        and told.get("AfState") != SEARCHING
    )


def _not_held(values: Mapping[str, float], told: Mapping[str, Any]) -> str:
    """The first control that a picture was not taken with as set; empty if all were."""
    gains = told.get("ColourGains")
    if gains is not None:
        told = {**told, RED: gains[0], BLUE: gains[1]}
    for name, value in values.items():
        if name in SWITCHES or name not in told:
            continue
        if abs(float(told[name]) - value) > max(WITHIN * abs(value), WITHIN_LEAST):
            return f"{name} {float(told[name]):g} where {value:g} was set"
    return ""
