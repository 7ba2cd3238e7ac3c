"""Who hears of a running game: one protocol for terminal, page, lamps, text lines and MQTT.

Any number may observe. `Observers` tells them in order, on the loop's thread; an observer that
works longer than a few milliseconds (draws, writes, sends) is wrapped in `Aside`, which gives it
a thread and a bounded queue. Buttons come back through `kiosk.game.inbox.Inbox.press`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from kiosk.game.limits import LIMITS
from kiosk.game.news import FrameJudged, News
from rules.errors import plain


class Observer(Protocol):
    """Hears of a running game. `name` stands in messages about it.

    `hear` is called on the loop's thread and returns at once. What it raises is caught, counted
    and said once. All it gets is frozen and may be kept or handed to another thread.
    """

    name: str

    def hear(self, news: News) -> None: ...


@dataclass(slots=True)
class Cost:
    """What one observer cost so far."""

    faults: int = 0
    slow: int = 0
    slow_in_a_row: int = 0

    @property
    def is_left_out(self) -> bool:
        """Whether it was slow so often that it hears nothing more."""
        return self.slow_in_a_row >= LIMITS.slow_in_a_row


class Observers:
    """Tells every observer, whatever the others do. `say` prints a line; `clock` in s."""

    def __init__(
        self,
        observers: Iterable[Observer],
        say: Callable[[str], None],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._observers = tuple((observer, Cost()) for observer in observers)
        self._say, self._clock = say, clock

    def tell(self, news: News) -> None:
        """Each observer hears it, in the order in which they were given."""
        for observer, cost in self._observers:
            if not cost.is_left_out:
                self._tell(observer, cost, news)

    @property
    def costs(self) -> dict[str, Cost]:
        """Faults and slow calls by observer."""
        return {observer.name: cost for observer, cost in self._observers}

    def _tell(self, observer: Observer, cost: Cost, news: News) -> None:
        began = self._clock()
        try:
            observer.hear(news)
        except Exception as error:  # whatever an observer throws, the game goes on
            cost.faults += 1
            if cost.faults == 1:
                self._say(_fault(observer.name, error))
        spent_s = self._clock() - began
        if spent_s <= LIMITS.slow_observer_s:
            cost.slow_in_a_row = 0
            return
        cost.slow, cost.slow_in_a_row = cost.slow + 1, cost.slow_in_a_row + 1
        if cost.slow == 1:
            self._say(f"{observer.name}: took {spent_s:.2f} s; the game waited")
        if cost.is_left_out:
            self._say(f"{observer.name}: slow {LIMITS.slow_in_a_row} times in a row; left out")


class Aside:
    """An observer on a thread of its own: `hear` only leaves the message in a bounded queue.

    Of frames only the newest waits. Of other messages the oldest is dropped when the queue is
    full. Use it in a `with`: at the end what waits is told, within `LIMITS.join_s`.
    """

    def __init__(self, observer: Observer, say: Callable[[str], None]) -> None:
        self.name, self.drops, self.faults = observer.name, 0, 0
        self._observer, self._say = observer, say
        self._waiting: deque[News] = deque()
        self._change = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name=f"observer-{self.name}", daemon=True)

    def hear(self, news: News) -> None:
        """Leaves the message for the thread."""
        with self._change:
            if isinstance(news, FrameJudged):
                self._forget_frame()
            if len(self._waiting) >= LIMITS.waiting_news:
                self._waiting.popleft()
                self.drops += 1
            self._waiting.append(news)
            self._change.notify()

    def __enter__(self) -> Self:
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
            self._change.notify()
        self._thread.join(LIMITS.join_s)

    def _forget_frame(self) -> None:
        for news in self._waiting:
            if isinstance(news, FrameJudged):
                self._waiting.remove(news)
                self.drops += 1
                return

    def _run(self) -> None:
        while (news := self._next()) is not None:
            try:
                self._observer.hear(news)
            except Exception as error:
                self.faults += 1
                if self.faults == 1:
                    self._say(_fault(self.name, error))

    def _next(self) -> News | None:
        """The next message, waited for; None when it is closed and all was told."""
        with self._change:
            self._change.wait_for(lambda: bool(self._waiting) or self._is_closed)
            return self._waiting.popleft() if self._waiting else None


def _fault(name: str, error: Exception) -> str:
    return plain(f"{name}: {type(error).__name__}: {error}; the game goes on")
