"""Table tops and the things that lie on them, drawn; a table fills the whole picture."""

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
    if kind == "wood":
        bend = noise(rng, big, big, (4, 3)) * big * 0.03
        for f, a in ((rng.uniform(20, 60), 0.12), (rng.uniform(80, 200), 0.1)):
            line = rng.uniform(-1, 1, int(f)).astype(np.float32)
            grain = cv2.resize(line[:, None], (1, big), interpolation=cv2.INTER_CUBIC)[:, 0]
            tone += a * grain[np.clip(yy + bend, 0, big - 1).astype(np.int32)]
        if rng.random() < 0.6:
            board = big / rng.uniform(3, 9)
            tone[(yy % board) < max(1, big * 0.003)] -= 0.45
    elif kind in ("cloth", "print"):
        p = big * rng.uniform(0.01, 0.12)
        other = np.array(random_colour(rng), np.float32)
        look = rng.integers(4)
        if look == 0:
            on = ((xx // p) % 2) + ((yy // p) % 2)
            picture += (other - base) * (on[..., None] / 2)
        elif look == 1:
            picture[np.hypot(xx % p - p / 2, yy % p - p / 2) < p * rng.uniform(0.15, 0.4)] = other
        elif look == 2:
            picture[np.sin(xx * 2 * np.pi / p) > rng.uniform(-0.5, 0.8)] = other
        else:
            picture[(noise(rng, big, big, (24, 24)) > 0.25)] = other
    elif kind == "stone":
        vein = np.abs(noise(rng, big, big, (5, 5)) + 0.4 * noise(rng, big, big, (19, 19)))
        tone -= np.exp(-vein * 30) * rng.uniform(0.1, 0.5) - 0.06 * noise(rng, big, big, (60, 60))
    elif kind == "tiles":
        p = big * rng.uniform(0.12, 0.4)
        tone[np.minimum(xx % p, yy % p) < big * 0.008] -= rng.uniform(0.2, 0.5)
        tone += 0.12 * noise(rng, big, big, (40, 40))
    elif kind == "rug":  # tufts and pebbles, as coarse as a card's print and as strong
        for sigma in big * rng.uniform((0.001, 0.004), (0.003, 0.012)):
            tuft = cv2.GaussianBlur(rng.normal(0, 1, (big, big)).astype(np.float32), (0, 0), sigma)
            tone += rng.uniform(0.08, 0.3) * tuft / max(float(tuft.std()), 1e-6)
    elif kind == "folds":
        deep = noise(rng, big, big, (int(rng.integers(4, 14)), int(rng.integers(4, 14))))
        tone += rng.uniform(0.3, 0.9) * np.clip(cv2.Sobel(deep, -1, 1, 1) * big / 12, -0.6, 0.6)
    if kind == "wood" and rng.random() < 0.4:  # strongly figured
        line = rng.uniform(-1, 1, int(rng.uniform(60, 160))).astype(np.float32)
        grain = cv2.resize(line[:, None], (1, big), interpolation=cv2.INTER_CUBIC)[:, 0]
        streak = noise(rng, big, big, (60, 8))
        at = np.clip(yy + bend + 6 * streak, 0, big - 1).astype(np.int32)
        tone += rng.uniform(0.15, 0.5) * grain[at] * (0.5 + 0.5 * streak)
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


def _table_colour(rng: np.random.Generator, kind: str) -> tuple[float, float, float]:
    if kind == "wood":
        t = rng.uniform(0.25, 1.1)
        return 90 * t * rng.uniform(0.5, 1.1), 130 * t, 180 * t
    if kind in ("stone", "plain", "tiles") and rng.random() < 0.7:
        v = rng.uniform(25, 240)
        return v * rng.uniform(0.88, 1.05), v, v * rng.uniform(0.92, 1.05)
    return random_colour(rng)
