"""What covers the table: arms and hands, and from which side of the picture they come."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from rules.table.layout import SIDES, Side
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.hand_blobs import (
    CORNER,
    EDGE,
    Cover,
    FadedSleeves,
    joined,
    nearest,
    reached,
    rival_of,
)
from vision.settings import VisionSettings

_SMALLEST = 14
_RECENT_S = 0.2
_SAME_HAND_S = 0.4
BEGINNING_S = 10.0  # after the first picture
_MIXED_S = 0.3  # before a card rests or is gone
_BOTH_S = 0.15  # the same for hands that are not one blob
_UNSEEN_S = 2.0  # a place that was not seen for longer: the hands of so long count
_TAKEN_S = 5.0  # a hand that was over the place longer ago took nothing
_SAME = 0.5  # part of a blob that was a hand a moment ago: it is that hand still
KNOWN = 0.3  # part of a blob over the table as it was seen, of a hand that has come since
_OVER = 0.1  # part of a place over which a hand has to be
_FEW = 0.3  # part of a blob that must have been that side's, if it reaches in from none
_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A hand from one side over the table, `begin` to `end` (s). `place`: where it was when it
    reached furthest, by `depth` px of the small picture, `first` px when it was seen first;
    `where` (h, w): all that it hid;
    `is_told`: whether an act of its player was told meanwhile, or there was none; `clear_since`
    (s): since when nothing is seen to have changed there."""

    begin: float
    end: float
    place: str
    depth: float
    first: float
    where: Mask
    is_told: bool = False
    clear_since: float | None = None


