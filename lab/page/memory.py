"""Resident memory of processes, by /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int | None) -> dict[int, str]:
    """Every process below `pid` (None: this one), itself too, with its command line."""
    parents: dict[int, int] = {}
    for path in PROC.iterdir():
        if path.name.isdecimal():
            try:
                parents[int(path.name)] = int(
                    (path / "stat").read_text().rpartition(")")[2].split()[1]
                )
            except (OSError, IndexError, ValueError):
                continue  # it ended meanwhile
    found, waiting = {}, [os.getpid() if pid is None else pid]
    while waiting:
        each = waiting.pop()
        found[each] = _words(each)
        waiting += [child for child, parent in parents.items() if parent == each]
    return found


def resident_mb(pids: Iterable[int | str]) -> float:
    """Memory of their own plus their share of what they share (MB), all together."""
    total_kb = 0
    for pid in pids:
        try:
            lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total_kb += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total_kb / 1000


def _words(pid: int) -> str:
    try:
        return (
            (PROC / str(pid) / "cmdline")
            .read_bytes()
            .replace(b"\0", b" ")
            .decode("utf-8", "replace")
        )
    except OSError:
        return ""
