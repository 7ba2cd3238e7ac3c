"""Keys of the terminal as buttons; a digit before one of them is the seat that pressed it."""

from __future__ import annotations

import os
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO

from kiosk.game.inbox import Inbox
from rules.table.event import Pressed

READ_BYTES = 256  # of one read
JOIN_S = 1.0


class Presses:
    """Turns typed text into presses in the inbox; q stops the game, m mutes its sounds for a while.

    `keys`: key to button.
    """

    def __init__(self, inbox: Inbox, keys: Mapping[str, str]) -> None:
        self._inbox, self._keys = inbox, keys
        self._seat: int | None = None

    def typed(self, text: str) -> None:
        """Presses the buttons of `text`. A digit holds for the key after it."""
        for key in text.lower():
            if key.isdecimal():
                self._seat = int(key) or None
                continue
            if key in self._keys:
                # The loop sets the time of a press.
                self._inbox.press(Pressed(0.0, self._keys[key], self._seat))
            if key == "q":
                self._inbox.stop()
            if key == "m":
                self._inbox.sounds.toggle()
            self._seat = None


def help_text(keys: Mapping[str, str]) -> str:
    """A game's keys for people."""
    named = ", ".join(f"{key} {button.replace('-', ' ')}" for key, button in keys.items())
    return f"keys: {named}, m mute, q quit; a digit before a key is the seat that presses it"


class Keyboard:
    """Reads the terminal's keys on a thread of its own; the terminal is given back as it was.

    Keys are read from the descriptor: Python's text layer would hold back the second of two keys
    typed quickly. Where there is no terminal, nothing is read.
    """

    def __init__(self, typed: Callable[[str], None], stream: TextIO | None = None) -> None:
        self._typed, self._stream = typed, stream or sys.stdin
        self._before: list | None = None
        self._wake: tuple[int, int] | None = None
        self._thread = threading.Thread(target=self._run, name="keyboard", daemon=True)

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._before = termios.tcgetattr(self._stream)
            tty.setcbreak(self._stream.fileno())
            self._wake = os.pipe()
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._wake is not None:
            os.close(self._wake[1])  # the thread sees the end of the pipe and leaves
            self._thread.join(JOIN_S)
            os.close(self._wake[0])
            self._wake = None
        if self._before is not None:
            with suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(self._stream, termios.TCSADRAIN, self._before)
            self._before = None

    def _run(self) -> None:
        assert self._wake is not None
        keys, wake = self._stream.fileno(), self._wake[0]
        while True:
            ready, _, _ = select.select([keys, wake], [], [])
            if wake in ready:
                return
            try:
                typed = os.read(keys, READ_BYTES)
            except OSError:  # the terminal was closed
                return
            if not typed:
                return
            self._typed(typed.decode("utf-8", "ignore"))
