"""The source of a game that may be recorded: what the recorder keeps is what the referee judges.

JPEG takes fine detail away. A recording is judged again with the same calls, to the byte, only if
the first judge saw the same pixels. So a thread encodes each picture and decodes it again, ahead
of the loop, which works on the one before meanwhile.
"""

from __future__ import annotations

import threading
from contextlib import suppress

import cv2

from kiosk.field.film import decoded
from kiosk.field.recorder import Recorder
from kiosk.game.limits import LIMITS
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.mailbox import Closed, Mailbox
from vision.sources.source import Ended, Lost, Source, Steered

JOIN_S = 2.0


class Filmed(Source):
    """`source`, whose pictures `recorder` sees on their way to the loop.

    The thread starts with the first recording; a table that is never recorded needs none. An
    error of the source comes out at the reader.
    """

    def __init__(self, source: Source, recorder: Recorder) -> None:
        self.recorded, self.name = source.recorded, source.name
        self._source, self._recorder = source, recorder
        self._is_lost = False
        self._ahead: _Ahead | None = None

    @property
    def drops(self) -> int:
        return self._source.drops + (0 if self._ahead is None else self._ahead.drops)

    @property
    def is_stuck(self) -> bool:
        return self._source.is_stuck

    @property
    def steered(self) -> Steered | None:
        return self._source.steered

    def age_s(self, frame: Frame) -> float | None:
        return self._source.age_s(frame)

    def read(self) -> Frame | None:
        while not isinstance(seen := self.watch(LIMITS.poll_s), Frame | Ended):
            if seen is not None:
                raise FairdealError(f"pictures from {self.name}", seen.why, "check the cable")
        return seen if isinstance(seen, Frame) else None

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        if self._ahead is None and self._recorder.is_on:
            self._ahead = _Ahead(self._source, self._recorder)
        seen = (self._ahead or self._source).watch(timeout_s)
        if isinstance(seen, Frame):
            self._is_lost = False
            self._recorder.see(seen)
        elif isinstance(seen, Lost) and not self._is_lost:
            self._is_lost = True
            self._recorder.lose(seen)
        return seen

    def close(self) -> None:
        if self._ahead is not None:
            self._ahead.close()
        self._source.close()


class _Ahead:
    """Reads a source on a thread of its own. Its pictures are those that a recording has."""

    def __init__(self, source: Source, recorder: Recorder) -> None:
        self._source, self._recorder = source, recorder
        self._mailbox: Mailbox[Frame] = Mailbox()
        self._lost: Lost | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="filmed", daemon=True)
        self._thread.start()

    @property
    def drops(self) -> int:
        return self._mailbox.drops

    def watch(self, timeout_s: float) -> Frame | Lost | Ended | None:
        """As in Source."""
        seen = self._mailbox.receive(timeout_s)
        return Ended() if isinstance(seen, Closed) else seen or self._lost

    def close(self) -> None:
        self._stop.set()
        self._mailbox.close()
        self._thread.join(JOIN_S)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                seen = self._source.watch(LIMITS.poll_s)
                if isinstance(seen, Ended):
                    return
                if isinstance(seen, Frame):
                    seen = self._as_kept(seen)
                if not self._recorder.may_drop:
                    self._mailbox.wait_until_empty()
                if isinstance(seen, Frame):
                    self._lost = None
                    self._mailbox.put(seen)
                elif seen is not None:
                    self._lost = seen
        except BaseException as error:
            self._mailbox.close(error)
        finally:
            self._mailbox.close()

    def _as_kept(self, frame: Frame) -> Frame:
        """The picture as its JPEG file shows it; itself while nothing is recorded."""
        if not self._recorder.is_on:
            return frame
        with suppress(FairdealError, cv2.error, MemoryError):  # the recorder will say it
            jpeg = self._recorder.encode(frame.bgr)
            return Frame(decoded(jpeg, "a picture"), frame.at, frame.number, jpeg)
        return frame
