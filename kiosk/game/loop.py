"""The running table: frames in, events judged, signals out; one loop, one thread."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from kiosk.game.frozen_feed import Frozen
from kiosk.game.observers import Display, NoDisplay
from kiosk.game.resume import LOOK_S, Renaming, as_it_lies, lying, matched
from kiosk.game.session import Judging
from kiosk.game.view_guard import Lookout
from rules.errors import FairdealError
from rules.event import Event
from vision.frame import Frame
from vision.scene.watcher import Observation
from vision.sightings import Located
from vision.sources import Lost, Source
from vision.sources.source import Ended

POLL_S = 0.1
SETTLE_S = 1.0  # a camera that came back is looked through this long before play is judged


class Looks(Protocol):
    """What the table needs of the eyes."""

    def locate(self, bgr: np.ndarray) -> Located: ...

    def name(self, bgr: np.ndarray, quads: np.ndarray): ...


class Watches(Protocol):
    """What the table needs of a watcher."""

    def update(self, frame: Frame, located: Located, name: Callable) -> Observation: ...


def _nothing(*_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Hooks:
    """What is to be done with the `first` frame, and when a lost camera gives pictures `back`."""

    first: Callable[[Frame], None] = _nothing
    back: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run was: frames judged and dropped, seconds of the source, calls by kind."""

    frames: int
    drops: int
    seconds: float
    calls: dict[str, int]
    first_frame_s: float | None


class View:
    """Camera, place and picture may each lose the view; the referee hears of it once."""

    def __init__(self) -> None:
        self._lost: set[str] = set()

    def is_lost(self, who: str | None = None) -> bool:
        """Whether that one has lost the view; None: whether anyone has."""
        return bool(self._lost) if who is None else who in self._lost

    def lose(self, who: str, at: float) -> tuple[Event, ...]:
        """`blind`, if nobody had lost the view yet."""
        first = not self._lost
        self._lost.add(who)
        return (Event(at, "blind"),) if first else ()

    def find(self, who: str, at: float) -> tuple[Event, ...]:
        """`sighted`, if that was the last one."""
        if who not in self._lost:
            return ()
        self._lost.remove(who)
        return () if self._lost else (Event(at, "sighted"),)


