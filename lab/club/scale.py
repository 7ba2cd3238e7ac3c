"""How a club grows: the board's latency, and what broker and board cost, by number of tables."""

from __future__ import annotations

import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from host import children
from host.ports import free_port
from kiosk.club.broker import BrokerProcess
from kiosk.club.newclub import BOARD, NewClub, accounts_of, write_club_files
from lab.evaluation.report import machine
from rules.errors import FairdealError

WARM_S = 15.0  # connections and first states are no part of the figures
SENT = re.compile(rb'"sent":([0-9.]+)')
TICKS = os.sysconf("SC_CLK_TCK")
START_S = 30.0


@dataclass(frozen=True, slots=True)
class Usage:
    """CPU time (s) and memory (MB) of a process now."""

    cpu_s: float
    memory_mb: float


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """One size of club. CPU in percent of one core, latencies in ms."""

    tables: int
    messages_per_s: float
    p50_ms: float
    p95_ms: float
    broker: Usage
    board: Usage


def usage(process: int) -> Usage:
    """Of a process by its id, as Linux tells it."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    memory = int(found[1]) / 1024 if found else 0.0
    return Usage((int(fields[11]) + int(fields[12])) / TICKS, memory)


class PageReader:
    """Follows the board as a page does: when each state of a table arrives."""

    def __init__(self, port: int) -> None:
        self.latencies: list[float] = []
        self._is_counting = threading.Event()
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._connection.request("GET", "/api/events")
        self._answer = self._connection.getresponse()
        self._latest = 0.0
        threading.Thread(target=self._read, name="page-reader", daemon=True).start()

    def count(self, is_counting: bool) -> None:
        """From now on arrivals count, or no more."""
        (self._is_counting.set if is_counting else self._is_counting.clear)()

    def _read(self) -> None:
        seen: set[bytes] = set()
        while line := self._answer.readline():
            now = time.time()
            for sent in SENT.findall(line):
                if sent in seen:
                    continue
                seen.add(sent)
                if self._is_counting.is_set() and float(sent) > 0:
                    self.latencies.append(now - float(sent))


def measure(tables: int, seconds: int, seed: int) -> ScaleRow:
    """One club of so many light tables for `seconds`."""
    club = NewClub.make("scale", tables)
    with tempfile.TemporaryDirectory(prefix="fairdeal-scale-") as name:
        folder = Path(name)
        with BrokerProcess(folder, accounts_of(club)) as broker:
            write_club_files(folder, club, "127.0.0.1", broker.port)
            port = free_port()
            board = _start(["-m", "kiosk.cli", "club", "--club", str(folder / f"{BOARD}.toml"),
                            "--port", str(port)], folder)  # fmt: skip
            try:
                _until(board, "board: ")
                return _run(folder, tables, seconds, seed, broker.process_id, board.pid, port)
            finally:
                _end(board)


def _run(
    folder: Path, tables: int, seconds: int, seed: int, broker: int, board: int, port: int
) -> ScaleRow:
    length = seconds + WARM_S + 3.0
    words = [
        "-m",
        "lab.club.publishers",
        str(folder),
        "--seconds",
        str(length),
        "--seed",
        str(seed),
    ]
    publishers = _start(words, folder)
    try:
        _until(publishers, "ready")
        page = PageReader(port)
        time.sleep(WARM_S)
        page.count(True)
        before = [usage(each) for each in (broker, board)]
        began = time.monotonic()
        time.sleep(seconds)
        spent = time.monotonic() - began
        after = [usage(each) for each in (broker, board)]
        page.count(False)
        out, _ = publishers.communicate(timeout=START_S)
    finally:
        publishers.kill()
    cost = [
        Usage(100 * (b.cpu_s - a.cpu_s) / spent, b.memory_mb)
        for a, b in zip(before, after, strict=True)
    ]
    sent = json.loads(out.splitlines()[-1])["sent"] / length
    times = sorted(page.latencies) or [float("nan")]
    return ScaleRow(
        tables, sent, 1e3 * statistics.median(times), 1e3 * times[int(0.95 * (len(times) - 1))],
        cost[0], cost[1],
    )  # fmt: skip


def _start(words: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "FAIRDEAL_HOME": str(folder)}
    return children.start([sys.executable, *words], stdout=subprocess.PIPE, env=environment)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(START_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _until(child: subprocess.Popen[bytes], word: str) -> None:
    assert child.stdout is not None
    line = child.stdout.readline().decode()
    if not line.startswith(word):
        raise FairdealError(f"a process that says {word}", ascii(line))


def scale_section(sizes: Sequence[int], seconds: int, seed: int, say: Callable[[str], None]) -> str:
    """The trial as a section of Markdown."""
    rows = []
    for size in sizes:
        rows.append(measure(size, seconds, seed))
        say(_line(rows[-1]))
    listed = ",".join(map(str, sizes))
    command = (
        f"`fairdeal evaluate club-scale --club-tables {listed} --club-seconds {seconds} "
        f"--seed {seed}`"
    )
    head = (
        "| tables | messages/s | latency p50 | p95 | broker CPU | broker memory | board CPU | "
        "board memory | CPU a message: broker | board |\n|" + "---|" * 10
    )
    return f"{command}, {machine()}\n\n{head}\n" + "\n".join(map(_line, rows)) + "\n"


def _line(row: ScaleRow) -> str:
    each = 10.0 / max(row.messages_per_s, 1e-9)  # percent of a core to ms a message
    return (
        f"| {row.tables:,} | {row.messages_per_s:.1f} | {row.p50_ms:.0f} ms | {row.p95_ms:.0f} ms "
        f"| {row.broker.cpu_s:.1f} % | {row.broker.memory_mb:.1f} MB | {row.board.cpu_s:.1f} % "
        f"| {row.board.memory_mb:.0f} MB | {row.broker.cpu_s * each:.2f} ms "
        f"| {row.board.cpu_s * each:.2f} ms |"
    )
