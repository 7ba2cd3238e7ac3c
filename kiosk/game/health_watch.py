"""Reads a running table's health: hears of the game, and reads the machine on its own thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

from device.machine import Machine
from kiosk.game.health import CameraHealth, ErrorLine, Health
from kiosk.game.limits import LIMITS
from kiosk.game.news import FrameJudged, HealthRead, LostBy, News, ViewFound, ViewLost

ERRORS_KEPT = 20


@dataclass(frozen=True, slots=True)
class Probes:
    """Where the parts of a table's health come from; each is asked from the watch's thread.

    `machine`: reads files, may take some milliseconds. `lamps`: fault by output. `journal`: why
    nothing is kept any more. `drops`: frames dropped so far. `is_stuck`: of the source. `tidy` is
    called before each reading.
    """

    machine: Callable[[], Machine]
    lamps: Callable[[], Mapping[str, str]] = dict
    journal: Callable[[], str] = str
    drops: Callable[[], int] = int
    is_stuck: Callable[[], bool] = bool
    tidy: Callable[[], None] = lambda: None


class HealthWatch:
    """An observer. Inside `reading` its thread reads the machine every `LIMITS.health_s`.

    `wall` tells the time of day (s since 1970).
    """

    name = "health"

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        self._wall = wall
        self._lock = threading.Lock()
        self._frames: deque[FrameTimes] = deque(maxlen=600)
        self._lost = ""
        self._errors: deque[ErrorLine] = deque(maxlen=ERRORS_KEPT)
        self._new: Health | None = None

    def hear(self, news: News) -> None:
        """Counts frames and notes why the camera is lost."""
        with self._lock:
            if isinstance(news, FrameJudged):
                self._frames.append(FrameTimes(news.at, news.work_s, news.latency_s))
            elif isinstance(news, ViewLost) and news.by is LostBy.CAMERA:
                self._lost = news.why
            elif isinstance(news, ViewFound):
                self._lost = ""

    def note(self, line: str) -> None:
        """Keeps a line about something that went wrong."""
        with self._lock:
            self._errors.append(ErrorLine(self._wall(), line))

    def take(self) -> HealthRead | None:
        """The newest reading, once. Never waits."""
        with self._lock:
            new, self._new = self._new, None
        return None if new is None else HealthRead(new)

    def read(self, probes: Probes) -> Health:
        """The health now; takes some milliseconds."""
        machine, lamps = probes.machine(), tuple(sorted(probes.lamps().items()))
        journal, drops, is_stuck = probes.journal(), probes.drops(), probes.is_stuck()
        with self._lock:
            camera = camera_health(tuple(self._frames), drops, self._lost)
            camera = replace(camera, is_stuck=is_stuck)
            errors = tuple(self._errors)
        return Health(self._wall(), camera, machine, lamps, journal, errors)

    @contextmanager
    def reading(self, probes: Probes) -> Iterator[None]:
        """Runs the thread."""
        stop = threading.Event()
        thread = threading.Thread(
            target=self._run, args=(probes, stop), name="health", daemon=True
        )  # fmt: skip
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join(LIMITS.join_s)

    def _run(self, probes: Probes, stop: threading.Event) -> None:
        while not stop.is_set():
            with suppress(OSError):  # a disk that fails is seen by its free space
                probes.tidy()
            health = self.read(probes)
            with self._lock:
                self._new = health
            stop.wait(LIMITS.health_s)


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """A judged frame: the game's time, the work on it, the time since it was taken (all s)."""

    at: float
    work_s: float
    latency_s: float | None


def camera_health(frames: tuple[FrameTimes, ...], drops: int, lost: str) -> CameraHealth:
    """Of the frames, those of the last `LIMITS.health_over_s` count."""
    if not frames:
        return CameraHealth(drops=drops, lost=lost)
    recent = [each for each in frames if frames[-1].at - each.at <= LIMITS.health_over_s]
    over_s = recent[-1].at - recent[0].at
    fps = (len(recent) - 1) / over_s if over_s > 0 and not lost else 0.0
    ages = sorted(each.latency_s for each in recent if each.latency_s is not None)
    works = sorted(each.work_s for each in recent)
    return CameraHealth(fps, _high(ages), _high(works) or 0.0, drops, lost)


def _high(values: list[float]) -> float | None:
    """The 95th percentile of sorted values; None without any."""
    return values[min(len(values) - 1, int(0.95 * len(values)))] if values else None
