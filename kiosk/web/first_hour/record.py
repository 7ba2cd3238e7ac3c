"""Which steps of the first hour are done, kept in a file: a step can be left and come back to."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kiosk.web.first_hour.steps import Mark, Standing, Step
from rules.errors import FairdealError
from rules.files import read_json

FILE = "first-hour.json"
WORDS_KEPT = 300


def load_steps(folder: Path) -> dict[Step, Standing]:
    """The steps as they stand; all open where nothing, or something else, is kept."""
    try:
        found = read_json(folder / FILE, "the steps of the set-up")
        return {step: _standing(found[step.value]) for step in Step if step.value in found}
    except (FairdealError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def save_steps(folder: Path, steps: Mapping[Step, Standing]) -> bool:
    """Keeps the steps; False where the disk does not take them."""
    data = {
        step.value: {"mark": each.mark.value, "words": each.words, "made": each.made}
        for step, each in steps.items()
    }
    part = folder / (FILE + ".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(data), encoding="utf-8")
        os.replace(part, folder / FILE)
    except OSError:
        return False
    return True


def open_steps(steps: Mapping[Step, Standing]) -> tuple[Step, ...]:
    """The steps whose check has not passed, skipped ones included."""
    return tuple(step for step in Step if steps.get(step, Standing()).mark is not Mark.PASSED)


def _standing(each: Mapping[str, Any]) -> Standing:
    return Standing(Mark(each["mark"]), str(each["words"])[:WORDS_KEPT], str(each["made"])[:40])
