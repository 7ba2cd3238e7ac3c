"""The tables, lights and camera views of the simulated table."""

import cv2
import numpy as np

from models.drawing.arms import floats
from models.drawing.scene import lamp
from models.drawing.steps import Look
from models.drawing.tables import draw_table
from models.drawing.things import draw_thing

# Kind of table: how it is drawn, and its colour (BGR).
_DRAWN: dict[str, tuple[str, tuple[int, int, int]]] = {
    "wood": ("wood", (74, 112, 164)),
    "felt": ("felt", (74, 104, 38)),
    "cherry": ("wood", (46, 62, 128)),
    "slate": ("stone", (70, 62, 58)),
    "white": ("plain", (226, 232, 236)),
}
TABLES = (*_DRAWN, "gingham")
LIGHTS = ("lamp", "window", "evening", "spot")
_FLOOR = (38, 46, 58)
# A tilted camera sees more of the far side: how much larger the drawn table is, and how much
# further away the camera stands so that the near corners stay in view.
_MARGIN, _AWAY = 1.4, 1.12
# Camera height over the table, in widths of the picture.
_HEIGHT = 1.1


def bare_table(rng: np.random.Generator, look: Look, size: tuple[int, int]) -> np.ndarray:
    """The table without cards, unlit, (H, W, 3) uint8 BGR; `size` (width, height) px."""
    w, h = size
    if look.table == "gingham":
        picture = _gingham(rng, w, h)
    else:
        kind, colour = _DRAWN[look.table]
        picture = draw_table(rng, h, w, kind, colour)
    if look.things:
        _lay_things(rng, picture, look, size)
    return picture


def _gingham(rng: np.random.Generator, w: int, h: int) -> np.ndarray:
    """A red and white checked cloth: squares of 2.5 % of the width, a little turned."""
    step, angle = w * 0.025, np.radians(rng.uniform(-12, 12))
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    along = (xx * np.cos(angle) + yy * np.sin(angle)) // step % 2
    across = (yy * np.cos(angle) - xx * np.sin(angle)) // step % 2
    white, red = floats((228, 232, 236)), floats((62, 52, 178))
    share = (along + across)[..., None] / 2
    weave = rng.normal(0, 4, (h, w, 1)).astype(np.float32)
    return np.clip(white + (red - white) * share + weave, 0, 255).astype(np.uint8)


def _lay_things(
    rng: np.random.Generator, picture: np.ndarray, look: Look, size: tuple[int, int]
) -> None:
    """Cups and papers in the four corners, where no cards are laid."""
    w, h = size
    part = 1 / _MARGIN if look.tilt or look.lens else 1.0  # of the table that is in view
    corners = [(-0.455, -0.43), (0.455, -0.43), (-0.455, 0.43), (0.455, 0.43)]
    for index in range(min(look.things, len(corners))):
        x, y = (0.5 + part * at for at in corners[index])
        draw_thing(rng, picture, floats([x * w, y * h]), look.card_px * h / 720 * 0.6)


def light_field(kind: str, size: tuple[int, int]) -> np.ndarray:
    """Factors of the light over the table, (H, W, 3) float32."""
    w, h = size
    if kind == "lamp":
        return lamp(w, h)
    yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    if kind == "window":
        return (1.0 - 0.28 * xx + 0.06 * yy)[..., None] * floats([1.05, 1.0, 0.96])
    if kind == "evening":
        return (0.62 - 0.08 * (xx**2 + yy**2))[..., None] * floats([0.8, 0.95, 1.1])
    return (0.55 + 0.6 * np.exp(-(xx**2 + yy**2) / 0.8))[..., None] * floats([0.94, 1.0, 1.05])


class View:
    """A tilted camera with radial distortion over the drawn table.

    `size` (width, height) px of its picture. `canvas`: the size of the table to draw for it.
    """

    def __init__(self, look: Look, size: tuple[int, int]) -> None:
        self._size = size
        w, h = size
        self.canvas = (round(w * _MARGIN), round(h * _MARGIN))
        self.origin = ((self.canvas[0] - w) / 2, (self.canvas[1] - h) / 2)
        self._to_table = self._homography(np.radians(look.tilt))
        self._lens = look.lens
        points = np.stack(np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5), -1)
        seen = self._table_points(points.reshape(-1, 2)).reshape(h, w, 2).astype(np.float32) - 0.5
        self._maps = cv2.convertMaps(seen[..., 0], seen[..., 1], cv2.CV_16SC2)

    def film(self, table: np.ndarray) -> np.ndarray:
        """What the camera sees of the drawn table, (H, W, 3) uint8."""
        x, y = self._maps
        return cv2.remap(
            table, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=_FLOOR
        )

    def project(self, points: np.ndarray) -> np.ndarray:
        """Points (N, 2) of the drawn table as pixels of the picture."""
        flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
        ideal = cv2.perspectiveTransform(flat, np.linalg.inv(self._to_table)).reshape(-1, 2)
        seen = ideal
        for _ in range(8):  # the distortion's inverse, by iteration
            seen = ideal + (seen - self._undistorted(seen))
        return floats(seen)

    def _table_points(self, points: np.ndarray) -> np.ndarray:
        flat = self._undistorted(points).reshape(-1, 1, 2)
        return cv2.perspectiveTransform(flat, self._to_table).reshape(-1, 2)

    def _undistorted(self, points: np.ndarray) -> np.ndarray:
        """Pixels of an ideal lens, from those of this one."""
        w, h = self._size
        middle = np.array([w / 2, h / 2])
        unit = (points - middle) / (w / 2)
        return middle + unit * (1 + self._lens * (unit**2).sum(-1, keepdims=True)) * (w / 2)

    def _homography(self, tilt: float) -> np.ndarray:
        """(3, 3) from ideal pixels to points of the drawn table; the middle stays in the middle."""
        w, h = self._size
        focal = _HEIGHT * w
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], float)
        rays = np.column_stack([corners - [w / 2, h / 2], np.full(4, focal)])
        turn = np.array(
            [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
        )
        # Seen from straight above the picture's middle hits (0, 0, focal); a tilted camera stands
        # as far away from that point, nearer to the lower side.
        eye = np.array([0, 0, focal]) - turn @ np.array([0, 0, focal])
        hits = eye + (rays @ turn.T) * ((focal - eye[2]) / (rays @ turn.T)[:, 2])[:, None]
        table = hits[:, :2] * _AWAY + np.array(self.canvas) / 2
        return cv2.getPerspectiveTransform(floats(corners), floats(table))


def view_of(look: Look, size: tuple[int, int]) -> View | None:
    """The camera's view; None for one straight from above through a perfect lens."""
    return View(look, size) if look.tilt or look.lens else None
