"""From the cards located in each frame to what happened on the table.

Each frame goes through the same stages: change against the remembered background, hands, cards
that went, candidates followed and named, cards that came, regions that nothing explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.table.event import Blind, Event, Sighted
from vision.frame import Frame, Image
from vision.recent import KeptFrame, RecentFrames
from vision.scene.arrivals import Arrivals
from vision.scene.awaited import Seen
from vision.scene.background import Change
from vision.scene.confirming import Confirming
from vision.scene.departures import Departures
from vision.scene.drawn_out import DrawnOut
from vision.scene.events import difference
from vision.scene.fans import held_places
from vision.scene.hand_blobs import Cover
from vision.scene.laid_bare import take_from
from vision.scene.layout import Layout
from vision.scene.leftovers import Leftovers
from vision.scene.let_go import has_let_go
from vision.scene.lifts import Lifts
from vision.scene.occupancy import Occupancy
from vision.scene.order import (
    LONGEST_S,
    SHAKES_S,
    acted_since,
    begun_at,
    is_order_open,
    resting_since,
    untold_since,
)
from vision.scene.renaming import renamed
from vision.scene.restacked import Restacked
from vision.scene.scene import Scene
from vision.scene.shown import shown_tracks
from vision.scene.table import Table
from vision.scene.tracks import Name, Track
from vision.scene.visibility import is_lost
from vision.scene.visits import Visits
from vision.scene.weighing import Weighing
from vision.settings import VisionSettings
from vision.sightings import Located

BUSY_COVER = 0.3  # part of the picture under hands above which the view is not back yet
PATIENCE_S = 3.0  # s after which the view counts as back though the table is not at rest


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What one frame brought: events in order, the table as it lies, the cards followed.

    `recent`: the frames of the last seconds, the oldest first. `untold_since` (s): since when the
    first of the new cards rests that no event has told yet, or a hand is there that may hide one;
    `resting_since` (s): the same without what hands may hide; None without one. `acted_since` (s):
    when the acts that these events tell began at the earliest, as cards rest; `came_since` (s): the
    same, as hands came with cards; None if not known of each.
    """

    events: tuple[Event, ...]
    table: Table
    tracks: tuple[Track, ...]
    cover: Cover
    recent: tuple[KeptFrame, ...] = ()
    untold_since: float | None = None
    resting_since: float | None = None
    acted_since: float | None = None
    came_since: float | None = None


