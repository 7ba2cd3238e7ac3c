"""One picture of the table, with the time it was taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Read-only BGR pixels (H, W, 3) uint8, capture time `at` in s, running `number`.

    `jpeg`: the file of which these are the pixels, where there is one.
    Raises ValueError for pixels of another shape or type.
    """

    bgr: Image
    at: float
    number: int
    jpeg: bytes | None = None

    def __post_init__(self) -> None:
        pixels = self.bgr
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8:
            raise ValueError(f"expected (H, W, 3) uint8, found {pixels.shape} {pixels.dtype}")
        view = pixels.view()
        view.flags.writeable = False
        object.__setattr__(self, "bgr", view)

    @property
    def width(self) -> int:
        """Pixels across."""
        return int(self.bgr.shape[1])

    @property
    def height(self) -> int:
        """Pixels down."""
        return int(self.bgr.shape[0])
