"""`python -m lab.cameras.slipping FILM…`: how far a view that slips is from where it is held.

Each film is played as a camera gives it whose stand gives way (or is knocked); the view guard
follows. The error is the mean and the largest over time, of the picture's four corners, in px.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kiosk.game.view_guard import ViewGuard, ViewState
from models.drawing.cameras import Camera
from rules.errors import FairdealError
from vision.frame import Frame
from vision.scene.votes import corners_of
from vision.sources import open_source

FAULTS: dict[str, Callable[[Camera, float], np.ndarray]] = {
    "drift": Camera.drifted, "knock": Camera.knocked,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SlipScore:
    """Errors in px of the frame; `unheld_px`: the largest of a view that nobody holds.

    `moved_s`: for how long the view counted as moved, though it slipped only.
    """

    film: str
    mean_px: float
    largest_px: float
    unheld_px: float
    moved_s: float


def slip_score(film: Path, fault: str, seed: int) -> SlipScore:
    """Plays one film with a camera that slips. Raises FairdealError for a film that cannot be."""
    guard, held, unheld, moved_s, last = ViewGuard(), [], [], 0.0, 0.0
    for frame, view in _slipping(film, fault, seed):
        moved = guard.see(frame).state is not ViewState.STANDS
        moved_s, last = moved_s + moved * (frame.at - last), frame.at
        corners = corners_of((frame.height, frame.width))
        truth = _taken(corners, view)
        unheld.append(_apart(truth, corners))
        if not moved:
            held.append(_apart(truth, _taken(corners, guard.to_now)))
    worst, bare = max(held, default=0.0), max(unheld, default=0.0)
    return SlipScore(film.stem, float(np.mean(held or [0.0])), worst, bare, moved_s)


def _slipping(film: Path, fault: str, seed: int) -> Iterator[tuple[Frame, np.ndarray]]:
    """The frames of the film as that camera gives them, each with its view (2, 3)."""
    with open_source(str(film)) as source:
        camera = None
        while (frame := source.read()) is not None:
            camera = camera or Camera([fault], seed, (frame.width, frame.height))
            bgr = camera.film(frame.bgr, frame.at)
            yield Frame(bgr, frame.at, frame.number), FAULTS[fault](camera, frame.at)


def _taken(corners: np.ndarray, view: np.ndarray | None) -> np.ndarray:
    return corners if view is None else corners @ view[:, :2].T + view[:, 2]


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def main(argv: list[str]) -> int:
    """Prints a table. 2 for a film that cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m lab.cameras.slipping")
    parser.add_argument("films", nargs="+", type=Path)
    parser.add_argument("--fault", choices=FAULTS, default="drift")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    print("| film | error, mean | at worst | of a view not held | counted as moved |")
    print("|---|---|---|---|---|")
    try:
        for film in args.films:
            score = slip_score(film, args.fault, args.seed)
            print(
                f"| {score.film} | {score.mean_px:.2f} px | {score.largest_px:.1f} px "
                f"| {score.unheld_px:.1f} px | {score.moved_s:.1f} s |"
            )
    except FairdealError as error:
        print(f"slipping: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
