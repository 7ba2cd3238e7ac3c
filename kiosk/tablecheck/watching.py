"""Notices that people did what was asked, and measures the table by it: one class per act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from calibration.light import light
from kiosk.tablecheck import view as views
from kiosk.tablecheck.acts import Act
from kiosk.tablecheck.bare import bare_table
from kiosk.tablecheck.card import corner_card, differs, looks_like
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.view import Lying, Mask, Small, View, near
from vision.frame import Image

EMPTY_S = 3.0  # of rest
LIES_S = 1.0  # a card that lies so long was laid
TREMBLES = 15  # looks at a card in the corner that never lies still
CORNER_X, CORNER_Y = 0.2, 0.15  # from the picture's middle: further out is a corner
PILE_CARDS = 3
PILE_REST_S = 0.5
FAN_S = 3.0  # so long, a fan is held
HAND_S, HAND_CARD = 1.0, 0.12  # how long a hand lies on so much of a card
UNDER = 0.5  # part of a card that is hidden, if the card is
SEEMS = 0.005  # of the picture's width that a card may seem to move
GONE_PART = 0.01  # of the picture that may differ after a hand is gone
LAMP, LAMP_PART = 0.93, 0.7  # brightness with the lamp off at most, of so much of the picture
LAMP_S = 2.0  # in which a camera that follows has followed
FAR_PX = 25  # of the small picture: from a hand to where its shadow does not fall
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
            lies = min(view.at - card.since, view.rest_s + LIES_S - PILE_REST_S) >= LIES_S
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
        self._piles: dict[int, list[Small]] = {}
        self._places: list[Lying] = []
        self._looks = self._found = 0

    def see(self, view: View) -> bool:
        """As in Watching."""
        if view.rest_s < PILE_REST_S:
            return False
        for k, place in enumerate(self._places):
            if self._piles[k]:
                self._looks += 1
                self._found += near(view.cards, place.centre, place.length / 2) is not None
        for card in view.cards:
            if view.at - card.since >= PILE_REST_S and not self._is_corner(card):
                self._book(view, card)
        return max(map(len, self._piles.values()), default=0) >= PILE_CARDS and self.end()

    def end(self) -> bool:
        """As in Watching."""
        if max(map(len, self._piles.values()), default=0) < 2:
            return False
        self._evidence.pile = self._found / max(1, self._looks)
        return True

    def _is_corner(self, card: Lying) -> bool:
        corner = self._evidence.corner_at
        return corner is not None and near([corner], card.centre, card.length / 2) is not None

    def _book(self, view: View, card: Lying) -> None:
        """Notes a card, if it looks other than what lay there last."""
        k = next((k for k, place in enumerate(self._places)
                  if near([place], card.centre, place.length / 2)), len(self._places))  # fmt: skip
        if k == len(self._places):
            self._places.append(card)
            self._piles[k] = []
        looks = looks_like(view.bgr, self._places[k])
        if not self._piles[k] or differs(self._piles[k][-1], looks):
            self._piles[k].append(looks)


class Covered:
    """What hides the table now, against the last rest before."""

    def __init__(self, evidence: Evidence, *, is_kept: bool) -> None:
        """`is_kept`: the comparison stays while the act lasts; in a film, each rest renews it."""
        self._evidence, self._is_kept = evidence, is_kept
        self.rested: Small | None = None

    def mask(self, view: View) -> Mask:
        """The small pixels (h, w) that something hides which reaches in from the border."""
        if self.rested is None or self.rested.shape != view.small.shape:
            self.rested = self._evidence.rested if self._is_kept else view.small
        if self.rested is None or self.rested.shape != view.small.shape:
            self.rested = view.small
        hidden = views.from_border(views.moved(self.rested, view.small))
        if not self._is_kept and view.rest_s >= 1.0:
            self.rested = view.small
        return hidden


class Fan:
    """Cards held over the table for a while, and taken away again."""

    def __init__(self, evidence: Evidence, *, is_kept: bool) -> None:
        self._evidence, self._covered = evidence, Covered(evidence, is_kept=is_kept)
        self._since: float | None = None
        self._parts: list[float] = []
        self._over = 0
        self._is_seen = False

    def see(self, view: View) -> bool:
        """As in Watching."""
        hidden = self._covered.mask(view)
        if float(hidden.mean()) < GONE_PART:
            if self._is_seen:
                return view.rest_s >= PILE_REST_S and self.end()
            self._since, self._parts, self._over = None, [], 0
        elif any(_is_under(view, card, hidden) for card in view.cards):
            self._since = view.at if self._since is None else self._since
            self._parts.append(float(hidden.mean()))
            known = self._evidence.corner_at
            self._over = max(self._over, int(known is not None and _is_under(view, known, hidden)))
            self._is_seen = self._is_seen or view.at - self._since >= FAN_S
        return False

    def end(self) -> bool:
        """As in Watching."""
        if self._is_seen:
            self._evidence.hidden = float(np.median(self._parts))
            self._evidence.fan_over = self._over
        return self._is_seen


class Hand:
    """A hand that lies on cards, and goes again."""

    def __init__(self, evidence: Evidence, *, is_kept: bool) -> None:
        self._evidence, self._covered = evidence, Covered(evidence, is_kept=is_kept)
        self._since: float | None = None
        self._is_seen = False
        self._worst = 0.0
        self._known: tuple[Lying, ...] = ()

    def see(self, view: View) -> bool:
        """As in Watching."""
        hidden = self._covered.mask(view)
        if float(hidden.mean()) < GONE_PART:
            if self._is_seen:
                return view.rest_s >= PILE_REST_S and self._measure(view)
            self._since, self._worst = None, 0.0
            if view.rest_s >= PILE_REST_S:
                self._known = tuple(c for c in view.cards if view.at - c.since >= PILE_REST_S)
            return False
        self._worst = max(self._worst, self._followed(view, hidden))
        if any(_is_under(view, card, hidden, HAND_CARD) for card in self._known):
            self._since = view.at if self._since is None else self._since
            self._is_seen = self._is_seen or view.at - self._since >= HAND_S
        return False

    def end(self) -> bool:
        """As in Watching."""
        if self._is_seen:
            self._evidence.followed = self._worst
        return self._is_seen

    def _measure(self, view: View) -> bool:
        corner = self._evidence.corner_at
        after = None if corner is None else near(view.cards, corner.centre, corner.length / 2)
        if corner is not None and after is not None:
            way = float(np.linalg.norm(after.centre - corner.centre))
            self._evidence.nudged = way / corner.length if way > SEEMS * view.bgr.shape[1] else 0.0
        return self.end()

    def _followed(self, view: View, hidden: Mask) -> float:
        """How far brightness changed where neither the hand nor its shadow is."""
        rested = self._covered.rested
        assert rested is not None
        size = 2 * FAR_PX + 1
        wide = cv2.dilate(hidden.astype(np.uint8), np.ones((size, size), np.uint8))
        return abs(views.gain(rested, view.small, wide == 0) - 1)


class LampOff:
    """The picture gets darker at once, and stays so, or the camera follows."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._since: float | None = None
        self._darkest, self._last = 1.0, 1.0
        self._lit: View | None = None
        self._level, self._is_found = 0.0, True

    def see(self, view: View) -> bool:
        """As in Watching."""
        if self._lit is None or (self._since is None and not is_darker(self._lit, view)):
            is_better = self._lit is None or view.rest_s >= PILE_REST_S
            self._lit = view if is_better else self._lit
            return False
        self._since = view.at if self._since is None else self._since
        self._last = views.gain(self._lit.small, view.small)
        self._darkest = min(self._darkest, self._last)
        self._level = light.level(light.small(view.bgr))
        known = self._evidence.corner_at
        self._is_found = known is None or bool(near(view.cards, known.centre, known.length / 2))
        return view.at - self._since >= LAMP_S and self.end()

    def end(self) -> bool:
        """As in Watching."""
        if self._since is None or self._lit is None:
            return False
        found = self._evidence
        found.off, found.lit = self._darkest, self._lit.bgr
        found.recovered = max(0.0, (self._last - self._darkest) / (1 - self._darkest))
        found.off_level, found.off_found = self._level, self._is_found
        return True


