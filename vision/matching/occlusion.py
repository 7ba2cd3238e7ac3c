"""What a known card hides of those under it: all that its own picture can be seen of."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Mask, Quad, mapped, scaled

CELLS = (16, 12)  # rows and columns of a card
RIM = 1.04  # of a card's size: its edge and shadow tell nothing of what lies under it


@dataclass(frozen=True, slots=True, eq=False)
class CoveringCard:
    """A card at `quad` (4, 2) px, upright, and in which of its CELLS it can be seen, bool: in the
    others something lies on it."""

    quad: Quad
    is_seen: Mask

    @classmethod
    def whole(cls, quad: Quad) -> CoveringCard:
        """A card on which nothing lies."""
        return cls(quad, np.ones(CELLS, bool))

    def holds(self, points: npt.NDArray[np.float32]) -> Mask:
        """Which of the points (N, 2) lie on what is seen of it: (N,)."""
        rows, columns = CELLS
        at = mapped(points, self._to_grid(self.quad))
        x, y = np.floor(at).astype(int).T
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        inside[inside] = self.is_seen[y[inside], x[inside]]
        return inside

    def blank(self, bare: npt.NDArray[np.float32], to: npt.ArrayLike) -> None:
        """Sets `bare` (H, W), a crop, to 0 where the card covers it; `to` (3, 3) frame → crop."""
        grown = scaled(self.quad, RIM)
        if self.is_seen.all():
            cv2.fillConvexPoly(bare, np.rint(mapped(grown, to)).astype(np.int32), 0)
            return
        # The first pixel's middle lies at (0.5, 0.5).
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        warp = np.linalg.inv(half) @ np.asarray(to) @ np.linalg.inv(self._to_grid(grown)) @ half
        size = bare.shape[1], bare.shape[0]
        seen = cv2.warpPerspective(
            self.is_seen.astype(np.uint8), warp, size, flags=cv2.INTER_NEAREST
        )
        bare[seen > 0] = 0

    @staticmethod
    def _to_grid(quad: Quad) -> np.ndarray:
        rows, columns = CELLS
        corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        return cv2.getPerspectiveTransform(quad.astype(np.float32), corners)
