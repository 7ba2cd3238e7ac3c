"""`python -m lab.cameras.measure`: how right the calibration is, on drawn cameras with known truth.

Writes calibration/REPORT.md. Nothing here is filmed: it says what the geometry is worth, not the
printer or the glue.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration import store
from calibration.lens import intrinsics
from calibration.lens.board import Board, View, find, opencv_board
from calibration.table import plane, table_fit
from lab.cameras import synthetic
from lab.cameras.measure_view_shift import count_moved, section
from rules.errors import FairdealError
from vision import mat

REPORT = Path(__file__).parents[2] / "calibration" / "REPORT.md"
SIZES = ((1280, 720), (1280, 720), (1280, 960), (1536, 864))
TABLE = mat.MATS["table"]


@dataclass(frozen=True)
class Outcome:
    """One drawn camera: shares for the lens, px and mm; `refused` says why, if it was."""

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
    back = plane.to_mm(calibration, pixels)
    return float(np.linalg.norm(back - points, axis=1).max())


def bad_input(count: int, kept: "Kept") -> dict[str, Counter]:
    """Bad sets by kind: how many were refused, and how many were wrongly accepted."""
    out: dict[str, Counter] = {}
    for kind, make in _BAD.items():
        out[kind] = Counter()
        for seed in range(count):
            words = f"{kind} {seed}"
            refused = kept.get(words, partial(_is_refused, make, seed))
            out[kind]["refused" if refused else "accepted"] += 1
    return out


def _is_refused(make: Callable[[np.random.Generator], bool], seed: int) -> bool:
    return bool(make(_rng(seed)))


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(900 + seed)


class Kept:
    """What was measured, one JSON line each, so that a run that was cut off goes on."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path and path.is_file() else []
        self._found = dict(json.loads(line) for line in lines)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)

    def get(self, key: str, measure: Callable[[], object]) -> object:
        """What is kept under `key`, measured where nothing is."""
        if key not in self._found:
            self._found[key] = measure()
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._found[key]]) + "\n")
        return self._found[key]

    def camera(self, seed: int) -> Outcome:
        """The outcome of one drawn camera."""
        return Outcome(**self.get(f"camera {seed}", lambda: asdict(one_camera(seed))))  # type: ignore[arg-type]


def _set_refused(pictures: list[np.ndarray], truth: synthetic.Lens | None = None) -> bool:
    """With a truth, an accepted set is wrong only if its lens is off by more than 0.5 %."""
    views = [v for p in pictures if isinstance(v := find(Board(), p), View)]
    try:
        found = intrinsics.solve(views).lens
    except FairdealError:
        return True
    return truth is not None and abs(found.fx / truth.fx - 1) <= 0.005


def _blurred(rng: np.random.Generator) -> bool:
    truth = synthetic.random_lens(rng)
    return _set_refused(
        synthetic.board_views(Board(), truth, rng, 10, 2.0, float(rng.uniform(4, 12))), truth
    )


def _flat(rng: np.random.Generator) -> bool:
    truth = synthetic.random_lens(rng)
    return _set_refused(synthetic.board_views(Board(), truth, rng, 10, tilt_deg=0.5), truth)


def _bent(rng: np.random.Generator) -> bool:
    """A board that was not glued flat: it bows along its length by 6 to 25 mm."""
    truth, board = synthetic.random_lens(rng), Board()
    grid = np.asarray(opencv_board(board).getChessboardCorners(), np.float64)
    width_mm, height_mm = board.size_mm
    bow = np.column_stack(
        [grid[:, :2], rng.uniform(6, 25) * (1 - np.square(2 * grid[:, 1] / height_mm - 1))]
    )
    views = []
    for i in range(12):
        tilt = rng.uniform(-35, 35, 2)
        rotation, _ = synthetic.look_at(np.zeros(2), 1.0, (tilt[0], tilt[1]), rng.uniform(0, 360))
        spot = rng.uniform(0.35, 0.65, 2) * (truth.width, truth.height)
        distance = truth.fy * height_mm / (0.6 * truth.height)
        middle = np.array([width_mm / 2, height_mm / 2])
        shift = synthetic.aim(rotation, middle, truth, spot, distance)
        pixels = truth.project(bow, rotation, shift) + rng.normal(0, 0.1, (len(grid), 2))
        views.append(
            View(str(i), np.arange(len(grid)), pixels.astype(np.float32),
                 grid.astype(np.float32), truth.width, truth.height)
        )  # fmt: skip
    try:
        found = intrinsics.solve(views).lens
    except FairdealError:
        return True
    return abs(found.fx / truth.fx - 1) <= 0.005


