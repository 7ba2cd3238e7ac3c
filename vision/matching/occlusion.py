"""What a recognised card hides of the cards under it: only where its own face can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.crop import pixel_warp, rectangle
from vision.geometry import Mask, Quad, inside_points, intersection, mapped, scaled

CELLS = (16, 12)  # rows and columns of a card's visibility grid
STEPS = 12  # points along each side of a quad by which its covered share is measured
RIM = 1.04  # of a card's size; a larger mask also hides the edge and shadow of the upper card


@dataclass(frozen=True, slots=True, eq=False)
class Occluder:
    """An upright card at `quad` (4, 2) px. `is_visible`: in which of its CELLS its own face can be
    seen, bool; another card lies on the other cells."""

    quad: Quad
    is_visible: Mask

    @classmethod
    def whole(cls, quad: Quad) -> Occluder:
        """A card that is visible in full."""
        return cls(quad, np.ones(CELLS, bool))

    def contains(self, points: npt.NDArray[np.float32]) -> Mask:
        """Which of the points (N, 2) lie on a visible cell: (N,)."""
        rows, columns = CELLS
        at = mapped(points, self._to_grid(self.quad))
        x, y = np.floor(at).astype(int).T
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        inside[inside] = self.is_visible[y[inside], x[inside]]
        return inside

    def masked(self, mask: npt.NDArray[np.float32], to: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """A copy of the crop's `mask` (H, W), 0 where this card hides it; `to` (3, 3): frame →
        crop."""
        mask = mask.copy()
        grown = scaled(self.quad, RIM)
        if self.is_visible.all():
            cv2.fillConvexPoly(mask, np.rint(mapped(grown, to)).astype(np.int32), 0)
            return mask
        warp = pixel_warp(np.asarray(to) @ np.linalg.inv(self._to_grid(grown)))
        size = mask.shape[1], mask.shape[0]
        seen = cv2.warpPerspective(
            self.is_visible.astype(np.uint8), warp, size, flags=cv2.INTER_NEAREST
        )
        mask[seen > 0] = 0
        return mask

    @staticmethod
    def _to_grid(quad: Quad) -> np.ndarray:
        rows, columns = CELLS
        return cv2.getPerspectiveTransform(quad.astype(np.float32), rectangle(columns, rows))


def covered_share(quad: Quad, occluders: Sequence[Occluder]) -> float:
    """The share of the quad (4, 2), 0..1, where the face of any of the `occluders` is seen."""
    points = inside_points(quad[None].astype(np.float32), STEPS)[0]
    on_any = np.zeros(len(points), bool)
    for one in occluders:
        if intersection(quad, one.quad) > 0:
            on_any |= one.contains(points)
    return float(on_any.mean())
