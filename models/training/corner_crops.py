"""Training crops for the corner network: a card about where a locator has it, or none."""

import cv2
import numpy as np

from models.crop import COARSE, FINE, HEIGHT, WIDTH, inner_quad
from models.drawing.hands import draw_hand
from models.drawing.scene import Laid, lay, put
from models.training.crops import (
    Errors,
    FaceBank,
    Scene,
    damage,
    empty_scene,
    jitter,
    lay_other,
)

COARSE_ERRORS = Errors(COARSE, 0.2, 0.09, 0.15, 0.03)
FINE_ERRORS = Errors(FINE, 0.025, 0.014, 0.018, 0.01)
ASTRAY = 0.2  # of the crops: no card where one is supposed


def draw_corner_crop(rng: np.random.Generator, bank: FaceBank) -> tuple[np.ndarray, np.ndarray]:
    """A crop (HEIGHT, WIDTH, 3) uint8 and (9,) float32: its card's corners from the crop's
    top-left clockwise, as parts of the crop, and 1 where a card lies about where it is supposed."""
    errors = COARSE_ERRORS if rng.random() < 0.55 else FINE_ERRORS
    errors = errors.times(float(rng.choice([0.3, 1.0, 1.5])))
    scene = empty_scene(rng, bank, HEIGHT / (1 + 2 * errors.margin))
    label = int(rng.integers(len(bank.faces)))
    quad = jitter(rng, inner_quad(margin=errors.margin), errors)
    is_astray = rng.random() < ASTRAY
    lies = _astray(rng, quad, scene.length) if is_astray else quad
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        away = rng.normal(0, 0.35, 2)
        if not is_astray or np.hypot(*away) > 0.4:
            lay_other(rng, bank, label, away, scene)
    if not is_astray or rng.random() < 0.7:
        ups = np.roll(lies, 2, axis=0) if rng.random() < 0.5 else lies
        lay(scene.picture, Laid(bank.faces[label], ups), scene.light)
    kind = rng.random()
    if kind < 0.15:
        _cascade(rng, bank, label, scene)
    elif kind < 0.5:
        reach = rng.uniform(0.35, 0.6) if rng.random() < 0.3 else rng.uniform(0.6, 1.0)
        lay_other(rng, bank, label, _direction(rng) * reach, scene)
    if rng.random() < 0.12:
        tip = np.array([WIDTH, HEIGHT]) / 2 + _direction(rng) * scene.length * rng.uniform(
            0.15, 0.6
        )
        hand = draw_hand(
            (HEIGHT, WIDTH), tip, _direction(rng), scene.length * rng.uniform(0.7, 1.1), rng
        )
        put(scene.picture, hand, scene.light, scene.length * 0.15)
    crop = damage(rng, scene)
    if rng.random() < 0.07:
        _cut_off(rng, crop)
    want = np.append((quad / [WIDTH, HEIGHT]).ravel(), 0.0 if is_astray else 1.0)
    return crop, want.astype(np.float32)


def _cascade(rng: np.random.Generator, bank: FaceBank, label: int, scene: Scene) -> None:
    """Cards laid over the card in a row, which leave a strip of it."""
    along = np.array([[0.0, 1.0], [0.0, -1.0], [0.7, 0.0], [-0.7, 0.0]][int(rng.integers(4))])
    step = rng.uniform(0.25, 0.6)
    for k in range(1, int(rng.integers(2, 5))):
        lay_other(rng, bank, label, along * step * k + rng.normal(0, 0.02, 2), scene, 0.06)


def _direction(rng: np.random.Generator) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _astray(rng: np.random.Generator, quad: np.ndarray, length: float) -> np.ndarray:
    """A card that is not where the crop supposes one: turned, shifted, or of another size."""
    centre = quad.mean(0)
    kind = rng.integers(3)
    if kind == 0:
        angle = rng.uniform(0.65, np.pi - 0.65)
        c, s = np.cos(angle), np.sin(angle)
        moved = (quad - centre) @ np.array([[c, s], [-s, c]]) + centre
    elif kind == 1:
        moved = quad + _direction(rng) * rng.uniform(0.5, 0.9) * length
    else:
        moved = (quad - centre) * np.exp(rng.uniform(0.5, 0.9, 2) * rng.choice([-1, 1])) + centre
    return moved.astype(np.float32)


def _cut_off(rng: np.random.Generator, crop: np.ndarray) -> None:
    """The frame ends across the crop: nothing but black lies beyond."""
    along, centre = _direction(rng), np.array([WIDTH, HEIGHT]) / 2
    out = np.array([-along[1], along[0]])
    at = centre + out * rng.uniform(0.12, 0.5) * HEIGHT
    far = 2 * HEIGHT
    beyond = [
        at - along * far,
        at + along * far,
        at + along * far + out * far,
        at - along * far + out * far,
    ]
    cv2.fillConvexPoly(crop, np.round(beyond).astype(np.int32), (0, 0, 0))
