"""`fairdeal kiosk` as a user starts it: a process of its own, on a free port, in a fresh home."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPT = Path(__file__).parent / "first-hour.txt"
LISTENS_S = 120.0  # an upper bound; a loaded machine is slow
ENDS_S = 120.0


@contextmanager
def running_kiosk(
    home: Path, source: str = f"simulated:{SCRIPT}", *more_words: str
) -> Iterator[str]:
    """The address of a kiosk whose camera is the simulated table, or another source."""
    words = [
        sys.executable, "-m", "kiosk.cli", "kiosk", "--source", source, "--signals", "mock",
        "--port", "0", *more_words,
    ]  # fmt: skip
    child = subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={**os.environ, "FAIRDEAL_HOME": str(home)}
    )
    killer = threading.Timer(LISTENS_S, child.kill)
    killer.start()
    try:
        assert child.stdout is not None
        line = child.stdout.readline().strip()
        killer.cancel()
        assert line.startswith("page: "), line
        yield line.removeprefix("page: ")
    finally:
        killer.cancel()
        child.terminate()
        child.wait(ENDS_S)
