"""Places where boxes are located though no card could be named there and nothing changes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision import geometry
from vision.frame import Image
from vision.geometry import Quad
from vision.scene.candidates import Candidate, is_named, patch_of, unchanged
from vision.settings import VisionSettings

SAME = 0.5  # IoU of a box with a dull place
STAYS = 0.5  # part of a place's crop that is unchanged while it stays dull
FIRST = 2  # looks before a place is dull
LONGEST_S = 6.4  # s between two looks
MOST = 32  # places


@dataclass(frozen=True, slots=True, eq=False)
class DullPlace:
    """A place (quad (4, 2) px, its grey crop), how often it was looked at and when last (s)."""

    quad: Quad
    patch: Image
    looks: int
    at: float


class DullPlaces:
    """Spares looks: a name costs more than a frame has. Each look doubles the time to the next."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._places: list[DullPlace] = []

    def looked(self, card: Candidate, bgr: Image, at: float) -> None:
        """A look at a candidate is over."""
        found = self._find(card)
        if found is not None:
            self._places.remove(found)
        if card.fresh or is_named(card, self._settings) or card.evidence:
            return
        looks = 1 if found is None else found.looks + 1
        self._places.append(DullPlace(card.quad, patch_of(bgr, card.quad), looks, at))
        del self._places[:-MOST]

    def is_spared(self, card: Candidate, bgr: Image, at: float) -> bool:
        """Whether another look at the candidate can wait."""
        found = None if card.fresh else self._find(card)
        if found is None or found.looks < FIRST:
            return False
        wait_s = min(self._settings.again_s * 2.0 ** (found.looks - FIRST), LONGEST_S)
        if at - found.at >= wait_s:
            return False
        if unchanged(found.patch, bgr, found.quad) >= STAYS:
            return True
        self._places[self._places.index(found)] = replace(found, looks=0)
        return False

    def _find(self, card: Candidate) -> DullPlace | None:
        for place in self._places:
            if geometry.iou(place.quad, card.quad) >= SAME:
                return place
        return None
