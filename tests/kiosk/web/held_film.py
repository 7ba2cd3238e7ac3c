"""`fairdeal referee …` whose simulated film stands still at its end, as a table in a break.

A film that went on would be judged as fast as the machine can, all the while the page is tested.
"""

from __future__ import annotations

import sys
import time

from kiosk.cli import main
from vision.frame import Frame
from vision.sources.simulated import SimulatedSource
from vision.sources.source import Ended, Lost


def watch(self: SimulatedSource, timeout_s: float) -> Frame | Lost | Ended | None:
    """No frame comes after the last one; the game goes on until it is stopped."""
    frame = self.read()
    if frame is None:
        time.sleep(timeout_s)
    return frame


if __name__ == "__main__":
    SimulatedSource.watch = watch  # type: ignore[method-assign]
    sys.exit(main(sys.argv[1:]))
