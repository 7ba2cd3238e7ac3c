"""`fairdeal doctor --table` in the terminal: asks, watches, and prints what will not work here."""

from __future__ import annotations

import json
import select
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from calibration import store
from calibration.controls.controls import open_controls
from calibration.finding import Verdict
from kiosk.tablecheck.acts import Act
from kiosk.tablecheck.checker import LOOK_S, Checker, Lock, Networks, locker, refused
from kiosk.tablecheck.judging import TableFinding
from kiosk.tablecheck.words import asked, finding_json, said, text
from rules.errors import FairdealError
from vision.sources import open_source
from vision.sources.source import Source


def check_table(
    spec: str, folder: Path, threads: int, language: str, *, is_json: bool, is_asked: bool
) -> int:
    """Checks the table that a source shows. 0; 1 if something will not work here.

    `folder`: of the calibrations. `is_asked`: a recorded source shows people who do what is asked.
    """
    say = _quiet if is_json else _said
    with open_source(spec) as source:
        is_film = source.recorded and not is_asked
        lock = None if source.recorded else lock_of(spec, source, folder)
        checker = Checker(Networks(threads), is_film=is_film, lock=lock)
        if is_film:
            say(text("check-film", language))
        watch(checker, source, language, say, None if source.recorded else sys.stdin)
        findings = checker.findings()
    print_findings(findings, checker.unseen, language, is_json=is_json)
    return 1 if any(each.state is Verdict.BAD for each in findings) else 0


def lock_of(spec: str, source: Source, folder: Path) -> Lock:
    """Locks the controls of an open camera. They follow the light from now until then."""
    try:
        controls = open_controls(spec, source)
        if controls is not None:
            controls.automatic()
    except FairdealError as error:
        found = refused(error)
        return lambda picture: found
    return locker(controls, folder, store.public_name(spec))


def watch(
    checker: Checker, source: Source, language: str, say: Callable[[str], None],
    keys: TextIO | None,
) -> None:  # fmt: skip
    """Takes frames until all acts are over or the film is. Enter on `keys` skips an act."""
    course, told = checker.course, None
    acts = list(Act)
    while course.asked is not None:
        if course.asked is not told and not course.is_film:
            told = course.asked
            count = f"{acts.index(told) + 1}/{len(acts)}"
            say(f"{count}  {asked(told, language)} ({course.left_s:.0f} s)")
        frame = source.read()
        if frame is None:
            return
        checker.take(frame)
        if source.recorded:
            source.skip_to(frame.at + 0.999 * LOOK_S)
        if keys is not None and _is_pressed(keys):
            course.skip()


def print_findings(
    findings: Sequence[TableFinding], unseen: Sequence[Act], language: str, *, is_json: bool
) -> None:
    """The findings as lines, or as one JSON object."""
    bad = sum(each.state is Verdict.BAD for each in findings)
    if is_json:
        rows = [{**finding_json(each), "words": said(each, language).words,
                 "todo": said(each, language).todo} for each in findings]  # fmt: skip
        print(json.dumps({"findings": rows, "unseen": list(unseen), "bad": bad}))
        return
    for each in findings:
        words = said(each, language)
        print(f"{each.state:5} {words.topic}: {words.words}")
        if words.todo:
            print(f"      → {words.todo}")
    if unseen:
        names = ", ".join(text(f"check-name-{act}", language) for act in unseen)
        print(text("check-not-seen", language, {"acts": names}))
    print(text(f"check-result-{overall(findings, unseen)}", language))


def overall(findings: Sequence[TableFinding], unseen: Sequence[Act]) -> str:
    """The worst state of all; `part` where all that was seen is good, and something was not."""
    states = {each.state for each in findings}
    worst = next((state for state in (Verdict.BAD, Verdict.WARN) if state in states), None)
    if worst is None:
        return "none" if not findings else "part" if unseen else "good"
    return str(worst)


def _is_pressed(keys: TextIO) -> bool:
    if not keys.isatty() or not select.select([keys], [], [], 0)[0]:
        return False
    return bool(keys.readline())


def _said(line: str) -> None:
    print(line, flush=True)


def _quiet(line: str) -> None:
    """With `--json`, what is asked goes to people on standard error."""
    print(line, file=sys.stderr, flush=True)
