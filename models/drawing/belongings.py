"""Cups and phones that people set down, move and take: pictures as cards have them."""

import cv2
import numpy as np

from models.drawing.steps import THING
from models.drawing.things import draw_mug, draw_phone

THINGS = ("cup", "phone")


def thing_picture(name: str, seed: int, height: int) -> np.ndarray:
    """A thing, (H, W, 4) uint8 BGRA; `height` px is what a card would have.

    `name`: THING and one of THINGS. The same seed gives the same thing.
    """
    kind = name.removeprefix(THING)
    side = height * 2
    layers = []
    for ground in (0, 255):
        rng = np.random.default_rng([seed, THINGS.index(kind), 8])
        picture = np.full((side, side, 3), ground, np.uint8)
        draw = draw_mug if kind == "cup" else draw_phone
        draw(rng, picture, np.array([side / 2, side / 2]), height * 0.9)
        layers.append(picture)
    clear = cv2.absdiff(layers[0], layers[1]).max(2)
    return np.dstack([layers[0], 255 - clear])
