"""Fans of cards that hands hold beside the picture's border, where no change shows the hand too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.hand_blobs import Cover
from vision.scene.hands import BEGINNING_S, KNOWN
from vision.scene.proposals import SCORE
from vision.scene.scene import SAME_PLACE, Scene
from vision.sightings import UNKNOWN

FINGER = 0.06  # part of a card, hidden in one piece by what is no card
FIRST_FINGER = 0.03  # the same of a card of the first picture: no hand was seen that laid it
Cell = tuple[int, int]  # row and column
IN_FAN = 0.5  # part of a candidate that lies where a fan was
HELD_S = 2.5  # s for which cards are held at a place, after which a fan is there
GAP_S = 1.0  # s without a card, after which the time at that place starts again
KEPT_S = 3.0  # s for which the place of a fan is remembered
RESTS_S = 6.0  # s that a card rests at such a place, after which it lies on the table
ISLAND = 0.1  # part of the ring about a card that may differ, by its shadow and by noise
CAME = 0.05  # part of a card's rim that differs from the table as it was seen: a finger
BESIDE = 1.1  # of a card's size: its edge
FAN = 2  # others that a card of a fan overlaps, itself or through one of them
OVER = 0.05  # part of a card that another one covers, from which on the two overlap
LYING = 0.6  # part of a box that lies over known cards, from which on it may be theirs
ALL = 0.95  # part of a card that shows where nothing lies on it: no finger, no card of its fan
NEXT = 0.4  # part of a fan's top card that lies over the next card, at least
BEYOND = 0.12  # of a card's width or length: beyond its edge and its shadow
COMES_OVER = 0.25  # part of the table beside a finger that differs


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Of each pixel of the small picture, (h, w): when (s) a card of a fan was seen there last,
    since when without a gap, and its number."""

    seen_at: npt.NDArray[np.float32]
    since: npt.NDArray[np.float32]
    whose: npt.NDArray[np.int32]


