"""Applies stored calibrations when a game opens its camera: seats, table, light, the view.

A game also runs without a calibration; faults of one are reported in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from calibration import store
from calibration.controls.controls import Controls, open_controls
from calibration.plane import plane_of
from calibration.store import Calibration
from models.picture_file import check_sides
from rules.errors import FairdealError
from vision.frame import Frame
from vision.plane import TablePlane
from vision.sources.source import Source

Say = Callable[[str], None]


def stored(camera: str, folder: Path, say: Say) -> tuple[Calibration, ...]:
    """All calibrations of a camera, newest file first; damaged ones are reported."""
    camera = store.public_name(camera)
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
    """The sides of the picture at which seats 1 to `players` sit, by the newest table."""
    table = next((c.table for c in calibrations if c.table is not None), None)
    if table is None or not 1 <= players <= len(table.seats):
        return None
    return table.seats[:players]


def tables(calibrations: Sequence[Calibration]) -> tuple[TablePlane, ...]:
    """The calibrated tables, each for its size of picture."""
    return tuple(
        TablePlane.of(plane_of(c), (c.width, c.height), (c.table.width_mm, c.table.height_mm))
        for c in calibrations
        if c.table is not None
    )


def light_setter(
    spec: str,
    calibrations: Sequence[Calibration],
    say: Say,
    source: Source | None = None,
    opener: Callable[[str, Source | None], Controls | None] = open_controls,
) -> Callable[[], None]:
    """A function that sets the locked light again; call it whenever the camera was opened.

    A camera loses its controls when unplugged; a Pi camera when closed, and its controls are set
    through the open `source`. Does nothing if no light is stored.
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
    """Opens the source and applies this camera's locked light, if any."""
    from vision.sources import open_source

    source = open_source(spec)
    if not source.recorded:
        light_setter(spec, stored(camera, folder, say), say, source)()
    return source


def view_checker(
    calibrations: Sequence[Calibration], folder: Path, say: Say
) -> Callable[[Frame], None]:
    """A check of the first frame: warns if its size or view is not the calibrated one.

    It raises FairdealError for a frame on which no card could be seen.
    """

    def check(frame: Frame) -> None:
        size = (frame.width, frame.height)
        check_sides(*size, "the camera")
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
    """How far the camera was moved, in px; 0 if it was not, or if that cannot be measured."""
    from calibration import pictures
    from vision.scene import shift_estimate, view_shift

    size = (calibration.width, calibration.height)
    path = store.reference_path(store.path_for(folder, calibration.camera, *size))
    if not path.is_file():
        return 0.0
    try:
        reference = shift_estimate.reference(pictures.read(path))
    except FairdealError:
        return 0.0
    shift = shift_estimate.shift_px(reference, frame.bgr) if reference.is_watchable else None
    return shift if shift is not None and shift > view_shift.limit_px(reference) else 0.0
