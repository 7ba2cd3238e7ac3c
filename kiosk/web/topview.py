"""The table seen from straight above: the picture and all that is drawn on it, straightened.

The plane is calibrated or fitted by the scene. Without one the camera's picture is shown as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from kiosk.web.pictures import TABLE_WIDTH_PX
from vision.homography import Points
from vision.plane import Plane, TablePlane

Image = npt.NDArray[np.uint8]

MOST_PX = TABLE_WIDTH_PX  # width of the straightened picture
MARGIN = 0.02  # of a calibrated table, shown around it
# A part of the table that the camera shows smaller than this share of its middle is left out: the
# far end of a table that is seen at a slant would fill the picture.
LEAST_SCALE = 0.5
LONGEST = 2.2  # width : height of the view, either way
_NODES = 16  # px between the points at which the plane is computed; between them it is linear
_DIGITS = 4


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """A view of the table from above.

    `picture`, `size`: width and height (px) of the camera's picture and of the view. `plane` None:
    both are the same. `corner` (mm) is the view's upper left corner, `scale` its px a mm.
    `maps`: for `cv2.remap`.
    """

    picture: tuple[int, int]
    size: tuple[int, int]
    plane: Plane | None = None
    corner: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    maps: tuple[npt.NDArray[Any], npt.NDArray[Any]] | None = None

    def parts(self, points: npt.ArrayLike) -> Points:
        """Points (..., 2) in parts of the camera's picture → in parts of the view."""
        at = np.asarray(points, np.float64)
        if self.plane is None:
            return at
        mm = self.plane.to_mm(at * self.picture)
        return (mm - self.corner) * self.scale / self.size

    def camera_parts(self, points: npt.ArrayLike) -> Points:
        """Points (..., 2) in parts of the view → in parts of the camera's picture."""
        at = np.asarray(points, np.float64)
        if self.plane is None:
            return at
        mm = at * self.size / self.scale + self.corner
        return self.plane.to_px(mm) / self.picture

    def straightened(self, bgr: Image) -> Image:
        """A picture (H, W, 3) of the camera as the view shows it, (h, w, 3)."""
        if self.maps is None:
            return bgr
        return np.asarray(cv2.remap(bgr, *self.maps, cv2.INTER_LINEAR), np.uint8)


def top_view(picture: tuple[int, int], seen: TablePlane | Plane | None) -> TopView:
    """The view of a table that is `seen` in pictures of that size (width, height)."""
    if seen is None or min(picture) < _NODES:
        return TopView(picture, picture)
    if isinstance(seen, TablePlane):
        across, down = seen.size_mm
        low = np.array([-MARGIN * across, -MARGIN * down])
        high = np.array([across, down]) - low
        plane = seen.plane
    else:
        plane = seen
        low, high = _extent(plane, picture)
    width_mm, height_mm = (float(each) for each in high - low)
    if not (np.isfinite([width_mm, height_mm]).all() and min(width_mm, height_mm) > 0):
        return TopView(picture, picture)
    scale = min(MOST_PX, picture[0]) / width_mm
    size = (round(width_mm * scale), max(round(height_mm * scale), 1))
    corner = (float(low[0]), float(low[1]))
    maps = _maps(plane, corner, scale, size)
    return TopView(picture, size, plane, corner, scale, maps)


def _extent(plane: Plane, picture: tuple[int, int]) -> tuple[Points, Points]:
    """The part of the table in view (mm), without what lies far away at a slant."""
    xs, ys = (np.linspace(0, length, 17) for length in picture)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    scales, mm = plane.px_per_mm(grid), plane.to_mm(grid)
    middle = float(plane.px_per_mm(np.array(picture) / 2))
    near = mm[scales >= LEAST_SCALE * middle]
    low, high = near.min(axis=0), near.max(axis=0)
    spans = high - low
    most = spans[::-1] * LONGEST
    cut = np.maximum(spans - most, 0) / 2
    return low + cut, high - cut


def _maps(
    plane: Plane, corner: tuple[float, float], scale: float, size: tuple[int, int]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """For each pixel of the view, the camera's pixel, in the form that `cv2.remap` takes fastest.

    Computed on a grid that reaches beyond the view, so that its border is interpolated too.
    """
    across, down = (-(-length // _NODES) + 2 for length in size)
    xs = (np.arange(across) - 0.5) * _NODES
    ys = (np.arange(down) - 0.5) * _NODES
    grid = np.stack(np.meshgrid(xs, ys), axis=-1)
    pixels = (plane.to_px(grid / scale + corner) - 0.5).astype(np.float32)
    full = cv2.resize(pixels, (across * _NODES, down * _NODES), interpolation=cv2.INTER_LINEAR)
    cut = np.ascontiguousarray(full[_NODES : _NODES + size[1], _NODES : _NODES + size[0]])
    fixed, table = cv2.convertMaps(cut[..., 0], cut[..., 1], cv2.CV_16SC2)
    return np.asarray(fixed), np.asarray(table)


def straightened(
    body: dict[str, Any], view: TopView, moved: Mapping[str, tuple[float, float]]
) -> dict[str, Any]:
    """A state's JSON with its cards and moved places in parts of the view."""
    table = body["table"]
    cards = table["cards"]
    if cards and view.plane is not None:
        quads = view.parts([card["quad"] for card in cards]).round(_DIGITS)
        cards = [{**card, "quad": quad.tolist()} for card, quad in zip(cards, quads, strict=True)]
    at = {place: view.parts(point).round(_DIGITS).tolist() for place, point in moved.items()}
    places = [{**each, "moved": at.pop(each["place"], None)} for each in body["places"]]
    places += [
        {"place": place, "label": place.replace("/", " "), "text": "", "faces": [], "moved": point}
        for place, point in at.items()
    ]
    width, height = view.size if table["width"] else (table["width"], table["height"])
    shown = {"cards": cards, "width": width, "height": height}
    return {**body, "table": shown, "places": places}
