"""Cards that are lifted and put back, or pushed to a free place: nobody has taken or laid them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rules.table.event import Event, Placed, Removed, Way
from rules.table.layout import PILE
from vision import geometry
from vision.geometry import Quad
from vision.scene.candidates import Candidate
from vision.scene.doubts import at_time
from vision.scene.hands import Cover
from vision.scene.scene import Scene
from vision.scene.table import Card, Table
from vision.sightings import UNKNOWN

HELD_S = 1.6  # s that a removal waits at most, while a hand is near
SEEN_S = 3.0  # the same where the card was seen beside its place
PUSHED_S = 2.0  # the same for a card that lay alone, while one of its face comes to rest elsewhere
PUSHED = 1.5  # card lengths from where it lay, within which it may have been moved
SEEN_AGO_S = 0.4  # s for which a card in a hand may be missed
AWAY_S = 0.1  # s without a hand near: the card was taken
PUT_BACK = 0.3  # chance that it was taken and laid again, which may be two acts
COVERED = 0.5  # IoU of its place with where it lay again, before the next card hid it
NEAR = 2.0  # of a card's size: how near


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A removal that waits since `since` (s), where the card lay, when a hand was last near (s);
    whether the card was seen beside its place."""

    event: Removed
    quad: Quad
    since: float
    near_at: float
    is_shown: bool = False


class Lifts:
    """Holds a removal back while the hand that took the card is still there.

    If the same card lies there again, neither is told. A card that lay alone may also be pushed to
    a free place: its place goes with it. What else happens at its place or with
    its card lets it go.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._held: list[Held] = []

    def tell(
        self, events: tuple[Event, ...], before: Table, cover: Cover, at: float
    ) -> tuple[Event, ...]:
        """What is told in this frame. `before`: the table before its events."""
        told: list[Event] = []
        taken = Counter(event.place for event in events if isinstance(event, Removed))
        laid = {event.card for event in events if isinstance(event, Placed)}
        for event in events:
            if isinstance(event, Removed) and taken[event.place] == 1:
                quad = _lay_at(before, event)
                held = None if quad is None else Held(event, quad, at, at)
                if held and (event.card in laid or self._is_open(held, cover)):
                    self._held.append(held)
                    continue
            back = self._put_back(event, before) if isinstance(event, Placed) else None
            if isinstance(event, Placed) and back is not None:
                self._held.remove(back)
                again = replace(event, place=back.event.place)  # its place keeps that name
                self._scene.suspected.append(Way(PUT_BACK, (back.event, again)))
                continue
            told += self._let_go([h for h in self._held if _is_about(event, h.event)], at)
            told.append(event)
        self._held = [self._looked_at(held, cover, at) for held in self._held]
        over = [h for h in self._held if self._is_over(h, at)]
        return (*told, *self._let_go(over, at))

    def _let_go(self, held: list[Held], at: float) -> list[Event]:
        self._held = [other for other in self._held if other not in held]
        return [at_time(each.event, at) for each in held]

    def _looked_at(self, held: Held, cover: Cover, at: float) -> Held:
        near_at = at if self._is_open(held, cover) else held.near_at
        return replace(held, near_at=near_at, is_shown=held.is_shown or self._is_seen(held))

    def _is_over(self, held: Held, at: float) -> bool:
        is_pushed = self._lay_alone(held) and self._coming(held.event.card)
        longest = SEEN_S if held.is_shown else PUSHED_S if is_pushed else HELD_S
        is_late = at - held.since >= longest or at - held.near_at >= AWAY_S
        return is_late and not self._is_covered(held)

    def _is_covered(self, held: Held) -> bool:
        """Whether the card has lain at its place again and vanished, as under the next card."""
        return any(
            card.since > held.since
            and card.best()[0] == held.event.card
            and geometry.iou(card.place, held.quad) >= COVERED
            for card in self._scene.vanished
        )

    def _is_open(self, held: Held, cover: Cover) -> bool:
        """Whether the card may still come back: a hand is near, or one of its face rests."""
        near = self._scene.occupancy.area(held.quad, NEAR)
        return bool(cover.mask[near].any()) or self._comes_back(held)

    def _comes_back(self, held: Held) -> bool:
        """Whether the card is seen beside its place. A card that lay alone may have been pushed
        anywhere on the table."""
        if self._lay_alone(held):
            like = bool(self._coming(held.event.card))
            return like or any(map(partial(self._is_near, held, 0.0), self._coming(UNKNOWN)))
        return self._is_seen(held)

    def _is_seen(self, held: Held) -> bool:
        """Whether a hand shows the card beside its place, or it has just come to rest there."""
        like = self._coming(held.event.card)
        return any(map(partial(self._is_near, held, SEEN_AGO_S), like))

    def _is_near(self, held: Held, ago_s: float, card: Candidate) -> bool:
        apart = geometry.centre(card.quad) - geometry.centre(held.quad)
        reach = PUSHED * geometry.length(held.quad)
        is_seen = self._scene.at - card.seen_at <= ago_s
        return is_seen and float(np.linalg.norm(apart)) <= reach

    def _lay_alone(self, held: Held) -> bool:
        return held.event.place.startswith(PILE) and self._is_bare(held.event.place)

    def _coming(self, face: str) -> list[Candidate]:
        coming = self._scene.candidates.coming
        return [card for card in coming if card.fresh and card.best()[0] == face]

    def _put_back(self, event: Placed, before: Table) -> Held | None:
        """The removal of this very card, if it lies where it lay, or was pushed from there.

        A place that it left empty has lost its name meanwhile, as Suds' piles do: it has it again.
        """
        is_new = event.place.startswith(PILE) and not before.at(event.place)
        for held in self._held:
            is_same = held.event.place == event.place
            is_pile = held.event.place.startswith(PILE)
            may_be = is_same or (is_pile and self._is_bare(held.event.place))
            if held.event.card != event.card or not may_be:
                continue
            is_far = is_new and not is_same
            reach = np.inf if is_far else PUSHED * geometry.length(held.quad)
            for card in self._scene.table.at(event.place):
                apart = geometry.centre(card.quad) - geometry.centre(held.quad)
                if card.face == event.card and float(np.linalg.norm(apart)) <= reach:
                    again = replace(card, place=held.event.place)
                    self._scene.occupancy.change(card.number, again)
                    return held
        return None

    def _is_bare(self, place: str) -> bool:
        return not self._scene.table.at(place)


def _is_about(event: Event, removed: Removed) -> bool:
    """Whether an event tells that the removed card stays away: what follows at its place, or where
    it is laid now."""
    if not isinstance(event, Placed | Removed):
        return True
    return event.place == removed.place or event.card == removed.card


def _lay_at(before: Table, event: Removed) -> Quad | None:
    """Where the card lay."""
    found: list[Card] = [c for c in before.cards if (c.face, c.place) == (event.card, event.place)]
    return found[-1].quad if found else None
