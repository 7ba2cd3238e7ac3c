"""Buttons and overrulings on their way into a running game, from keys, boards and pages."""

from __future__ import annotations

import threading
from collections import deque

from kiosk.game.limits import LIMITS
from kiosk.game.overruling import Overruling
from kiosk.game.plan import TablePlan
from kiosk.game.recording import RecordSwitch
from kiosk.game.second_look import SecondLook
from kiosk.game.sounds import Sounds
from rules.table.event import Pressed


class Inbox:
    """Takes presses from any thread; the loop collects them once a frame.

    The loop dates a press by its own clock: `at` of the event given is not used. `plan`: where
    people put the places of the table; `sounds`: what they set of its tones and words; `look`:
    a second look at a card, when they ask for it; `recording`: whether the table is filmed.
    """

    def __init__(self, capacity: int = LIMITS.presses) -> None:
        self.plan = TablePlan()
        self.sounds = Sounds()
        self.look = SecondLook()
        self.recording = RecordSwitch()
        self._capacity = capacity
        self._waiting: deque[Pressed] = deque()
        self._overruled: deque[Overruling] = deque()
        self._lock = threading.Lock()
        self._is_stopped = threading.Event()
        self._drops = 0

    def press(self, event: Pressed) -> bool:
        """Leaves a press; False when the inbox is full. Never waits."""
        with self._lock:
            if len(self._waiting) >= self._capacity:
                self._drops += 1
                return False
            self._waiting.append(event)
            return True

    def take(self) -> tuple[Pressed, ...]:
        """All presses since the last time, oldest first."""
        with self._lock:
            taken = tuple(self._waiting)
            self._waiting.clear()
            return taken

    def overrule(self, overruling: Overruling) -> bool:
        """Leaves an overruling; False when the inbox is full. Never waits."""
        with self._lock:
            if len(self._overruled) >= self._capacity:
                self._drops += 1
                return False
            self._overruled.append(overruling)
            return True

    def take_overruled(self) -> tuple[Overruling, ...]:
        """All overrulings since the last time, oldest first."""
        with self._lock:
            taken = tuple(self._overruled)
            self._overruled.clear()
            return taken

    def stop(self) -> None:
        """Asks the loop to end after the frame at hand; the game can be resumed."""
        self._is_stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether somebody asked the loop to end."""
        return self._is_stopped.is_set()

    @property
    def drops(self) -> int:
        """Presses that found the inbox full."""
        with self._lock:
            return self._drops
