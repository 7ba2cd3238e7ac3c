"""Places where boxes are located though no card could be named there and nothing changes now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision import geometry
from vision.frame import Image
from vision.geometry import Quad
from vision.scene.candidates import Candidate, is_named
from vision.scene.looks import wait_s
from vision.scene.patches import patch_of, unchanged
from vision.settings import VisionSettings

SAME = 0.5  # IoU of a box with a dull place
STAYS = 0.5  # part of a place's crop that is unchanged while it stays dull,
STAYS_FRESH = 0.8  # and where the table differs from the remembered one: a card may have come
FIRST = 2  # looks before a place is dull,
FIRST_FRESH = 5  # and where the table differs
MOST = 32  # places


@dataclass(frozen=True, slots=True, eq=False)
class DullPlace:
    """A place (quad (4, 2) px, its grey crop), how often it was looked at and when last (s).

    `empty`: looks that saw no card; `fresh`: the table differed from the remembered one there.
    """

    quad: Quad
    patch: Image
    looks: int
    at: float
    empty: int = 0
    fresh: bool = False

    def is_dull(self, is_fresh: bool) -> bool:
        """Whether it was looked at often enough. A card that has no name yet is no dull place."""
        if not is_fresh:
            return self.looks >= FIRST
        return self.looks >= FIRST_FRESH and 2 * self.empty > self.looks

    def is_as_before(self, card: Candidate) -> bool:
        """Whether nothing came since: a shadow or a card makes a place fresh."""
        return self.fresh or not card.fresh


class DullPlaces:
    """Spares looks: a name costs more than a frame has. Each look doubles the time to the next."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._places: list[DullPlace] = []

    def looked(self, before: Candidate, card: Candidate, bgr: Image, at: float) -> None:
        """A look at the candidate `before` is over; it is `card` now."""
        found = self._find(card)
        if found is not None:
            self._places.remove(found)
        if is_named(card, self._settings) or card.evidence:
            return
        looks, empty = 1, card.empty - before.empty
        if found is not None and found.is_as_before(card):
            looks, empty = looks + found.looks, empty + found.empty
        patch = patch_of(bgr, card.quad)
        self._places.append(DullPlace(card.quad, patch, looks, at, empty, card.fresh))
        del self._places[:-MOST]

    def spared(self, card: Candidate, bgr: Image, at: float) -> Candidate | None:
        """The candidate with the looks at its place, if another look at it can wait."""
        found = self._find(card)
        if found is None or not found.is_dull(card.fresh) or not found.is_as_before(card):
            return None
        first = FIRST_FRESH if card.fresh else FIRST
        if at - found.at >= wait_s(found.looks, first, self._settings.again_s):
            return None
        if unchanged(found.patch, bgr, found.quad) >= (STAYS_FRESH if card.fresh else STAYS):
            return replace(card, looks=found.looks, empty=found.empty)
        self._places[self._places.index(found)] = replace(found, looks=0, empty=0)
        return None

    def _find(self, card: Candidate) -> DullPlace | None:
        for place in self._places:
            if geometry.iou(place.quad, card.quad) >= SAME:
                return place
        return None
