"""The cards that lie, covered ones too, and whether the picture says that they still do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Image
from vision.geometry import Mask, Quad
from vision.scene.background import Change
from vision.scene.before import Before
from vision.scene.difference import STRUCTURE, differs, distance_beyond, energy
from vision.scene.layers import TRIM, Layers
from vision.scene.light import Light
from vision.scene.table import Card
from vision.settings import VisionSettings

HIDDEN = 1.15  # of a card's size: its shadow too
_ENOUGH_PX = 6
_BESIDE = 1.06  # of a card's size: beyond its edge
DRAWN_OUT = 0.12  # of a card, that shows of one that is drawn out from below others
_RING = np.ones((7, 7), np.uint8)
_DRAWN_S = 0.4  # for which a card below others must be gone: a sleeve may look as the table does
_STRIP_PX, _STRIP_S = 24, 0.4  # of the small picture, and for how long, of a narrow part
_UNMOVED, _UNMOVED_BESIDE = 0.08, 0.15  # part that noise changes; where an edge went from under it
_HIDDEN_PART = 0.02  # of a card, at most seen of one that is as good as hidden
_RING_WIDE = 3  # times the ring's width about a card that came early
_CLEAR = 0.1  # part of what the remembered table leaves unexplained, at most left by a clear one
_ARM = 0.08  # part of that ring that an arm covers at least
_ARM_S = 1.0  # s that the table differs there after it; a hand that takes the card is quicker
_STILL_S = 0.2  # s, after which what covers a place is no hand that is about to take cards
_NEAR = 1.3  # of a card's size: a hand there may be about to take all
_EDGES = np.ones((5, 5), np.uint8)  # 2 px around
_HAND_RESTS_S = 0.5  # s that a hand hardly lies still


class Occupancy(Layers):
    """The lying cards, what lay below each before it came, and which have gone.

    `scale`: pixels of the small picture per pixel of the full one.
    """

    def __init__(self, settings: VisionSettings, shape: tuple[int, int], scale: float) -> None:
        super().__init__(shape, scale)
        self._settings = settings
        self._under: dict[int, Before | None] = {}
        self._gone_since: dict[frozenset[int], float] = {}
        self._doubted: dict[int, float] = {}

    def bare(self, quad: Quad, rest: Image, light: Light) -> Before | None:
        """The small picture without a card that has lain at `quad` from the start. None where
        other cards lie near."""
        hole = self.area(quad, HIDDEN)
        return None if (self._owner[hole] > 0).any() else Before(rest, light, hole)

    def early(self, quad: Quad, rest: Image, light: Light) -> Before:
        """The small picture before a card that came while the table was hardly seen."""
        hole = self.area(quad, HIDDEN)
        wide = cv2.dilate(hole.view(np.uint8), _RING, iterations=_RING_WIDE)
        return Before(rest, light, ring=wide.view(bool) & ~hole)

    def lay(self, card: Card, under: Before | None, born: int | None = None) -> None:
        """One more card, on top; `under`: what the picture was before it."""
        self._show(self._table.with_card(card, born))
        self._under[card.number] = under

    def under(self, number: int) -> Before | None:
        """What the picture was before the card came, if that is known."""
        return self._under.get(number)

    def insert_below(self, top: int, pile: Sequence[Card], under: dict[int, Before | None]) -> None:
        """The cards of a `pile`, from the bottom up, lie below the card `top`, each on what is
        `under` it."""
        at, lying = self._index(top), self._table.cards
        self._show(replace(self._table, cards=(*lying[:at], *pile, *lying[at:])))
        self._under |= under

    def take(self, numbers: frozenset[int]) -> None:
        """These cards are gone."""
        self._bare(numbers)
        self._show(self._table.without(numbers))
        for number in numbers:
            self._under.pop(number, None)
            self._doubted.pop(number, None)

    def _bare(self, numbers: frozenset[int]) -> None:
        """What the cards that stay lie on, without these, which lay below some of them."""
        cards = self._table.cards
        for at, card in enumerate(cards):
            under = self._under.get(card.number)
            if card.number in numbers or under is None or under.hole is not None:
                continue
            for lower in reversed(range(at)):
                gone, below = cards[lower], self._under.get(cards[lower].number)
                if gone.number not in numbers or below is None:
                    continue
                if not geometry.intersection(gone.quad, card.quad):
                    continue
                place = self.area(gone.quad, HIDDEN)
                for other in cards[lower + 1 : at]:
                    if other.number not in numbers:
                        place &= ~self.area(other.quad, TRIM)
                rest = under.rest.copy()
                rest[place] = below.shown(under.light)[place]
                under = replace(under, rest=rest)
            self._under[card.number] = under

    def change(self, number: int, card: Card) -> None:
        """The card is another one, or lies a little elsewhere; its place in the stack is kept."""
        cards = tuple(card if old.number == number else old for old in self._table.cards)
        self._show(replace(self._table, cards=cards))
        self._under[card.number] = self._under.pop(number, None)
        self._doubted.pop(number, None)

    def doubts(self, change: Change) -> dict[int, float]:
        """The cards whose visible part has changed, and since when (s)."""
        count = len(self._table.cards) + 1
        found: dict[int, float] = {}
        if count > 1 and change.changed.any():
            changed = np.bincount(self._owner[change.changed], minlength=count)
            for index, card in enumerate(self._table.cards):
                seen = self._seen[index + 1]
                if seen >= _ENOUGH_PX and changed[index + 1] >= self._settings.doubt * seen:
                    found[card.number] = self._doubted.get(card.number, change.at)
        self._doubted = found
        return found

    def before(self, number: int, rest: Image, change: Change) -> Image | None:
        """The small picture before the card came, in today's light; None where it is not known."""
        under = self._known_under(number, rest, change)
        if under is None:
            return None
        return under.shown(change.light)

    def showed_before(self, number: int, over: Quad, rest: Image, change: Change) -> bool:
        """Whether what shows of the card beside one at `over` (4, 2) px is what lay there before
        it came: then it was never there, its pose was taken under a hand."""
        beside = self.visible(number) & ~self.area(over, _BESIDE)
        before = self.before(number, rest, change)
        if before is None or np.count_nonzero(beside) < _ENOUGH_PX:
            return False
        then = np.where(beside[..., None], before, change.low)  # no lines of what lies beside
        apart = differs(change.low, then, self._settings.changed_level, change.noise)
        return float(apart[beside].mean()) < self._settings.doubt

    def was_seen_bare(self, number: int) -> bool:
        """Whether the card's place was seen before the card came; else `before` is a guess."""
        under = self._under.get(number)
        return under is not None and under.hole is None

    def gone(self, change: Change, rest: Image, hands: Mask) -> frozenset[int]:
        """The cards that are gone, because the table looks as it did before they came.

        `hands` (h, w): what is covered now. Cards are drawn out from below others only where
        no hand is near: a hand that takes them all bares the lowest first.
        """
        doubts = self.doubts(change)
        if not doubts:
            self._gone_since = {}
            return frozenset()
        alike: dict[frozenset[int], float] = {}
        needed_s: dict[frozenset[int], float] = {}
        moving = hands & (change.still_s < _STILL_S)
        for card in self._table.cards:
            over = self.over(card.number)
            if self._may_be_gone(over, doubts):
                alike[over], _ = self._looks_as_before(card.number, over, change, rest, hands)
                needed_s[over] = self._settings.gone_s
            elif drawn := self._drawn_out(card, over, doubts, change):
                share, same = self._looks_as_before(card.number, drawn, change, rest, hands)
                if not self._is_near(drawn & doubts.keys(), moving, same):
                    alike[drawn], needed_s[drawn] = share, _DRAWN_S
        passed = [taken for taken, share in alike.items() if share >= self._settings.alike]
        since = {taken: self._gone_since.get(taken, change.at) for taken in passed}
        self._gone_since = since
        ripe = [taken for taken in passed if change.at - since[taken] >= needed_s[taken]]
        return max(ripe, key=lambda taken: (alike[taken], -len(taken)), default=frozenset())

    def _may_be_gone(self, taken: frozenset[int], doubts: dict[int, float]) -> bool:
        """Whether the place of these cards has changed. A small part may be unchanged: a card in a
        pile is not always where it was last seen."""
        shown = {number: int(self._seen[self._index(number) + 1]) for number in taken}
        unchanged = sum(px for n, px in shown.items() if n not in doubts and px >= _ENOUGH_PX)
        may_differ = (1.0 - self._settings.alike) * sum(shown.values())
        return not taken.isdisjoint(doubts) and unchanged <= may_differ

    def _drawn_out(
        self, card: Card, over: frozenset[int], doubts: dict[int, float], change: Change
    ) -> frozenset[int]:
        """The card, and those on it, that may have been drawn out below cards that still lie. A
        card that was hidden may have gone unseen before those on it. Narrow parts alone may show
        that the cards on them were nudged, unless these look as they did."""
        if card.number not in doubts and self.exposed(card.number) > _HIDDEN_PART:
            return frozenset()
        drawn = [other for other in self._table.cards if other.number in over & doubts.keys()]
        if not drawn:
            return frozenset()
        is_wide = [self.exposed(other.number) >= DRAWN_OUT for other in drawn]
        if not all(is_wide):
            shown = [self.visible(number) for number in over - doubts.keys()]
            most = _UNMOVED_BESIDE if any(is_wide) else _UNMOVED
            if any(change.changed[part].mean() >= most for part in shown if part.any()):
                return frozenset()
        if not any(is_wide):
            for other in drawn:
                enough = self._seen[self._index(other.number) + 1] >= _STRIP_PX
                if not enough or change.at - doubts[other.number] < _STRIP_S:
                    return frozenset()
        return frozenset({card.number, *(other.number for other in drawn)})

    def _is_near(self, numbers: Collection[int], hands: Mask, same: Mask) -> bool:
        """Whether a hand is near one of these cards. A place that a hand has just left counts as
        moving too. So no hand is where the table looks as before the cards came (`same`)."""
        hand = hands & (cv2.dilate(same.view(np.uint8), _EDGES) == 0)
        cards = (card for card in self._table.cards if card.number in numbers)
        return any(bool(hand[self.area(card.quad, _NEAR)].any()) for card in cards)

    def _looks_as_before(
        self, lowest: int, taken: frozenset[int], change: Change, rest: Image, hands: Mask
    ) -> tuple[float, Mask]:
        """The part of the place of the cards `taken` that looks as before they came, where no
        hand covers it; 0 where too little can be seen or it looks no less as it is remembered.
        And where (h, w) it looks so."""
        under = self._known_under(lowest, rest, change)
        as_before = np.zeros(self._owner.shape, bool)
        if under is None:
            return 0.0, as_before
        wanted = np.zeros(len(self._table.cards) + 1, bool)
        wanted[[self._index(number) + 1 for number in taken]] = True
        whole = wanted[self._owner]
        for staying in self.over(lowest) - taken:  # their edges are where they were
            whole &= ~self.area(self._table.cards[self._index(staying)].quad, _BESIDE)
        rows, columns = np.nonzero(whole)
        count = len(rows)
        if count < _ENOUGH_PX:
            return 0.0, as_before
        before = under.shown(change.light)
        box = _about(rows, columns)
        where = whole[box]
        # Beside them lies what is remembered: lines at its edges are there with and without them.
        then = np.where(where[..., None], before[box], rest[box])
        level = self._settings.changed_level
        same, covered = ~change.changed[box][where], hands[box][where]
        apart = distance_beyond(change.low[box], then)[where]
        if under.hole is not None or _is_clear(apart, change.low[box], rest[box], where, covered):
            alike = apart <= level  # a guess knows no fine lines
        else:
            alike = ~differs(change.low[box], then, level, change.noise)[where]
        # A hand may have the colour of a guess, but not the lines of a known table; it moves.
        is_hand = covered & (change.still_s[box][where] < _HAND_RESTS_S)
        free = alike if under.hole is None else alike & ~is_hand
        if float(free.mean()) < self._settings.free:
            return 0.0, as_before
        if float(same.mean()) > 1 - self._settings.doubt or same.sum() > 0.7 * alike.sum():
            return 0.0, as_before
        as_before[whole] = alike
        return float((alike | covered).mean()), as_before

    def _known_under(self, number: int, rest: Image, change: Change) -> Before | None:
        """What lay under the card, if it is known; a guess where an arm may have lain."""
        under = self._under.get(number)
        if under is None or under.rest.shape != rest.shape:
            return None
        if under.ring is None:
            return under
        table = (self._owner == 0) & ~change.changed
        then = replace(under, hole=None).shown(change.light)
        was_arm = change.changed & (change.changed_s >= _ARM_S) & (self._owner == 0)
        was_arm |= table & (distance_beyond(then, rest) > self._settings.changed_level)
        ring = under.ring & (table | was_arm)
        if np.count_nonzero(was_arm & ring) < max(_ARM * np.count_nonzero(ring), _ENOUGH_PX):
            return under
        card = self._table.cards[self._index(number)]
        guess = Before(rest, change.light, self.area(card.quad, HIDDEN))
        self._under[number] = guess
        return guess


def _is_clear(
    apart: npt.NDArray[np.uint8], low: Image, rest: Image, where: Mask, covered: Mask
) -> bool:
    """Whether a prediction, `apart` (N,) grey levels from the picture, explains it so much better
    than the remembered table that fine lines need not decide: shadows change with what lies
    beside."""
    same = distance_beyond(low, rest)[where]
    free = ~covered
    return bool(energy(apart[free]) <= _CLEAR * energy(same[free]))


def _about(rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> tuple[slice, slice]:
    """The box of some pixels and of what their fine lines are compared with."""
    around = STRUCTURE.around
    first = max(int(rows.min()) - around, 0), max(int(columns.min()) - around, 0)
    last = int(rows.max()) + around, int(columns.max()) + around
    return np.s_[first[0] : last[0] + 1, first[1] : last[1] + 1]