class Watcher:
    """Watches one table. `seats`: the sides of the picture at which seats 1..N sit.

    `update` takes the frames in order; the same frames give the same observations.
    """

    def __init__(
        self, layout: Layout, seats: Sequence[str], settings: VisionSettings | None = None
    ) -> None:
        self._settings = settings or VisionSettings()
        self._scene = Scene(layout, tuple(seats), self._settings)
        self._recent = RecentFrames()
        self._arrivals = Arrivals(self._scene, self._recent)
        self._departures = Departures(self._scene)
        self._restacked = Restacked(self._scene)
        self._drawn_out = DrawnOut(self._scene)
        self._leftovers = Leftovers(self._scene)
        self._lifts = Lifts(self._scene)
        self._visits = Visits(self._scene)
        self._weighing = Weighing()
        self._confirming = Confirming(self._scene)
        self._is_blind = False
        self._view_since: float | None = None

    @property
    def table(self) -> Table:
        """The table as it lies now."""
        return self._scene.table

    def update(self, frame: Frame, located: Located, name: Name) -> Observation:
        """Takes one frame with the cards located in it; `name` names cards when asked to."""
        scene, recent = self._scene, self._recent.see(frame)
        low = scene.background.shrink(frame.bgr)
        occupancy = scene.begin(frame, low.shape[:2])
        change = scene.background.see(low, frame.at)
        before = scene.table
        lost = self._is_lost(low, change)
        lost_events = self._lose(lost, frame.at)
        if lost or (self._is_blind and lost_events):
            cover = Cover(np.ones(low.shape[:2], bool), np.zeros(low.shape[:2], np.uint8))
            return Observation(lost_events, scene.table, shown_tracks(scene), cover, recent)
        cover = self._cover(change, frame)
        change = self._departures.uncover(change, cover, frame.bgr)
        change = self._departures.take_gone(change, cover)
        boxes = self._leftovers.boxes(change, cover, located)
        self._arrivals.follow(change, cover, boxes, frame)
        has_searched = self._arrivals.name(change, cover, frame, name)
        begun = begun_at(scene, change, SHAKES_S)
        came = begun_at(scene, change, LONGEST_S)
        change = self._arrivals.land(change, cover, frame)
        change = self._lying(change, cover, located)
        if not has_searched:
            self._look_again(change, cover, frame, name)
        change = self._leftovers.explain(change, cover, frame, name)
        before = renamed(before, scene.renames) if scene.renames else before
        scene.renames.clear()
        events: tuple[Event, ...] = tuple(scene.unseen)
        events += difference(before, scene.table, frame.at, scene.acts)
        scene.unseen.clear()
        events += self._find(occupancy, change, cover, frame.at)
        events = self._tell(events, before, change, cover)
        if not cover.mask.any():
            scene.layout.refine(scene.size)
        return Observation(
            events, scene.table, shown_tracks(scene), cover, recent, untold_since(scene),
            resting_since(scene),
            acted_since(before, scene.table, begun, self._lifts.gone_at),
            acted_since(before, scene.table, came, self._lifts.gone_at),
        )  # fmt: skip

    def _cover(self, change: Change, frame: Frame) -> Cover:
        """What lies over the table."""
        scene, resting = self._scene, self._arrivals.resting(frame)
        return scene.hands.see(change, resting, scene.background.seen, held_places(scene))

    def _lying(self, change: Change, cover: Cover, located: Located) -> Change:
        """What became of the lying cards. Returns the change without it."""
        self._confirming.begin()
        change = self._restacked.see(change, cover)
        change = self._drawn_out.see(change, cover)
        change = take_from(change, cover, self._scene)
        return self._departures.give_up(change, cover, located)

    def _look_again(self, change: Change, cover: Cover, frame: Frame, name: Name) -> None:
        """Looks at lying cards that have no name, or a doubtful one."""
        self._leftovers.name_unknown(change, cover, frame, name)
        self._confirming.look(change, cover, frame, name)

    def _tell(
        self, events: tuple[Event, ...], before: Table, change: Change, cover: Cover
    ) -> tuple[Event, ...]:
        """The events that this frame tells, with their alternatives."""
        scene = self._scene
        told = self._lifts.tell(events, before, cover, scene.at)
        self._visits.see(change, cover, told)
        evidence = self._weighing.returned(scene.returned, scene.at)
        evidence += self._weighing.brought_nothing(scene.brought_nothing, scene.at)
        self._weighing.suspect(scene.suspected)
        scene.returned.clear()
        scene.suspected.clear()
        scene.brought_nothing.clear()
        weighed = self._weighing.weigh(
            told, scene.at, is_open=is_order_open(scene) or bool(scene.waiting),
            seen=lambda number: self._seen(number, change, cover),
        )  # fmt: skip
        scene.is_postponed = self._weighing.is_waiting
        return (*evidence, *weighed)

    def _seen(self, number: int, change: Change, cover: Cover) -> Seen | None:
        """What is seen of a lying card that was told; None if it is gone."""
        is_free = has_let_go(self._scene, number, change, cover)
        return None if is_free is None else Seen(is_free, self._confirming.name(number))

    def _is_lost(self, low: Image, change: Change) -> bool:
        dark = self._settings.dark_level * self._scene.background.small.gain
        return is_lost(low, change.changed, dark)

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
        return (Blind(at),)

    def _find(
        self, occupancy: Occupancy, change: Change, cover: Cover, at: float
    ) -> tuple[Event, ...]:
        """`sighted` once the table is seen at rest: what changed meanwhile came before it."""
        if not self._is_blind:
            return ()
        busy = bool(self._scene.candidates.coming) or bool(occupancy.doubts(change))
        if self._view_since is None or cover.mask.mean() > BUSY_COVER:
            self._view_since = at
        seen_s = at - self._view_since
        if seen_s < self._settings.sighted_s or (busy and seen_s < PATIENCE_S):
            return ()
        self._is_blind, self._view_since = False, None
        return (Sighted(at),)
