"""Numbers and words of the command line: argparse types; what is out of bounds is one line."""

import argparse
import math
import os
from collections.abc import Callable

MOST_THREADS = 64


def typed(text: str) -> str:
    """What people typed, in any script; a machine whose language is C gives it as bare bytes."""
    return os.fsencode(text).decode("utf-8", "replace")


def whole(low: int, high: int) -> Callable[[str], int]:
    """A whole number from `low` to `high`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"expected a whole number from {low} to {high}, found {text}"
            )
        return value

    return read


def number(low: float, high: float) -> Callable[[str], float]:
    """A number from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                f"expected a number from {low:g} to {high:g}, found {text}"
            )
        return value

    return read


threads = whole(1, MOST_THREADS)
port = whole(1, 65535)
