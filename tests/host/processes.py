"""Programs of fairdeal as processes, found again by a mark that all their descendants inherit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE_S = 120.0  # an upper bound; a loaded machine is slow


def until(holds: Callable[[], object], what: str) -> None:
    """Waits for a condition; fails with `what` when it never holds."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.02)


class Program:
    """A program in a fresh home, with a temporary folder of its own. Its output goes to a file."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self.home, self.scratch, self._out = folder / "home", folder / "scratch", folder / "out"
        for each in (self.home, self.scratch):
            each.mkdir()
        self._mark = f"FAIRDEAL_HOME={self.home}".encode()
        environment = {**os.environ, "FAIRDEAL_HOME": str(self.home), "TMPDIR": str(self.scratch)}
        with self._out.open("wb") as out:
            self.child = subprocess.Popen(
                [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env=environment, start_new_session=True,
            )  # fmt: skip

    @property
    def said(self) -> str:
        """What it has printed so far, standard error too."""
        return self._out.read_text(encoding="utf-8", errors="replace")

    def hears(self, word: str) -> str:
        """Waits for a word in its output; the rest of that line."""
        until(lambda: word in self.said or self.child.poll() is not None, f"{word} is said")
        assert word in self.said, self.said
        return self.said.partition(word)[2].partition("\n")[0]

    def living(self) -> dict[int, str]:
        """The command lines of all living processes that it, or one of them, has started."""
        return {pid: line for pid, line in marked(self._mark) if pid != self.child.pid}

    def has_child(self, word: str) -> None:
        """Waits for a descendant that runs, with this word in its command line."""
        until(
            lambda: any(word in line and "leash.py" not in line for line in self.living().values()),
            f"a child with {word}",
        )

    def has_none(self) -> None:
        """Waits until no descendant lives."""
        until(lambda: not self.living(), f"the end of {self.living()}")


@contextmanager
def program(folder: Path, words: list[str]) -> Iterator[Program]:
    """A running program. At the end nothing of it lives on, whatever the test found."""
    running = Program(folder, words)
    try:
        yield running
    finally:
        running.child.kill()
        running.child.wait(PATIENCE_S)
        for pid in running.living():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def marked(mark: bytes) -> Iterator[tuple[int, str]]:
    """Process id and command line of each process with a mark in its environment."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (path / "environ").read_bytes().split(b"\0"):
                line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                yield int(path.name), line
