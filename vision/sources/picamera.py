"""The Raspberry Pi camera through picamera2, which comes with the Pi's system, not with pip."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.live import CameraLost
from vision.sources.lock import CameraLock, NoLock

DEFAULT_SIZE = (2304, 1296)  # the Camera Module 3's whole field, two by two pixels in one
DEFAULT_RATE = 30.0
WARM_UP_S = 0.5
GRAB_S = 2.0  # a capture that takes longer has stalled


def load_picamera2() -> Any:
    """The module; FairdealError where it is missing."""
    try:
        import picamera2
    except ImportError as error:
        raise FairdealError(
            "picamera2 (the Raspberry Pi's camera library)",
            "none on this machine",
            "on a Pi: sudo apt install python3-picamera2 and make setup; else name another source",
        ) from error
    except Exception as error:  # e.g. ValueError: compiled against another numpy
        raise FairdealError(
            "picamera2 that can be loaded",
            f"{type(error).__name__}: {error}",
            "run `make setup` again, or name another source",
        ) from error
    return picamera2


def models_here() -> tuple[str, ...]:
    """The models of the Pi cameras that there are, by their numbers."""
    cameras = load_picamera2().Picamera2.global_camera_info()
    return tuple(str(camera.get("Model", "unknown")) for camera in cameras)


class PiCamera:
    """One Pi camera, BGR pictures of `size` px."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] | None = None,
        rate: float | None = None,
        lock: CameraLock | NoLock | None = None,
    ) -> None:
        self.name = f"Pi camera {number}"
        self._number, self._size, self._rate = number, size or DEFAULT_SIZE, rate or DEFAULT_RATE
        self._lock = lock or CameraLock(f"picamera-{number}")
        self._camera: Any = None

    def open(self) -> None:
        module = load_picamera2()
        found = len(models_here())
        if self._number >= found:
            raise FairdealError(
                f"Pi camera {self._number}", f"{found} cameras", "check the ribbon cable"
            )
        self._lock.take()
        try:
            self._camera = module.Picamera2(self._number)
            # The library calls this order RGB888; in memory the bytes lie blue, green, red.
            configuration = self._camera.create_video_configuration(
                main={"size": self._size, "format": "RGB888"},
                controls={"FrameRate": self._rate},
                buffer_count=3,
            )
            self._camera.configure(configuration)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            raise FairdealError(
                f"pictures from {self.name}", str(error), "does another program use it?"
            ) from error
        time.sleep(WARM_UP_S)

    def grab(self) -> tuple[Image, float]:
        if self._camera is None:
            raise CameraLost("the camera is closed")
        try:
            request = self._camera.wait(self._camera.capture_request(wait=False), timeout=GRAB_S)
        except (TimeoutError, RuntimeError, OSError) as error:
            raise CameraLost(f"{self.name} gives no picture ({error or 'timeout'})") from error
        try:
            bgr = np.ascontiguousarray(request.make_array("main")[:, :, :3])
            taken_ns = request.get_metadata().get("SensorTimestamp")
        finally:
            request.release()
        return bgr, _age_s(taken_ns)

    def ranges(self) -> dict[str, tuple[Any, Any]]:
        """As in Steered."""
        return self._ask(
            lambda camera: {k: (low, high) for k, (low, high, _) in camera.camera_controls.items()}
        )

    def metadata(self) -> dict[str, Any]:
        """As in Steered."""
        return self._ask(
            lambda camera: camera.wait(camera.capture_metadata(wait=False), timeout=GRAB_S)
        )

    def set_controls(self, values: Mapping[str, Any]) -> None:
        """As in Steered; they hold until the camera is closed."""
        self._ask(lambda camera: camera.set_controls(dict(values)))

    def _ask(self, question: Callable[[Any], Any]) -> Any:
        camera = self._camera  # the reader's thread may take it away while a lost one is reopened
        if camera is None:
            raise FairdealError(f"{self.name} for its light", "it is closed", "wait till it films")
        try:
            return question(camera)
        except (TimeoutError, RuntimeError, OSError) as error:
            found = str(error) or "no answer"
            raise FairdealError(
                f"{self.name} to take its controls", found, "run `fairdeal doctor`"
            ) from error

    def close(self) -> None:
        if self._camera is not None:
            try:
                self._camera.stop()
            finally:
                self._camera.close()
                self._camera = None
        self._lock.give_back()


def _age_s(taken_ns: int | None) -> float:
    """How old a picture is; its time stamp counts from the boot of the machine."""
    if taken_ns is None:
        return 0.0
    age_s = (time.clock_gettime_ns(time.CLOCK_BOOTTIME) - taken_ns) / 1e9
    return min(max(age_s, 0.0), 1.0)
