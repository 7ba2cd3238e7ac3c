"""Becomes a program that ends with its parent: `python leash.py PARENT LIFELINE PROGRAM WORD …`.

`host/children.py` starts it by its path, in some 20 ms: it needs the standard library only.
PARENT is the process id of the parent; LIFELINE is a descriptor of a pipe whose other end only the
parent holds. Linux tells the program by a signal that its parent has ended. Elsewhere a guard
process reads the pipe, which closes then.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
from collections.abc import Callable

END_S = 12.0  # from a guard's SIGTERM to its SIGKILL; more than host/stopping.py lets an end take
CANNOT_START = 127  # a shell's exit code for a program that cannot be started
_PDEATHSIG = 1  # of prctl(2)


def is_told_by_linux() -> bool:
    """Has Linux send SIGTERM when the parent ends; this outlives exec. False elsewhere."""
    try:
        return ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM) == 0
    except (OSError, AttributeError, TypeError):
        return False


def main(argv: list[str], is_told: Callable[[], bool] = is_told_by_linux) -> int:
    """Becomes the program; returns only where that cannot be started, or its parent has ended."""
    parent, lifeline, words = int(argv[0]), int(argv[1]), argv[2:]
    if not is_told():
        guard(lifeline)
    os.close(lifeline)
    if os.getppid() != parent:  # it ended before anything could tell
        return 0
    try:
        os.execvp(words[0], words)
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr, flush=True)
        return CANNOT_START


def guard(lifeline: int) -> None:
    """Forks a process that ends this one, which becomes the program, when the pipe closes."""
    program = os.getpid()
    ended, is_alive = os.pipe()
    os.set_inheritable(is_alive, True)  # the program holds it until it ends
    if os.fork():
        os.close(ended)
        return
    os.close(is_alive)
    for stream in (0, 1, 2):  # whoever waits for the end of the program's streams waits for no more
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    ready, _, _ = select.select([lifeline, ended], [], [])
    for number in (signal.SIGTERM, signal.SIGKILL):
        if ended not in ready:
            os.kill(program, number)
            ready, _, _ = select.select([ended], [], [], END_S)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
