"""The evaluation as text, one section per set."""

import os
import platform
import resource
from datetime import date
from pathlib import Path

import numpy as np

from lab.evaluation.clips import ClipScore
from lab.evaluation.eyes import Result
from lab.evaluation.scoring import Score

TITLE = (
    "# Report\n\nHow well the eyes see and the referee calls; each section says how to run it.\n"
)
COLUMNS = ("pictures", "cards", "recall", "recall of clear", "precision", "right", "wrong",
           "unknown", "corner median", "corner p95", "whole table")  # fmt: skip


def machine() -> str:
    """The machine and the day, in a line."""
    return f"{platform.machine()}, {os.cpu_count()} cores, {date.today().isoformat()}"


def pictures_section(result: Result, command: str, about: str) -> str:
    """A set's table: the whole, then each condition."""
    head = "| | " + " | ".join(COLUMNS) + " |\n|" + "---|" * (len(COLUMNS) + 1)
    rows = [_row("all", result.whole)]
    rows += [_row(name, result.parts[name]) for name in sorted(result.parts)]
    worst = ", ".join(f"{name} ({faults})" for faults, name, _, _ in result.worst)
    return (
        f"{about}\n\n`{command}` on {machine()}. Recall counts cards of which 25 % or more can be "
        f"seen; \"clear\", names and corners those with 70 % or more. Corners in parts of the "
        f"card's length.\n\n{head}\n"
        + "\n".join(rows) + f"\n\nMost faults: {worst or 'none'}.\n"
    )  # fmt: skip


def _row(name: str, score: Score) -> str:
    cells = []
    for key, value in score.row().items():
        if key in ("pictures", "cards"):
            cells.append(f"{value:.0f}")
        else:
            cells.append("–" if np.isnan(value) else f"{value:.2%}")
    return f"| {name} | " + " | ".join(cells) + " |"


def clips_section(scores: list[ClipScore], command: str) -> str:
    """The clips' table with missing and extra calls."""
    lines = [
        f"Filmed games with known calls. `{command}` on {machine()}.", "",
        "| clip | events right | seats right | calls right | missing | extra | at rest → call p50 |"
        " p95 | frames judged a second | the clip's | start → first judged frame |",
        "|" + "---|" * 11,
    ]  # fmt: skip
    for s in scores:
        waits = np.array(s.latencies or [np.nan])
        lines.append(
            f"| {s.clip} | {s.events.events_right}/{s.events.events} "
            f"| {s.events.seats_right}/{s.events.seats} "
            f"| {s.right} | {len(s.missing)} | {len(s.extra)} "
            f"| {np.percentile(waits, 50):.2f} s | {np.percentile(waits, 95):.2f} s "
            f"| {s.fps:.1f} | {s.clip_fps:.0f} | {s.start_s:.1f} s |"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines.append(f"\nMost memory that the process had, the films' decoding with it: {peak:.0f} MB.")
    for s in scores:
        lines += [f"\n{s.clip}: missing {w}." for w in s.missing]
        lines += [f"\n{s.clip}: called without cause: {w}." for w in s.extra]
    for s in scores:
        lines += [f"\n{s.clip}, {at:.1f} s: {fault}." for at, fault in sorted(s.events.faults)]
    return "\n".join(lines) + "\n"


def put_section(path: Path, name: str, text: str) -> None:
    """Replaces the section `name` of the report; the rest stays."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    report = path.read_text(encoding="utf-8") if path.is_file() else TITLE
    block = f"{begin}\n## {name.capitalize()}\n\n{text.rstrip()}\n{end}"
    if begin in report and end in report:
        before, rest = report.split(begin, 1)
        report = before + block + rest.split(end, 1)[1]
    else:
        report = report.rstrip() + "\n\n" + block + "\n"
    path.write_text(report, encoding="utf-8")
