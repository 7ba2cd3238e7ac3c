"""Pictures for tuning the locator: processes draw them while another one trains."""

import os
import threading
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import cv2
import numpy as np

from models.training.locator import label_of
from models.training.tables import draw_training_picture, make_bank

PER_BANK = 400  # pictures drawn before new decks and tables are drawn
DECKS, TABLES = 24, 16  # of a bank
HELD = 1200  # drawn pictures kept at hand, each shown up to SHOWN times
SHOWN = 3
SENT = 8  # pictures a process sends together
AHEAD = 4  # batches that must be at hand

Picture = tuple[np.ndarray, np.ndarray]  # (size, size, 3) uint8 BGR, and its rows (see rows_of)


def rows_of(quads: np.ndarray, size: int) -> np.ndarray:
    """Quads (N, 4, 2) px as rows (N, 5) of x, y, w, h in parts of `size` and the angle in radians,
    w the longer side; what lies outside the picture is cut off first."""
    from ultralytics.utils.ops import xyxyxyxy2xywhr

    words = [line.split()[1:] for line in (label_of(quad, size) for quad in quads) if line]
    return xyxyxyxy2xywhr(np.array(words, np.float32).reshape(-1, 8)).astype(np.float32)


def turned(picture: np.ndarray, rows: np.ndarray, way: int) -> Picture:
    """The square picture in one of its eight ways (turns by 90°, mirrored from 4 on)."""
    rows = rows.copy()
    if way & 4:
        picture = picture[:, ::-1]
        rows[:, 0], rows[:, 4] = 1 - rows[:, 0], -rows[:, 4]
    for _ in range(way & 3):  # to the left
        picture = np.rot90(picture)
        rows[:, 0], rows[:, 1] = rows[:, 1], 1 - rows[:, 0].copy()
        rows[:, 4] -= np.pi / 2
    rows[:, 4] = (rows[:, 4] + np.pi / 4) % np.pi - np.pi / 4
    return picture, rows


@dataclass(slots=True)
class _Held:
    """A picture at hand, its rows, and how often it was shown."""

    picture: np.ndarray
    rows: np.ndarray
    shown: int = 0


class Supply:
    """Pictures at hand, those shown least first; `workers` processes draw them."""

    def __init__(self, seed: int, size: int, workers: int = 1) -> None:
        context = get_context("spawn")
        self._queue = context.Queue(4 * workers)
        self._processes = [
            context.Process(target=_draw_forever, args=(self._queue, (seed, k), size), daemon=True)
            for k in range(workers)
        ]
        for process in self._processes:
            process.start()
        self._rng = np.random.default_rng([seed, 2])
        self._held: list[_Held] = []
        self._changed = threading.Condition()
        self.drawn = 0
        threading.Thread(target=self._read_forever, daemon=True).start()

    def batch(self, count: int) -> list[Picture]:
        """`count` pictures; those shown before are turned or mirrored at random."""
        with self._changed:
            self._changed.wait_for(lambda: self._shows_left() >= AHEAD * count)
            order = self._rng.permutation(len(self._held))
            chosen = sorted(order, key=lambda i: self._held[i].shown)[:count]
            made = [self._shown(self._held[i]) for i in chosen]
            self._held = [one for one in self._held if one.shown < SHOWN]
        return made

    def close(self) -> None:
        """Ends the drawing processes."""
        for process in self._processes:
            process.terminate()
            process.join()

    def _shows_left(self) -> int:
        return sum(SHOWN - one.shown for one in self._held)

    def _shown(self, one: _Held) -> Picture:
        way = int(self._rng.integers(8)) if one.shown else 0
        one.shown += 1
        return turned(one.picture, one.rows, way)

    def _read_forever(self) -> None:
        while True:
            pictures = self._queue.get()
            with self._changed:
                self._held += [_Held(*one) for one in pictures]
                self._held = sorted(self._held, key=lambda one: one.shown)[:HELD]
                self.drawn += len(pictures)
                self._changed.notify()


def _draw_forever(out: Any, seed: tuple[int, int], size: int) -> None:
    """Puts lists of pictures into the queue `out` until the process is ended."""
    cv2.setNumThreads(1)
    os.nice(2)
    rng = np.random.default_rng([seed[0], 1, seed[1]])
    while True:
        bank = make_bank(rng, DECKS, TABLES, size)
        for _ in range(PER_BANK // SENT):
            drawn = [draw_training_picture(rng, bank, size) for _ in range(SENT)]
            out.put([(picture, rows_of(quads, size)) for picture, quads in drawn])
