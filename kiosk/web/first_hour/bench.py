"""The camera of the set-up: opened once, read by one activity at a time, shown on the page."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from calibration import saved_setup, store
from calibration.inputs import Shot
from kiosk.web.first_hour.desk import Desk
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources import Lost, Source
from vision.sources.source import Ended

WATCH_S = 0.2  # the longest wait for a frame, so that an order is soon heard
STRIDE_S = 0.2
SHOTS_S = 10.0  # for the pictures of one measurement


class Bench:
    """A context manager. `spec`: the source as typed; `folder`: of the calibrations.

    A recorded source is played in real time and begins again at its end. Where the machine is slow,
    frames are left out for at most `STRIDE_S`; beyond that the film is slow too.
    """

    def __init__(
        self,
        spec: str,
        folder: Path,
        desk: Desk,
        signals: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.spec, self.folder, self.desk, self.signals = spec, folder, desk, signals
        self._clock = clock
        self._source: Source | None = None
        self._began: float | None = None  # clock() at the film's time 0

    @property
    def camera(self) -> str:
        """The name under which the camera's calibration is stored."""
        return store.public_name(self.spec)

    @property
    def source(self) -> Source:
        """The open source. Raises FairdealError where it cannot be opened."""
        if self._source is None:
            self._source = saved_setup.open_lit(self.spec, self.camera, self.folder, self._say)
            self._began = None
        return self._source

    def rewind(self) -> None:
        """A recorded source begins again; a camera goes on."""
        if self.source.recorded:
            self.close()

    def watch(self, timeout_s: float = WATCH_S) -> Frame | Lost | Ended | None:
        """As `Source.watch`; the page sees the frame, or why there is none."""
        seen = self.source.watch(timeout_s)
        if isinstance(seen, Frame):
            self._pace(seen)
            self.desk.show(seen)
        elif isinstance(seen, Lost):
            self.desk.change(lost=seen.why)
        return seen

    def frame(self) -> Frame | None:
        """The next frame, waited for shortly; a recording begins again at its end."""
        seen = self.watch()
        if isinstance(seen, Ended):
            self.close()
        return seen if isinstance(seen, Frame) else None

    def shots(self, count: int) -> list[Shot]:
        """So many pictures, one after the other. Raises FairdealError where they do not come."""
        taken: list[Shot] = []
        until = self._clock() + SHOTS_S
        while len(taken) < count and self._clock() < until and not self.desk.is_stopped:
            frame = self.frame()
            if frame is not None:
                taken.append((f"frame {frame.number}", frame.bgr, frame.at))
                until = self._clock() + SHOTS_S
                self.desk.change(progress=len(taken) / count)
        if len(taken) < count:
            raise FairdealError(
                f"{count} pictures of the camera", f"{len(taken)}", "check its cable"
            )
        return taken

    def close(self) -> None:
        """Gives the camera back."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _pace(self, frame: Frame) -> None:
        """Waits for a recording's time; a film that is behind goes on from here."""
        if not self.source.recorded:
            return
        now = self._clock()
        behind = 0.0 if self._began is None else now - self._began - frame.at
        if self._began is None or behind > STRIDE_S:
            self._began = now - frame.at
        if behind > 0:
            self.source.skip_to(frame.at + min(behind, STRIDE_S))
        elif behind < 0 and not self.desk.is_stopped:
            self.desk.wait(-behind)

    def _say(self, line: str) -> None:
        self.desk.change(words=(*self.desk.state.words, line))


class Tap(Source):
    """The bench's camera as a source: what is read from it is shown on the page as well."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.recorded, self.name = bench.source.recorded, bench.source.name

    def read(self) -> Frame | None:
        while True:
            seen = self._bench.watch()
            if isinstance(seen, Ended):
                return None
            if isinstance(seen, Frame):
                return seen

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        return self._bench.watch(timeout_s)
