"""A running table that people look at: in the terminal, or line by line where there is none."""

from __future__ import annotations

import sys

from kiosk.game.assembly import Order, run_table
from kiosk.game.loop import Hooks, RunningTable, Summary
from kiosk.game.session import Judging
from kiosk.terminal.show import PlainShow, TerminalLamps, TerminalShow
from rules import referee
from rules.game import View
from vision.recognition.eyes import Eyes
from vision.sources import Source


def run_shown(order: Order, source: Source, eyes: Eyes, hooks: Hooks | None = None) -> str:
    """Runs the table to its end and returns a summary in a few words."""
    if not sys.stdout.isatty():
        plain = PlainShow(lambda line: print(line, flush=True))
        return told(
            run_table(order, source, eyes, display=plain, listener=plain.heard, hooks=hooks)
        )
    running: list[RunningTable] = []
    judged: list[Judging] = []

    def view() -> View:
        session = judged[0].session if judged else referee.begin(order.game, order.setup)
        return referee.view(session)

    def stop() -> None:
        for table in running:
            table.stop()

    def ready(table: RunningTable, judging: Judging) -> None:
        running.append(table)
        judged.append(judging)

    lamps = TerminalLamps()
    with TerminalShow(view, lamps, stop) as show:
        summary = run_table(
            order, source, eyes,
            display=show, listener=show.heard, more_outputs=(lamps,), on_ready=ready, hooks=hooks,
        )  # fmt: skip
    return told(summary)


def told(summary: Summary) -> str:
    """The summary for people."""
    calls = ", ".join(f"{count} {call}" for call, count in sorted(summary.calls.items()))
    drops = f", {summary.drops} dropped" if summary.drops else ""
    return f"{summary.seconds:.1f} s of play, {summary.frames} frames{drops}; {calls or 'no calls'}"