class Fans:
    """The places of fans, and which candidates belong to one.

    A thumb on a card tells of a fan where the hand was there in the first picture. What lies at
    its place later is a card of it too: fans move, and their top cards change.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._fingered: set[int] = set()
        self._touched: set[int] = set()
        self._members: set[int] = set()

    @cached_property
    def _places(self) -> Places:
        shape = self._scene.occupancy.owner.shape
        never = np.full(shape, -np.inf, np.float32)
        return Places(never, -never, np.zeros(shape, np.int32))

    def see(self, cards: Sequence[Candidate], fanned: frozenset[int], at: float) -> frozenset[int]:
        """The numbers of the candidates that are cards of a fan; `fanned`: of those that overlap
        others in a hand."""
        followed = {card.number for card in cards}
        for numbers in (self._fingered, self._touched, self._members):
            numbers &= followed
        found = set()
        for card in cards:
            if not self._scene.is_near_border(card.place) or at - card.since >= RESTS_S:
                self._members.discard(card.number)
                continue
            is_there = self._is_there(card, at)
            # What has no name and was not located is the table that was bared.
            is_card = is_named(card, self._scene.settings) or card.score > 1.01 * SCORE
            if is_there and is_card:
                self._members.add(card.number)
            if is_there or card.number in self._members | self._fingered | fanned:
                found.add(card.number)
                if is_card or card.number in fanned:
                    self._remember(card, at)
        return frozenset(found)

    def _remember(self, card: Candidate, at: float) -> None:
        """A card of a fan is seen; one on its way from there to the table is no part of it."""
        if card.seen_at < at or not card.is_slow or card.frames < 2:
            return
        place, known = self._scene.occupancy.area(card.place, BESIDE), self._places
        place &= self._scene.occupancy.owner == 0  # a hand lays cards on those
        restarted = place & (at - known.seen_at > GAP_S)
        known.since[restarted] = -np.inf if self._scene.is_first(card) else at
        known.seen_at[place], known.whose[place] = at, card.number
        self._scene.fan_places = known.seen_at > -np.inf

    def is_fingered(self, card: Candidate) -> bool:
        """Whether a finger lay on a candidate beside the picture's border when it was looked at."""
        is_touched = card.number in self._fingered | self._touched
        return is_touched and self._scene.is_near_border(card.place)

    def is_touched(self, card: Candidate) -> bool:
        """Whether something lay on the candidate at its last look that may be a finger."""
        return card.number in self._touched

    def looked(self, cards: Iterable[Candidate], change: Change, cover: Cover) -> None:
        """These candidates were looked at: a finger may lie on them. One of a hand that the change
        shows is hardly that of a fan."""
        for card in cards:
            hidden = [] if self._is_island(card, change) else self._hidden(card)
            least = FIRST_FINGER if self._scene.is_first(card) else FINGER
            is_finger = card.visible is not None and _is_finger(hidden, card.visible.shape, least)
            is_finger = is_finger and self._comes_over_edge(card, hidden, change)
            is_seen = self._is_hand_shown(card, change, cover)
            (self._touched.add if is_finger else self._touched.discard)(card.number)
            is_unseen = is_finger and not is_seen
            (self._fingered.add if is_unseen else self._fingered.discard)(card.number)

    def _is_hand_shown(self, card: Candidate, change: Change, cover: Cover) -> bool:
        """Whether the change shows a hand at the card's edge. In the first seconds one that rests
        does not count as a cover."""
        scene = self._scene
        rim = scene.occupancy.rim(card.place)
        came = (change.changed & scene.background.seen)[rim]
        is_early = change.at - scene.began_at < BEGINNING_S
        return bool(cover.mask[rim].any()) or (is_early and float(came.mean()) >= CAME)

    def _is_there(self, card: Candidate, at: float) -> bool:
        """Whether other cards of a fan were seen where the candidate lies, lately and for long."""
        place, known = self._scene.occupancy.area(card.place), self._places
        others = (at - known.seen_at[place] <= KEPT_S) & (known.whose[place] != card.number)
        others &= known.seen_at[place] - known.since[place] >= HELD_S
        return bool(place.any()) and float(others.mean()) >= IN_FAN

    def _is_island(self, card: Candidate, change: Change) -> bool:
        """Whether the table shows all about a card that came with a change: no finger is on it,
        though in the dark its own picture shows here and there only."""
        scene, whole = self._scene, geometry.scaled(card.place, BESIDE)
        rim, border = scene.occupancy.rim(whole), np.ones(change.changed.shape, bool)
        border[1:-1, 1:-1] = False
        reaches_in = scene.occupancy.area(card.place) | (rim & change.changed)
        is_whole = not (reaches_in & border).any()
        is_bare = is_whole and float(change.changed[rim].mean()) <= ISLAND
        return self._has_come(card) and is_bare and not scene.was_in_hand(rim)

    def _has_come(self, card: Candidate) -> bool:
        """Whether the table was seen without the card before."""
        return card.fresh and not self._scene.is_first(card)

    def _comes_over_edge(self, card: Candidate, hidden: Sequence[Cell], change: Change) -> bool:
        """Whether the table beside the hidden cells at the card's edge differs, as under a hand, or
        is out of the picture. Of a card of the first picture nobody knows that table."""
        if not self._has_come(card) or card.visible is None or card.upright is None:
            return True
        outside = _beyond_edge(hidden, card.visible.shape)
        points = [_point(card.upright, *at) for at in outside]
        inside = [point for point in points if self._scene.is_in_picture(point)]
        small = np.asarray(inside, np.float32).reshape(-1, 2) * self._scene.scale
        column, row = np.minimum(
            small.astype(int).T, np.array(change.changed.shape[::-1])[:, None] - 1
        )
        differs = np.count_nonzero(change.changed[row, column]) + len(points) - len(inside)
        return bool(differs >= COMES_OVER * max(len(points), 1))

    def _hidden(self, card: Candidate) -> list[Cell]:
        """The cells of the card in the picture that something hides which is no card."""
        scene = self._scene
        if card.visible is None or card.upright is None or card.visible.all():
            return []
        others = [
            c.place
            for c in scene.candidates.coming
            if c.number != card.number and c.evidence
            if geometry.iou(c.place, card.place) < SAME_PLACE  # else the card, followed before
        ]
        others += [c.quad for c in scene.table.cards if c.face != UNKNOWN]  # else a hand perhaps
        others = [geometry.scaled(quad, BESIDE) for quad in others]
        return [
            at
            for at, point in _cells(card.upright, ~card.visible).items()
            if scene.is_in_picture(point)
            if not any(geometry.holds(quad, point) for quad in others)
        ]


