"""Lines for whoever started the program, whole ones also where several threads say them."""

from __future__ import annotations

import sys
from contextlib import suppress


def to_stderr(line: str) -> None:
    """Prints a line; a reader who is gone stops nothing."""
    # One write: `print` makes two, and the lines of two threads run together.
    with suppress(OSError, ValueError, AttributeError):  # nobody reads it, or there is no stderr
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
