"""Backs that repeat a small pattern: the pattern also fits one period further."""

import numpy as np

from models.drawing.faces import outline_mask
from models.drawing.marks import draw_text, random_colour, random_word

PATTERNS = ("dots", "checks", "stripes", "hatch", "words")
RIM = 0.4  # backs that have a plain rim


def repeating_back(rng: np.random.Generator, h: int, w: int, pattern: str = "") -> np.ndarray:
    """A back (h, w, 4) of one of the PATTERNS, 8 to 22 periods wide."""
    pattern = pattern or str(rng.choice(PATTERNS))
    paper, ink = random_colour(rng), random_colour(rng)
    while sum(abs(a - b) for a, b in zip(paper, ink, strict=True)) < 120:
        ink = random_colour(rng)
    period = w / rng.uniform(8, 22)
    back = np.full((h, w, 3), paper, np.uint8)
    at = np.stack(np.meshgrid(np.arange(w), np.arange(h)), -1) / period
    turn = rng.uniform(0, np.pi) if pattern in ("stripes", "hatch") else 0.0
    u = at @ np.array([np.cos(turn), np.sin(turn)]) % 1 - 0.5
    v = at @ np.array([-np.sin(turn), np.cos(turn)]) % 1 - 0.5
    if pattern == "words":
        _write(rng, back, ink, period)
    else:
        marks = {"dots": np.hypot(u, v) < 0.3, "checks": (u < 0) ^ (v < 0), "stripes": u < 0,
                 "hatch": np.minimum(abs(u), abs(v)) < 0.12}  # fmt: skip
        back[marks[pattern]] = ink
    mask = outline_mask(h, w, "card", 0)
    if rng.random() < RIM:
        inner = outline_mask(h, w, "card", round(w * rng.uniform(0.02, 0.06)))
        back[inner < 128] = (245, 245, 245)
    return np.dstack([back, mask])


def _write(
    rng: np.random.Generator, back: np.ndarray, ink: tuple[int, int, int], period: float
) -> None:
    """Fills the back (H, W, 3) with one word, line by line, each line shifted; in place."""
    h, w = back.shape[:2]
    word, size = random_word(rng), max(period * 1.4, 16.0)
    shift = rng.uniform(0.2, 0.8)
    wide = size * 2.2
    for row in range(int(h / (size * 1.1)) + 2):
        for column in range(-1, int(w / wide) + 2):
            middle = ((column + shift * row % 1) * wide, row * size * 1.1)
            draw_text(back, word, middle, size, ink, 4)
