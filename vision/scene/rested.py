"""Changes that came to rest and that no card explains yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Image
from vision.geometry import Mask, Quad
from vision.scene.background import Change, changed_but_for_a_nudge
from vision.scene.difference import is_shadow
from vision.scene.occupancy import Occupancy
from vision.scene.proposals import AREAS, card_size
from vision.settings import VisionSettings

REST_S = 0.2  # s that a change lies still before it is remembered
STRIP = 0.25  # of a card's shorter side: narrower changes are edges of cards and shadows
ON_CARDS = 0.15  # of a card's area: a change on lying cards at least so large is a card's
ON_TABLE = 0.5  # the same on the bare table, where sleeves and shadows come to rest too
LINES = 0.2  # part of a change whose fine lines differ; a shadow has none
DIFFERENT = 0.25  # of a card's area that differs from the card that lies there now
SEEN = 0.5  # part of a remembered change that tells whether it is explained or gone
SLIM = 1.5  # longer by shorter side of a card whose size is not known yet
MOST = 16  # remembered changes


@dataclass(frozen=True, slots=True, eq=False)
class RestedChange:
    """Where (h, w) bool of the small picture a change rested, and who was last there.

    `rests_s`: for how long half of it has lain. `before`: the table before it came, once the change
    itself counts as the table. `is_bare`: the table has come to light again there.
    """

    where: Mask
    seat: int | None
    rests_s: float
    before: Image | None = None
    is_bare: bool = False

    def quad_like(self, quad: Quad, scale: float) -> Quad:
        """A quad (4, 2) px of the full picture, moved to its centre."""
        rows, columns = np.nonzero(self.where)
        middle = np.array([columns.mean() + 0.5, rows.mean() + 0.5], np.float32)
        return np.asarray(quad + (middle / np.float32(scale) - geometry.centre(quad)), np.float32)


class RestedChanges:
    """Finds them, and remembers those that count as the table until they are taken away."""

    def __init__(self, settings: VisionSettings) -> None:
        self._level = settings.changed_level
        self._absorbed: list[RestedChange] = []

    def see(
        self,
        change: Change,
        still: Mask,
        occupancy: Occupancy,
        rest: Image,
        seat_at: Callable[[Mask], int | None],
    ) -> list[RestedChange]:
        """The changes at rest in this picture that are large enough for a card.

        `still` (h, w): changed, not covered, and of no named candidate. `rest`: the picture at
        rest. `seat_at` gives the seat whose hand was last at a place, if known.
        """
        sides = _sides_px(occupancy)
        since_s = np.minimum(change.still_s, change.changed_s)
        return [
            self._judged(
                RestedChange(inside, seat_at(inside), float(np.median(since_s[inside]))), change
            )
            for inside in _blobs(still & (since_s >= REST_S), sides)
            if _is_no_shadow(inside, change, rest, self._level)
            if _is_large(inside, occupancy.owner, sides)
        ]

    def _judged(self, now: RestedChange, change: Change) -> RestedChange:
        """The change, or the table that has come to light below what counted as the table."""
        left = [one for one in self._absorbed if _has_left(one, now, change, self._level)]
        self._absorbed = [one for one in self._absorbed if one not in left]
        return replace(now, is_bare=bool(left))

    def absorb(self, one: RestedChange, rest: Image) -> None:
        """It counts as the table from now on; `rest` is the table before."""
        self.forget(one.where)
        self._absorbed = [*self._absorbed, replace(one, before=rest)][-MOST:]

    def forget(self, where: Mask) -> None:
        """What rested there (h, w) is explained."""
        self._absorbed = [one for one in self._absorbed if not _is_part(one.where, where)]


def _is_part(where: Mask, of: Mask) -> bool:
    return bool(np.count_nonzero(where & of) > SEEN * np.count_nonzero(where))


def _has_left(one: RestedChange, now: RestedChange, change: Change, level: int) -> bool:
    """Whether what counted as the table was taken away: it looks again as before it came."""
    if one.before is None or not _is_part(one.where, now.where):
        return False
    return not _differs(one.before, one.where, change, level)


def _differs(picture: Image, where: Mask, change: Change, level: int) -> bool:
    """Whether a place of the picture looks otherwise now, but for a nudge."""
    count = np.count_nonzero(where)
    apart = changed_but_for_a_nudge(change, picture, where, level) if count else 0
    return bool(apart and apart >= DIFFERENT * count)


def _sides_px(occupancy: Occupancy) -> tuple[float, float]:
    """The longer and shorter side of a card, px of the small picture; before one lies, of the
    smallest card that is played with."""
    size = card_size(occupancy.table)
    if size is None:
        height, width = occupancy.owner.shape
        short = float(np.sqrt(AREAS[0] * height * width / SLIM))
        return SLIM * short, short
    return size[0] * occupancy.scale, size[1] * occupancy.scale


def _blobs(still: Mask, sides: tuple[float, float]) -> list[Mask]:
    if np.count_nonzero(still) < ON_CARDS * sides[0] * sides[1]:
        return []
    side = max(3, round(STRIP * sides[1]))
    whole = cv2.morphologyEx(still.view(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    count, labels = cv2.connectedComponents(whole, connectivity=8)
    return [labels == blob for blob in range(1, count)]


def _is_no_shadow(inside: Mask, change: Change, rest: Image, level: int) -> bool:
    # Where all differs by much, no lines show: a pale card on a dark table.
    has_lines = bool(change.lines[inside].mean() >= LINES)
    return has_lines or not is_shadow(change.low[inside], rest[inside], level)


def _is_large(inside: Mask, owner: npt.NDArray[np.int16], sides: tuple[float, float]) -> bool:
    """Whether it is as large as what shows of a card, on lying cards or on the bare table."""
    area = sides[0] * sides[1]
    on_cards = np.count_nonzero(owner[inside])
    return bool(on_cards >= ON_CARDS * area or np.count_nonzero(inside) >= ON_TABLE * area)
