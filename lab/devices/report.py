"""Measures the device package and writes device/REPORT.md: `python -m lab.devices.report`.

Everything runs against the fakes that stand beside the adapters: a fake board on a
pseudo-terminal, the built firmware in a simulated Uno (where its tools are), gpiozero's mock pins.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from device.gpio.pins import MockPins
from device.serial.board import Board
from device.serial.fake_board import FakeBoard
from device.serial.simulated_uno import missing
from lab.devices.rows import (
    SIGNALS,
    Ear,
    Row,
    flood,
    main_loop,
    messages,
    polled,
    presses,
    signals,
    uno_rows,
)  # fmt: skip

REPORT = Path(__file__).parents[2] / "device" / "REPORT.md"


def measure(count: int, seed: int) -> list[Row]:
    """All rows of the report."""
    rows = [messages(count, seed), flood(count, seed)]
    few = max(50, min(1000, count // 10))
    for damage in (0.0, 0.01):
        ear = Ear()
        with FakeBoard(damage=damage, seed=seed) as fake, Board(fake.port, on_press=ear) as board:
            board.wait(lambda b: b.welcome is not None, 10)
            name = f"board on a pseudo-terminal, {damage:.0%} damaged"
            rows.append(presses(name, few, lambda f=fake: f.press(1), ear))  # type: ignore[misc]
    ear = Ear()
    pins = MockPins(on_press=ear)
    rows.append(presses("mock pins", few, lambda: pins.press("start"), ear))
    rows.append(signals("mock pins", pins, SIGNALS, polled(lambda: pins.level("mistake") > 0)))
    with FakeBoard() as fake:
        board = Board(fake.port)
        board.wait(lambda b: b.welcome is not None, 10)
        lit = polled(lambda: fake.lights.lamps[0] > 0)
        rows.append(signals("board on a pseudo-terminal", board, SIGNALS, lit))
    if missing():
        rows.append(Row("firmware in simavr", f"not here: {', '.join(missing())}", "", None))
    else:
        rows += uno_rows(max(50, few // 5))
    return rows + main_loop(few)


def report(rows: Sequence[Row], count: int, seed: int) -> str:
    """The report as Markdown."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    load = os.getloadavg()[0]
    lines = [
        "# Device report",
        "",
        f"Written by `python -m lab.devices.report --messages {count} --seed {seed}` on {machine}, "
        f"load average {load:.1f} (other work ran beside it), nice {os.nice(0)}. "
        "Nothing was attached: a fake board on a pseudo-terminal, the built firmware in simavr, "
        "gpiozero's mock pins. Times are wall time from the press or the call to the callback or "
        "the lit lamp; those of simavr are the simulated Uno's own, and what the host adds is in "
        "the rows of the pseudo-terminal.",
        "",
        "| what | found | to reach | |",
        "|---|---|---|---|",
    ]
    marks = {True: "reached", False: "**missed**", None: ""}
    lines += [f"| {r.what} | {r.found} | {r.bar} | {marks[r.good]} |" for r in rows]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Measures, prints, writes. Returns 1 if a limit is missed."""
    parser = argparse.ArgumentParser(prog="python -m lab.devices.report", description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000, help="messages over the wire")
    parser.add_argument("--seed", type=int, default=5, help="of the damage")
    parser.add_argument("--out", type=Path, default=REPORT, help="the report's file")
    args = parser.parse_args(argv)
    rows = measure(args.messages, args.seed)
    text = report(rows, args.messages, args.seed)
    print(text)
    args.out.write_text(text, encoding="utf-8")
    return 1 if any(row.good is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
