"""Fitted weights of confidence, and the file that keeps them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.weights import CONFIDENCE

KEPT = "least confidence: share right, share of the right kept"

Kept = dict[float, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Weights with how many rows fitted them and how they did on other rows.

    Per least confidence: the share that is right, and the share of all right ones that is kept.
    """

    weights: np.ndarray
    fitted_on: int
    tested_on: int
    kept: Kept


def write(kind: Fit, twin: Fit, presence: Fit, path: Path, seed: int) -> None:
    """Writes the weights and how they were fitted."""
    _add_fits({}, {"kind": kind, "twin": twin, "presence": presence}, path, {"seed": seed})


def write_one(part: str, found: Fit, path: Path, seed: int) -> None:
    """Writes the weights of one part, `twin` or `presence`, into the file of all weights."""
    shipped = json.loads(CONFIDENCE.read_text(encoding="utf-8"))
    _add_fits(shipped, {part: found}, path, {f"seed of {part}": seed})


def _add_fits(report: dict[str, Any], fits: dict[str, Fit], path: Path, seed: dict) -> None:
    report |= {name: [round(float(w), 4) for w in one.weights] for name, one in fits.items()} | seed
    for title, told in (
        ("fitted on", {name: one.fitted_on for name, one in fits.items()}),
        ("tested on", {name: one.tested_on for name, one in fits.items()}),
        (KEPT, {name: _shares(one.kept) for name, one in fits.items()}),
    ):
        report[title] = report.get(title, {}) | told
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _shares(kept: Kept) -> dict[str, list[float]]:
    return {str(least): [round(a, 4), round(b, 4)] for least, (a, b) in kept.items()}
