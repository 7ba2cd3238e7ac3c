"""`fairdeal evaluate field`: today's referee over labelled recordings of real tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kiosk.assembly import Company, run_game
from kiosk.field.film import jpegs
from kiosk.field.opening import ENDING, opened_recording
from kiosk.field.recording import Recording, read_recording
from kiosk.field.replay import replay_of
from kiosk.field.space import recordings_in
from kiosk.field.truth import Truth, find_truth
from kiosk.game.inbox import Inbox
from lab.evaluation.clip_truth import Dated, score_events
from lab.evaluation.clips import JUDGED, ClipScore, match
from lab.evaluation.report import machine
from rules.errors import FairdealError
from vision.recognition.eyes import Eyes

GROUPS = ("game", "deck", "camera", "light")
AROUND_S = 3.0  # of a worst moment's film
MOST_WORST = 5
HEAD = ("recordings", "events", "told rightly", "calls due", "right", "false", "questions",
        "latency p50", "p95")  # fmt: skip


@dataclass(slots=True)
class FieldScore:
    """A recording, what it is of, and how the referee did. `questions`: calls of `unsure`."""

    name: str
    of: dict[str, str]
    score: ClipScore
    due: int
    questions: int = 0
    faults: list[tuple[float, str]] = field(default_factory=list)


def labelled(folder: Path) -> list[Path]:
    """The .fairdeal files and recordings of a folder, and the folder itself if it is one."""
    return [*sorted(folder.glob(f"*{ENDING}")), *recordings_in(folder)]


def measure(
    folder: Path, threads: int, worst: Path | None, say: Callable[[str], None]
) -> list[FieldScore]:
    """Referees every labelled recording of a folder. FairdealError where there is none.

    `worst`: a folder for short films of the worst moments.
    """
    scores = []
    for path in labelled(folder):
        with opened_recording(path) as unpacked:
            truth = find_truth(path, unpacked)
            if truth is None:
                say(f"{path.name}: not labelled; see `fairdeal label`")
                continue
            recording = read_recording(unpacked)
            scores.append(_measured(path.name, recording, truth, threads, say))
            if worst is not None:
                for written in _films(recording, scores[-1], worst):
                    say(f"wrote {written}")
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
    questions = sum(kind == "unsure" for _, kind in told.calls)
    say(f"{name}: {score.right} of {len(due)} calls, {len(score.extra)} false, "
        f"{len(faults)} faults of events")  # fmt: skip
    return FieldScore(name, of, score, len(due), questions, sorted(faults))


def _shifted(truth: Truth, offset_s: float, began: float) -> dict[str, Any]:
    """The truth of what the film shows, in the time of the film's clock."""
    found = msgspec.to_builtins(truth)
    for key, at in (("events_truth", "at"), ("expected_calls", "t")):
        shown = [each for each in found[key] if each[at] >= began]
        found[key] = [{**each, at: max(0.0, each[at] - offset_s)} for each in shown]
    return found


def section(scores: list[FieldScore], command: str) -> str:
    """The figures as a table: all, then by game, deck, camera and light."""
    rows = [_row("all", scores)]
    for group in GROUPS:
        for value in sorted({each.of[group] for each in scores}):
            rows.append(_row(f"{group}: {value}", [s for s in scores if s.of[group] == value]))
    missed = [f"{each.name}: missing {what}" for each in scores for what in each.score.missing]
    false = [f"{each.name}: false {what}" for each in scores for what in each.score.extra]
    listed = "".join(f"- {line}\n" for line in (*missed, *false))
    head = "| | " + " | ".join(HEAD) + " |\n|" + "---|" * (len(HEAD) + 1)
    return (
        f"Labelled recordings of real tables. `{command}` on {machine()}. A right call comes "
        f"within 2 s; latency in s, from the card at rest.\n\n{head}\n"
        + "\n".join(rows) + f"\n\n{listed or 'No call is missing or false.'}\n"
    )  # fmt: skip


def _row(name: str, scores: Iterable[FieldScore]) -> str:
    some = list(scores)
    waits = [wait for each in some for wait in each.score.latencies]
    late = [f"{np.percentile(waits, q):.2f}" for q in (50, 95)] if waits else ["–", "–"]
    events = sum(each.score.events.events for each in some)
    right = sum(each.score.events.events_right for each in some)
    figures = [
        len(some), events, right, sum(each.due for each in some),
        sum(each.score.right for each in some), sum(len(each.score.extra) for each in some),
        sum(each.questions for each in some), *late,
    ]  # fmt: skip
    return f"| {name} | " + " | ".join(map(str, figures)) + " |"


def _films(recording: Recording, score: FieldScore, folder: Path) -> Iterable[Path]:
    """Short films of the moments with the most faults."""
    left = list(score.faults)
    for _ in range(MOST_WORST):
        if not left:
            return
        at = max(left, key=lambda one: sum(abs(one[0] - each[0]) <= AROUND_S for each in left))[0]
        left = [each for each in left if abs(each[0] - at) > AROUND_S]
        path = folder / f"{Path(score.name).stem}-{at:.0f}s.mjpeg"
        shown = (
            jpeg
            for segment in recording.segments
            for line, jpeg in jpegs(segment)
            if abs(line.at - at) <= AROUND_S
        )
        path.write_bytes(b"".join(shown))
        yield path


def say(line: str) -> None:
    """Progress, on standard error."""
    print(line, file=sys.stderr, flush=True)