def _empty(rng: np.random.Generator) -> bool:
    clutter = [
        cv2.resize(rng.integers(0, 255, (45, 80), np.uint8), (1280, 720), interpolation=i % 2)
        for i in range(10)
    ]
    return _set_refused(clutter)


def _other_board(rng: np.random.Generator) -> bool:
    sizes = [(5, 7), (6, 9), (8, 9), (9, 11), (10, 7), (6, 10), (7, 9), (8, 12), (7, 12)]
    columns, rows = sizes[int(rng.integers(len(sizes)))]
    truth = synthetic.random_lens(rng)
    pictures = synthetic.board_views(Board(columns, rows), truth, rng, 10)
    return _set_refused(pictures)


def _mirrored(rng: np.random.Generator) -> bool:
    pictures = synthetic.board_views(Board(), synthetic.random_lens(rng), rng, 10)
    return _set_refused([np.ascontiguousarray(p[:, ::-1]) for p in pictures])


def _half_mat(rng: np.random.Generator) -> bool:
    truth = synthetic.random_lens(rng)
    spots = [(0.05, 0.5), (0.95, 0.5), (0.5, 0.03), (0.5, 0.97), (0.1, 0.1), (0.9, 0.9)]
    at = spots[int(rng.integers(len(spots)))]
    picture, _, _ = synthetic.mat_view(TABLE, truth, rng, float(rng.uniform(-30, 30)), at=at)
    known = store.Intrinsics(
        truth.fx, truth.fy, truth.cx, truth.cy, truth.distortion, 0.1, 10, "now"
    )
    try:
        table_fit.from_mat(picture, known)
    except FairdealError:
        return True
    return False


def _damaged(rng: np.random.Generator) -> bool:
    known = store.Intrinsics(900, 900, 640, 360, (0.1, 0.0, 0.0, 0.0, 0.0), 0.1, 10, "now")
    with tempfile.TemporaryDirectory() as folder:
        path = store.save(store.Calibration("c", 1280, 720, known), Path(folder))
        data = bytearray(path.read_bytes())
        at = int(rng.integers(data.index(b"version"), len(data)))
        if rng.random() < 0.5:
            del data[at:]
        else:
            data[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
        try:
            store.load(path, 1280, 720)
        except FairdealError:
            return True
    return False


_BAD = {
    "blurred set (sigma 4 to 12 px)": _blurred,
    "board never tilted": _flat,
    "board bent by 6 to 25 mm": _bent,
    "no board in any picture": _empty,
    "board of another size": _other_board,
    "mirrored pictures": _mirrored,
    "mat half out of view": _half_mat,
    "file cut off or edited": _damaged,
}


def report(outcomes: list[Outcome], bad: dict[str, Counter], pushed: Counter, command: str) -> str:
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
    from rich.progress import track

    parser = argparse.ArgumentParser(prog="python -m lab.cameras.measure")
    parser.add_argument("--cameras", type=int, default=200)
    parser.add_argument("--bad", type=int, default=20, help="sets of each kind of bad input")
    parser.add_argument("--moved", type=int, default=60, help="cameras that are pushed, or not")
    parser.add_argument("--out", type=Path, default=REPORT)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="go on with what is kept there")
    args = parser.parse_args(argv)
    seeds = track(range(args.cameras), description="cameras", console=_console())
    kept = Kept(args.keep)
    outcomes = [kept.camera(seed) for seed in seeds]
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


def _console():
    from rich.console import Console

    return Console(file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
