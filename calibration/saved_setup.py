"""What was calibrated before, held to when a game opens the camera: seats, light, the view itself.

A game goes on without a calibration; what is wrong with one is said in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from calibration import store
from calibration.light.controls import Controls, open_controls
from calibration.store import Calibration
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.source import Source

Say = Callable[[str], None]


def stored(camera: str, folder: Path, say: Say) -> tuple[Calibration, ...]:
    """All calibrations of a camera, the newest file first; one that is damaged is said."""
    stem = store.path_for(folder, camera, 0, 0).stem.removesuffix("-0x0")
    try:
        paths = sorted(folder.glob(f"{stem}-*x*.toml"), key=lambda p: -p.stat().st_mtime)
    except OSError as error:
        say(f"no calibration: {folder}: {error.strerror}")
        return ()
    found = []
    for path in paths:
        try:
            calibration = store.load(path)
        except FairdealError as error:
            say(f"calibration not used: {error}")
            continue
        if calibration.camera == camera:
            found.append(calibration)
    return tuple(found)


def seats(calibrations: Sequence[Calibration], players: int) -> tuple[str, ...] | None:
    """At which side of the picture seats 1 to `players` sit, by the newest calibrated table."""
    table = next((c.table for c in calibrations if c.table is not None), None)
    if table is None or not 1 <= players <= len(table.seats):
        return None
    return table.seats[:players]


def light_setter(
    spec: str,
    calibrations: Sequence[Calibration],
    say: Say,
    source: Source | None = None,
    opener: Callable[[str, Source | None], Controls | None] = open_controls,
) -> Callable[[], None]:
    """Sets the camera's light as `calibrate light` locked it; call it whenever it was opened.

    A camera that was unplugged has forgotten, and a Pi camera that was closed: its controls are
    reached through the open `source`. Does nothing where no light was stored.
    """
    light = next((c.light for c in calibrations if c.light is not None), None)

    def apply() -> None:
        if light is None or not light.controls:
            return
        try:
            controls = opener(spec, source)
            if controls is not None:
                controls.apply(dict(light.controls))
        except FairdealError as error:
            say(f"light not set as it was locked: {error}")

    return apply


def open_lit(spec: str, camera: str, folder: Path, say: Say) -> Source:
    """The source, opened, with the light of this camera as it was locked, if it was."""
    from vision.sources import open_source

    source = open_source(spec)
    if not source.recorded:
        light_setter(spec, stored(camera, folder, say), say, source)()
    return source


def view_checker(
    calibrations: Sequence[Calibration], folder: Path, say: Say
) -> Callable[[Frame], None]:
    """Says it where a first frame is not what the table was calibrated with: size, or place."""

    def check(frame: Frame) -> None:
        size = (frame.width, frame.height)
        tables = [c for c in calibrations if c.table is not None]
        if not tables:
            return
        right = next((c for c in tables if (c.width, c.height) == size), None)
        if right is None:
            other = tables[0]
            say(f"the table was calibrated at {other.width}x{other.height}, the camera gives "
                f"{size[0]}x{size[1]}: run `fairdeal calibrate table` again")  # fmt: skip
            return
        moved_px = _moved_px(right, folder, frame)
        if moved_px:
            say(f"the camera was moved by {moved_px:.0f} px since the table was calibrated: "
                "put it back, or run `fairdeal calibrate table` again")  # fmt: skip

    return check


def _moved_px(calibration: Calibration, folder: Path, frame: Frame) -> float:
    """How far, in px of the frame; 0 where it is not, or cannot be told."""
    from calibration import pictures
    from calibration.table.table import reference_path
    from vision.scene import view_shift

    size = (calibration.width, calibration.height)
    path = reference_path(store.path_for(folder, calibration.camera, *size))
    if not path.is_file():
        return 0.0
    try:
        reference = view_shift.reference(pictures.read(path))
    except FairdealError:
        return 0.0
    shift = view_shift.shift_px(reference, frame.bgr) if reference.is_watchable else None
    return shift if shift is not None and shift > view_shift.limit_px(reference) else 0.0
