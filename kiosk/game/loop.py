"""The game loop: frames in, events to the session, news to the observers; one loop, one thread."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, replace

from kiosk.game.camera_link import CameraLink
from kiosk.game.limits import LIMITS
from kiosk.game.loop_parts import LoopParts, ResumedAt
from kiosk.game.lost_views import LostViews
from kiosk.game.news import (
    FrameJudged,
    GameEnded,
    LostBy,
    Summary,
    ViewFound,
    ViewLost,
)
from kiosk.game.observed import is_at_rest, spots_of
from kiosk.game.presses import Presses
from kiosk.game.table_link import TableLink
from kiosk.game.view_guard import ViewGuard, ViewState
from kiosk.journal.entries import Spot
from rules.errors import FairdealError
from rules.judging.referee import seen_table
from rules.table.event import Blind, Event, Placed, Pressed, Sighted, is_card_event
from vision.frame import Frame
from vision.scene.watcher import Observation
from vision.sources import Lost
from vision.sources.source import Ended

COMPARING = "the table is compared with the game: please keep your hands off it"


@dataclass(slots=True)
class _Progress:
    """How far the run is. `at`: game time (s)."""

    at: float
    frames: int = 0
    first_frame_s: float | None = None
    observation: Observation | None = None
    width: int = 1  # px of its frame


class GameLoop:
    """Runs one game until its source ends or the inbox says stop.

    `resumed`: None for a new game.
    """

    def __init__(self, parts: LoopParts, *, resumed: ResumedAt | None = None) -> None:
        self._parts = parts
        self._offset_s = resumed.at if resumed is not None else 0.0
        self._watcher = parts.new_watcher()
        self._guard = ViewGuard() if parts.is_guarded else None
        self._camera = CameraLink(parts.source, parts.hooks)
        self._lost = LostViews()
        self._link = (
            TableLink(dict(resumed.spots), resumed.doubted_until)
            if resumed is not None
            else TableLink()
        )
        self._doubted: list[Event] = []
        self._recorded = deque(parts.presses)
        self._presses = Presses()
        self._progress = _Progress(self._offset_s)
        if resumed is not None:
            self._link.begin(resumed.at)
            if parts.session.judged.blind:  # it was cut off while the view was lost
                self._lost.lose(LostBy.PLACE, COMPARING, resumed.at)

    def run(self, *, press_start: bool = False) -> Summary:
        """Works through the source. `press_start`: the game starts at its first moment.

        Raises FairdealError when it cannot go on.
        """
        began, progress, source = self._parts.clock(), self._progress, self._parts.source
        if press_start:
            self._parts.session.happen(Pressed(0.0, "start"))
        if self._link.is_comparing:
            self._parts.session.tell(ViewLost(progress.at, LostBy.PLACE, COMPARING))
        is_over = False
        while not self._parts.inbox.is_stopped and not is_over:
            seen = source.watch(LIMITS.poll_s)
            self._take_presses()
            if isinstance(seen, Ended):
                self._compare_tables()
                self._take_presses()
                self._happen_all(self._link.expire(math.inf), progress.at)
                self._take_recorded(math.inf)
                self._press(self._presses.due(progress.at, None, None))
                self._parts.session.close()
                is_over = True
            elif isinstance(seen, Lost):
                self._camera.lose()
                self._lose_camera(seen)
            elif seen is not None:
                self._see(seen)
                if progress.first_frame_s is None:
                    progress.first_frame_s = self._parts.clock() - began
            self._parts.session.release()
            if (report := self._parts.turn()) is not None:
                self._parts.session.tell(report)
        self._parts.session.flush()
        counts = dict(self._parts.session.counts)
        summary = Summary(
            progress.frames, source.drops, progress.at, counts, progress.first_frame_s
        )
        self._parts.session.tell(GameEnded(summary, is_over))
        return summary

    # -- frames -----------------------------------------------------------------------------

    def _see(self, frame: Frame) -> None:
        progress = self._progress
        progress.at = self._offset_s + frame.at
        began = self._parts.clock()
        report = self._camera.see(frame, progress.at)
        if report.lost is not None:
            self._lose_camera(report.lost)
            return
        self._take_recorded(frame.at)
        if report.is_found:
            self._find(LostBy.CAMERA)
        if report.is_resized:
            self._guard = ViewGuard() if self._guard is not None else None
            self._watch_again()
        stands = self._stands(frame)
        frame = self._guard.held(frame) if self._guard is not None else frame
        if stands:
            located = self._parts.eyes.locate(frame.bgr)
            progress.observation = self._watcher.update(frame, located, self._parts.eyes.name)
            progress.width = frame.width
            self._link.see(progress.at, is_at_rest=is_at_rest(progress.observation))
            self._take(frame, progress.observation)
            self._press(self._presses.held(progress.at, *self._untold()))
            self._happen_all(self._link.expire(progress.at), progress.at)
        else:
            self._link.see(progress.at, is_at_rest=False)
        if self._link.is_due(progress.at):
            self._compare_tables()
        progress.frames += 1
        self._parts.session.release()
        if progress.observation is not None:
            work_s = self._parts.clock() - began
            latency_s = self._parts.source.age_s(frame)
            news = FrameJudged(frame, progress.observation, progress.at, work_s, latency_s)
            self._parts.session.tell(news)

    def _stands(self, frame: Frame) -> bool:
        """Whether camera and mat are where they were.

        After a move the tables are compared: what the watcher saw meanwhile was no play.
        """
        if self._guard is None:
            return True
        report = self._guard.see(frame)
        if report.state is ViewState.MOVED:
            self._doubted.clear()
            self._lose(LostBy.PLACE, report.why)
            return False
        if report.state is ViewState.SETTLED:
            self._watch_again()
        return True

    def _watch_again(self) -> None:
        """A new watcher; the table that it sees is compared with the game's."""
        self._watcher = self._parts.new_watcher()
        self._link.begin(self._progress.at)

    def _take(self, frame: Frame, observation: Observation) -> None:
        """Takes a watcher's events. Cards that come or go in a shifted view wait for certainty."""
        since, came_since = map(self._in_game, (observation.acted_since, observation.came_since))
        self._press(self._presses.before(self._progress.at, since, came_since))
        has_cards = bool(self._doubted) or any(map(is_card_event, observation.events))
        doubtful = has_cards and self._guard is not None and self._guard.check(frame)
        waiting, self._doubted = self._doubted, []
        dated = [replace(event, at=self._offset_s + event.at) for event in observation.events]
        for event in (*waiting, *dated):
            if isinstance(event, Blind):
                self._lose(LostBy.PICTURE, "the picture is dark or covered", event.at)
            elif isinstance(event, Sighted):
                self._find(LostBy.PICTURE, event.at)
            elif doubtful:
                self._doubted.append(event)
            else:
                self._happen(event)

    # -- the view ---------------------------------------------------------------------------

    def _lose_camera(self, lost: Lost) -> None:
        self._progress.at = max(self._progress.at, self._offset_s + lost.at)
        self._lose(LostBy.CAMERA, f"camera lost: {lost.why}")

    def _lose(self, by: LostBy, why: str, at: float | None = None) -> None:
        at = self._progress.at if at is None else at
        is_known = self._lost.has(by, why)
        for event in self._lost.lose(by, why, at):
            self._happen(event)
        if not is_known:
            self._parts.session.tell(ViewLost(at, by, why))

    def _find(self, by: LostBy, at: float | None = None) -> None:
        if not self._lost.has(by):
            return
        at = self._progress.at if at is None else at
        for event in self._lost.find(by, at):
            self._happen(event)
        if not self._lost.is_any:
            self._parts.session.tell(ViewFound(at))

    # -- events -----------------------------------------------------------------------------

    def _take_recorded(self, until: float) -> None:
        """Presses the buttons of a recording up to a time (s)."""
        while self._recorded and self._recorded[0].at <= until:
            press = self._recorded.popleft()
            self._presses.add(replace(press, at=self._offset_s + press.at))
        self._press(self._presses.due(self._progress.at, *self._untold()))

    def _take_presses(self) -> None:
        # What a button means is not known before the game knows the table.
        is_early = self._link.is_comparing and not self._parts.session.judged.blind
        for press in () if is_early else self._parts.inbox.take():
            self._presses.add(replace(press, at=self._progress.at))
        self._press(self._presses.due(self._progress.at, *self._untold()))
        for overruling in self._parts.inbox.take_overruled():
            try:
                self._parts.session.overrule(overruling)
            except FairdealError:
                continue  # the page checked it against the game of then; it does not fit now

    def _press(self, presses: tuple[Pressed, ...]) -> None:
        for press in presses:
            self._parts.session.happen(press)

    def _untold(self) -> tuple[float | None, float | None]:
        """Since when the first of the cards rests that are not told yet, under hands too and as
        seen, in the game's time (s)."""
        seen = self._progress.observation
        if seen is None:
            return None, None
        return self._in_game(seen.untold_since), self._in_game(seen.resting_since)

    def _in_game(self, at: float | None) -> float | None:
        """A time of the source (s) in the game's time."""
        return None if at is None else self._offset_s + at

    def _happen(self, event: Event) -> None:
        """Takes an event of the watcher."""
        spot = None
        if isinstance(event, Placed):
            self._presses.told()
        if isinstance(event, Placed) and self._progress.observation is not None:
            spot = self._spots().get(event.place)
        is_lost = self._lost.is_any
        for known in self._link.take(event, spot, is_lost=is_lost):
            where = self._link.spot(known.place) if isinstance(known, Placed) else None
            self._parts.session.happen(known, where)

    def _happen_all(self, events: tuple[Event, ...], at: float) -> None:
        """Takes events of the game, at time `at` (s)."""
        for event in events:
            self._parts.session.happen(replace(event, at=at))

    def _spots(self) -> dict[str, Spot]:
        return spots_of(self._progress.observation, self._progress.width)

    def _compare_tables(self) -> None:
        """The game goes on as it was where the table is the same, else as the table lies."""
        if not self._link.is_comparing:
            return
        judged, at = self._parts.session.judged, self._progress.at
        events = self._link.finish(seen_table(judged), self._spots(), at, is_lost=judged.blind)
        for event in events:
            where = self._link.spot(event.place) if isinstance(event, Placed) else None
            self._parts.session.happen(event, where)
        if not self._lost.is_any:
            self._parts.session.tell(ViewFound(at))
        self._find(LostBy.PLACE)
        self._parts.session.suppose_unseen(at, self._link.doubted_until)
