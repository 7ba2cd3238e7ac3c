"""Pictures that a calibration must refuse: blurred, flat, bent, mirrored, of another board."""

import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration import store
from calibration.lens import intrinsics
from calibration.lens.board import Board, View, find, opencv_board
from calibration.table import table_fit
from lab.cameras import synthetic
from lab.cameras.kept import Kept
from rules.errors import FairdealError
from vision import mat

TABLE = mat.MATS["table"]


def bad_input(count: int, kept: Kept) -> dict[str, Counter[str]]:
    """Bad sets by kind: how many were refused, and how many were wrongly accepted."""
    out: dict[str, Counter[str]] = {}
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
