"""Which pushed cameras are noticed, and which still ones are called moved, on drawn tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from lab.cameras import synthetic
from vision import mat
from vision.scene import shift_estimate, view_shift

TABLE = mat.MATS["table"]
PX_PER_MM = 2.0
SIZE = (960, 540)
LEAST_PX = 8.0  # of a picture 1280 px wide: what a push moves at least, some 5 mm on the table
FRAMES_S = 0.5


def count_moved(cameras: int, kept: Callable[[str, Callable[[], object]], object]) -> Counter:
    """Noticed and missed pushes, and false calls on tables at rest while cards come and go."""
    counts: Counter = Counter()
    for seed in range(cameras):
        ground = "with a mat" if seed % 2 else "plain cloth"
        push = kept(f"pushed {seed}", partial(is_called, seed, True))
        rest = kept(f"resting {seed}", partial(is_called, seed, False))
        counts[f"{ground}, noticed" if push else f"{ground}, missed"] += 1
        counts[f"{ground}, false" if rest else f"{ground}, left alone"] += 1
    return counts


def section(counts: Counter) -> list[str]:
    """The part of the report, in Markdown."""
    lines = [
        "", "## A camera that is moved while a game runs", "",
        "Drawn tables for 4.5 s, a card laid and one taken every 1.5 s; the camera is pushed by 8 "
        "to 80 px (of 1280) and turned by up to 1°. The plain cloth has a cup, a box or a coin in "
        "each corner and nothing else to hold on to but the cards.", "",
        "| table | pushes noticed within 3 s | missed | at rest, left alone | called wrongly |",
        "|---|---|---|---|---|",
    ]  # fmt: skip
    for ground in ("with a mat", "plain cloth"):
        row = [counts[f"{ground}, {what}"] for what in ("noticed", "missed", "left alone", "false")]
        lines.append(f"| {ground} | " + " | ".join(map(str, row)) + " |")
    return lines


def is_called(seed: int, push: bool) -> bool:
    """Four seconds of a table, pushed after the first second; every other table has a mat."""
    rng = np.random.default_rng(7000 + seed)
    lens = synthetic.random_lens(rng, *SIZE)
    table = mat.picture(TABLE, PX_PER_MM) if seed % 2 else _cloth(rng)
    rotation, shift = _pose(lens, rng)
    places = rng.uniform((60, 60), (560, 300), (8, 2))
    watch, at = None, 0.0
    pose = (rotation, shift)
    for number in range(10):
        at = number * FRAMES_S
        if push and number == 3:
            pose = _pushed(lens, rotation, shift, rng)
        # A card comes with every third frame, and one is taken.
        cards = places[max(0, number // 3 - 1) : 4 + number // 3]
        frame = _seen(table, cards, lens, pose, rng)
        watch = (
            view_shift.Watch(shift_estimate.reference(frame), anew=True, anew_at=at)
            if watch is None
            else view_shift.look(watch, frame, at)
        )
        if watch.moved_px is not None:
            return not push or at <= 3 * FRAMES_S + 3.0
    return False


def _cloth(rng: np.random.Generator) -> np.ndarray:
    """A plain table with a cup, a box and some coins at its edge."""
    out = np.full((900, 1400), int(rng.integers(60, 160)), np.uint8)
    for x, y in ((90, 90), (1310, 120), (120, 800), (1290, 790)):
        cv2.circle(out, (x, y), int(rng.integers(25, 60)), int(rng.integers(20, 240)), -1)
        cv2.rectangle(out, (x - 15, y - 10), (x + 40, y + 8), int(rng.integers(20, 240)), -1)
    return out


def _pose(lens: synthetic.Lens, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    tilt = float(rng.uniform(-25, 25))
    rotation, _ = synthetic.look_at(np.zeros(2), 1.0, (0.0, tilt), float(rng.uniform(-5, 5)))
    distance = max(lens.fx * 700 / (0.85 * lens.width), lens.fy * 450 / (0.85 * lens.height))
    middle = np.array([350.0, 225.0])
    spot = np.array([0.5, 0.5]) * SIZE
    return rotation, synthetic.aim(rotation, middle, lens, spot, distance + 225 * abs(np.sin(tilt)))


def _pushed(
    lens: synthetic.Lens, rotation: np.ndarray, shift: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The pose after a push that moves the table's middle by 8 to 80 px (of 1280)."""
    way = np.exp(rng.uniform(np.log(LEAST_PX), np.log(80))) * SIZE[0] / 1280
    angle = rng.uniform(0, 2 * np.pi)
    turn = cv2.Rodrigues(np.array([0, 0, np.radians(rng.uniform(-1, 1))]))[0]
    step = way * shift[2] / lens.fx
    moved_by = np.array([np.cos(angle) * step, np.sin(angle) * step, 0.0])
    return turn @ rotation, turn @ shift + moved_by


def _seen(
    table: np.ndarray, cards: np.ndarray, lens: synthetic.Lens,
    pose: tuple[np.ndarray, np.ndarray], rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """The table with cards of 63×88 mm at `cards` (N, 2) mm, (H, W) uint8."""
    texture = table.copy()
    for x, y in np.round(cards * PX_PER_MM).astype(int):
        cv2.rectangle(texture, (x, y), (x + 126, y + 176), 250, -1)
        cv2.circle(texture, (x + 63, y + 88), 40, int(20 + (x * 7 + y) % 150), -1)
        cv2.putText(texture, str(x % 9), (x + 8, y + 40), 0, 1.2, 30, 3)
    picture = synthetic.view(texture, PX_PER_MM, (0.0, 0.0), lens, synthetic.rays(lens), *pose)
    return synthetic.spoil(
        picture, rng, float(rng.uniform(1, 4)), 0.6, float(rng.uniform(0.8, 0.9))
    )
