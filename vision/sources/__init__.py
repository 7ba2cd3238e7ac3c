"""Where frames come from: one adapter file a kind of source, one door for all of them."""

from __future__ import annotations

import os
from pathlib import Path

from rules.errors import FairdealError
from rules.files import special_kind
from vision.sources.adapters import CameraKind, CameraSpec, make_camera
from vision.sources.source import Lost, Source

__all__ = ["Lost", "Source", "open_source"]

KINDS = (
    "`picamera`, a camera number, `phone`, a video file, a folder of pictures, "
    "a URL (rtsp, http) or `simulated[:script]`"
)


def open_source(
    spec: str,
    *,
    live: bool = False,
    size: tuple[int, int] | None = None,
    rate: float | None = None,
) -> Source:
    """The source that `spec` names, opened; use it in a `with`.

    `size` (width, height in px) and `rate` (pictures a second) are wishes to a camera; for a
    folder `rate` is the clock. `live` plays a recorded source in real time, where a frame that
    comes too late is dropped; cameras are always live. Raises FairdealError.
    """
    source = _open(spec.strip(), size, rate)
    if live and source.recorded:
        from vision.sources.paced import Paced

        return Paced(source)
    return source


def _open(spec: str, size: tuple[int, int] | None, rate: float | None) -> Source:
    from vision.sources.quiet import quieten

    quieten()
    scheme, colon, rest = spec.partition(":")
    if scheme == "simulated":
        from vision.sources.simulated import open_simulated

        return open_simulated(rest or None)
    if scheme == "picamera":
        where = str(_number(rest) if colon else 0)
        return open_camera(CameraSpec(CameraKind.PI, where, size, rate))
    if spec == "phone":
        return open_camera(CameraSpec(CameraKind.PHONE, spec))
    is_device = spec.startswith("/dev/") and not (os.path.isfile(spec) or os.path.isdir(spec))
    if spec.isdecimal() or is_device:
        return open_camera(CameraSpec(CameraKind.USB, spec, size, rate))
    if "://" in spec:
        return _open_url(spec, rate)
    return _open_path(Path(spec).expanduser(), rate)


def _open_url(url: str, rate: float | None) -> Source:
    scheme, _, rest = url.partition("://")
    if scheme == "file":
        return _open_path(Path(rest), rate)
    if scheme not in ("rtsp", "rtsps", "http", "https"):
        raise FairdealError("a URL with rtsp or http", url, f"a source is {KINDS}")
    return open_camera(CameraSpec(CameraKind.STREAM, url))


def open_camera(spec: CameraSpec) -> Source:
    """A live camera that films in a process of its own. Raises FairdealError.

    With `FAIRDEAL_CAMERA_PROCESS=0` in the environment it films on a thread of this process, for
    debuggers and for tests of the adapters.
    """
    from vision.sources.live import LiveSource

    if os.environ.get("FAIRDEAL_CAMERA_PROCESS") == "0":
        return LiveSource(make_camera(spec))
    from vision.sources.camera_process import process_camera

    return LiveSource(process_camera(spec))


def _open_path(path: Path, rate: float | None) -> Source:
    from vision.sources.folder import PICTURES, FolderSource
    from vision.sources.video import VideoSource

    if path.is_dir() or (path.is_file() and path.suffix.lower() in PICTURES):
        return FolderSource(path, rate)
    if path.is_file():
        return VideoSource(path)
    found = special_kind(path)
    raise FairdealError(
        "a source of pictures", f"{found or 'nothing'} at {path}", f"a source is {KINDS}"
    )


def _number(text: str) -> int:
    if not text.isdecimal():
        raise FairdealError(
            "picamera or picamera:NUMBER", f"picamera:{text}", "give a camera number"
        )
    return int(text)
