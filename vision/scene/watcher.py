"""From the cards located in each frame to what happened on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rules.event import Event
from vision import geometry
from vision.frame import Frame
from vision.geometry import Mask
from vision.scene.background import Change, Ground, shrink
from vision.scene.events import difference
from vision.scene.hands import Cover, Hands
from vision.scene.interpretation import meaning
from vision.scene.layout import Layout, covered_face
from vision.scene.occupancy import Stacks, Under
from vision.scene.settling import Arrivals, looked_at
from vision.scene.table import Card, Table, corners_of
from vision.scene.tracks import Coming, Name, Track, Tracks, is_named
from vision.scene.visibility import is_lost
from vision.settings import VisionSettings
from vision.sightings import UNKNOWN, Located


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What one frame brought: events in order, the table as it lies, the cards followed."""

    events: tuple[Event, ...]
    table: Table
    tracks: tuple[Track, ...]
    cover: Cover


class Watcher:
    """Watches one table. `seats`: the sides of the picture at which seats 1..N sit.

    `update` takes the frames in order; the same frames give the same observations.
    """

    def __init__(
        self, layout: Layout, seats: Sequence[str], settings: VisionSettings | None = None
    ) -> None:
        self._layout, self._seats = layout, tuple(seats)
        self._settings = settings or VisionSettings()
        self._ground = Ground(self._settings)
        self._hands = Hands(self._settings)
        self._tracks = Tracks(self._settings)
        self._arrivals = Arrivals(self._settings, self._tracks, self._hands)
        self._stacks: Stacks | None = None
        self._is_blind = False
        self._view_since: float | None = None
        self._acted: dict[int, int | None] = {}
        self._sure: dict[int, float] = {}
        self._again: dict[int, Coming] = {}
        self._signs: dict[int, float] = {}

    @property
    def table(self) -> Table:
        """The table as it lies now."""
        return self._stacks.table if self._stacks is not None else Table()

    def update(self, frame: Frame, located: Located, name: Name) -> Observation:
        """Take one frame with the cards located in it; `name` names cards when asked to."""
        low = shrink(frame.bgr, self._settings.low_width)
        stacks = self._begin(frame, low.shape[:2])
        change = self._ground.see(low, frame.at)
        before = stacks.table
        lost = is_lost(low, change.changed, self._settings.dark_level)
        events = self._lose(lost, frame.at)
        if lost or (self._is_blind and events):
            cover = Cover(np.ones(low.shape[:2], bool), np.zeros(low.shape[:2], np.uint8))
            return Observation(events, stacks.table, self._shown(stacks), cover)
        cover = self._hands.see(change, self._arrivals.resting(stacks, frame.at))
        change = self._take_gone(stacks, change, cover)
        self._arrivals.follow(stacks, change, located, frame.at)
        self._arrivals.name(stacks, frame, cover, change, name)
        change = self._land(stacks, change, cover, frame)
        change = self._give_up(stacks, change, cover, located)
        self._look_again(stacks, frame, cover, change, name)
        change = self._forget_changes(stacks, change, cover)
        events = difference(before, stacks.table, frame.at, self._acted)
        events += self._find(stacks, change, cover, frame.at)
        return Observation(events, stacks.table, self._shown(stacks), cover)

    # -- the view ---------------------------------------------------------------------------

    def _begin(self, frame: Frame, shape: tuple[int, int]) -> Stacks:
        if self._stacks is None:
            scale = shape[1] / frame.width
            self._stacks = Stacks(self._settings, shape, scale)
            self._arrivals.begin(scale, frame.at)
        return self._stacks

    def _lose(self, lost: bool, at: float) -> tuple[Event, ...]:
        if self._is_blind or not lost:
            if lost or not self._is_blind:
                self._view_since = None
            return ()
        if self._view_since is None:
            self._view_since = at
        if at - self._view_since < self._settings.blind_s:
            return ()
        self._is_blind, self._view_since = True, None
        return (Event(at=at, event="blind"),)

    def _find(self, stacks: Stacks, change: Change, cover: Cover, at: float) -> tuple[Event, ...]:
        """`sighted` once the table is seen at rest: what changed meanwhile came before it."""
        if not self._is_blind:
            return ()
        busy = bool(self._tracks.coming) or bool(stacks.doubts(change))
        if self._view_since is None or cover.mask.mean() > 0.3:
            self._view_since = at
        seen_s = at - self._view_since
        if seen_s < self._settings.sighted_s or (busy and seen_s < 3.0):
            return ()
        self._is_blind, self._view_since = False, None
        return (Event(at=at, event="sighted"),)

    # -- cards that come --------------------------------------------------------------------

    def _land(self, stacks: Stacks, change: Change, cover: Cover, frame: Frame) -> Change:
        kept = []
        for card in self._tracks.coming:
            if not self._arrivals.is_ready(stacks, cover, change, card, frame.at):
                kept.append(card)
                continue
            if self._arrivals.is_still_new(stacks, change, card):
                change = self._lay(stacks, change, card, frame)
            elif self._arrivals.is_seen_anew(stacks, card):  # else it comes again in each frame
                place = stacks.area(card.quad, 1.1)
                change = self._ground.absorb(change, place & change.changed)
        self._tracks.keep(tuple(kept))
        return change

    def _lay(self, stacks: Stacks, change: Change, card: Coming, frame: Frame) -> Change:
        face = card.best()[0] if is_named(card, self._settings) else UNKNOWN
        quad = card.place
        size = (frame.width, frame.height)
        landing = meaning(quad, face, stacks, stacks.doubts(change), change, self._layout)
        seat = self._seat(card.side)
        rest = self._ground.rest
        footprint = stacks.area(quad, 1.1)
        if landing.kind == "revealed":
            footprint |= self._place_of(stacks, landing.taken)
            self._take(stacks, landing.taken)
        elif landing.kind == "known":
            assert landing.number is not None
            old = stacks.table.card(landing.number)
            assert old is not None
            footprint |= self._place_of(stacks, frozenset({landing.number}))
            stacks.change(old.number, replace(old, corners=corners_of(quad)))
        else:
            under = Under(rest) if card.fresh else stacks.bare(quad, rest)
            if landing.kind == "turned":
                assert landing.number is not None
                self._acted[landing.number] = seat
                stacks.take(frozenset({landing.number}))
            spot = self._layout.spot(quad, stacks.table, size)
            on = None
            if face in self._layout.half_covers:
                on = covered_face(quad, spot.place, stacks.table)
            born = max(spot.born, stacks.table.born)
            new = Card(card.number, face, spot.place, corners_of(quad), on)
            stacks.lay(new, under, born)
            self._acted[card.number] = seat
            self._sure[card.number] = min(card.best()[1] / max(card.looks, 1), 1.0)
        return self._ground.absorb(change, footprint & change.changed)

    # -- cards that go ----------------------------------------------------------------------

    def _take_gone(self, stacks: Stacks, change: Change, cover: Cover) -> Change:
        while taken := stacks.gone(change, self._ground.rest, cover.mask):
            place = self._place_of(stacks, taken)
            self._take(stacks, taken)
            change = self._ground.absorb(change, place & change.changed)
        return change

    def _give_up(self, stacks: Stacks, change: Change, cover: Cover, located: Located) -> Change:
        """A card on top that changed, is free, and is found no more: gone, in the end."""
        doubts = stacks.doubts(change)
        for number, since in doubts.items():
            card = stacks.table.card(number)
            if card is None or stacks.over(number) != {number}:
                continue
            place = stacks.visible(number)
            busy = cover.mask[place].mean() > 0.1 or any(
                geometry.intersection(card.quad, other.quad) > 0 for other in self._tracks.coming
            )
            found = any(geometry.iou(card.quad, quad) > 0.5 for quad in located.quads)
            if busy or found:
                self._signs[number] = change.at
            if change.at - max(since, self._signs.get(number, since)) < self._settings.doubt_s:
                continue
            if change.still_s[place].mean() < self._settings.doubt_s / 2:
                continue
            self._take(stacks, frozenset({number}))
            return self._ground.absorb(change, place & change.changed)
        return change

    def _take(self, stacks: Stacks, numbers: frozenset[int]) -> None:
        place = self._place_of(stacks, numbers)
        seat = self._seat(self._hands.actor(place))
        for number in numbers:
            self._acted[number] = seat
            self._again.pop(number, None)
            self._signs.pop(number, None)
        stacks.take(numbers)

    def _place_of(self, stacks: Stacks, numbers: frozenset[int]) -> Mask:
        place = np.zeros(stacks.owner.shape, bool)
        for card in stacks.table.cards:
            if card.number in numbers:
                place |= stacks.area(card.quad, 1.1)
        return place

    # -- cards that lie ---------------------------------------------------------------------

    def _look_again(
        self, stacks: Stacks, frame: Frame, cover: Cover, change: Change, name: Name
    ) -> None:
        """An unknown card is named again now and then; a name for it is a turn of that card."""
        doubts = stacks.doubts(change)
        for card in stacks.table.cards:
            if card.face != UNKNOWN or card.number in doubts:
                continue
            held = self._again.get(card.number)
            if held is not None and frame.at - held.seen_at < self._settings.again_s:
                continue
            if held is None:
                quad = card.quad
                held = Coming(card.number, quad, quad, frame.at, frame.at, 1.0)
            elif self._is_open(stacks, cover, card):
                held = replace(looked_at([held], frame, name)[0], seen_at=frame.at)
            self._again[card.number] = held
            if is_named(held, self._settings):
                self._again.pop(card.number)
                corners = card.corners if held.upright is None else corners_of(held.upright)
                new = replace(
                    card, number=self._tracks.number(), face=held.best()[0], corners=corners
                )
                self._acted[new.number] = self._acted.get(card.number)
                stacks.change(card.number, new)
                return

    def _is_open(self, stacks: Stacks, cover: Cover, card: Card) -> bool:
        return stacks.exposed(card.number) >= 0.7 and not cover.mask[stacks.area(card.quad)].any()

    def _forget_changes(self, stacks: Stacks, change: Change, cover: Cover) -> Change:
        """What lies for long and is no card becomes the table."""
        old = change.changed & ~cover.mask & (change.still_s >= self._settings.absorb_s)
        if not old.any():
            return change
        for number in stacks.doubts(change):
            old &= ~stacks.visible(number)
        for card in self._tracks.coming:
            old &= ~stacks.area(card.quad, 1.1)
        return self._ground.absorb(change, old) if old.any() else change

    def _seat(self, side: str | None) -> int | None:
        # Where two sit at one side, the side does not tell who it was.
        return self._seats.index(side) + 1 if side and self._seats.count(side) == 1 else None

    def _shown(self, stacks: Stacks) -> tuple[Track, ...]:
        lying = [
            Track(
                card.number, card.corners, card.face, self._sure.get(card.number, 0.0),
                "lying" if stacks.exposed(card.number) > 0.3 else "covered",
                card.place, self._acted.get(card.number),
            )
            for card in stacks.table.cards
        ]  # fmt: skip
        coming = [
            Track(
                card.number, corners_of(card.quad), card.best()[0], min(card.best()[1], 1.0),
                "coming", None, self._seat(card.side),
            )
            for card in self._tracks.coming
            if not card.is_double
        ]  # fmt: skip
        return (*lying, *coming)
