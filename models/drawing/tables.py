"""Table tops and the things that lie on them, drawn; a table fills the whole picture."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.drawing.marks import random_colour

KINDS = ("wood", "felt", "cloth", "stone", "plain", "carpet", "tiles", "print", "rug", "folds")


def noise(rng: np.random.Generator, h: int, w: int, cells: tuple[int, int]) -> np.ndarray:
    """Smooth noise (h, w) float32 within ±1, of so many cells down and across."""
    n = rng.uniform(-1, 1, (max(2, cells[0]), max(2, cells[1]))).astype(np.float32)
    return cv2.resize(n, (w, h), interpolation=cv2.INTER_CUBIC)


def draw_table(rng: np.random.Generator, h: int, w: int, kind: str | None = None,
               colour: tuple[int, int, int] | None = None) -> np.ndarray:  # fmt: skip
    """A table top, (H, W, 3) uint8 BGR, of `kind` (one of KINDS; any if None)."""
    kind = kind or str(rng.choice(KINDS))
    base = np.array(colour or _table_colour(rng, kind), np.float32)
    big = int(np.hypot(h, w)) + 4
    yy, xx = np.mgrid[0:big, 0:big].astype(np.float32)
    tone = np.zeros((big, big), np.float32)
    picture = np.empty((big, big, 3), np.float32)
    picture[:] = base
    top = _Top(rng, big, base, tone, picture, xx, yy)
    pattern = _PATTERNS.get(kind)
    bend = pattern(top) if pattern else None
    if bend is not None and rng.random() < 0.4:
        _figure(top, bend)
    if kind in ("felt", "carpet", "cloth", "folds"):
        n = rng.normal(0, 1, (big, big)).astype(np.float32)
        tone += (0.03 if kind != "carpet" else 0.25) * cv2.GaussianBlur(
            n, (0, 0), 0.8 if kind != "carpet" else 1.3
        )
    tone += rng.uniform(0, 0.1) * noise(rng, big, big, (6, 6))
    picture *= (1 + tone)[..., None]
    turn = cv2.getRotationMatrix2D((big / 2, big / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += np.array([(w - big) / 2, (h - big) / 2])
    return np.clip(
        cv2.warpAffine(picture, turn, (w, h), borderMode=cv2.BORDER_REFLECT), 0, 255
    ).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _Top:
    """A table top under way: (big, big) px; patterns change `tone` and `picture` in place."""

    rng: np.random.Generator
    big: int
    base: np.ndarray
    tone: np.ndarray
    picture: np.ndarray
    xx: np.ndarray
    yy: np.ndarray

    def noise(self, down: int, across: int) -> np.ndarray:
        """Smooth noise over the whole top."""
        return noise(self.rng, self.big, self.big, (down, across))


def _wood(top: _Top) -> np.ndarray:
    """Grain, and boards at times. Returns how the grain bends (big, big) px."""
    rng, big = top.rng, top.big
    bend = top.noise(4, 3) * big * 0.03
    for f, a in ((rng.uniform(20, 60), 0.12), (rng.uniform(80, 200), 0.1)):
        line = rng.uniform(-1, 1, int(f)).astype(np.float32)
        grain = cv2.resize(line[:, None], (1, big), interpolation=cv2.INTER_CUBIC)[:, 0]
        top.tone[:] += a * grain[np.clip(top.yy + bend, 0, big - 1).astype(np.int32)]
    if rng.random() < 0.6:
        board = big / rng.uniform(3, 9)
        top.tone[(top.yy % board) < max(1, big * 0.003)] -= 0.45
    return bend


def _figure(top: _Top, bend: np.ndarray) -> None:
    """Strong figure in wood, along its bent grain."""
    rng, big = top.rng, top.big
    line = rng.uniform(-1, 1, int(rng.uniform(60, 160))).astype(np.float32)
    grain = cv2.resize(line[:, None], (1, big), interpolation=cv2.INTER_CUBIC)[:, 0]
    streak = top.noise(60, 8)
    at = np.clip(top.yy + bend + 6 * streak, 0, big - 1).astype(np.int32)
    top.tone[:] += rng.uniform(0.15, 0.5) * grain[at] * (0.5 + 0.5 * streak)


def _cloth(top: _Top) -> None:
    """Checks, dots, stripes or spots of a second colour."""
    rng, big, xx, yy, picture = top.rng, top.big, top.xx, top.yy, top.picture
    p = big * rng.uniform(0.01, 0.12)
    other = np.array(random_colour(rng), np.float32)
    look = rng.integers(4)
    if look == 0:
        on = ((xx // p) % 2) + ((yy // p) % 2)
        picture[:] += (other - top.base) * (on[..., None] / 2)
    elif look == 1:
        picture[np.hypot(xx % p - p / 2, yy % p - p / 2) < p * rng.uniform(0.15, 0.4)] = other
    elif look == 2:
        picture[np.sin(xx * 2 * np.pi / p) > rng.uniform(-0.5, 0.8)] = other
    else:
        picture[(top.noise(24, 24) > 0.25)] = other


def _stone(top: _Top) -> None:
    vein = np.abs(top.noise(5, 5) + 0.4 * top.noise(19, 19))
    top.tone[:] -= np.exp(-vein * 30) * top.rng.uniform(0.1, 0.5) - 0.06 * top.noise(60, 60)


def _tiles(top: _Top) -> None:
    p = top.big * top.rng.uniform(0.12, 0.4)
    joint = np.minimum(top.xx % p, top.yy % p) < top.big * 0.008
    top.tone[joint] -= top.rng.uniform(0.2, 0.5)
    top.tone[:] += 0.12 * top.noise(40, 40)


def _rug(top: _Top) -> None:
    """Tufts and pebbles, as coarse and as strong as a card's print."""
    rng, big = top.rng, top.big
    for sigma in big * rng.uniform((0.001, 0.004), (0.003, 0.012)):
        tuft = cv2.GaussianBlur(rng.normal(0, 1, (big, big)).astype(np.float32), (0, 0), sigma)
        top.tone[:] += rng.uniform(0.08, 0.3) * tuft / max(float(tuft.std()), 1e-6)


def _folds(top: _Top) -> None:
    rng, big = top.rng, top.big
    deep = noise(rng, big, big, (int(rng.integers(4, 14)), int(rng.integers(4, 14))))
    slope = np.clip(cv2.Sobel(deep, -1, 1, 1) * big / 12, -0.6, 0.6)
    top.tone[:] += rng.uniform(0.3, 0.9) * slope


_PATTERNS: dict[str, Callable[[_Top], np.ndarray | None]] = {
    "wood": _wood, "cloth": _cloth, "print": _cloth, "stone": _stone, "tiles": _tiles,
    "rug": _rug, "folds": _folds,
}  # fmt: skip


def _table_colour(rng: np.random.Generator, kind: str) -> tuple[float, float, float]:
    if kind == "wood":
        t = rng.uniform(0.25, 1.1)
        return 90 * t * rng.uniform(0.5, 1.1), 130 * t, 180 * t
    if kind in ("stone", "plain", "tiles") and rng.random() < 0.7:
        v = rng.uniform(25, 240)
        return v * rng.uniform(0.88, 1.05), v, v * rng.uniform(0.92, 1.05)
    return random_colour(rng)
