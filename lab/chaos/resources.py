"""What this process and its children take: memory, threads, open files."""

from __future__ import annotations

import gc
import os
import threading
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Resources:
    """`memory_mb`: resident; `files`: open descriptors; `children`: processes."""

    memory_mb: float
    threads: int
    files: int
    children: int

    def __str__(self) -> str:
        return (
            f"{self.memory_mb:.0f} MB, {self.threads} threads, {self.files} files, "
            f"{self.children} children"
        )


def resources_now() -> Resources:
    """Those of this process. What nothing refers to any more is given back first."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    memory_mb = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    files = len(os.listdir("/proc/self/fd"))
    return Resources(memory_mb, threading.active_count(), files, len(children_now()))


def children_now() -> set[int]:
    """The processes that any thread of this one started and that are still there."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(word) for word in (task / "children").read_text().split()}
    return found
