"""What the scene shows of a followed card, and what it asks of a recogniser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.geometry import Quad
from vision.scene.table import Corners
from vision.sightings import Named


class Name(Protocol):
    """Names cards; a `quick` look leaves out the search for whole cards of which parts show.
    `known` (4, 2) px: a card that lies near, as large as they are."""

    def __call__(
        self,
        bgr: Image,
        quads: npt.NDArray[np.float32],
        quick: bool = False,
        known: Quad | None = None,
    ) -> Named: ...


@dataclass(frozen=True, slots=True)
class Track:
    """A card as it is followed now, for people to look at.

    `corners`: four (x, y) px; `face` "unknown" while it is not named; `state`: "coming",
    "lying" or "covered" (remembered under other cards); `seat` of who brought it, if known.
    """

    number: int
    corners: Corners
    face: str
    confidence: float
    state: str
    place: str | None = None
    seat: int | None = None
