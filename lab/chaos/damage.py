"""Damaged journals, damaged files of every kind, and cameras that fail in every way.

Each file is read in a child process with bounded memory and time. A refusal is one line; a
traceback, an exhausted bound or another content is a fault.
"""

from __future__ import annotations

import os
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from rules.errors import FairdealError

MEMORY_BYTES = 4 << 30  # of one reading; more is a fault
TIME_S = 20  # of processor time
READ, REFUSED, TRACEBACK, EXHAUSTED, OTHER = "read", "refused", "traceback", "exhausted", "other"
_CODES = {0: READ, 3: REFUSED, 4: TRACEBACK, 5: OTHER}
WALL_S = 60  # of any time: what waits for ever uses no processor
WAYS = ("bit", "byte", "cut", "gap", "repeat", "zeros", "swap", "text", "number")
WORDS = (b"\x1b[2J", b"\xff\xfe", b"[" * 3000, b"{" * 3000, b"[" * 60_000, b'{"a":' * 20_000,
         b"a" + b".a" * 3000 + b" = 1\n", b"'", b'"', b"\n", b"\0", b"\xed\xa0\x80")  # fmt: skip
NUMBERS = (b"nan", b"inf", b"-1", b"1e999", b"99999999999999999999", b"null", b"0", b"9" * 5000,
           b"0x" + b"f" * 5000, b"-1e-999", b"1e308", b"true")  # fmt: skip
BLOCKS = (1, 16, 512, 4096)  # bytes of two pieces that change places; 4096: SQLite's pages
Reader = Callable[[Path], object]


@dataclass(frozen=True, slots=True)
class FuzzScore:
    """How often a kind of file was read, refused, … `samples`: the first faults, in a line each."""

    kind: str
    counts: dict[str, int]
    samples: tuple[str, ...]

    @property
    def faults(self) -> int:
        """Outcomes that must not be."""
        return sum(self.counts.get(what, 0) for what in (TRACEBACK, EXHAUSTED, OTHER))


def fuzz(
    kind: str, sample: bytes, suffix: str, read: Reader, count: int, seed: int, *,
    is_sealed: bool = False,
) -> FuzzScore:  # fmt: skip
    """Reads `count` damaged copies. `is_sealed`: what is read must be what the sample holds."""
    rng, counts = Random(seed), Counter[str]()
    samples: list[str] = []
    with tempfile.TemporaryDirectory(prefix="fairdeal-fuzz-") as folder:
        whole = Path(folder) / f"whole{suffix}"
        whole.write_bytes(sample)
        found = repr(read(whole))  # the sample itself must be good
        wanted = found if is_sealed else None
        for number in range(count):
            path = Path(folder) / f"{number}{suffix}"
            how, data = damaged(sample, rng)
            path.write_bytes(data)
            outcome, said = in_child(partial(read, path), wanted)
            counts[outcome] += 1
            if outcome not in (READ, REFUSED) and len(samples) < 5:
                samples.append(f"{kind} {number} ({how}): {outcome}: {said}")
            for left in Path(folder).glob(f"{number}{suffix}*"):
                left.unlink()
    return FuzzScore(kind, dict(counts), tuple(samples))


def damaged(data: bytes, rng: Random) -> tuple[str, bytes]:
    """A copy with one damage, and its name."""
    how = rng.choice(WAYS)
    at = rng.randrange(max(len(data), 1))
    length = rng.randrange(1, 65)
    match how:
        case "bit":
            changed = bytes([data[at] ^ 1 << rng.randrange(8)]) if data else b"\x01"
            return how, data[:at] + changed + data[at + 1 :]
        case "byte":
            return how, data[:at] + rng.randbytes(1) + data[at + 1 :]
        case "cut":
            return how, data[:at]
        case "gap":
            return how, data[:at] + data[at + length :]
        case "repeat":
            return how, data[:at] + data[at : at + length] * rng.randrange(2, 40) + data[at:]
        case "zeros":
            return how, data[:at] + bytes(length) + data[at + length :]
        case "swap":
            return how, _swapped(data, rng)
        case "text":
            return how, data[:at] + rng.choice(WORDS) + data[at:]
    word = rng.choice(NUMBERS)
    return how, data[:at] + word + data[at + length % 8 :]


def _swapped(data: bytes, rng: Random) -> bytes:
    """Two pieces of one size change places."""
    size = rng.choice(BLOCKS)
    if len(data) < 2 * size:
        return data[::-1]
    one, other = sorted(rng.sample(range(len(data) // size), 2))
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    pieces[one], pieces[other] = pieces[other], pieces[one]
    return b"".join(pieces)


def in_child(act: Callable[[], object], wanted: str | None) -> tuple[str, str]:
    """What came of an act in a bounded child process, and what it said."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        code, said = _outcome(act, wanted)
        os.write(theirs, said.encode("utf-8", "replace")[:4000])
        os._exit(code)
    os.close(theirs)
    with open(ours, "rb") as pipe:
        told = pipe.read().decode("utf-8", "replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return EXHAUSTED, signal.Signals(os.WTERMSIG(status)).name
    return _CODES.get(os.WEXITSTATUS(status), TRACEBACK), told


def _outcome(act: Callable[[], object], wanted: str | None) -> tuple[int, str]:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (TIME_S, TIME_S))
    signal.alarm(WALL_S)
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    try:
        found = repr(act())
    except FairdealError as error:
        line = str(error)
        is_plain = line.isprintable() and len(line) < 2000
        return (3, line) if is_plain else (4, f"not one plain line: {line[:200]!a}")
    except BaseException as error:
        return 4, f"{type(error).__name__}: {error}"
    if wanted is not None and found != wanted:
        return 5, f"found {found[:200]}"
    return 0, ""
