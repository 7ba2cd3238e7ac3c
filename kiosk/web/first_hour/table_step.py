"""Step 2, the table: its size and seats by the printed mat or by four corners."""

from __future__ import annotations

import math

from calibration import inputs, proof, store
from calibration.store import Calibration
from calibration.table import table_fit
from calibration.table.table import FRAMES, in_words, keep
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.pictures import kept_jpeg
from kiosk.web.first_hour.steps import Mark, Step, TableShown, Work
from rules.errors import FairdealError
from vision import mat
from vision.frame import Image

LOOK_APART_S = 0.5  # between two searches for the mat
PROOF = "table"


def look(bench: Bench) -> None:
    """The live picture; says how many of the mat's markers are seen."""
    desk, read_at = bench.desk, float("-inf")
    while not desk.is_called_away():
        frame = bench.frame()
        if frame is None or 0 <= frame.at - read_at < LOOK_APART_S:
            continue
        read_at = frame.at
        found = mat.find(frame.bgr)
        shown = desk.state.table
        markers, name = (len(found.numbers), found.mat.name) if found is not None else (0, "")
        if (markers, name) != (shown.markers, shown.mat):
            desk.change(table=TableShown(
                markers, name, shown.width_mm, shown.height_mm, shown.proof
            ))  # fmt: skip


def by_mat(order: Order, bench: Bench) -> None:
    """Measures the table by the printed mat, as `calibrate table` does."""
    picture, old = _picture(bench)
    fit, _ = table_fit.from_mat(picture, old.intrinsics)
    _keep(bench, old.with_part(table=fit), picture)


def by_corners(order: Order, bench: Bench) -> None:
    """Measures the table by its corners, as `calibrate table --corners` does.

    Values: `corners`, four (x, y) in parts of the picture, clockwise from the upper left as seat
    1 sees them; `width_mm` and `height_mm`.
    """
    corners = _corners(order)
    picture, old = _picture(bench)
    height, width = picture.shape[:2]
    pixels = [(min(x * width, width - 1.0), min(y * height, height - 1.0)) for x, y in corners]
    size = float(order.values.get("width_mm", 0)), float(order.values.get("height_mm", 0))
    fit = table_fit.from_corners(pixels, *size, old.intrinsics, (width, height))
    _keep(bench, old.with_part(table=fit), picture)


def _corners(order: Order) -> list[tuple[float, float]]:
    """The corners of an order. Raises FairdealError for what is none."""
    found = order.values.get("corners")
    try:
        corners = [(float(x), float(y)) for x, y in found]  # type: ignore[union-attr]
    except (TypeError, ValueError):
        corners = []
    if len(corners) != 4 or not all(0 <= v <= 1 and math.isfinite(v) for c in corners for v in c):
        raise FairdealError("four corners in the picture", "something else", "drag them again")
    return corners


def _picture(bench: Bench) -> tuple[Image, Calibration]:
    """A quiet picture of the table, and what is stored of this camera."""
    bench.desk.change(work=Work.MEASURING, progress=0.0, message="", findings=(), words=())
    picture = inputs.quiet_picture(bench.shots(FRAMES))
    height, width = picture.shape[:2]
    return picture, store.load_or_new(bench.folder, bench.camera, width, height)


def _keep(bench: Bench, calibration: Calibration, picture: Image) -> None:
    keep(calibration, picture, bench.folder)
    desk: Desk = bench.desk
    number = desk.state.table.proof + 1
    kept_jpeg(desk.pictures, PROOF, proof.table_grid(picture, calibration))
    table = calibration.table
    assert table is not None
    shown = desk.state.table
    desk.change(table=TableShown(shown.markers, shown.mat, table.width_mm, table.height_mm, number))
    words = tuple(in_words(calibration).splitlines())
    desk.mark(Step.TABLE, Mark.PASSED, words[0])
    desk.tell("", words=words)
