"""Tables on which cards are hard to see: gingham, planks, slate, dotted cloth, white, dark.

The simulated table and the drawn decks stay with `tables.py`; these are for the locator.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from models.drawing.marks import random_colour, whole_px
from models.drawing.tables import noise

HARD_KINDS = ("gingham", "planks", "slate", "dotted", "white", "dark", "marble")


Colour = Sequence[float] | np.ndarray  # B, G, R, 0 to 255


def draw_hard_table(rng: np.random.Generator, side: int, kind: str | None = None) -> np.ndarray:
    """A table top, (side, side, 3) uint8 BGR, of `kind` (one of HARD_KINDS; any if None)."""
    kind = kind or str(rng.choice(HARD_KINDS))
    big = int(side * 1.42) + 4
    draw = {"gingham": _gingham, "planks": _planks, "slate": _slate, "dotted": _dotted,
            "white": _white, "dark": _dark, "marble": _marble}  # fmt: skip
    picture = draw[kind](rng, big)
    angle = float(rng.choice([0, 90, rng.uniform(0, 360), rng.uniform(0, 360)]))
    turn = cv2.getRotationMatrix2D((big / 2, big / 2), angle, 1.0)
    turn[:, 2] += np.array([(side - big) / 2] * 2)
    turned = cv2.warpAffine(picture, turn, (side, side), borderMode=cv2.BORDER_REFLECT)
    return np.clip(turned, 0, 255).astype(np.uint8)


def _plain(colour: Colour, big: int) -> np.ndarray:
    picture = np.empty((big, big, 3), np.float32)
    picture[:] = np.array(colour, np.float32)
    return picture


def _soft(rng: np.random.Generator, big: int, sigma: float, strength: float) -> np.ndarray:
    """Noise of one size, (big, big, 1), about 0."""
    cells = max(4, min(big, round(big / sigma)))
    noise = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return strength * cv2.resize(noise, (big, big), interpolation=cv2.INTER_CUBIC)[..., None]


def _gingham(rng: np.random.Generator, big: int) -> np.ndarray:
    """Bands both ways, half as strong where one is alone; the weave shows."""
    ground, band = np.array(random_colour(rng), np.float32), np.array(random_colour(rng))
    if rng.random() < 0.7:
        ground = np.full(3, rng.uniform(215, 250), np.float32)
    period = big * rng.uniform(0.015, 0.12)
    part = rng.uniform(0.4, 0.6)
    along = (np.arange(big) % period < period * part).astype(np.float32)
    if rng.random() < 0.3:  # tartan: thin lines between
        along = np.maximum(along, (np.arange(big) % (period * 2) < period * 0.15) * 0.8)
    both = (along[:, None] + along[None]) / 2
    picture = _plain(ground, big)
    picture += (band - ground) * both[..., None]
    return picture * (1 + _soft(rng, big, 1.5, 0.03))


def _planks(rng: np.random.Generator, big: int) -> np.ndarray:
    """Boards of unlike tones with long streaks and dark joints: pine to walnut."""
    light = rng.uniform(0.18, 1.15)
    colour = np.array([rng.uniform(70, 130), rng.uniform(120, 160), 190], np.float32) * light
    board = big * rng.uniform(0.06, 0.3)
    count = int(big / board) + 2
    tones = rng.normal(1, rng.uniform(0.02, 0.14), count).astype(np.float32)
    row = (np.arange(big) / board).astype(int)
    tone = np.repeat(tones[row][:, None], big, 1)
    for cells, most in (((round(big * 0.7), 6), 0.09), ((round(big * 0.09), 5), 0.1)):
        streaks = rng.normal(0, 1, cells).astype(np.float32)
        long = cv2.resize(streaks, (big, big), interpolation=cv2.INTER_CUBIC)
        tone += long * np.float32(rng.uniform(0.02, most))
    is_joint = np.arange(big) % board < max(1.0, big * rng.uniform(0.001, 0.004))
    tone[is_joint] *= rng.uniform(0.35, 0.8)
    return _plain(colour, big) * np.clip(tone, 0, 2)[..., None]


def _slate(rng: np.random.Generator, big: int) -> np.ndarray:
    """Grey stone in layers, blotched, with scratches."""
    value = rng.uniform(25, 110)
    picture = _plain(value * rng.uniform(0.9, 1.12, 3), big)
    for sigma, strength in ((60, 0.12), (18, 0.1), (5, 0.07), (1.5, 0.05)):
        picture *= 1 + _soft(rng, big, sigma, strength * rng.uniform(0.4, 1.5))
    for _ in range(int(rng.integers(0, 9))):
        a, b = rng.uniform(0, big, 2), rng.uniform(0, big, 2)
        cv2.line(picture, whole_px(a), whole_px(b), (value * 1.3,) * 3, 1, cv2.LINE_AA)
    return picture


def _dotted(rng: np.random.Generator, big: int) -> np.ndarray:
    """Dots of all sizes on plain cloth, in rows or anywhere."""
    picture = _plain(random_colour(rng), big)
    other = (245.0, 245.0, 245.0) if rng.random() < 0.6 else tuple(map(float, random_colour(rng)))
    step, spread = big * rng.uniform(0.025, 0.09), rng.choice([0.0, 0.15, 0.4])
    for y in np.arange(0, big, step):
        for x in np.arange(0, big, step):
            at = np.array([x, y]) + rng.normal(0, spread, 2) * step
            radius = step * rng.uniform(0.1, 0.4)
            cv2.circle(picture, whole_px(at), max(1, round(radius)), other, -1, cv2.LINE_AA)
    return picture * (1 + _soft(rng, big, 1.5, 0.02))


def _white(rng: np.random.Generator, big: int) -> np.ndarray:
    """White laminate, a sheet, a painted table: nearly as bright as paper."""
    picture = _plain(rng.uniform(200, 252) - rng.uniform(0, 25, 3), big)
    picture *= 1 + _soft(rng, big, big / 6, rng.uniform(0, 0.04))
    if rng.random() < 0.5:
        picture *= 1 + _soft(rng, big, 1.5, rng.uniform(0.005, 0.03))
    if rng.random() < 0.4:  # folds of a sheet
        deep = noise(rng, big, big, (int(rng.integers(3, 12)), int(rng.integers(3, 12))))
        fold = np.clip(cv2.Sobel(deep, -1, 1, 1) * big / 12, -0.6, 0.6)
        picture *= 1 + rng.uniform(0.05, 0.3) * fold[..., None]
    return picture


def _dark(rng: np.random.Generator, big: int) -> np.ndarray:
    """Black cloth, a playing mat, dark lacquer."""
    picture = _plain(rng.uniform(6, 55) * rng.uniform(0.8, 1.2, 3), big)
    picture *= 1 + _soft(rng, big, big / 5, 0.12)
    return picture * (1 + _soft(rng, big, 1.3, rng.uniform(0.02, 0.3)))


def _marble(rng: np.random.Generator, big: int) -> np.ndarray:
    """Veins that look like thin lines drawn on paper."""
    picture = _plain(rng.uniform(90, 245) * rng.uniform(0.92, 1.05, 3), big)
    field = noise(rng, big, big, (5, 5)) + 0.5 * noise(rng, big, big, (16, 16))
    field += 0.25 * noise(rng, big, big, (45, 45))
    veins = np.exp(-np.abs(field) * rng.uniform(15, 60)) * rng.uniform(0.1, 0.6)
    return picture * (1 - veins[..., None] + 0.05 * noise(rng, big, big, (60, 60))[..., None])
