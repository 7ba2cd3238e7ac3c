"""What the set-up's two threads share: the state that the page shows, its orders, the picture."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from kiosk.web.first_hour.record import load_steps, save_steps
from kiosk.web.first_hour.steps import HourState, Mark, Standing, Step, Work
from vision.frame import Frame

ORDERS = 16  # that wait; more are refused


@dataclass(frozen=True, slots=True)
class Order:
    """What the page asks for: a name and its values."""

    name: str
    values: Mapping[str, Any] = field(default_factory=dict)


def now() -> str:
    """The date and time, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


class Desk:
    """All methods may be called from any thread. `folder`: the page's, where results are kept.

    An activity owns some orders. Any other order calls it away: it returns, and the other begins.
    """

    def __init__(self, folder: Path, source: str = "", clock: Callable[[], str] = now) -> None:
        self.folder, self._now = folder, clock
        self._lock = threading.Lock()
        self._state = HourState(source, steps=load_steps(folder))
        self._orders: deque[Order] = deque()
        self._news = threading.Event()
        self._frame: Frame | None = None
        self._is_stopped = False

    @property
    def state(self) -> HourState:
        """The state now."""
        return self._state

    @property
    def frame(self) -> Frame | None:
        """The newest frame of the camera."""
        return self._frame

    @property
    def pictures(self) -> Path:
        """The folder of proof pictures and teaching pictures."""
        return self.folder / "first-hour"

    def change(self, **changes: Any) -> None:
        """Changes fields of the state."""
        with self._lock:
            self._state = replace(self._state, **changes)

    def tell(self, message: str, *, is_bad: bool = False, words: tuple[str, ...] = ()) -> None:
        """Shows a sentence, with the words of the command behind it."""
        self.change(message=message, is_bad=is_bad, words=words, work=Work.LOOKING, progress=None)

    def show(self, frame: Frame) -> None:
        """The newest frame, which the page shows."""
        self._frame = frame
        if self._state.lost or self._state.size != (frame.width, frame.height):
            self.change(lost="", size=(frame.width, frame.height))

    def mark(self, step: Step, mark: Mark, words: str = "") -> None:
        """Marks a step and keeps that on the disk."""
        with self._lock:
            steps = {**self._state.steps, step: Standing(mark, words, self._now())}
            self._state = replace(self._state, steps=steps)
        if not save_steps(self.folder, steps):
            self.change(words=("the disk does not keep this step; free some space",))

    # -- orders -----------------------------------------------------------------------------

    def put(self, order: Order) -> bool:
        """Leaves an order; False where too many wait."""
        with self._lock:
            if len(self._orders) >= ORDERS:
                return False
            self._orders.append(order)
        self._news.set()
        return True

    def take(self, own: frozenset[str] = frozenset()) -> Order | None:
        """The next order; where `own` is given, only one of these."""
        with self._lock:
            if self._orders and (not own or self._orders[0].name in own):
                return self._orders.popleft()
            return None

    def is_called_away(self, own: frozenset[str] = frozenset()) -> bool:
        """Whether the set-up stops, or the next order is none of `own`."""
        with self._lock:
            return self._is_stopped or bool(self._orders and self._orders[0].name not in own)

    def wait(self, seconds: float) -> None:
        """Waits, at most until an order comes or the set-up stops."""
        self._news.clear()
        if not self.is_called_away():
            self._news.wait(seconds)

    def stop(self) -> None:
        """Ends the set-up after the activity at hand."""
        self._is_stopped = True
        self._news.set()

    @property
    def is_stopped(self) -> bool:
        """Whether the set-up ends."""
        return self._is_stopped
