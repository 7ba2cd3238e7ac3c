"""The table's plane: pixels ↔ millimetres, through the lens and one homography."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.homography import Points, apply, rectangle
from vision.lens import Lens
from vision.plane_fit import fit_cards

Row = tuple[float, float, float]
# A card's sides as seen may differ from its size by this share: locator noise and the card's lift.
CARD_TOLERANCE = 0.18


@dataclass(frozen=True, slots=True)
class Plane:
    """Where the table lies in the picture.

    `homography` (3, 3) maps undistorted pixels to millimetres on the table, x to the right and y
    down as seat 1 sees it. `error_mm` is the standard error of a position; `lens` None stands for
    a picture without distortion.
    """

    homography: tuple[Row, Row, Row]
    lens: Lens | None = None
    error_mm: float = 0.0

    @classmethod
    def of(
        cls, homography: npt.ArrayLike, lens: Lens | None = None, error_mm: float = 0.0
    ) -> Plane:
        """A plane by a homography (3, 3). ValueError for another shape or a singular matrix."""
        matrix = np.asarray(homography, np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
            raise ValueError(f"expected a finite (3, 3) homography, found {matrix.shape}")
        volume = abs(float(np.linalg.det(matrix)))
        if volume <= 1e-12 * float(np.linalg.norm(matrix, axis=1).prod()):
            raise ValueError("expected a homography that can be inverted, found a singular one")
        a, b, c = ((float(x), float(y), float(z)) for x, y, z in matrix)
        return cls((a, b, c), lens, error_mm)

    @classmethod
    def from_cards(
        cls,
        quads_px: npt.ArrayLike,
        card_mm: tuple[float, float],
        picture_size: tuple[int, int],
        lens: Lens | None = None,
    ) -> Plane:
        """Estimates the plane from outlines (N, 4, 2) px of cards of `card_mm` (width, height).

        The origin is the centre of the picture (`picture_size`: width, height in px); x runs along
        the picture's x axis. Outliers, such as half covered cards, hardly count. `error_mm` is the
        largest standard error at the middles of the picture's sides. ValueError without a card.
        """
        quads = np.asarray(quads_px, np.float64).reshape(-1, 4, 2)
        straight = quads if lens is None else lens.undistort(quads)
        fit = fit_cards(straight, card_mm, picture_size, lens)
        width, height = picture_size
        sides = np.array(
            [[0, height / 2], [width, height / 2], [width / 2, 0], [width / 2, height]]
        )
        at = sides if lens is None else lens.undistort(sides)
        return cls.of(fit.homography, lens, float(fit.deviations_mm(at).max()))

    def to_mm(self, points_px: npt.ArrayLike) -> Points:
        """Pixels (..., 2) of the picture → millimetres on the table."""
        points = np.asarray(points_px, np.float64)
        return apply(self.homography, points if self.lens is None else self.lens.undistort(points))

    def to_px(self, points_mm: npt.ArrayLike) -> Points:
        """Millimetres (..., 2) on the table → pixels of the picture."""
        points = apply(np.linalg.inv(np.array(self.homography)), points_mm)
        return points if self.lens is None else self.lens.distort(points)

    def px_per_mm(self, points_px: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The local scale (...,) at pixels (..., 2): the square root of the change of area."""
        points = np.asarray(points_px, np.float64)
        half_x, half_y = np.eye(2) / 2
        across = self.to_mm(points + half_x) - self.to_mm(points - half_x)
        down = self.to_mm(points + half_y) - self.to_mm(points - half_y)
        area = np.abs(across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0])
        return 1 / np.sqrt(np.maximum(area, 1e-12))

    def sizes_mm(self, quads_px: npt.ArrayLike) -> Points:
        """Outlines (N, 4, 2) px → (N, 2) mm: the first side and the second, opposite ones averaged.

        A card that is read upright gives (width, height).
        """
        mm = self.to_mm(np.asarray(quads_px, np.float64).reshape(-1, 4, 2))
        sides = np.linalg.norm(np.roll(mm, -1, axis=1) - mm, axis=2)
        return (sides[:, :2] + sides[:, 2:]) / 2

    def have_card_size(
        self,
        quads_px: npt.ArrayLike,
        card_mm: tuple[float, float],
        tolerance: float = CARD_TOLERANCE,
    ) -> npt.NDArray[np.bool_]:
        """(N,) whether both sides of each outline are a card's, either way up, within a share."""
        sizes, card = np.sort(self.sizes_mm(quads_px), axis=1), np.sort(card_mm)
        return (np.abs(sizes / card - 1) <= tolerance).all(axis=1)

    def poses_mm(self, quads_px: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Outlines (N, 4, 2) px → (N, 3): centre x, y in mm and direction in radians.

        The direction is that of the first side, from the x axis towards y (clockwise as seen).
        """
        mm = self.to_mm(np.asarray(quads_px, np.float64).reshape(-1, 4, 2))
        across = mm[:, 1] - mm[:, 0] + mm[:, 2] - mm[:, 3]
        angle = np.arctan2(across[:, 1], across[:, 0])
        return np.column_stack([mm.mean(axis=1), angle])

    def card_quads(self, poses_mm: npt.ArrayLike, card_mm: tuple[float, float]) -> Points:
        """Outlines (N, 4, 2) px of cards of `card_mm` at poses (N, 3): inverse of `poses_mm`."""
        poses = np.asarray(poses_mm, np.float64).reshape(-1, 3)
        card = rectangle(*card_mm) - np.array(card_mm) / 2
        cosine, sine = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        x = card[:, 0] * cosine - card[:, 1] * sine + poses[:, :1]
        y = card[:, 0] * sine + card[:, 1] * cosine + poses[:, 1:2]
        return self.to_px(np.stack([x, y], axis=-1))


@dataclass(frozen=True, slots=True)
class TablePlane:
    """A calibrated table as pictured: its plane, with x to the right and y down in the picture.

    `picture`: width and height (px) of the pictures it is valid for; `size_mm`: width and height
    of the table, whose upper left corner, as pictured, is the origin of the plane.
    """

    plane: Plane
    picture: tuple[int, int]
    size_mm: tuple[float, float]

    @classmethod
    def of(cls, plane: Plane, picture: tuple[int, int], size_mm: tuple[float, float]) -> TablePlane:
        """From a plane as seat 1 sees the table: turned by quarters until it is upright in the
        picture, since seat 1 may sit at any of its sides."""
        width, height = picture
        begin, end = plane.to_mm([[width / 2 - 5, height / 2], [width / 2 + 5, height / 2]])
        angle = np.degrees(np.arctan2(end[1] - begin[1], end[0] - begin[0]))
        matrix, (across, down) = np.array(plane.homography), size_mm
        for _ in range(round(angle / 90) % 4):  # each quarter turns the table counter-clockwise
            matrix = np.array([[0, 1, 0], [-1, 0, across], [0, 0, 1.0]]) @ matrix
            across, down = down, across
        turned = Plane.of(matrix, plane.lens, plane.error_mm)
        return cls(turned, picture, (across, down))
