"""Keys of the terminal as buttons; a digit before one of them is the seat that pressed it."""

from __future__ import annotations

import select
import sys
import termios
import tty
from types import TracebackType
from typing import Self, TextIO

BUTTONS = {
    "s": "start",
    "u": "undo",
    "e": "end",
    "d": "draw",
    "o": "out",
    "n": "no",
    "x": "deck-empty",
    "t": "done",
}
HELP = "keys: s start, u undo, e end, d draw, 2o seat 2 is out, q quit"


class Presses:
    """Turns typed text into buttons with seats; `quit` after q."""

    def __init__(self) -> None:
        self._seat: int | None = None
        self.quit = False

    def typed(self, text: str) -> tuple[tuple[str, int | None], ...]:
        """The buttons that `text` presses; a digit holds for the key after it."""
        pressed = []
        for key in text.lower():
            if key.isdecimal():
                self._seat = int(key) or None
                continue
            if key in BUTTONS:
                pressed.append((BUTTONS[key], self._seat))
            self.quit |= key == "q"
            self._seat = None
        return tuple(pressed)


class Keyboard:
    """The terminal's keys, read without waiting; the terminal is given back as it was."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdin
        self._before: list | None = None

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._before = termios.tcgetattr(self._stream)
            tty.setcbreak(self._stream.fileno())
        return self

    def read(self) -> str:
        """What was typed since the last time; empty where there is no terminal."""
        if self._before is None:
            return ""
        text = ""
        while select.select([self._stream], [], [], 0)[0]:
            key = self._stream.read(1)
            if not key:
                break
            text += key
        return text

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            termios.tcsetattr(self._stream, termios.TCSADRAIN, self._before)
            self._before = None