class LampOn:
    """The picture gets as light as it was."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._before: Small | None = None
        self._since: float | None = None
        self._last: View | None = None

    def see(self, view: View) -> bool:
        """As in Watching."""
        if self._evidence.off is None:
            return False  # nothing was switched off
        if self._before is None:
            self._before = view.small
        self._last = view
        if self._since is None and views.gain(self._before, view.small) > 1 / LAMP:
            self._since = view.at
        return self._since is not None and view.at - self._since >= LAMP_S and self.end()

    def end(self) -> bool:
        """As in Watching."""
        lit, last = self._evidence.lit, self._last
        if self._since is None or lit is None or last is None:
            return False
        self._evidence.back = views.gain(views.small_of(lit), last.small)
        self._evidence.tint = _blue_to_red(last.bgr) / _blue_to_red(lit)
        return True


def is_darker(before: View, now: View) -> bool:
    """Whether nearly the whole picture is darker."""
    lit = before.small >= views.LIT
    if before.small.shape != now.small.shape or not lit.any():
        return False
    darker = now.small[lit] < LAMP * before.small[lit].astype(np.float32)
    return float(darker.mean()) > LAMP_PART


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


def _is_under(view: View, card: Lying, hidden: Mask, least: float = UNDER) -> bool:
    place = view.mask([card.quad])
    covered: npt.NDArray[np.bool_] = hidden & place
    return int(np.count_nonzero(covered)) > least * max(1, int(np.count_nonzero(place)))


def _blue_to_red(bgr: npt.NDArray[np.uint8]) -> float:
    means = light.small(bgr).reshape(-1, 3).mean(axis=0) + 1
    return float(means[0] / means[2])
