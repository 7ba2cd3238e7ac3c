"""A running table that people look at: in the terminal, or line by line where there is none."""

from __future__ import annotations

import sys

from kiosk.running import RunningTable, Summary
from kiosk.show import PlainShow, TerminalLamps, TerminalShow
from kiosk.table_for import Order, run_table
from rules import referee
from rules.game import View
from vision.eyes import Eyes
from vision.sources import Source


def run_shown(order: Order, source: Source, eyes: Eyes) -> str:
    """Runs the table to its end and returns a summary in a few words."""
    if not sys.stdout.isatty():
        plain = PlainShow(lambda line: print(line, flush=True))
        return told(run_table(order, source, eyes, display=plain, listener=plain.heard))
    running: list[RunningTable] = []
    session = [referee.begin(order.game, order.setup)]

    def view() -> View:
        return referee.view(session[0])

    def stop() -> None:
        for table in running:
            table.stop()

    lamps = TerminalLamps()
    with TerminalShow(view, lamps, stop) as show:

        def ready(table: RunningTable, judging) -> None:
            running.append(table)
            judge.append(judging)

        def heard(event, calls) -> None:
            session[0] = judge[0].session
            show.heard(event, calls)

        judge: list = []
        return told(
            run_table(
                order, source, eyes,
                display=show, listener=heard, more_outputs=(lamps,), on_ready=ready,
            )
        )  # fmt: skip


def told(summary: Summary) -> str:
    """The summary for people."""
    calls = ", ".join(f"{count} {call}" for call, count in sorted(summary.calls.items()))
    drops = f", {summary.drops} dropped" if summary.drops else ""
    return f"{summary.seconds:.1f} s of play, {summary.frames} frames{drops}; {calls or 'no calls'}"