class Hands:
    """Follows what moves over the table, and remembers who was last where."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._before: npt.NDArray[np.uint8] | None = None
        self._covered: Mask | None = None
        self._since: npt.NDArray[np.float32] | None = None
        self._who: npt.NDArray[np.uint8] | None = None
        self._mixed_at: npt.NDArray[np.float32] | None = None
        self._side_at: npt.NDArray[np.float32] | None = None
        self._same_at: npt.NDArray[np.float32] | None = None  # when it was last seen unchanged
        self._rival = np.zeros((1, 1), np.uint8)  # the other side, of a hand from a corner
        self._guess = np.zeros((1, 1), np.uint8)  # the side that few pixels tell, of what has none
        self._faded = FadedSleeves((1, 1))
        self._began_at = 0.0

    def see(self, change: Change, resting: Mask, known: Mask, fans: Mask | None = None) -> Cover:
        """The cover of this frame. `resting` (h, w): where cards are coming to rest (no hand);
        `known` (h, w): where the table was ever seen at rest; `fans` (h, w): held ones."""
        shape = change.changed.shape
        if self._before is None or self._before.shape != shape:
            self._began_at = change.at
            self._before = np.zeros(shape, np.uint8)
            self._covered = np.zeros(shape, bool)
            self._since = np.full(shape, -np.inf, np.float32)
            self._who = np.zeros(shape, np.uint8)
            self._mixed_at = np.full(shape, -np.inf, np.float32)
            self._side_at = np.full((len(SIDES), *shape), -np.inf, np.float32)
            self._same_at = np.full(shape, -np.inf, np.float32)
            self._rival, self._guess = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
            self._faded = FadedSleeves(shape)
        assert self._before is not None and self._since is not None and self._same_at is not None
        assert self._who is not None and self._side_at is not None
        unexplained = (change.changed & ~resting).view(np.uint8)
        self._rival[:], self._guess[:] = 0, 0
        if not unexplained.any():
            cover = Cover(np.zeros(shape, bool), np.zeros(shape, np.uint8))
            self._faded = FadedSleeves(shape)
        else:
            closed = cv2.morphologyEx(unexplained, cv2.MORPH_CLOSE, _SQUARE)
            cover = joined(self._sort(np.asarray(closed, np.uint8), change, known, fans), change)
            cover = replace(cover, side=np.where(cover.side, cover.side, self._guess))
        self._covered = cover.mask
        wide = cv2.dilate(cover.side, _SQUARE)
        near = wide > 0
        self._since[near] = change.at
        self._who[near] = wide[near]
        for sides in (wide, cv2.dilate(self._rival, _SQUARE)):
            for k in np.unique(sides[near]):
                if k:
                    self._side_at[k - 1][sides == k] = change.at
        self._same_at[~change.changed & ~near] = change.at
        # A hand's place is kept for a moment: the card it let go of is still on its way.
        stale = change.at - self._since > _SAME_HAND_S
        self._before = np.where(stale, 0, self._who).astype(np.uint8)
        return cover

    def actor(self, place: Mask, since: float = -np.inf, in_s: float = _SAME_HAND_S) -> str | None:
        """The side of the hand that was over most of a place in the last `in_s` of any there."""
        if self._since is None or self._who is None:
            return None
        times, who = self._since[place], self._who[place]
        if not times.size or not np.isfinite(times.max()) or times.max() < since:
            return None
        votes = np.bincount(who[times >= times.max() - in_s], minlength=5)
        votes[0] = 0
        return SIDES[int(votes.argmax()) - 1] if votes.any() else None

    def last_at(self, place: Mask) -> float:
        """When (s) a hand was last over that part of the small picture; minus infinity: never."""
        if self._since is None or not place.any():
            return -np.inf
        return float(self._since[place].max())

    def is_mixed(self, place: Mask, at: float) -> bool:
        """Whether hands from two sides were over the place shortly before `at` (s), or before the
        last of them left it: which of them acted there is a guess."""
        if self._mixed_at is None or not place.any():
            return False
        at = min(at, self.last_at(place))
        if not np.isfinite(at):
            return False
        is_one_blob = bool(self._mixed_at[place].max() >= at - _MIXED_S)
        return is_one_blob or len(self._over_unseen(place, at)) >= 2

    def taker(self, place: Mask, at: float) -> str | None:
        """The side of the hand that took a card from there: of two the one that is leaving."""
        over = self._over(place, at)
        if len(over) < 2 or self._side_at is None:
            return self.actor(place, at - _TAKEN_S)
        last_at = self._side_at[:, place].max(axis=1)
        if len({float(last_at[k]) for k in over}) == 1:  # one hand, from a corner
            return self.actor(place, at - _TAKEN_S)
        return SIDES[min(over, key=lambda k: float(last_at[k]))]

    def came_over(self, place: Mask, since: float) -> int:
        """From how many sides hands were over that part of the small picture after `since` (s)."""
        return len(self._over_since(place, since))

    def was_over(self, place: Mask, side: str, since: float) -> bool:
        """Whether a hand from a side was over that part of the small picture after `since` (s)."""
        return SIDES.index(Side(side)) in self._over_since(place, since)

    def over(self, place: Mask, at: float) -> tuple[str, ...]:
        """The sides from which hands were over the place shortly before `at` (s), or before the
        last of them left it, or since the place was last seen unchanged."""
        return tuple(SIDES[k] for k in self._over_unseen(place, min(at, self.last_at(place))))

    def _over_unseen(self, place: Mask, at: float) -> list[int]:
        """The sides, as indices in SIDES, of hands that may have acted there until `at` (s)."""
        since = at - _BOTH_S
        if self._same_at is not None and place.any():
            same_at = float(np.median(self._same_at[place]))
            since = min(since, max(same_at, at - _UNSEEN_S))
        return self._over_since(place, since)

    def _over(self, place: Mask, at: float) -> list[int]:
        """The sides, as indices in SIDES, from which hands were over the place shortly before."""
        return self._over_since(place, at - _BOTH_S)

    def _over_since(self, place: Mask, since: float) -> list[int]:
        """The same from `since` (s) on."""
        if self._side_at is None or not place.any():
            return []
        shares = (self._side_at[:, place] >= since).mean(axis=1)
        return [int(k) for k in np.flatnonzero(shares >= _OVER)]

    def _sort(
        self, blobs: npt.NDArray[np.uint8], change: Change, known: Mask, fans: Mask | None
    ) -> Cover:
        assert self._before is not None and self._mixed_at is not None
        assert self._covered is not None
        count, labels, stats = _parts(blobs)
        edges, reach_in = reached(labels, count, fans)
        recent = np.bincount(labels[change.still_s < _RECENT_S], minlength=count)
        sizes = stats[:, cv2.CC_STAT_AREA]
        before = self._hands_before(labels, sizes, change, known)
        side = np.zeros(labels.shape, np.uint8)
        mask, faded = np.zeros(labels.shape, bool), np.zeros(labels.shape, bool)
        is_blob = blobs > 0
        as_table = ~(change.changed | is_blob) & (change.still_s >= _RECENT_S)
        self._faded.see(is_blob, self._covered, as_table)
        for blob in range(1, count):
            if sizes[blob] < _SMALLEST:
                continue
            moves = recent[blob] > 0.08 * sizes[blob]
            if not moves and before[blob] <= 0.3 * sizes[blob]:  # nor was a hand
                continue
            x, y, w, h = stats[blob, :4]
            box = (slice(y, y + h), slice(x, x + w))
            inside = labels[box] == blob
            if moves:
                self._faded.goes(box, inside)
            elif not reach_in[blob]:
                if not self._faded.reaches_in(box, inside):
                    continue
                faded[box] |= inside
            mask[box] |= inside
            sides = self._sides(inside, edges[blob], self._before[box])
            found = self._side(inside, edges[blob], self._before[box], sides)
            is_guess = edges[blob].max() < EDGE and _is_guess(found, self._before[box][inside])
            (self._guess if is_guess else side)[box][inside] = found
            if isinstance(found, int):
                self._rival[box][inside] = rival_of(found, edges[blob])
            if len(sides) >= 2:
                self._mixed_at[box][inside] = change.at
        return Cover(mask, side, faded)

    def _hands_before(
        self, labels: npt.NDArray[np.int32], sizes: npt.NDArray[Any], change: Change,
        known: Mask,
    ) -> npt.NDArray[np.int64]:  # fmt: skip
        """How many pixels of each blob (count,) a hand covered before that may rest there still.

        At first a still place that differs is hardly an arm where the table was never seen: one was
        there in the first picture, and has gone."""
        assert self._covered is not None
        hold_s = np.full(len(sizes), self._settings.hold_s)
        if change.at - self._began_at < BEGINNING_S:
            is_unknown = np.bincount(labels[known], minlength=len(sizes)) < KNOWN * sizes
            hold_s[is_unknown] = min(self._settings.hold_s, self._settings.absorb_s)
        held = self._covered & (change.still_s < hold_s[labels])
        return np.bincount(labels[held], minlength=len(sizes))

    def _sides(
        self, inside: Mask, edge: npt.NDArray[np.int64], before: npt.NDArray[np.uint8]
    ) -> list[int]:
        """The sides from which a blob reaches in and did so before, as indices in SIDES."""
        votes = np.bincount(before[inside], minlength=5)[1:5]
        return [k for k in range(4) if edge[k] >= EDGE and votes[k] >= _SMALLEST]

    def _side(
        self, inside: Mask, edge: npt.NDArray[np.int64], before: npt.NDArray[np.uint8],
        known: list[int],
    ) -> npt.NDArray[np.uint8] | int:  # fmt: skip
        if len(known) >= 2:
            return nearest(inside, before, known)
        strong = [k for k in range(4) if edge[k] >= EDGE]
        votes = np.bincount(before[inside], minlength=5)[1:5]
        if not known and votes.max() >= _SAME * np.count_nonzero(inside):
            return int(votes.argmax()) + 1  # a jolt joins a hand with what it shows at a side
        if strong:
            widest = max(strong, key=lambda k: int(edge[k]))
            # A fan in a corner of the picture reaches over the other side too.
            is_known = bool(known) and edge[widest] < CORNER * edge[known[0]]
            return (known[0] if is_known else widest) + 1
        return int(votes.argmax()) + 1 if votes.any() else 0


def _parts(
    blobs: npt.NDArray[np.uint8],
) -> tuple[int, npt.NDArray[np.int32], npt.NDArray[Any]]:
    """How many blobs there are with the rest, their labels (h, w), and OpenCV's statistics."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(blobs, connectivity=8)
    return count, np.asarray(labels, np.int32), stats


def _is_guess(side: npt.NDArray[np.uint8] | int, before: npt.NDArray[np.uint8]) -> bool:
    """Whether few of a blob's pixels, of these sides `before` (N,), tell its `side`."""
    return isinstance(side, int) and float((before == side).mean()) < _FEW
