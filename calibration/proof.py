"""Proof pictures: the result of a calibration drawn onto the camera's picture."""

import cv2
import numpy as np

from calibration.plane import plane_of
from calibration.store import Calibration

GREEN, AMBER, RED, WHITE = (90, 200, 60), (40, 170, 250), (60, 60, 230), (255, 255, 255)
GRID_MM = 50
FONT = cv2.FONT_HERSHEY_SIMPLEX


def table_grid(bgr: np.ndarray, calibration: Calibration) -> np.ndarray:
    """A copy of the picture with the table's outline, a 50 mm grid and the seats."""
    out = bgr.copy()
    table = calibration.table
    assert table is not None
    w, h = table.width_mm, table.height_mm
    for x in np.arange(0, w + 1, GRID_MM):
        _line(out, calibration, (x, 0), (x, h), GREEN, 1)
    for y in np.arange(0, h + 1, GRID_MM):
        _line(out, calibration, (0, y), (w, y), GREEN, 1)
    corners = [(0, 0), (w, 0), (w, h), (0, h)]
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        _line(out, calibration, a, b, AMBER, 2)
    spots = np.array(
        [[w / 2, h - 75], [75, h / 2], [w / 2, 75], [w - 75, h / 2]]
    )  # off the markers
    for seat, (x, y) in enumerate(plane_of(calibration).to_px(spots), start=1):
        label(out, f"seat {seat}", (x - 30, y), 0.6)
    words = f"{w:g} x {h:g} mm, {table.method}, error {table.error_mm:.2f} mm"
    label(out, words, (12, 28), 0.7)
    return out


def _line(out: np.ndarray, c: Calibration, a: tuple, b: tuple, colour: tuple, width: int) -> None:
    """Draws a straight line of the table, with the lens's distortion."""
    steps = np.linspace(0, 1, 33)[:, None]
    points = plane_of(c).to_px(np.array(a) * (1 - steps) + np.array(b) * steps)
    if np.isfinite(points).all():
        path = np.clip(points, -1e4, 1e4).round().astype(np.int32)
        cv2.polylines(out, [path.reshape(-1, 1, 2)], False, colour, width, cv2.LINE_AA)


def label(out: np.ndarray, words: str, at: tuple[float, float], size: float) -> None:
    """Draws white words on a dark plate."""
    x, y = round(at[0]), round(at[1])
    (width, height), below = cv2.getTextSize(words, FONT, size, 1)
    cv2.rectangle(out, (x - 4, y - height - 4), (x + width + 4, y + below), (20, 20, 20), -1)
    cv2.putText(out, words, (x, y), FONT, size, WHITE, 1, cv2.LINE_AA)
