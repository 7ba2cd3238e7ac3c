"""Keys and beeps of live teaching."""

import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rules.errors import FairdealError


@contextmanager
def keys() -> Iterator[Callable[[], str]]:
    """A function that reads keys without blocking; no keys without a terminal."""
    if not sys.stdin.isatty():
        yield lambda: ""
        return
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin.fileno())

    def read() -> str:
        text = ""
        while select.select([sys.stdin], [], [], 0)[0]:
            key = sys.stdin.read(1)
            if not key:
                break
            text += key.lower()
        return text

    try:
        yield read
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


@contextmanager
def beeper(signals: str | None) -> Iterator[Callable[[str], None]]:
    """A function that plays `complete` on the outputs, or the terminal's bell without outputs."""
    from device.gpio.pins import pi_model
    from device.outputs import open_outputs
    from device.performer import Performer
    from rules.table.call import Call, CallKind

    try:
        outputs = open_outputs(signals) if signals or pi_model() else []
    except FairdealError:
        if signals:
            raise
        outputs = []  # another program uses the pins
    if not outputs:
        yield lambda face: print("\a", end="", flush=True)
        return
    with Performer(outputs) as performer:
        yield lambda face: performer.play(Call(CallKind.COMPLETE, "taught", f"{face} is taken."))
