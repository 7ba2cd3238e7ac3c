"""Cards and piles that are lifted and put back, or pushed: nobody has taken or laid them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rules.table.event import Event, Placed, Removed, Way
from rules.table.layout import PILE, SIDES
from vision import geometry
from vision.geometry import Quad
from vision.scene.candidates import Candidate
from vision.scene.doubts import Doubt, Order, Unordered, at_time
from vision.scene.hand_blobs import Cover
from vision.scene.order import LOOKED, shows_nothing
from vision.scene.raised import set_down
from vision.scene.scene import Scene
from vision.scene.table import Card, Table
from vision.sightings import UNKNOWN

HELD_S = 1.6  # s that a removal waits at most, while a hand is near
SEEN_S = 3.0  # the same as long as the card is seen beside its place,
SEEN_LATELY_S = 0.8  # or was so lately
PUSHED_S = 2.0  # the same for a card that lay alone, while one of its face comes to rest elsewhere
PUSHED = 1.5  # card lengths from where it lay, within which it may have been moved
SEEN_AGO_S = 0.4  # s for which a card in a hand may be missed
AWAY_S = 0.1  # s without a hand near: the card was taken
PUT_BACK = 0.3  # chance that it was taken and laid again, which may be two acts
TAKES_S = 0.7  # s at most from a card's going until its place is seen without it and the hand
THERE = 0.3  # IoU of a removed card's place with a box that may be that card
DRAWN = 0.5  # the same where a turn may be just that
COVERED = 0.5  # IoU of its place with where it lay again, before the next card hid it
CARRIED_S = 1.2  # s for which a hand rests with a card that it lifted
BESIDE = 1.2  # of a card's size: where a hand is that holds it
NEAR = 2.0  # of a card's size: how near


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The removals of the `cards` of one place, from the top down, that wait since `since` (s);
    when a hand was last near (s), and when the top card was last seen beside its place (s)."""

    events: tuple[Removed, ...]
    cards: tuple[Card, ...]
    since: float
    near_at: float
    seen_at: float = float("-inf")

    @property
    def event(self) -> Removed:
        """The removal of the top card."""
        return self.events[0]

    @property
    def quad(self) -> Quad:
        """Where the top card lay."""
        return self.cards[0].quad


