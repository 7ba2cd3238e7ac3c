"""Stands in for the module `picamera2` where there is no Pi, as far as `picamera.py` uses it.

It keeps to the library's ways: controls that the sensor does not have are refused by the library's
own words, values must be of libcamera's types and take effect some pictures later, exposure comes
in whole rows and never outlasts a picture, and all is forgotten when the camera is closed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

DELAY = 3  # pictures until a control takes effect
PACE_S = 0.001  # between two pictures: a thousandth, so that no test waits
ROW_US = 18.9  # what one row of the sensor takes
SLOW_AUTO = 4  # pictures until the automatics have settled
LIT = 120.0  # how light the automatics make the table
MANUAL, CONTINUOUS = 0, 2  # libcamera's AfModeEnum
_TYPES = {
    "AeEnable": bool, "AwbEnable": bool, "ExposureTime": int, "AnalogueGain": float,
    "ColourGains": tuple, "AfMode": int, "LensPosition": float, "FrameRate": float,
}  # fmt: skip


@dataclass(frozen=True)
class Sensor:
    """A camera module and the scene before it: what its automatics find, and what it lacks.

    `stuck`: controls that it accepts and does not follow.
    """

    model: str = "imx708"
    exposure_us: int = 12_000
    gain: float = 2.0
    colour_gains: tuple[float, float] = (1.9, 1.6)
    lens_position: float | None = 1.4
    stuck: frozenset[str] = frozenset()


class Picamera2:
    """One camera; `module` makes its class know which sensors there are."""

    sensors: tuple[Sensor, ...] = ()
    opened: list[Picamera2]

    def __init__(self, camera_num: int = 0) -> None:
        self.sensor = self.sensors[camera_num]
        self.opened.append(self)
        self.is_open, self._started = True, False
        self._lock = threading.Lock()
        self._number, self._size, self._frame_us = 0, (640, 480), 33_333
        self._now: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "AfMode": MANUAL}
        self._coming: list[tuple[int, dict[str, Any]]] = []
        self._auto_since = 0

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Model": sensor.model, "Num": i} for i, sensor in enumerate(cls.sensors)]

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        controls = {
            "AeEnable": (False, True, True), "AwbEnable": (False, True, None),
            "ExposureTime": (29, 112_015_553, 20_000), "AnalogueGain": (1.0, 16.0, 1.0),
            "ColourGains": (0.0, 32.0, None), "FrameDurationLimits": (17_849, 220_417_486, None),
        }  # fmt: skip
        if self.sensor.lens_position is not None:
            controls |= {"AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0)}
        return controls

    def create_video_configuration(self, **wishes: Any) -> dict[str, Any]:
        return wishes

    def configure(self, configuration: Mapping[str, Any]) -> None:
        if configuration["main"]["format"] != "RGB888":
            raise RuntimeError("Unrecognized format")
        self._size = configuration["main"]["size"]
        rate = configuration.get("controls", {}).get("FrameRate", 30.0)
        self._frame_us = round(1e6 / rate)

    def start(self) -> None:
        self._started = True

    def stop(self) -> None:
        self._started = False

    def close(self) -> None:
        self.is_open = self._started = False

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        for name, value in controls.items():
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            if type(value) is not _TYPES[name]:
                raise RuntimeError(f"Control {name}: no {type(value).__name__}")
        with self._lock:
            self._coming.append((self._number + DELAY, dict(controls)))

    def capture_request(self, wait: bool = True) -> Any:
        assert not wait, "waiting without an end hangs with the camera"
        return lambda: SimpleNamespace(
            make_array=lambda name: self._picture(), get_metadata=self._metadata,
            release=lambda: None,
        )  # fmt: skip

    def capture_metadata(self, wait: bool = True) -> Any:
        assert not wait, "waiting without an end hangs with the camera"
        return self._metadata

    def wait(self, job: Any, timeout: float | None = None) -> Any:
        if not self._started:
            raise TimeoutError  # the job of a camera that does not film is never done
        time.sleep(PACE_S)
        with self._lock:
            self._number += 1
            while self._coming and self._coming[0][0] <= self._number:
                self._take(self._coming.pop(0)[1])
        return job()

    def _take(self, controls: dict[str, Any]) -> None:
        followed = {k: v for k, v in controls.items() if k not in self.sensor.stuck}
        if followed.get("AeEnable") or followed.get("AfMode") == CONTINUOUS:
            self._auto_since = self._number
        self._now |= followed

    def _metadata(self) -> dict[str, Any]:
        now, sensor = self._now, self.sensor
        is_settled = self._number - self._auto_since >= SLOW_AUTO
        exposure: float = sensor.exposure_us if is_settled else sensor.exposure_us / 3
        gain, gains = sensor.gain, sensor.colour_gains
        if not now["AeEnable"]:
            exposure, gain = now.get("ExposureTime", exposure), now.get("AnalogueGain", gain)
        if not now["AwbEnable"]:
            gains = now.get("ColourGains", gains)
        rows = min(exposure, self._frame_us - 200) // ROW_US
        told = {
            "ExposureTime": int(rows * ROW_US), "AnalogueGain": round(gain * 128) / 128,
            "ColourGains": gains, "AeLocked": is_settled, "FrameDuration": self._frame_us,
            "SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME),
        }  # fmt: skip
        if sensor.lens_position is not None:
            is_auto = now["AfMode"] == CONTINUOUS
            lens = sensor.lens_position if is_settled else 0.5
            told["AfState"] = (2 if is_settled else 1) if is_auto else 0
            told["LensPosition"] = lens if is_auto else now.get("LensPosition", 1.0)
        return told

    def _picture(self) -> np.ndarray:
        """(H, W, 3) uint8: a table with a dark cloth, as light as it is exposed."""
        told = self._metadata()
        sensor = self.sensor
        share = told["ExposureTime"] * told["AnalogueGain"] / (sensor.exposure_us * sensor.gain)
        width, height = self._size
        picture = np.full((height, width, 3), LIT * share)
        picture[height // 4 : height // 2, width // 4 : width // 2] *= 0.4
        picture += np.random.default_rng(self._number).normal(0, 3, (height, width, 1))
        return picture.clip(0, 255).astype(np.uint8)


def module(*sensors: Sensor) -> Any:
    """What `import picamera2` gives on a Pi with these cameras; `Picamera2.opened` lists them."""
    made = type("Picamera2", (Picamera2,), {"sensors": sensors, "opened": []})
    return SimpleNamespace(Picamera2=made)
