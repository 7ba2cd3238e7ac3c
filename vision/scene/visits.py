"""Hands that came over the table and went again without an act that was seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rules.table.event import Event, Placed, Removed
from rules.table.layout import SIDES
from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.doubts import InVisit
from vision.scene.hand_blobs import Cover
from vision.scene.hands import Visit
from vision.scene.order import LONGEST_S, may_come
from vision.scene.scene import Scene
from vision.sightings import UNKNOWN

OVER = 0.25  # part of a card under a hand that may act there
REACH = 0.5  # card lengths from its border, beyond which a hand may lay a card on the bare table
CAME = 0.3  # card lengths that a hand comes further than where it is seen first
APART_S = 0.25  # s without a hand between two visits
SHORTEST_S = 0.2  # s that it takes to lay a card
LATE_S = 6.0  # s after which a visit matters no more
LEFT = 0.15  # of a card's area, hidden or changed after a visit, of one that brought nothing
CLEAR_S = 0.3  # s for which that is seen
UNSEEN = 0.1  # how likely a card was laid unseen in a visit


class Visits:
    """Suspects an act in a visit that brought none, once another player acts."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._suspected: dict[str, Visit] = {}

    def see(self, change: Change, cover: Cover, events: Iterable[Event]) -> None:
        """Takes what changed and what lies over the table in a frame, and what is told in it."""
        scene = self._scene
        if not (scene.layout.in_turn and scene.layout.is_playing()):
            scene.visits.clear()
            self._suspected.clear()
            return
        for side in cover.sides:
            self._follow(side, cover)
        self._settle(change, cover)
        self._clear(change, cover)
        for event in events:
            if isinstance(event, Placed | Removed) and event.seat is not None:
                self._suspect(event.seat)
                self._tell(event.seat)

    def _follow(self, side: str, cover: Cover) -> None:
        scene, at = self._scene, self._scene.at
        hand = cover.side == 1 + SIDES.index(side)
        if scene.fan_places is not None:
            hand &= ~scene.fan_places
        depth = _depth(side, hand)
        if not depth.size:
            return
        reach = float(depth.max())
        place = self._over(hand) or self._at_tip(side, hand, depth)
        if place is None:
            return
        before = scene.visits.get(side)
        if before is None or at - before.end > APART_S:
            scene.visits[side] = Visit(at, at, place, reach, reach, hand)
            return
        visit = replace(before, end=at, where=before.where | hand, clear_since=None)
        if reach >= before.depth:
            visit = replace(visit, place=place, depth=reach)
        scene.visits[side] = visit

    def _settle(self, change: Change, cover: Cover) -> None:
        """Visits that brought nothing need no act."""
        scene = self._scene
        for side, visit in scene.visits.items():
            if not visit.is_told and visit.end < scene.at:
                seen = self._seen_again(visit, change, cover)
                scene.visits[side] = replace(seen, is_told=self._brought_nothing(seen))

    def _clear(self, change: Change, cover: Cover) -> None:
        """Visits in which an act was suspected, and that brought nothing as it shows now."""
        scene = self._scene
        for side, visit in tuple(self._suspected.items()):
            now = scene.visits.get(side, visit)
            if now.begin == visit.begin and now.end == scene.at:
                self._suspected[side] = replace(now, clear_since=None)  # the hand is still there
                continue
            self._suspected[side] = seen = self._seen_again(visit, change, cover)
            if self._brought_nothing(seen):
                scene.brought_nothing.append(side)
                del self._suspected[side]

    def _seen_again(self, visit: Visit, change: Change, cover: Cover) -> Visit:
        """The visit, with since when all that its hand hid is seen as it was."""
        cards = self._scene.table.cards
        if not cards:
            return replace(visit, clear_since=None)
        card = np.count_nonzero(self._scene.occupancy.area(cards[-1].quad))
        hidden = np.count_nonzero(visit.where & cover.mask)
        left = np.count_nonzero(visit.where & change.changed)
        if max(hidden, left) >= LEFT * card:
            return replace(visit, clear_since=None)
        return visit if visit.clear_since is not None else replace(visit, clear_since=change.at)

    def _brought_nothing(self, visit: Visit) -> bool:
        since = visit.clear_since
        return since is not None and self._scene.at - since >= CLEAR_S

    def _over(self, hand: Mask) -> str | None:
        """The place of the card that a hand hides most, if it may act there."""
        owner, cards = self._scene.occupancy.owner, self._scene.table.cards
        if not cards:
            return None
        seen = np.bincount(owner.ravel(), minlength=len(cards) + 1)[1:]
        hidden = np.bincount(owner[hand], minlength=len(cards) + 1)[1:]
        share = hidden / np.maximum(seen, 1)
        most = int(share.argmax())
        return cards[most].place if share[most] >= OVER else None

    def _at_tip(self, side: str, hand: Mask, depth: npt.NDArray[np.intp]) -> str | None:
        """The place of a card at the end of an arm that reaches far in."""
        scene = self._scene
        cards = scene.table.cards
        if not cards:
            return None
        length = self._card_length()
        if depth.max() < REACH * length:
            return None
        far = depth >= depth.max() - 0.5 * length
        y, x = np.nonzero(hand)
        middle = np.array([x[far].mean(), y[far].mean()], np.float32) / scene.scale
        quad = cards[-1].quad
        quad = np.asarray(quad - geometry.centre(quad) + middle, np.float32)
        return scene.layout.spot(quad, scene.table, scene.size, side=side).place

    def _suspect(self, seat: int) -> None:
        """A player acts: others may have laid a card before, in a visit without an act."""
        scene = self._scene
        for side, visit in tuple(scene.visits.items()):
            other = scene.seat(side)
            if other is None or other == seat or visit.is_told:
                continue
            if scene.at - visit.end > LATE_S:
                continue
            if not SHORTEST_S <= visit.end - visit.begin <= LONGEST_S or self._sways(visit):
                continue
            if any(c.side == side and may_come(c, scene) for c in scene.candidates.coming):
                continue  # it will be told
            card = Placed(scene.at, UNKNOWN, visit.place, other)
            scene.suspected.append(InVisit(UNSEEN, (card,), side))
            scene.visits[side] = self._suspected[side] = replace(visit, is_told=True)

    def _sways(self, visit: Visit) -> bool:
        """Whether it hardly reached further than when it was seen first: a fan that is held there
        moved."""
        return visit.depth - visit.first < CAME * self._card_length()

    def _card_length(self) -> float:
        """The usual length of the lying cards, px of the small picture; 0 without any."""
        lengths = [geometry.length(card.quad) for card in self._scene.table.cards]
        return self._scene.scale * float(np.median(lengths)) if lengths else 0.0

    def _tell(self, seat: int) -> None:
        scene = self._scene
        for side, visit in scene.visits.items():
            if scene.seat(side) == seat:
                scene.visits[side] = replace(visit, is_told=True)


def _depth(side: str, hand: Mask) -> npt.NDArray[np.intp]:
    """How far from its side of the small picture each pixel (N,) of a hand lies."""
    y, x = np.nonzero(hand)
    height, width = hand.shape
    return {"bottom": height - 1 - y, "top": y, "left": x, "right": width - 1 - x}[side]
