"""The plane of the table as it was calibrated."""

from calibration.store import Calibration
from rules.errors import FairdealError
from vision.plane import Plane


def plane_of(calibration: Calibration) -> Plane:
    """The plane by the calibrated lens and table. FairdealError without a calibrated table."""
    table, lens = calibration.table, calibration.intrinsics
    if table is None:
        raise FairdealError("a calibrated table", "none", "run `fairdeal calibrate table`")
    return Plane.of(table.homography, None if lens is None else lens.lens, table.error_mm)
