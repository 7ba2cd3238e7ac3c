"""`python -m lab.cameras.still_hours`: a table at rest for hours, and pushes of 8 px.

The light drifts as by day, lamps flicker, the picture has noise and trembles by a part of a
pixel. A call is wrong while nothing moved, and missing where a push is not noticed within 3 s.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.scene import shift_estimate, view_shift

SIZE = (640, 360)
WIDE_PX = 1280  # of the picture in which a push is measured
PUSH_PX = 8.0
NOTICED_S = 3.0
DAY_S = 6 * 3600.0  # of the light's slow wave
TREMBLE_PX = 0.15


@dataclass(slots=True)
class StillScore:
    """`wrong`: moves that were called at rest; `noticed` of `pushes`."""

    hours: float = 0.0
    looks: int = 0
    wrong: int = 0
    pushes: int = 0
    noticed: int = 0


class StillTable:
    """Frames of a table with cards on it, by time."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        grain = self._rng.normal(0, 40, (SIZE[1] + 40, SIZE[0] + 40)).astype(np.float32)
        self._big = 120 + 6 * cv2.GaussianBlur(grain, (0, 0), 4)
        for _ in range(20):
            x, y = (int(v) for v in self._rng.integers(0, SIZE))
            cv2.rectangle(
                self._big, (x, y), (x + 34, y + 48), float(self._rng.integers(20, 240)), -1
            )
        self._noise = self._rng.normal(0, 3, (SIZE[1] + 64, SIZE[0] + 64)).astype(np.float32)

    def frame(self, at: float, dx: float = 0.0, dy: float = 0.0) -> Image:
        """The picture at `at` (s), moved by some px of the small picture."""
        rng = self._rng
        x, y = np.array([dx, dy]) - 20 + rng.normal(0, TREMBLE_PX, 2)
        matrix = np.array([[1, 0, x], [0, 1, y]], np.float32)
        seen = cv2.warpAffine(self._big, matrix, SIZE)
        light = 0.8 + 0.25 * np.sin(2 * np.pi * at / DAY_S) + rng.normal(0, 0.01)
        left, top = rng.integers(0, 64, 2)
        seen = seen * light + self._noise[top : top + SIZE[1], left : left + SIZE[0]]
        return cv2.cvtColor(np.clip(seen, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def still_hours(hours: float, step_s: float, seed: int) -> StillScore:
    """One table at rest, looked at every `step_s`."""
    table, score = StillTable(seed), StillScore(hours)
    watch = _begin(table, 0.0)
    for number in range(1, int(hours * 3600 / step_s)):
        at = number * step_s
        watch = view_shift.look(watch, table.frame(at), at)
        score.looks += 1
        if watch.moved_px is not None:
            score.wrong += 1
            watch = _begin(table, at)
    return score


def pushes(count: int, seed: int) -> StillScore:
    """Tables that are pushed by 8 px after two seconds at rest."""
    rng, score = np.random.default_rng(seed), StillScore()
    for number in range(count):
        table, angle = StillTable(seed + number), float(rng.uniform(0, 2 * np.pi))
        way = PUSH_PX * SIZE[0] / WIDE_PX
        watch = _begin(table, 0.0)
        for look in range(1, 11):
            at = 0.5 * look
            moved = at > 2.0
            frame = table.frame(at, *(way * moved * np.array([np.cos(angle), np.sin(angle)])))
            watch = view_shift.look(watch, frame, at)
            if watch.moved_px is not None:
                score.noticed += moved and at - 2.0 <= NOTICED_S
                score.wrong += not moved
                break
        score.pushes += 1
    return score


def _begin(table: StillTable, at: float) -> view_shift.Watch:
    return view_shift.Watch(shift_estimate.reference(table.frame(at)), anew=True, anew_at=at)


def main(argv: list[str]) -> int:
    """Prints a table. 1 where a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m lab.cameras.still_hours")
    parser.add_argument("--hours", type=float, default=8.0)
    parser.add_argument("--step", type=float, default=0.5, help="s between two looks")
    parser.add_argument("--pushes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    rest, moved = still_hours(args.hours, args.step, args.seed), pushes(args.pushes, args.seed)
    print("| at rest | looks | called wrongly | pushes of 8 px | noticed within 3 s |")
    print("|---|---|---|---|---|")
    print(f"| {rest.hours:g} h | {rest.looks} | {rest.wrong + moved.wrong} | {moved.pushes} | "
          f"{moved.noticed} |")  # fmt: skip
    return int(rest.wrong + moved.wrong > 0 or moved.noticed < moved.pushes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
