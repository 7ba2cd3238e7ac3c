"""Notices that people did what was asked, and measures the table by it: one class per act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kiosk.tablecheck.acts import Act
from kiosk.tablecheck.bare import bare_table
from kiosk.tablecheck.card import corner_card, differs, looks_like
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.hands import Fan, Hand
from kiosk.tablecheck.lamp import LampOff, LampOn
from kiosk.tablecheck.view import RESTS_S, Lying, Small, View, near
from vision.frame import Image

EMPTY_S = 3.0  # of rest
LIES_S = 1.0  # a card that lies so long was laid
TREMBLES = 15  # looks at a card in the corner that never lies still
CORNER_X, CORNER_Y = 0.2, 0.15  # from the picture's middle: further out is a corner
PILE_CARDS = 3
Quad = npt.NDArray[np.float32]
Corners = Callable[[Image, Quad], Quad]  # the true corners (4, 2) px near those of a located card


class Watching(Protocol):
    """Looks for one act."""

    def see(self, view: View) -> bool:
        """Whether the act is done now."""
        ...

    def end(self) -> bool:
        """The act's time is over: whether enough of it was seen."""
        ...


class Empty:
    """The bare table, at rest. What was seen counts, also where it never rests."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence, self._seen = evidence, list[View]()

    def see(self, view: View) -> bool:
        """As in Watching."""
        self._seen.append(view)
        if view.rest_s < EMPTY_S:
            return False
        self._seen = [each for each in self._seen if each.at >= view.rests_since]
        return self.end()

    def end(self) -> bool:
        """As in Watching."""
        if not self._seen:
            return False
        last = self._seen[-1]
        found = self._evidence
        found.bare = bare_table(self._seen)
        found.size = (last.bgr.shape[1], last.bgr.shape[0])
        found.first, found.lit, found.rested = last.bgr, last.bgr, last.small
        return True


class Corner:
    """A card that came to lie in a corner of the picture."""

    def __init__(self, evidence: Evidence, corners: Corners) -> None:
        self._evidence, self._corners = evidence, corners
        self._before: tuple[Lying, ...] | None = None
        self._last: Lying | None = None
        self._steps: list[float] = []

    def see(self, view: View) -> bool:
        """As in Watching."""
        if self._before is None:
            self._before = view.cards
        for card in view.cards:
            if not self._is_in_corner(view, card):
                continue
            if self._last is not None and near([self._last], card.centre, card.length / 2):
                self._steps.append(float(np.linalg.norm(card.centre - self._last.centre)))
            self._last = card
            lies = min(view.at - card.since, view.rest_s + LIES_S - RESTS_S) >= LIES_S
            if lies:
                exact = replace(card, quad=self._corners(view.bgr, card.quad))
                self._evidence.corner = corner_card(view.bgr, exact)
                self._evidence.corner_at = card
                return True
        return False

    def end(self) -> bool:
        """As in Watching."""
        if len(self._steps) >= TREMBLES:
            self._evidence.trembles = float(np.median(self._steps))
        return False

    def _is_in_corner(self, view: View, card: Lying) -> bool:
        x, y = view.part(card) - 0.5
        was_there = near(self._before or (), card.centre, card.length / 3) is not None
        return bool(abs(x) > CORNER_X and abs(y) > CORNER_Y and not was_there)


class Pile:
    """Three cards, each laid on the one before."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._piles: list[_PileSeen] = []

    def see(self, view: View) -> bool:
        """As in Watching."""
        if view.rest_s < RESTS_S:
            return False
        for pile in self._piles:
            place = pile.place
            pile.looks.append(near(view.cards, place.centre, place.length / 2) is not None)
        for card in view.cards:
            if view.at - card.since >= RESTS_S and not self._is_corner(card):
                self._book(view, card)
        return self._most() >= PILE_CARDS and self.end()

    def end(self) -> bool:
        """As in Watching."""
        if self._most() < 2:
            return False
        looks = max(self._piles, key=lambda pile: len(pile.cards)).looks
        until = max((k for k, is_found in enumerate(looks) if is_found), default=0) + 1
        self._evidence.pile = float(np.mean(looks[:until] or [True]))  # then it was taken away
        return True

    def _most(self) -> int:
        """The cards of the largest pile."""
        return max((len(pile.cards) for pile in self._piles), default=0)

    def _is_corner(self, card: Lying) -> bool:
        corner = self._evidence.corner_at
        return corner is not None and near([corner], card.centre, card.length / 2) is not None

    def _book(self, view: View, card: Lying) -> None:
        """Notes a card, if it looks other than what lay there last."""
        pile = next((one for one in self._piles
                     if near([one.place], card.centre, one.place.length / 2)), None)  # fmt: skip
        if pile is None:
            pile = _PileSeen(card)
            self._piles.append(pile)
        looks = looks_like(view.bgr, pile.place)
        if not pile.cards or differs(pile.cards[-1], looks):
            pile.cards.append(looks)


@dataclass(slots=True)
class _PileSeen:
    """Where a pile lies, its cards as they came, and whether each look found its top card."""

    place: Lying
    cards: list[Small] = field(default_factory=list)
    looks: list[bool] = field(default_factory=list)


def watching(act: Act, evidence: Evidence, corners: Corners, *, is_film: bool) -> Watching:
    """What looks for an act. `is_film`: nobody hears what is asked; acts come in any order."""
    match act:
        case Act.EMPTY:
            return Empty(evidence)
        case Act.CORNER:
            return Corner(evidence, corners)
        case Act.PILE:
            return Pile(evidence)
        case Act.FAN:
            return Fan(evidence, is_kept=not is_film)
        case Act.HAND:
            return Hand(evidence, is_kept=not is_film)
        case Act.LAMP_OFF:
            return LampOff(evidence)
        case Act.LAMP_ON:
            return LampOn(evidence)
