"""Hands with sleeves that reach over the table, drawn from capsules: BGRA layers."""

import cv2
import numpy as np

from models.drawing.marks import random_colour, whole_px

SKINS = (
    (178, 204, 240),
    (140, 175, 225),
    (105, 145, 200),
    (70, 105, 165),
    (45, 70, 115),
    (35, 50, 85),
)


def draw_hand(shape: tuple[int, int], tip: np.ndarray, towards: np.ndarray, palm: float,
              rng: np.random.Generator) -> np.ndarray:  # fmt: skip
    """A hand whose fingers end near `tip`, its arm coming from the direction `towards` (x, y).

    `shape` is (H, W) px, `palm` the palm's width in px. Returns (H, W, 4) uint8 BGRA.
    """
    h, w = shape
    layer = np.zeros((h, w, 4), np.uint8)
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32) * rng.uniform(0.85, 1.1)
    d = np.array(towards, np.float32) / max(1e-6, float(np.linalg.norm(towards)))
    side = np.array([-d[1], d[0]], np.float32)
    wrist, palm_at = tip + d * palm * 2.0, tip + d * palm * 1.25

    far = tip + d * float(np.hypot(h, w)) * 1.2
    sleeve = random_colour(rng) if rng.random() < 0.75 else skin
    _capsule(layer, wrist, far, palm * 0.66, skin * 0.95)
    _capsule(
        layer,
        wrist + d * palm * rng.uniform(0.2, 1.5),
        far,
        palm * rng.uniform(0.85, 1.2),
        np.array(sleeve, np.float32),
    )
    _capsule(layer, palm_at, wrist, palm * 0.7, skin)
    cv2.circle(layer, whole_px(palm_at), round(palm * 0.5), _opaque(skin), -1, cv2.LINE_AA)
    spread = rng.uniform(0.05, 0.35)
    for k in range(4):
        root = palm_at + side * palm * (k - 1.5) * 0.26 - d * palm * 0.2
        out = -d + side * (k - 1.5) * spread * 0.5
        length = palm * (0.85 + 0.2 * (k in (1, 2))) * rng.uniform(0.7, 1.05)
        _capsule(layer, root, root + out * length, palm * 0.21, skin * rng.uniform(0.93, 1.03))
    thumb = palm_at + side * palm * 0.5 * rng.choice([-1, 1])
    _capsule(
        layer,
        palm_at + d * palm * 0.1,
        thumb - d * palm * rng.uniform(0.2, 0.6),
        palm * 0.24,
        skin * 0.97,
    )
    return layer


def _capsule(
    layer: np.ndarray, a: np.ndarray, b: np.ndarray, width: float, tone: np.ndarray
) -> None:
    """Draws a line from `a` to `b` with round ends, `width` px wide."""
    thick = max(1, round(width))
    cv2.line(layer, whole_px(a), whole_px(b), _opaque(tone), thick, cv2.LINE_AA)


def _opaque(tone: np.ndarray) -> tuple[float, float, float, float]:
    blue, green, red = (float(c) for c in np.clip(tone, 0, 255))
    return blue, green, red, 255.0
