"""Records a running game on a thread of its own: film, times, events, calls, overrulings.

The loop only leaves pictures and news in a bounded queue. Where a live camera films, a picture for
which there is no room is dropped and counted; a recorded source waits for room. A disk that is
full or gone ends the recording, never the game.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from device.recording import RecordingSettings
from kiosk.field.film import LONGEST_S, SEGMENT_S, Began
from kiosk.field.writing import Recordings, RecordingWriter, is_event, jpeg_encoder
from kiosk.game.inbox import Inbox
from kiosk.game.limits import LIMITS
from kiosk.game.news import EventJudged, FrameJudged, GameBegan, GameRejudged, News
from kiosk.game.observed import is_at_rest, spots_of
from kiosk.game.overruling import to_json
from kiosk.game.recording import Recorded
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.source import Lost

NICE = 10  # of the thread: play goes first
MOST_WAITING = 8  # pictures, some 3 MB each
MOST_NEWS = 2000  # with pictures; a recording that falls behind so far ends
JOIN_S = 3.0


@dataclass(frozen=True, slots=True)
class _Off:
    """The switch went off."""


Item = Frame | Lost | GameBegan | EventJudged | GameRejudged | _Off


class Recorder:
    """An observer, a context manager, and what a `Filmed` source tells of its pictures.

    `recordings` makes the folder of a new one, and says whether its pictures are live. `inbox`:
    its switch says whether to record. `join_s`: how long its end may take where somebody
    waits: a live game, or one that was stopped.
    """

    name = "recording"

    def __init__(
        self,
        recordings: Recordings,
        inbox: Inbox,
        settings: RecordingSettings,
        say: Callable[[str], None],
        join_s: float = JOIN_S,
    ) -> None:
        self._recordings, self._inbox, self._say = recordings, inbox, say
        self._join_s = join_s
        self.encode = jpeg_encoder(settings.jpeg_quality)
        self._switch = inbox.recording
        self._waiting: deque[Item] = deque()
        self._change = threading.Condition()
        self._is_closed = self._was_on = False
        self._pictures = 0  # that wait
        self._latest: FrameJudged | None = None
        # Of the thread
        self._began: GameBegan | None = None
        self._lines: list[str] = []
        self._ruled: list[str] = []
        self._events = self._mistakes = 0
        self._writer: RecordingWriter | None = None
        self._thread = threading.Thread(target=self._run, name="recording", daemon=True)

    def __enter__(self) -> Self:
        self._switch.is_there = True
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._change:
            self._is_closed = True
            self._change.notify_all()
        self._thread.join(self._join_s if self.may_drop else None)
        self._switch.is_there = self._switch.is_on = False

    # -- on the loop's thread ---------------------------------------------------------------

    def hear(self, news: News) -> None:
        """Takes the news; waits for nothing."""
        if isinstance(news, FrameJudged):
            self._latest = news
        elif isinstance(news, GameBegan | EventJudged | GameRejudged):
            self._leave(news)

    def see(self, frame: Frame) -> None:
        """A picture on its way to the loop. Waits for room where no camera is live."""
        if not self._switch.is_on:
            if self._was_on:
                self._was_on = False
                self._leave(_Off())
            return
        self._was_on = True
        with self._change:
            while self._pictures >= MOST_WAITING and not self.may_drop:
                self._change.wait(LIMITS.poll_s)
            if self._pictures >= MOST_WAITING:
                was = self._switch.recorded
                self._switch.recorded = replace(was, drops=was.drops + 1)
                return
            self._pictures += 1
        self._leave(frame)

    @property
    def is_on(self) -> bool:
        """Whether the table is recorded now."""
        return self._switch.is_on

    @property
    def may_drop(self) -> bool:
        """Whether a picture may be left out: of a live camera, or once the game was stopped."""
        return self._recordings.is_live or self._inbox.is_stopped

    def lose(self, lost: Lost) -> None:
        """The camera is lost."""
        if self._switch.is_on:
            self._leave(lost)

    def _leave(self, item: Item) -> None:
        with self._change:
            if len(self._waiting) >= MOST_NEWS:
                self._waiting.clear()
                self._pictures = 0
                self._switch.end("the disk hangs")
                self._switch.is_there = False  # what was left out cannot be recorded any more
            self._waiting.append(item)
            self._change.notify_all()

    # -- on the recorder's thread -----------------------------------------------------------

    def _run(self) -> None:
        with suppress(OSError, AttributeError):  # of this thread alone, on Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        while (item := self._next()) is not None:
            try:
                self._take(item)
            except (OSError, FairdealError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                self._fail(f"the recording ended: {reason}")
            except Exception as error:
                self._fail(f"the recording ended: {type(error).__name__}: {error}")
        self._close()

    def _next(self) -> Item | None:
        """The next message, waited for; None when it is closed and all was written."""
        with self._change:
            self._change.wait_for(lambda: bool(self._waiting) or self._is_closed)
            if not self._waiting:
                return None
            item = self._waiting.popleft()
            if isinstance(item, Frame):
                self._pictures -= 1
                self._change.notify_all()
            return item

    def _take(self, item: Item) -> None:
        match item:
            case GameBegan():
                self._close()
                self._began = item
                self._lines, self._ruled = self._recordings.past(item)
                self._mistakes = len(item.open_mistakes)
                self._events = sum(is_event(line) for line in self._lines)
            case EventJudged():
                said = [] if item.event is None else [item.event.to_json()]
                self._events += len(said)
                self._mistakes = len(item.open_mistakes)
                self._keep(self._lines, [*said, *(call.to_json() for call in item.calls)])
            case GameRejudged():
                self._mistakes = len(item.open_mistakes)
                if item.overruling is not None:
                    self._keep(self._ruled, [to_json(item.overruling)], is_ruling=True)
            case Frame():
                self._film(item)
            case Lost():
                if self._writer is not None and self._began is not None:
                    self._writer.lose(self._began.at + item.at, item.why)
            case _Off():
                self._close()

    def _keep(self, kept: list[str], lines: list[str], *, is_ruling: bool = False) -> None:
        """Lines of the game, for a recording that runs or one that begins later."""
        kept += lines
        if self._writer is not None:
            self._writer.note(lines, is_ruling=is_ruling)

    def _film(self, frame: Frame) -> None:
        if not self._switch.is_on or self._began is None:
            return
        at = self._began.at + frame.at
        if self._writer is None:
            self._writer = self._recordings.begin(self._began)
            self._writer.note(self._lines)
            self._writer.note(self._ruled, is_ruling=True)
        elif self._writer.began_at is not None and at < self._writer.began_at:
            raise FairdealError("pictures in the order of time", "an earlier one")
        if self._is_due(at, self._writer.began_at):
            self._writer.turn(self._began_at(at))
        self._writer.add(at, frame.jpeg or self.encode(frame.bgr))
        with self._change:
            was = self._switch.recorded
            self._switch.recorded = Recorded(self._writer.folder, was.pictures + 1, was.drops)

    def _is_due(self, at: float, began: float | None) -> bool:
        """Whether a segment begins: a film is best cut where the table is calm."""
        if began is None or at - began >= LONGEST_S:
            return True
        return at - began >= SEGMENT_S and self._is_calm()

    def _is_calm(self) -> bool:
        """No hand is over the table, and no mistake waits."""
        latest = self._latest
        return not self._mistakes and latest is not None and is_at_rest(latest.observation)

    def _began_at(self, at: float) -> Began:
        """Where the places lie now: a film that is cut here goes on from it."""
        latest, plan = self._latest, self._inbox.plan
        spots = {} if latest is None else spots_of(latest.observation, latest.frame.width)
        return Began(
            at=at, events=self._events, is_calm=self._is_calm(), spots=spots,
            moved=dict(plan.moved),
        )  # fmt: skip

    def _fail(self, why: str) -> None:
        self._switch.end(why)
        self._say(f"{why}; the game goes on")
        self._close()

    def _close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(OSError, FairdealError):
                writer.close(self._switch.recorded.drops)