class Lifts:
    """Holds the removal of a card, or of a pile, back while the hand that took it is still there.

    If the same card lies there again, neither is told; of a pile, its top card tells. A card that
    lay alone may also be pushed to a free place: its place goes with it. What else happens at its
    place or with its card lets it go.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._held: list[Held] = []
        self.gone_at: float | None = None  # s; when the first of the cards went that are told

    def tell(
        self, events: tuple[Event, ...], before: Table, cover: Cover, at: float
    ) -> tuple[Event, ...]:
        """What is told in this frame. `before`: the table before its events."""
        told: list[Event] = []
        self.gone_at = None
        waiting = self._lifted(events, before, cover, at)
        self._held += waiting
        known = {id(event) for held in waiting for event in held.events}
        known |= {id(event) for event in events if self._is_put_back(event, before)}
        for event in events:
            if id(event) in known:
                continue
            told += self._let_go([h for h in self._held if self._is_about(event, h)], at)
            told.append(event)
            if isinstance(event, Removed):
                self._goes(at - TAKES_S)
        self._held = [self._looked_at(held, cover, at) for held in self._held]
        over = [h for h in self._held if self._is_over(h, at)]
        told += self._let_go(over, at)
        self._scene.waiting = {held.cards[0].number: held.since for held in self._held}
        self._scene.outrun &= self._scene.waiting.keys()
        return tuple(told)

    def _is_put_back(self, event: Event, before: Table) -> bool:
        """Whether the event is a lifted card that lies there again, which may be two acts."""
        back = self._put_back(event, before) if isinstance(event, Placed) else None
        if not isinstance(event, Placed) or back is None:
            return False
        self._held.remove(back)
        is_alone, is_drawn = len(back.cards) == 1, back.event.place == self._scene.layout.drawn_from
        if is_alone or is_drawn:  # the cards below may have gone unseen before
            again = replace(event, place=back.event.place)  # its place keeps that name
            acts = Way(DRAWN if is_alone and is_drawn else PUT_BACK, (back.event, again))
            is_outrun = is_drawn and back.cards[0].number in self._scene.outrun
            (self._scene.returned if is_outrun else self._scene.suspected).append(acts)
        return True

    def _lifted(
        self, events: Sequence[Event], before: Table, cover: Cover, at: float
    ) -> list[Held]:
        """What went in this frame and may come back."""
        taken: dict[str, list[Removed]] = {}
        for event in events:
            if isinstance(event, Removed):
                taken.setdefault(event.place, []).append(event)
        laid = {event.card for event in events if isinstance(event, Placed)}
        found = []
        for place, removed in taken.items():
            lying = {card.number for card in self._scene.table.cards}
            gone = [card for card in reversed(before.at(place)) if card.number not in lying]
            if [card.face for card in gone] != [event.card for event in removed]:
                continue  # one of them lies elsewhere, or has another face
            held = Held(tuple(removed), tuple(gone), at, at)
            is_moved = len(removed) == 1 and removed[0].card in laid
            if is_moved or self._is_open(held, cover):
                found.append(held)
        return found

    def _let_go(self, held: list[Held], at: float) -> list[Event]:
        self._held = [other for other in self._held if other not in held]
        for each in held:
            self._goes(each.since - TAKES_S)
        return [at_time(event, at) for each in held for event in self._dated(each)]

    def _goes(self, at: float) -> None:
        self.gone_at = at if self.gone_at is None else min(at, self.gone_at)

    def _dated(self, held: Held) -> tuple[Removed, ...]:
        """The removals; they came before what was told meanwhile, if that waits for them."""
        first, *others = held.events
        if held.cards[0].number not in self._scene.outrun:
            return held.events
        is_ordered = first.ways is None or isinstance(first.ways, Unordered)
        ways = () if first.ways is None or is_ordered else first.ways.ways
        since = held.since - TAKES_S
        return replace(first, ways=Unordered(ways, order=Order.EARLIER, since=since)), *others

    def _looked_at(self, held: Held, cover: Cover, at: float) -> Held:
        near_at = at if self._is_open(held, cover) else held.near_at
        return replace(held, near_at=near_at, seen_at=at if self._is_seen(held) else held.seen_at)

    def _is_over(self, held: Held, at: float) -> bool:
        is_pushed = self._lay_alone(held) and self._coming(held.event.card)
        is_shown = at - held.seen_at < SEEN_LATELY_S
        longest = SEEN_S if is_shown else PUSHED_S if is_pushed else HELD_S
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
        near = cover.side[self._scene.occupancy.area(held.quad, NEAR) & cover.mask]
        side = self._side(held)
        its = near if side is None else near[np.isin(near, (0, 1 + SIDES.index(side)))]
        return its.size > 0 or self._comes_back(held)

    def _side(self, held: Held) -> str | None:
        """The side of the hand that lifted the card; None if it is not known."""
        act = self._scene.acts.get(held.cards[0].number)
        if act is None or act.seat is None or Doubt.WHOSE in act.doubts:
            return None
        return self._scene.seats[act.seat - 1]

    def _comes_back(self, held: Held) -> bool:
        """Whether the card is seen beside its place. A card that lay alone may have been pushed
        anywhere on the table."""
        if self._lay_alone(held):
            like = bool(self._coming(held.event.card))
            return like or any(map(partial(self._is_near, held, 0.0), self._coming(UNKNOWN)))
        return self._is_seen(held) or self._may_lie_there(held)

    def _may_lie_there(self, held: Held) -> bool:
        """Whether a card lies at its place now that was not looked at well yet."""
        return any(
            card.looks < LOOKED and geometry.iou(card.place, held.quad) >= THERE
            for card in self._coming(UNKNOWN)
            if card.seen_at == self._scene.at
        )

    def _is_seen(self, held: Held) -> bool:
        """Whether a hand shows the card beside its place, or it has just come to rest there. Where
        the picture's border cuts it off, or the hand turns it, it has no name."""
        seen = self._coming(held.event.card)
        attached, side = self._scene.held.attached, self._side(held)
        for card in self._coming(UNKNOWN):
            if shows_nothing(card, self._scene):
                continue
            is_cut = card.frames > 1 and self._scene.is_cut_off(card.quad)
            is_held = card.number in attached and not card.empty
            is_its = side is None or card.side in (None, side)
            seen += [card] if is_cut or (is_held and is_its) else []
        return any(map(partial(self._is_near, held, SEEN_AGO_S), seen))

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
            if is_far and not self._is_of_its_hand(event, held):
                continue  # another hand has laid a like card
            reach = np.inf if is_far else PUSHED * geometry.length(held.quad)
            for card in self._scene.table.at(event.place):
                apart = geometry.centre(card.quad) - geometry.centre(held.quad)
                if card.face == event.card and float(np.linalg.norm(apart)) <= reach:
                    again = replace(card, place=held.event.place)
                    self._scene.occupancy.change(card.number, again)
                    if len(held.cards) > 1:
                        set_down(self._scene, held.cards[::-1], again)
                    return held
        return None

    def _is_bare(self, place: str) -> bool:
        return not self._scene.table.at(place)

    def _is_about(self, event: Event, held: Held) -> bool:
        """Whether an event tells that what was lifted stays away: what follows at its place, or
        where the hand that took it lays it. A like card that others lay is another one, and so is
        one that is laid while the lifted one is still seen, but not of a face that is there once.
        In games without turns nothing else tells that a pile went before a card that is laid."""
        layout = self._scene.layout
        if not isinstance(event, Placed | Removed):
            return True
        if event.place == held.event.place:
            return isinstance(event, Placed)  # a card drawn out from below others lifts them
        if event.card in {gone.face for gone in held.cards}:
            return self._is_of_its_hand(event, held) or event.card in layout.lone_faces
        return not layout.in_turn and len(held.cards) > 1 and isinstance(event, Placed)

    def _is_of_its_hand(self, event: Placed | Removed, held: Held) -> bool:
        """Whether the hand that lifted the card may have done this, and shows the card no more."""
        is_same = None in (event.seat, held.event.seat) or event.seat == held.event.seat
        return is_same and not self._is_seen(held)


def is_carried(card: Candidate, cover: Cover, scene: Scene) -> bool:
    """Whether a hand is at a card whose face has just been lifted: it may be put back yet."""
    lifted = {gone.card.face for gone in scene.taken if gone.card.number in scene.waiting}
    if card.best()[0] not in lifted or scene.at - card.since >= CARRIED_S:
        return False
    is_near = bool(cover.mask[scene.occupancy.area(card.place, BESIDE)].any())
    return card.number in scene.held.attached or is_near
