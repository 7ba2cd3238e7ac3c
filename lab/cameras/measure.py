"""`python -m lab.cameras.measure`: how right the calibration is, on drawn cameras with known truth.

Writes calibration/REPORT.md. Nothing here is filmed: it says what the geometry is worth, not the
printer or the glue.
"""

import argparse
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from calibration import store
from calibration.lens import intrinsics
from calibration.lens.board import Board, View, find
from calibration.plane import plane_of
from calibration.table import table_fit
from lab.cameras import synthetic
from lab.cameras.bad_input import bad_input
from lab.cameras.kept import Kept
from lab.cameras.measure_view_shift import count_moved, section
from rules.errors import FairdealError
from vision import mat

REPORT = Path(__file__).parents[2] / "calibration" / "REPORT.md"
SIZES = ((1280, 720), (1280, 720), (1280, 960), (1536, 864))
TABLE = mat.MATS["table"]


@dataclass(frozen=True)
class Outcome:
    """One drawn camera. Lens errors as shares, others in px and mm; `refused`: why, if it was."""

    focal: float
    centre: float
    error_px: float
    table_mm: float
    refused: str = ""


def one_camera(seed: int) -> Outcome:
    """Calibrates one drawn camera and its table, start to end."""
    rng = np.random.default_rng(seed)
    truth = synthetic.random_lens(rng, *SIZES[seed % len(SIZES)])
    noise, blur = float(rng.uniform(0.5, 6)), float(rng.uniform(0, 1.3))
    count = int(rng.integers(10, 16))
    pictures = synthetic.board_views(Board(), truth, rng, count, noise, blur, rng.uniform(25, 38))
    seen = [find(Board(), picture, str(i)) for i, picture in enumerate(pictures)]
    try:
        found = intrinsics.solve([view for view in seen if isinstance(view, View)]).lens
        table_mm = _table_error(truth, found, rng, noise, blur)
    except FairdealError as error:
        return Outcome(0, 0, 0, 0, str(error))
    focal = max(abs(found.fx / truth.fx - 1), abs(found.fy / truth.fy - 1))
    centre = max(abs(found.cx - truth.cx), abs(found.cy - truth.cy)) / truth.width
    return Outcome(float(focal), float(centre), found.error_px, table_mm)


def _table_error(
    truth: synthetic.Lens,
    found: store.Intrinsics,
    rng: np.random.Generator,
    noise: float,
    blur: float,
) -> float:
    """The worst error in mm over a grid of 25 mm on the table of 700×450 mm."""
    tilt, turn = float(rng.uniform(-40, 40)), float(rng.choice([0, 180]) + rng.uniform(-8, 8))
    fill = float(rng.uniform(0.78, 0.92))
    picture, rotation, shift = synthetic.mat_view(TABLE, truth, rng, tilt, turn, noise, blur, fill)
    fit, _ = table_fit.from_mat(picture, found)
    xs, ys = np.meshgrid(np.arange(0, 701, 25.0), np.arange(0, 451, 25.0))
    points = np.column_stack([xs.ravel(), ys.ravel()])
    pixels = truth.project(np.column_stack([points, np.zeros(len(points))]), rotation, shift)
    calibration = store.Calibration("drawn", truth.width, truth.height, found, fit)
    back = plane_of(calibration).to_mm(pixels)
    return float(np.linalg.norm(back - points, axis=1).max())


def _camera(kept: Kept, seed: int) -> Outcome:
    """The outcome of one drawn camera, measured or kept."""
    return Outcome(**kept.get(f"camera {seed}", lambda: asdict(one_camera(seed))))  # type: ignore[arg-type]


def report(
    outcomes: list[Outcome], bad: dict[str, Counter[str]], pushed: Counter[str], command: str
) -> str:
    """The page, in Markdown."""
    good = [o for o in outcomes if not o.refused]
    refused = [o for o in outcomes if o.refused]
    wrong = [o for o in good if o.focal > 0.005 or o.centre > 0.005 or o.table_mm > 1]
    lines = [
        "# Calibration, measured", "",
        f"By `{command}`. Every camera is drawn: lens 50° to 85° across with distortion, 10 to 15 "
        "views of the board, then the 700×450 mm mat tilted up to 40°; noise up to 6 grey levels, "
        "blur up to 1.3 px, uneven light. Drawn views are kinder than a bent print under a lamp.",
        "",
        f"{len(outcomes)} cameras: {len(good)} calibrated, {len(refused)} refused, "
        f"{len(wrong)} accepted and outside the limits.", "",
        "| what | limit | median | 95 % | worst |", "|---|---|---|---|---|",
    ]  # fmt: skip
    if good:
        for words, limit, values, unit, scale in (
            ("focal length off by", "0.5 %", [o.focal for o in good], " %", 100),
            ("middle off by, of the width", "0.5 %", [o.centre for o in good], " %", 100),
            ("mean reprojection error", "0.5 px", [o.error_px for o in good], " px", 1),
            ("worst point of the table off by", "1 mm", [o.table_mm for o in good], " mm", 1),
        ):
            a, b, c = (np.quantile(values, q) * scale for q in (0.5, 0.95, 1.0))
            lines.append(f"| {words} | {limit} | {a:.3f}{unit} | {b:.3f}{unit} | {c:.3f}{unit} |")
    lines += ["", "| bad input | sets | refused or right | accepted wrongly |", "|---|---|---|---|"]
    for kind, counts in bad.items():
        total = sum(counts.values())
        lines.append(f"| {kind} | {total} | {counts['refused']} | {counts['accepted']} |")
    if refused:
        lines += ["", "Refused cameras:", ""]
        lines += [f"- {o.refused}" for o in refused[:10]]
    lines += section(pushed)
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None) -> int:
    """Measures and writes the report. Exit code 1 if a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m lab.cameras.measure")
    parser.add_argument("--cameras", type=int, default=200)
    parser.add_argument("--bad", type=int, default=20, help="sets of each kind of bad input")
    parser.add_argument("--moved", type=int, default=60, help="cameras that are pushed, or not")
    parser.add_argument("--out", type=Path, default=REPORT)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="go on with what is kept there")
    args = parser.parse_args(argv)
    seeds = track(range(args.cameras), description="cameras", console=_console())
    kept = Kept(args.keep)
    outcomes = [_camera(kept, seed) for seed in seeds]
    bad = bad_input(args.bad, kept)
    pushed = count_moved(args.moved, kept.get)
    command = (
        f"python -m lab.cameras.measure --cameras {args.cameras} --bad {args.bad} "
        f"--moved {args.moved}"
    )
    args.out.write_text(report(outcomes, bad, pushed, command), encoding="utf-8")
    print(f"written: {args.out}")
    broken = any(
        not o.refused and (max(o.focal, o.centre) > 0.005 or o.error_px > 0.5 or o.table_mm > 1)
        for o in outcomes
    )
    return 1 if broken or any(c["accepted"] for c in bad.values()) else 0


def _console() -> Console:
    return Console(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
