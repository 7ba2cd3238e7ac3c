"""From the program's start to the game going on: the real command, on the simulated table."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from host import children
from kiosk.journal.entries import EventEntry, GameHead
from kiosk.journal.file import JournalFile
from rules.table.event import Pressed

LIMIT_S = 120.0
COMPARED = "the table is in view again"
# Nothing happens for half a minute.
QUIET_SCRIPT = """game suds
players 2
table wood
seed 1
end 40
spot pile/1 0.50 0.40

35.0 seat=1 place hat pile/1
"""


def restart_times(count: int) -> list[tuple[float, float]]:
    """From the start of `fairdeal referee … --resume` until the game goes on, each time.

    (seconds, seconds of one core that the program took meanwhile).
    """
    found = []
    for _ in range(count):
        before = _spent()
        took = _restart()
        found.append((took, _spent() - before))
    return found


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _restart() -> float:
    with tempfile.TemporaryDirectory(prefix="fairdeal-restart-") as folder:
        path = Path(folder) / "journal.sqlite"
        script = Path(folder) / "quiet.txt"
        script.write_text(QUIET_SCRIPT)
        source = f"simulated:{script}"
        journal = JournalFile(path)
        head = GameHead("suds", 2, source=source)
        journal.append(journal.begin(head), [EventEntry(Pressed(0.0, "start"))])
        journal.close()
        words = [
            sys.executable, "-m", "kiosk.cli", "referee", "suds", "--source", source, "--live",
            "--journal", str(path), "--resume", "--headless", "--signals", "none",
        ]  # fmt: skip
        began = time.monotonic()
        with children.start(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
            assert child.stderr is not None
            said = []
            for line in map(bytes.decode, child.stderr):
                said.append(line)
                if COMPARED in line or time.monotonic() - began > LIMIT_S:
                    break
            took = time.monotonic() - began
            child.terminate()
        if not said or COMPARED not in said[-1]:
            raise AssertionError("".join(said) or "no word")
        return took
