"""Which camera is meant, as a value that can be sent to the process that films."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vision.sources.lock import NoLock
from vision.sources.phone_wire import phone_name

if TYPE_CHECKING:
    from vision.sources.live import Camera


class CameraKind(StrEnum):
    """The adapters that there are."""

    PI = "picamera"
    USB = "usb"
    STREAM = "stream"
    PHONE = "phone"
    FAKE = "fake"  # for tests and fault trials; no user's word names it


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """`where`: a number, a /dev path, a URL; `size`: (width, height) px; `rate`: frames a second.

    None: the adapter's own.
    """

    kind: CameraKind
    where: str
    size: tuple[int, int] | None = None
    rate: float | None = None


def make_camera(spec: CameraSpec, *, is_locked: bool = False) -> Camera:
    """The adapter, not opened yet. `is_locked`: another process holds the camera's lock for it."""
    lock = NoLock() if is_locked else None
    if spec.kind is CameraKind.PI:
        from vision.sources.picamera import PiCamera

        return PiCamera(int(spec.where), spec.size, spec.rate, lock)
    if spec.kind is CameraKind.USB:
        from vision.sources.camera import UsbCamera

        return UsbCamera(spec.where, spec.size, spec.rate, lock)
    if spec.kind is CameraKind.STREAM:
        from vision.sources.stream import StreamCamera

        return StreamCamera(spec.where)
    if spec.kind is CameraKind.PHONE:
        from vision.sources.phone import PhoneCamera

        return PhoneCamera()
    from vision.sources.fake_camera import FakeCamera

    return FakeCamera(spec.where, spec.size, spec.rate)


def lock_name(spec: CameraSpec) -> str | None:
    """The device that only one referee may use; None where many may."""
    if spec.kind is CameraKind.PI:
        return f"picamera-{spec.where}"
    if spec.kind is CameraKind.PHONE:
        return phone_name()
    if spec.kind is CameraKind.USB:
        return f"/dev/video{spec.where}" if spec.where.isdecimal() else spec.where
    return None
