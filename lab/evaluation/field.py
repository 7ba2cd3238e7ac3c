"""`fairdeal evaluate field`: today's referee over labelled recordings of real tables."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kiosk.assembly import Company, run_game
from kiosk.field.opening import ENDING, opened_recording
from kiosk.field.recording import Recording, read_recording
from kiosk.field.replay import replay_of
from kiosk.field.space import recordings_in
from kiosk.field.truth import Truth, find_truth
from kiosk.game.inbox import Inbox
from lab.evaluation.clip_truth import Dated, score_events
from lab.evaluation.clips import JUDGED, ClipScore, match
from lab.evaluation.field_html import COUNTS, LATENCIES, Figures, Moment, Row, worst_moments
from lab.evaluation.report import machine
from rules.errors import FairdealError
from vision.recognition.eyes import Eyes

GROUPS = ("game", "deck", "camera", "light")
FAULT_AT = re.compile(r" at (\d+(?:\.\d+)?) s")  # where a call's words say when it was


@dataclass(slots=True)
class FieldScore:
    """A recording, what it is of, and how the referee did. `questions`: calls of `unsure`."""

    name: str
    of: dict[str, str]
    score: ClipScore
    due: int
    questions: int = 0
    faults: list[tuple[float, str]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)


def labelled(folder: Path) -> list[Path]:
    """The .fairdeal files and recordings of a folder, and the folder itself if it is one."""
    return [*sorted(folder.glob(f"*{ENDING}")), *recordings_in(folder)]


def measure(
    folder: Path, threads: int, say: Callable[[str], None], *, with_films: bool = False
) -> list[FieldScore]:
    """Referees every labelled recording of a folder. FairdealError where there is none.

    `with_films`: of the worst moments.
    """
    scores = []
    for path in labelled(folder):
        with opened_recording(path) as unpacked:
            truth = find_truth(path, unpacked)
            if truth is None:
                say(f"{path.name}: not labelled; see `fairdeal label`")
                continue
            recording = read_recording(unpacked)
            score = _measured(path.name, recording, truth, threads, say)
            if with_films:
                score.moments = list(worst_moments(path.name, recording, score.faults))
            scores.append(score)
    if not scores:
        raise FairdealError(f"labelled recordings in {folder}", "none", "see `fairdeal label`")
    return scores


def _measured(
    name: str, recording: Recording, truth: Truth, threads: int, say: Callable[[str], None]
) -> FieldScore:
    told, inbox = Dated(), Inbox()
    with replay_of(recording, threads, say) as replay:
        settings = replay.request.settings
        eyes = Eyes.open(replay.request.deck, threads, settings.vision.score, settings.engines)
        run_game(replay.request, replay.source(inbox), eyes, Company((told,), inbox=inbox, say=say))
    known = _shifted(truth, replay.offset_s, recording.began)
    about = recording.about
    size = f"{truth.width}×{truth.height}" if truth.width else "size unknown"
    of = {"game": about.game, "deck": about.deck, "camera": f"{about.source} {size}",
          "light": truth.light or "not said"}  # fmt: skip
    due = [call for call in known["expected_calls"] if call["kind"] in JUDGED]
    score = ClipScore(name)
    match(score, due, [call for call in told.calls if call[1] in JUDGED])
    score.events = score_events(known, told.events)
    faults = [(at + replay.offset_s, what) for at, what in score.events.faults]
    calls = [f"missing: {each}" for each in score.missing] + [f"false: {e}" for e in score.extra]
    faults += [(float(found[1]) + replay.offset_s, each) for each in calls
               if (found := FAULT_AT.search(each))]  # fmt: skip
    questions = sum(kind == "unsure" for _, kind in told.calls)
    say(f"{name}: {score.right} of {len(due)} calls, {len(score.extra)} false, "
        f"{len(score.events.faults)} faults of events")  # fmt: skip
    return FieldScore(name, of, score, len(due), questions, sorted(faults))


def _shifted(truth: Truth, offset_s: float, began: float) -> dict[str, Any]:
    """The truth of what the film shows, in the time of the film's clock."""
    found = msgspec.to_builtins(truth)
    for key, at in (("events_truth", "at"), ("expected_calls", "t")):
        shown = [each for each in found[key] if each[at] >= began]
        found[key] = [{**each, at: max(0.0, each[at] - offset_s)} for each in shown]
    return found


def figures(scores: Sequence[FieldScore], command: str) -> Figures:
    """The figures: all, then by game, deck, camera and light."""
    rows = {"all": _row(scores)}
    for group in GROUPS:
        for value in sorted({each.of[group] for each in scores}):
            rows[f"{group}: {value}"] = _row([s for s in scores if s.of[group] == value])
    return Figures(command=command, rows=rows)


def section(scores: Sequence[FieldScore], found: Figures) -> str:
    """The figures as a table, and each call that is missing or false."""
    missed = [f"{each.name}: missing {what}" for each in scores for what in each.score.missing]
    false = [f"{each.name}: false {what}" for each in scores for what in each.score.extra]
    listed = "".join(f"- {line}\n" for line in (*missed, *false))
    head = "| | " + " | ".join((*COUNTS, *LATENCIES)) + " |\n|"
    head += "---|" * (len(COUNTS) + len(LATENCIES) + 1)
    return (
        f"Labelled recordings of real tables. `{found.command}` on {machine()}. A right call comes "
        f"within 2 s; latency in s, from the card at rest.\n\n{head}\n"
        + "\n".join(_line(name, row) for name, row in found.rows.items())
        + f"\n\n{listed or 'No call is missing or false.'}\n"
    )  # fmt: skip


def _line(name: str, row: Row) -> str:
    late = ["–" if row[head] is None else f"{row[head]:.2f}" for head in LATENCIES]
    return f"| {name} | " + " | ".join([*(f"{row[head]:.0f}" for head in COUNTS), *late]) + " |"


def _row(some: Sequence[FieldScore]) -> Row:
    waits = [wait for each in some for wait in each.score.latencies]
    late = [float(np.percentile(waits, q)) if waits else None for q in (50, 95)]
    counts = (
        len(some), sum(each.score.events.events for each in some),
        sum(each.score.events.events_right for each in some), sum(each.due for each in some),
        sum(each.score.right for each in some), sum(len(each.score.extra) for each in some),
        sum(each.questions for each in some),
    )  # fmt: skip
    return {**dict(zip(COUNTS, map(float, counts), strict=True)),
            **dict(zip(LATENCIES, late, strict=True))}  # fmt: skip


def say(line: str) -> None:
    """Progress, on standard error."""
    print(line, file=sys.stderr, flush=True)