class RunningTable:
    """Composes source, eyes, watcher and judging; `run` works until the source ends or `stop`.

    `resume`: the game's events before a power cut were judged already; the cards that lie are
    looked at first and compared. `lookout` notices a moved camera; `again` then makes a new
    watcher. `clock` (s) only measures work.
    """

    def __init__(
        self,
        source: Source,
        eyes: Looks,
        watcher: Watches,
        judging: Judging,
        *,
        display: Display | None = None,
        start: bool = False,
        resume: bool = False,
        lookout: Lookout | None = None,
        again: Callable[[], Watches] | None = None,
        hooks: Hooks | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._source, self._eyes, self._watcher = source, eyes, watcher
        self._judging, self._clock = judging, clock
        self._display = display or NoDisplay()
        self._pressed: queue.SimpleQueue[tuple[str, int | None]] = queue.SimpleQueue()
        self._start = start
        self._offset = judging.session.at if resume else 0.0
        self._held: list[Event] | None = [] if resume else None
        self._held_at = self._offset
        self._renaming: Renaming | None = None
        self._lookout, self._again, self._hooks = lookout, again, hooks or Hooks()
        self._doubted: list[Event] = []
        self._frozen = None if source.recorded else Frozen()
        self._last: Observation | None = None
        self._size: tuple[int, int] | None = None
        self._view = View()
        self._at, self._frames, self._stopped = self._offset, 0, False
        self._back_at: float | None = None
        self._first: float | None = None

    def press(self, event: Event) -> None:
        """A button of a device; may be called from any thread."""
        if event.button is not None:
            self._pressed.put((event.button, event.seat))

    def stop(self) -> None:
        """Ends `run` after the frame at hand."""
        self._stopped = True

    def run(self) -> Summary:
        """Works through the source. Raises FairdealError when it cannot go on."""
        began = self._clock()
        if self._start:
            self._judging.happen(Event(0.0, "pressed", button="start"))
        while not self._stopped:
            seen = self._source.watch(POLL_S)
            self._take_presses()
            if isinstance(seen, Ended):
                self._compare()
                self._judging.close()
                break
            if isinstance(seen, Lost):
                self._lose(seen)
            elif seen is not None:
                self._see(seen)
                if self._first is None:
                    self._first = self._clock() - began
        counts = dict(self._judging.counts)
        return Summary(self._frames, self._source.drops, self._at, counts, self._first)

    def _see(self, frame: Frame) -> None:
        self._at = self._offset + frame.at
        lost = self._frozen.see(frame) if self._frozen is not None else None
        if lost is not None:
            self._lose(lost)
            return
        self._come_back()
        began = self._clock()
        self._check_size(frame)
        if self._stands(frame):
            located = self._eyes.locate(frame.bgr)
            self._last = self._watcher.update(frame, located, self._name)
            self._take(frame, self._last)
        if self._held is not None and self._at - self._held_at >= LOOK_S:
            self._compare()
        self._frames += 1
        if self._last is not None:
            self._display.frame(frame, self._last, self._clock() - began)

    def _check_size(self, frame: Frame) -> None:
        """A camera may be opened at another size when it is back; then all is looked at anew."""
        size = (frame.width, frame.height)
        if self._size is None:
            self._hooks.first(frame)
        elif size != self._size:
            if self._source.recorded:
                raise FairdealError(
                    f"pictures of {self._size[0]}x{self._size[1]} px as the first one",
                    f"picture {frame.number + 1} of {size[0]}x{size[1]} px",
                    "take out what does not belong there", self._source.name,
                )  # fmt: skip
            self._lookout = Lookout() if self._lookout is not None else None
            self._watch_anew()
        self._size = size

    def _watch_anew(self) -> None:
        """A new watcher; the table that it sees is compared with the one that is known."""
        self._watcher = self._again() if self._again is not None else self._watcher
        self._held, self._held_at = [], self._at

    def _come_back(self) -> None:
        """A camera that gives pictures again is looked through for a while before it counts."""
        if not self._view.is_lost("camera"):
            return
        if self._back_at is None:
            self._back_at = self._at
            self._hooks.back()
        elif self._at - self._back_at >= SETTLE_S:
            self._back_at = None
            self._find("camera", self._at)

    def _stands(self, frame: Frame) -> bool:
        """Whether the camera and the mat are where they were; after a move the table is compared
        anew, for what the watcher saw meanwhile was no play."""
        if self._lookout is None:
            return True
        stand = self._lookout.look(frame)
        if stand.state == "moved":
            self._doubted.clear()
            self._miss("place", self._at, stand.why)
            return False
        if stand.state == "settled":
            self._watch_anew()
        return True

    def _take(self, frame: Frame, observation: Observation) -> None:
        """What the watcher saw; cards that come or go in a shifted view wait until that is told."""
        cards = self._doubted or any(event.card for event in observation.events)
        doubtful = cards and self._lookout is not None and self._lookout.is_doubtful(frame)
        waiting, self._doubted = self._doubted, []
        for event in (*waiting, *self._dated(observation.events)):
            if event.event == "blind":
                self._miss("picture", event.at, "the picture is dark or covered")
            elif event.event == "sighted":
                self._find("picture", event.at)
            elif doubtful:
                self._doubted.append(event)
            else:
                self._happen((event,))

    def _dated(self, events: tuple[Event, ...]) -> list[Event]:
        return [replace(event, at=self._offset + event.at) for event in events]

    def _name(self, bgr: np.ndarray, quads: np.ndarray):
        named = self._eyes.name(bgr, quads)
        return named.faces, named.confidences, named.quads, named.face_up

    def _lose(self, lost: Lost) -> None:
        self._at = max(self._at, self._offset + lost.at)
        self._back_at = None
        self._miss("camera", self._at, f"camera lost: {lost.why}")

    def _miss(self, who: str, at: float, why: str) -> None:
        if not self._view.is_lost(who):
            self._judging.lost(True, heard=who != "picture")
        self._happen(self._view.lose(who, at))
        self._display.lost(why)

    def _find(self, who: str, at: float) -> None:
        if not self._view.is_lost(who):
            return
        self._happen(self._view.find(who, at))
        if not self._view.is_lost():
            self._judging.lost(False)
            self._display.lost("")

    def _take_presses(self) -> None:
        pressed = list(self._display.presses())
        while not self._pressed.empty():
            pressed.append(self._pressed.get())
        for button, seat in pressed:
            self._judging.happen(Event(self._at, "pressed", seat=seat, button=button))

    def _happen(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if self._held is not None:
                self._held.append(event)
            else:
                self._judging.happen(self._renaming.event(event) if self._renaming else event)

    def _compare(self) -> None:
        """The game goes on as it was where the table is the same, else as it lies."""
        if self._held is None:
            return
        known, seen = self._judging.session.table, lying(tuple(self._held))
        self._held = None
        names = matched(known, seen)
        if names is not None:
            self._renaming = Renaming(names, known)
        else:
            self._renaming = Renaming({place: place for place in seen}, seen)
            lies = as_it_lies(known, seen, self._at)
            for event in lies[1:-1] if self._view.is_lost() else lies:
                self._judging.happen(event)
        self._find("place", self._at)
