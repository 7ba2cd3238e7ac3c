"""Child processes that end with their parent: on SIGTERM, SIGKILL, a crash, a closed terminal.

Every process that lasts is started here; host/leash.py ties it to this one. Children have a session
of their own: what a terminal sends (Ctrl-C, hang-up) reaches the parent alone, which ends them in
its order. Linux counts the thread that starts a child as its parent, so that thread has to last as
long as the child may.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

LEASH = Path(__file__).with_name("leash.py")

Stream = int | IO[bytes] | None  # as in subprocess


def start(
    words: Sequence[str], *,
    stdin: Stream = subprocess.DEVNULL, stdout: Stream = None, stderr: Stream = None,
    env: Mapping[str, str] | None = None, cwd: Path | None = None, pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Starts a program. One that cannot be started says so on `stderr` and ends with 127."""
    return subprocess.Popen(
        _leashed(words), stdin=stdin, stdout=stdout, stderr=stderr, env=env, cwd=cwd,
        pass_fds=(*pass_fds, _lifeline()), start_new_session=True,
    )  # fmt: skip


async def start_async(
    words: Sequence[str], *, stdout: Stream = None, stderr: Stream = None
) -> asyncio.subprocess.Process:
    """As `start`, for an event loop."""
    return await asyncio.create_subprocess_exec(
        *_leashed(words), stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
        pass_fds=(_lifeline(),), start_new_session=True,
    )  # fmt: skip


def _leashed(words: Sequence[str]) -> list[str]:
    # -I and -S: neither the user's settings nor installed packages are looked for.
    python = [sys.executable, "-I", "-S", str(LEASH)]
    return [*python, str(os.getpid()), str(_lifeline()), *words]


@cache
def _lifeline() -> int:
    """The end for reading of a pipe. This process alone holds the other end, until it ends."""
    return os.pipe()[0]
