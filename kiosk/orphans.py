"""A child process ends when its parent is gone, even when the parent was killed (Linux)."""

import contextlib
import ctypes
import signal

_PDEATHSIG = 1  # of prctl(2): the signal that this process gets when its parent ends


def die_with_parent() -> None:
    """This process gets SIGTERM when its parent ends. Nothing happens where prctl is missing."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PDEATHSIG, signal.SIGTERM)