def fanned(cards: Sequence[Candidate], attached: set[int], scene: Scene) -> frozenset[int]:
    """The attached cards that overlap at least FAN others, directly or through one of them. Boxes
    in which no look saw a card are none."""
    inside = [card for card in cards if card.number in attached]
    joined = [
        card
        for card in inside
        if not card.is_double and (not card.looks or card.empty < card.looks)
        if not lies_apart(card, inside, scene) and not _is_lying(card, scene)
    ]
    beside = {
        card.number: {
            other.number
            for other in joined
            if other.number != card.number and geometry.overlap(card.place, other.place) >= OVER
        }
        for card in joined
    }
    return frozenset(
        number
        for number, near in beside.items()
        if len(near.union(*(beside[other] for other in near)) - {number}) >= FAN
    )


def _is_lying(card: Candidate, scene: Scene) -> bool:
    """Whether a box without a name, away from the picture's border, may be that of lying cards."""
    lying = scene.occupancy.owner[scene.occupancy.area(card.place)] > 0
    may_be = not card.evidence and bool(lying.size) and float(lying.mean()) >= LYING
    return may_be and not scene.is_near_border(card.place)


def lies_apart(card: Candidate, cards: Iterable[Candidate], scene: Scene) -> bool:
    """Whether all of a named card shows, and it overlaps none of `cards` as the top card of a fan
    does: it lies beside the hand that holds them."""
    if not is_named(card, scene.settings) or card.showing() < ALL:
        return False
    others = (other.place for other in cards if other.number != card.number)
    return all(geometry.overlap(card.place, other) < NEXT for other in others)


def held_places(scene: Scene) -> Mask | None:
    """Where (h, w) hands hold fans: as seen, and as their cards lay there in the first picture;
    None: nowhere."""
    first = (card for card in scene.candidates.coming if scene.is_first(card))
    places = [scene.occupancy.area(c.place) for c in first if scene.is_near_border(c.place)]
    places += [] if scene.fan_places is None else [scene.fan_places]
    return np.logical_or.reduce(places) if places else None


def came_in(change: Change, cover: Cover, scene: Scene) -> Mask:
    """Where (h, w) something came over the table. The place of an arm in the first picture differs
    once it has gone; a hand that comes there again lies over the table as it was seen too."""
    known = scene.background.seen
    hands = (change.changed & cover.mask).view(np.uint8)
    count, labels = cv2.connectedComponents(hands, connectivity=8)
    sizes = np.bincount(labels.ravel(), minlength=count)
    is_hand = np.bincount(labels[known], minlength=count) >= KNOWN * sizes
    is_hand[0] = False
    return np.asarray(change.changed & (known | is_hand[labels]))


def _is_finger(cells: Sequence[Cell], shape: tuple[int, ...], least: float) -> bool:
    """Whether cells of a grid are one blob of at least that part of it, as large as a finger; glare
    and edges are scattered."""
    grid = np.zeros(shape, np.uint8)
    for row, column in cells:
        grid[row, column] = 1
    _, _, stats, _ = cv2.connectedComponentsWithStats(grid, connectivity=4)
    return max(stats[1:, cv2.CC_STAT_AREA], default=0) >= least * grid.size


def _beyond_edge(cells: Sequence[Cell], shape: tuple[int, ...]) -> list[tuple[float, float]]:
    """The places (to the right, down; 0 to 1 on the card) just beyond the edge at which cells of a
    grid of this shape lie."""
    rows, columns = shape
    found = []
    for row, column in cells:
        right, down = (column + 0.5) / columns, (row + 0.5) / rows
        found += [(-BEYOND, down)] * (column == 0) + [(1 + BEYOND, down)] * (column == columns - 1)
        found += [(right, -BEYOND)] * (row == 0) + [(right, 1 + BEYOND)] * (row == rows - 1)
    return found


def _cells(quad: geometry.Quad, where: Mask) -> dict[Cell, npt.NDArray[np.float32]]:
    """The middles (x, y) px of the cells of a grid over a quad (4, 2) that are set in `where`."""
    rows, columns = where.shape
    cells = [(int(row), int(column)) for row, column in zip(*np.nonzero(where), strict=True)]
    return {(r, c): _point(quad, (c + 0.5) / columns, (r + 0.5) / rows) for r, c in cells}


def _point(quad: geometry.Quad, right: float, down: float) -> npt.NDArray[np.float32]:
    """A point (x, y) px of a quad (4, 2), to the right and down from its first corner, 0 to 1."""
    top = quad[0] + right * (quad[1] - quad[0])
    bottom = quad[3] + right * (quad[2] - quad[3])
    return np.asarray(top + down * (bottom - top), np.float32)
