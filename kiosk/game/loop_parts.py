"""What a game loop works with: its source, eyes, watcher, session, and where a game goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from kiosk.game.camera_link import CameraHooks
from kiosk.game.inbox import Inbox
from kiosk.game.news import News
from kiosk.game.session import GameSession
from kiosk.game.unseen_acts import doubted_until
from kiosk.journal.entries import Spot
from kiosk.journal.opening import OpenedGame
from rules.table.event import Pressed
from vision.frame import Frame
from vision.scene.tracks import Name
from vision.scene.watcher import Observation
from vision.sightings import Located, Named
from vision.sources import Source


class Looks(Protocol):
    """What the loop needs of the eyes."""

    def locate(self, bgr: np.ndarray) -> Located: ...

    def name(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        quick: bool = False,
        known: np.ndarray | None = None,
    ) -> Named: ...


class Watches(Protocol):
    """What the loop needs of a watcher."""

    def update(self, frame: Frame, located: Located, name: Name) -> Observation: ...


@dataclass(frozen=True, slots=True)
class LoopParts:
    """What a loop works with.

    `new_watcher` is called at the start, and again after a moved camera or a changed picture
    size. `presses`: a recording's buttons, in its time. `is_guarded`: moves of camera and mat are
    noticed. `clock` (s) only measures work. `turn` is called on each turn of the loop, with or
    without a frame; the message that it returns is told.
    """

    source: Source
    eyes: Looks
    new_watcher: Callable[[], Watches]
    session: GameSession
    inbox: Inbox
    hooks: CameraHooks = field(default_factory=CameraHooks)
    presses: tuple[Pressed, ...] = ()
    is_guarded: bool = True
    clock: Callable[[], float] = time.perf_counter
    turn: Callable[[], News | None] = lambda: None


@dataclass(frozen=True, slots=True)
class ResumedAt:
    """A game that was cut off: its time (s), and where its places lay (widths of the picture).

    It goes on once the cards on the table were compared with the journal's. `doubted_until`: game
    time (s) up to which no event makes a mistake.
    """

    at: float
    spots: tuple[tuple[str, Spot], ...] = ()
    doubted_until: float = 0.0

    @classmethod
    def after(cls, opened: OpenedGame) -> ResumedAt | None:
        """Where a game goes on. Events that it ignored count: time never falls."""
        if not opened.events:
            return None
        return cls(opened.events[-1].at, opened.spots, doubted_until(opened.events))
