"""Changes that came to rest and that no card explains yet: each may be a card that was missed."""

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
from vision.scene.difference import differs, is_shadow
from vision.scene.occupancy import Occupancy
from vision.scene.proposals import AREAS, card_size
from vision.settings import VisionSettings

REST_S = 0.2  # s that a change lies still before it is remembered
STRIP = 0.25  # of a card's shorter side: narrower changes are edges of cards and shadows
ON_CARDS = 0.15  # of a card's area: a change on lying cards at least so large is a card's
ON_TABLE = 0.5  # the same on the bare table, where sleeves and shadows come to rest too
LINES = 0.2  # part of a change whose fine lines differ; a shadow has none
DIFFERENT = 0.25  # of a card's area that differs from the card that lies there now
GONE = 0.1  # of a card's area: beside the new card the change has gone again
SEEN = 0.5  # part of a remembered change that tells whether it is explained or gone
AROUND = 1.1  # of a card's size: its edge and its shadow
SLIM = 1.5  # longer by shorter side of a card whose size is not known yet
MOST = 16  # remembered changes
KEPT_S = 20.0  # s that a change is remembered under a hand
_RING = np.ones((5, 5), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class RestedChange:
    """Where (h, w) bool of the small picture a change rested, how it looked, who was last there.

    `rests_s`: for how long half of it has lain; `seen_at` (s): when it was last seen at rest.
    `before`: the table before it came, once the change itself counts as the table. `is_bare`: the
    table has come to light again there.
    """

    where: Mask
    low: Image
    seat: int | None
    rests_s: float
    seen_at: float
    before: Image | None = None
    is_bare: bool = False

    def quad_like(self, quad: Quad, scale: float) -> Quad:
        """A quad (4, 2) px of the full picture, moved to its centre."""
        rows, columns = np.nonzero(self.where)
        middle = np.array([columns.mean() + 0.5, rows.mean() + 0.5], np.float32)
        return np.asarray(quad + (middle / np.float32(scale) - geometry.centre(quad)), np.float32)


class RestedChanges:
    """Remembers them while hands cover them, until they are explained or gone."""

    def __init__(self, settings: VisionSettings) -> None:
        self._level = settings.changed_level
        self._known: list[RestedChange] = []

    def see(
        self,
        change: Change,
        still: Mask,
        cover: Mask,
        occupancy: Occupancy,
        rest: Image,
        seat_at: Callable[[Mask], int | None],
    ) -> list[RestedChange]:
        """The changes at rest in this picture that are large enough for a card.

        `still` (h, w): changed, not covered, and of no named candidate; `cover`: hands. `rest`: the
        picture at rest. `seat_at` gives the seat whose hand was last at a place, if known.
        """
        sides = _sides_px(occupancy)
        since_s = np.minimum(change.still_s, change.changed_s)
        found = [
            RestedChange(
                inside,
                change.low,
                seat_at(inside),
                float(np.median(since_s[inside])),
                change.at,
            )
            for inside in _blobs(still & (since_s >= REST_S), sides)
            if _is_no_shadow(inside, change, rest, self._level)
            if _is_large(inside, occupancy.owner, sides)
        ]
        self._remember(found, change, cover)
        return found

    def _remember(self, found: list[RestedChange], change: Change, cover: Mask) -> None:
        """Those of this picture are remembered too; marks in `found` what was bared."""
        level = self._level
        kept = []
        for one in self._known:
            bared = [k for k, now in enumerate(found) if _has_left(one, now, change, level)]
            for k in bared:
                found[k] = replace(found[k], is_bare=True)
            if not bared and not _has_ended(one, change, cover):
                kept.append(one)
        for now in found:
            if now.is_bare or _is_touched(now.where, cover):
                continue  # fingers may lie on it
            same = [one for one in kept if _is_same(one, now, change, level)]
            kept = [one for one in kept if one not in same]
            # A hand hides a part of it at first: the whole one is remembered.
            whole = max((*same, now), key=lambda one: np.count_nonzero(one.where))
            kept.append(replace(whole, seen_at=change.at))
        self._known = kept[-MOST:]

    def absorb(self, one: RestedChange, rest: Image) -> None:
        """It counts as the table from now on; `rest` is the table before."""
        self._known = [other for other in self._known if not _is_part(other.where, one.where)]
        self._known.append(replace(one, before=rest))

    def take_below(
        self, quad: Quad, change: Change, cover: Mask, occupancy: Occupancy
    ) -> list[RestedChange]:
        """The changes that rested where a new card lies now (quad (4, 2) px), the oldest first.

        Not the new card itself, and none that has gone.
        """
        place, level = occupancy.area(quad), self._level
        bared = ~occupancy.area(quad, AROUND) & ~cover & ~change.changed
        card = np.count_nonzero(place)
        found = []
        for one in self._known:
            where = one.where & place & ~cover
            has_gone = one.before is None and np.count_nonzero(one.where & bared) > GONE * card
            is_large = np.count_nonzero(where) >= DIFFERENT * card
            if is_large and not has_gone:
                apart = changed_but_for_a_nudge(change, one.low, where, level)
                found += [one] if apart >= DIFFERENT * card else []
        return self._without(found)

    def take_over(
        self, place: Mask, bare: Image, change: Change, occupancy: Occupancy
    ) -> list[RestedChange]:
        """The changes that rested on cards that went, the oldest first. `place` (h, w): of these
        cards; `bare` (h, w, 3): the table there without them, which may be a guess. What still
        shows is that table."""
        length, width = _sides_px(occupancy)
        least, level = DIFFERENT * length * width, self._level
        found = []
        for one in self._known:
            where = one.where & place
            is_large = one.before is None and np.count_nonzero(where) >= least
            if is_large and _differs(one.low, where, change, level):
                apart = differs(one.low, bare, level, change.noise)
                found += [one] if np.count_nonzero(apart & where) >= least else []
        return self._without(found)

    def _without(self, found: list[RestedChange]) -> list[RestedChange]:
        self._known = [one for one in self._known if one not in found]
        return found

    def forget(self, where: Mask) -> None:
        """What rested there (h, w) is explained."""
        self._known = [one for one in self._known if not _is_part(one.where, where)]


def _is_part(where: Mask, of: Mask) -> bool:
    return bool(np.count_nonzero(where & of) > SEEN * np.count_nonzero(where))


def _is_touched(where: Mask, cover: Mask) -> bool:
    return bool((cv2.dilate(where.view(np.uint8), _RING).view(bool) & cover).any())


def _has_ended(one: RestedChange, change: Change, cover: Mask) -> bool:
    """Whether it is explained, was taken away, or is too old."""
    if one.before is not None:
        return False
    is_old = change.at - one.seen_at > KEPT_S
    return is_old or _is_part(one.where, ~change.changed & ~cover)


def _has_left(one: RestedChange, now: RestedChange, change: Change, level: int) -> bool:
    """Whether what counted as the table was taken away: it looks again as before it came."""
    if one.before is None or not _is_part(one.where, now.where):
        return False
    return not _differs(one.before, one.where, change, level)


def _is_same(one: RestedChange, now: RestedChange, change: Change, level: int) -> bool:
    if one.before is not None:
        return False
    is_there = _is_part(one.where, now.where) or _is_part(now.where, one.where)
    return is_there and not _differs(one.low, one.where & now.where, change, level)


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
