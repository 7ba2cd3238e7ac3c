"""A recorded source played in real time: as a camera, which drops pictures, or as a film."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from vision.frame import Frame
from vision.sources.mailbox import Closed, Mailbox
from vision.sources.source import Ended, Lost, Source

JOIN_S = 2.0
LONG_S = 60.0


class Paced(Source):
    """Plays `source` by `clock` (s) from the moment it is opened, in a thread of its own.

    An error of the source comes out at the reader.
    """

    def __init__(self, source: Source, clock: Callable[[], float] = time.monotonic) -> None:
        self.recorded = True
        self.name = source.name
        self._source, self._clock = source, clock
        self._mailbox: Mailbox[Frame] = Mailbox()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._play, name="fairdeal-paced", daemon=True)
        self._thread.start()

    @property
    def drops(self) -> int:
        """Frames that a newer one overtook in the mailbox."""
        return self._mailbox.drops

    def read(self) -> Frame | None:
        while not isinstance(seen := self.watch(LONG_S), Frame | Ended):
            continue
        return seen if isinstance(seen, Frame) else None

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        seen = self._mailbox.receive(timeout_s)
        return Ended() if isinstance(seen, Closed) else seen

    def close(self) -> None:
        self._stop.set()
        self._thread.join(JOIN_S)
        self._source.close()

    def _play(self) -> None:
        began: float | None = None
        try:
            while not self._stop.is_set():
                if began is not None:
                    self._source.skip_to(self._clock() - began)
                frame = self._source.read()
                if frame is None:
                    return
                if began is None:
                    began = self._clock() - frame.at
                self._stop.wait(max(0.0, frame.at - (self._clock() - began)))
                self._mailbox.put(frame)
        except BaseException as error:
            self._mailbox.close(error)
        finally:
            self._mailbox.close()


class Unhurried(Source):
    """Plays `source` by `clock` (s), and waits for its reader: nothing is dropped.

    While the reader works longer than the film gives it, the film stands still.
    """

    def __init__(
        self,
        source: Source,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.recorded, self.name = source.recorded, source.name
        self._source, self._clock, self._sleep = source, clock, sleep
        self._ahead: Frame | Lost | Ended | None = None
        self._began: float | None = None  # of the clock, at the film's 0

    def read(self) -> Frame | None:
        while not isinstance(seen := self.watch(LONG_S), Frame | Ended):
            continue
        return seen if isinstance(seen, Frame) else None

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        if self._ahead is None:
            self._ahead = self._source.watch(timeout_s)
        if isinstance(self._ahead, Frame | Lost):
            wait_s = self._wait_s(self._ahead.at)
            self._sleep(min(wait_s, timeout_s))
            if wait_s > timeout_s:
                return None
        seen, self._ahead = self._ahead, None
        return seen

    def close(self) -> None:
        self._source.close()

    def _wait_s(self, at: float) -> float:
        """Until what happens `at` is due; 0 where it is late, then the film's clock is set back."""
        began = self._clock() - at
        self._began = began if self._began is None else max(self._began, began)
        return self._began - began
