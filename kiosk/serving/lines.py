"""Lines for the log that never flood it: of each kind one a minute, and so many in all.

The log of a table lies on an SD card. What is left out is counted, and the next line says so.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.saying import to_stderr
from rules.errors import plain

EACH_S = 60.0  # of each kind one line in this time
MOST_LINES = 20  # of all kinds together in this time
KINDS = 64  # remembered; the one that was said longest ago is forgotten first
LENGTH = 300
SHOWN = 60  # of a kind


@dataclass(slots=True)
class _Kind:
    said_at: float
    left_out: int = 0


class Lines:
    """Says lines, from any thread. `name` begins each; `write` takes it; `clock` tells s."""

    def __init__(
        self,
        name: str,
        write: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._write, self._clock = name, write or to_stderr, clock
        self._kinds: OrderedDict[str, _Kind] = OrderedDict()
        self._window, self._said, self._left_out = float("-inf"), 0, 0
        self._lock = threading.Lock()

    def say(self, kind: str, line: str) -> bool:
        """Says the line, unless one of its `kind` was said a short while ago; whether it did."""
        with self._lock:
            text = self._due(kind, line, self._clock())
        if text is not None:
            self._write(text)
        return text is not None

    def _due(self, kind: str, line: str, now: float) -> str | None:
        known = self._kinds.get(kind)
        if known is not None and now - known.said_at < EACH_S:
            known.left_out += 1
            return None
        if now - self._window >= EACH_S:
            self._window, self._said = now, 0
        if self._said >= MOST_LINES:
            self._left_out += 1
            return None
        self._said += 1
        before = (known.left_out if known is not None else 0) + self._left_out
        self._left_out = 0
        self._kinds[kind] = _Kind(now)
        self._kinds.move_to_end(kind)
        while len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        more = f" ({before} more lines were left out)" if before else ""
        return f"{self._name}: {plain(' '.join(line.split()))[:LENGTH]}{more}"


class LinesHandler(logging.Handler):
    """Log records of foreign libraries as such lines; of a traceback its last line and place."""

    def __init__(self, lines: Lines) -> None:
        super().__init__(logging.WARNING)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        """One line a record; its kind is the place in the program that logs it."""
        try:
            error = record.exc_info[1] if record.exc_info else None
            text = record.getMessage()
            if error is not None:
                text = f"{text} {bug_line(error)}"
            self._lines.say(f"{record.name}:{record.lineno}", text)
        except Exception:
            self.handleError(record)


def quiet_logs(lines: Lines) -> None:
    """Everything that is logged in this process, and by its event loop, comes as such lines."""
    logging.root.handlers[:] = [LinesHandler(lines)]

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        why = bug_line(error) if isinstance(error, BaseException) else ""
        words = str(context.get("message", "the event loop failed"))
        lines.say(f"loop:{words[:SHOWN]}:{type(error).__name__}", f"{words} {why}")

    asyncio.get_running_loop().set_exception_handler(handle)


def bug_line(error: BaseException) -> str:
    """What an unforeseen error was, and where: "ValueError: … (app.py:104)"."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if "site-packages" not in each.filename] or frames
    place = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {str(error)[:LENGTH]}{place}"
