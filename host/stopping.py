"""How a program ends when a signal tells it to: SIGTERM, SIGHUP (its terminal is gone), SIGINT."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType

from host.patience import patient

END_S = 10  # from SIGTERM or SIGHUP to the end, by force after that
ENDS = frozenset({signal.SIGTERM, signal.SIGHUP})
STOPS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@dataclass(slots=True)
class _Told:
    """Which signal of `ENDS` has come to this process, and how deep `stopping` is nested."""

    number: int = 0
    depth: int = 0


_told = _Told()


@contextmanager
def stopping(
    act: Callable[[int], None], numbers: tuple[signal.Signals, ...] = STOPS
) -> Iterator[None]:
    """Meanwhile a signal calls `act` with its number, on the main thread; the innermost counts.

    Only the first SIGTERM or SIGHUP is heard: from then on the program ends, at the latest after
    `END_S`, by SIGALRM. SIGHUP stays ignored where it is (`nohup`).
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def hear(number: int, frame: FrameType | None) -> None:
        if number not in ENDS or _is_first(number):
            act(number)

    is_kept = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    heard = [number for number in numbers if number != signal.SIGHUP or not is_kept]
    before = {number: signal.signal(number, hear) for number in heard}
    _told.depth += 1
    try:
        yield
    finally:
        _told.depth -= 1
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if _told.depth == 0 and _told.number:
            signal.alarm(0)
            _told.number = 0


def leave(number: int) -> None:
    """For `stopping`: ends the program at once, through its `with` blocks; exit code 128 + n."""
    raise SystemExit(128 + number)


def told() -> int:
    """The number of the SIGTERM or SIGHUP that has come; 0 for none."""
    return _told.number


def _is_first(number: int) -> bool:
    if _told.number:
        return False
    _told.number = number
    signal.alarm(round(patient(END_S)))
    if number == signal.SIGHUP:
        _leave_terminal()
    return True


def _leave_terminal() -> None:
    """What is still printed goes nowhere: writing to a terminal that is gone fails."""
    for stream in (1, 2):
        with suppress(OSError):
            if stat.S_ISCHR(os.fstat(stream).st_mode):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream)
                os.close(nowhere)
