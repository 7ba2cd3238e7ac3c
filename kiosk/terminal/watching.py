"""Runs a game that people watch: in the terminal, or line by line where there is none."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace

from calibration.pictures import has_screen
from kiosk.assembly import Company, GameRequest, run_game
from kiosk.game.news import Summary
from kiosk.game.observers import Aside, Observer
from kiosk.terminal.keys import Keyboard, Presses
from kiosk.terminal.lines import LostLines, PlainCalls
from kiosk.terminal.show import TerminalLamps, TerminalShow, WindowShow
from vision.recognition.eyes import Eyes
from vision.sources import Source


def run_shown(
    request: GameRequest, source: Source, eyes: Eyes, company: Company | None = None
) -> str:
    """Runs the game to its end. Returns a summary in a few words."""
    company = company or Company()
    if not sys.stdout.isatty():
        lines = (PlainCalls(_print), LostLines(_print))
        company = replace(company, observers=(*company.observers, *lines))
        return summary_text(run_game(request, source, eyes, company))
    lamps = TerminalLamps()
    with ExitStack() as stack:
        show = stack.enter_context(TerminalShow(lamps))
        shown: list[Observer] = [stack.enter_context(Aside(show, company.say))]
        if has_screen():
            shown.append(stack.enter_context(WindowShow(company.inbox, request.game.keys)))
        stack.enter_context(Keyboard(Presses(company.inbox, request.game.keys).typed))
        company = replace(
            company,
            observers=(*company.observers, *shown),
            outputs=(*company.outputs, lamps),
        )
        summary = run_game(request, source, eyes, company)
    return summary_text(summary)


def summary_text(summary: Summary) -> str:
    """The summary for people."""
    calls = ", ".join(f"{count} {call}" for call, count in sorted(summary.calls.items()))
    drops = f", {summary.drops} dropped" if summary.drops else ""
    return f"{summary.seconds:.1f} s of play, {summary.frames} frames{drops}; {calls or 'no calls'}"


def _print(line: str) -> None:
    print(line, flush=True)
