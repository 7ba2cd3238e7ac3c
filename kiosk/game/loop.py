"""The game loop: frames in, events to the session, news to the observers; one loop, one thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from kiosk.game.camera_link import CameraHooks, CameraLink
from kiosk.game.inbox import Inbox
from kiosk.game.limits import LIMITS
from kiosk.game.lost_views import LostViews
from kiosk.game.news import FrameJudged, GameEnded, LostBy, Summary, ViewFound, ViewLost
from kiosk.game.resume import TableCheck
from kiosk.game.session import GameSession
from kiosk.game.view_guard import ViewGuard, ViewState
from rules.event import Blind, Event, Pressed, Sighted, is_card_event
from vision.frame import Frame
from vision.scene.tracks import Name
from vision.scene.watcher import Observation
from vision.sightings import Located, Named
from vision.sources import Lost, Source
from vision.sources.source import Ended


class Looks(Protocol):
    """What the loop needs of the eyes."""

    def locate(self, bgr: np.ndarray) -> Located: ...

    def name(self, bgr: np.ndarray, quads: np.ndarray) -> Named: ...


class Watches(Protocol):
    """What the loop needs of a watcher."""

    def update(self, frame: Frame, located: Located, name: Name) -> Observation: ...


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What a loop works with.

    `new_watcher` is called at the start, and again after a moved camera or a changed picture
    size. `is_guarded`: moves of camera and mat are noticed. `clock` (s) only measures work.
    """

    source: Source
    eyes: Looks
    new_watcher: Callable[[], Watches]
    session: GameSession
    inbox: Inbox
    hooks: CameraHooks = field(default_factory=CameraHooks)
    is_guarded: bool = True
    clock: Callable[[], float] = time.perf_counter


@dataclass(slots=True)
class _Progress:
    """How far the run is. `at`: game time (s)."""

    at: float
    frames: int = 0
    first_frame_s: float | None = None
    observation: Observation | None = None


class GameLoop:
    """Runs one game until its source ends or the inbox says stop.

    `resume_at`: the game's time (s) when it was cut off. The game goes on from there, once the
    cards on the table were compared with the journal's. None: a new game.
    """

    def __init__(self, parts: LoopParts, *, resume_at: float | None = None) -> None:
        self._parts = parts
        self._offset_s = resume_at or 0.0
        self._watcher = parts.new_watcher()
        self._guard = ViewGuard() if parts.is_guarded else None
        self._camera = CameraLink(parts.source, parts.hooks)
        self._lost = LostViews()
        self._check = TableCheck()
        self._doubted: list[Event] = []
        self._progress = _Progress(self._offset_s)
        if resume_at is not None:
            self._check.begin(resume_at)

    def run(self, *, press_start: bool = False) -> Summary:
        """Works through the source. `press_start`: the game starts at its first moment.

        Raises FairdealError when it cannot go on.
        """
        began, progress, source = self._parts.clock(), self._progress, self._parts.source
        if press_start:
            self._parts.session.happen(Pressed(0.0, "start"))
        is_over = False
        while not self._parts.inbox.is_stopped and not is_over:
            seen = source.watch(LIMITS.poll_s)
            self._take_presses()
            if isinstance(seen, Ended):
                self._compare_tables()
                self._parts.session.close()
                is_over = True
            elif isinstance(seen, Lost):
                self._camera.lose()
                self._lose_camera(seen)
            elif seen is not None:
                self._see(seen)
                if progress.first_frame_s is None:
                    progress.first_frame_s = self._parts.clock() - began
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
        if report.is_found:
            self._find(LostBy.CAMERA)
        if report.is_resized:
            self._guard = ViewGuard() if self._guard is not None else None
            self._watch_again()
        if self._stands(frame):
            located = self._parts.eyes.locate(frame.bgr)
            progress.observation = self._watcher.update(frame, located, self._parts.eyes.name)
            self._take(frame, progress.observation)
        if self._check.is_due(progress.at):
            self._compare_tables()
        progress.frames += 1
        if progress.observation is not None:
            work_s = self._parts.clock() - began
            news = FrameJudged(frame, progress.observation, progress.at, work_s)
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
        self._check.begin(self._progress.at)

    def _take(self, frame: Frame, observation: Observation) -> None:
        """Takes a watcher's events. Cards that come or go in a shifted view wait for certainty."""
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

    def _take_presses(self) -> None:
        for press in self._parts.inbox.take():
            self._parts.session.happen(replace(press, at=self._progress.at))

    def _happen(self, event: Event) -> None:
        known = self._check.take(event)
        if known is not None:
            self._parts.session.happen(known)

    def _compare_tables(self) -> None:
        """The game goes on as it was where the table is the same, else as the table lies."""
        if not self._check.is_on:
            return
        known, at = self._parts.session.judged.table, self._progress.at
        for event in self._check.finish(known, at, is_lost=self._lost.is_any):
            self._parts.session.happen(event)
        self._find(LostBy.PLACE)
