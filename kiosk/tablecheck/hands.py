"""Notices hands over the table, with cards in them or on cards, and measures what they change."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from kiosk.tablecheck import view as views
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.view import RESTS_S, Lying, Mask, Small, View, near

FAN_S = 3.0  # so long, a fan is held
HAND_S, HAND_CARD = 1.0, 0.12  # seconds that a hand covers this part of a card
UNDER = 0.5  # part of a card that is hidden, if the card is
SEEMS = 0.005  # of the picture's width that a card may seem to move
GONE_PART = 0.01  # of the picture that may differ after a hand is gone
FAR_PX = 25  # of the small picture: from a hand to where its shadow does not fall


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
                return view.rest_s >= RESTS_S and self.end()
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
                return view.rest_s >= RESTS_S and self._measure(view)
            self._since, self._worst = None, 0.0
            if view.rest_s >= RESTS_S:
                self._known = tuple(c for c in view.cards if view.at - c.since >= RESTS_S)
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


def _is_under(view: View, card: Lying, hidden: Mask, least: float = UNDER) -> bool:
    place = view.mask([card.quad])
    covered: npt.NDArray[np.bool_] = hidden & place
    return int(np.count_nonzero(covered)) > least * max(1, int(np.count_nonzero(place)))
