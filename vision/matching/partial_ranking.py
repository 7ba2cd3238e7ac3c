"""Which taught faces a card may be of which a part is hidden: by the half of it that fits best.

The vector tells a whole card's face; of half a card it may tell anything. All faces are compared
cell by cell at a coarse scale: a matrix product, a millisecond for a deck.
"""

import cv2
import numpy as np

from vision.matching.template_match import HEIGHT, WIDTH

_STEP = 2  # px of a look in one here
_CELL = 10  # px, a cell here
_TOLD = 0.3  # of the mean contrast: a cell with less tells nothing


class Shortlist:
    """Ranks the normalised looks (K of (HEIGHT, WIDTH, 3)) of a deck."""

    def __init__(self, looks: list[np.ndarray]) -> None:
        cells = np.stack([_cells(look) for look in looks], axis=1)
        self._looks = cells
        self._taught = (cells**2).sum(2)

    def likest(self, part: np.ndarray, most: int) -> list[int]:
        """The numbers of the `most` looks whose better half is most like `part`, a normalised
        crop (HEIGHT, WIDTH, 3), 0 where it is covered."""
        cells = _cells(part)
        seen = (cells**2).sum(1)[:, None]
        both = np.matmul(self._looks, cells[:, :, None])[..., 0]
        alike = both / np.sqrt(seen * self._taught + 1e-3)
        told = (
            np.maximum(seen / max(float(seen.mean()), 1e-6), self._taught / self._taught.mean(0))
            >= _TOLD
        )
        told &= seen > 0
        ordered = np.sort(np.where(told, alike, -1.0), axis=0)[::-1]
        half = np.maximum(1, told.sum(0) // 2)
        sums = np.cumsum(ordered, axis=0)
        fits = sums[half - 1, np.arange(len(half))] / half
        return [int(k) for k in np.argsort(-fits, kind="stable")[:most]]


def _cells(look: np.ndarray) -> np.ndarray:
    """(cells, values) float32 of a look."""
    small = cv2.resize(
        look, (WIDTH // _STEP, HEIGHT // _STEP), interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    rows, columns = small.shape[0] // _CELL, small.shape[1] // _CELL
    split = small.reshape(rows, _CELL, columns, _CELL, 3).swapaxes(1, 2)
    return split.reshape(rows * columns, -1)
