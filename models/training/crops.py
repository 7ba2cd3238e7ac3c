"""Training crops: one card, cut out as the eyes would, with others about it and camera damage."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.crop import HEIGHT, MARGIN, WIDTH, inner_quad
from models.drawing.faces import draw_back, draw_face, random_design, twin
from models.drawing.scene import Laid, Light, expose, lay, random_light
from models.drawing.tables import draw_table
from models.drawing.things import draw_thing

FAMILY = 4


@dataclass(frozen=True, slots=True)
class FaceBank:
    """Faces in families of near twins: faces[i] belongs to family i // FAMILY."""

    faces: tuple[np.ndarray, ...]
    tables: tuple[np.ndarray, ...]


def make_face_bank(rng: np.random.Generator, families: int, tables: int = 60) -> FaceBank:
    """Draws `families` × FAMILY faces, 224 px high, and the tables that they lie on."""
    faces: list[np.ndarray] = []
    for _ in range(families):
        design = random_design(rng)
        faces.append(draw_face(design, 224))
        if rng.random() < 0.15:
            faces.extend(
                [
                    draw_back(rng, design, 224),
                    draw_face(twin(design, rng), 224),
                    draw_face(twin(design, rng), 224),
                ]
            )
        else:
            faces.extend(draw_face(twin(design, rng), 224) for _ in range(FAMILY - 1))
    return FaceBank(tuple(faces), tuple(_strewn_table(rng) for _ in range(tables)))


def _strewn_table(rng: np.random.Generator) -> np.ndarray:
    """A table, (400, 400, 3), most with things on it."""
    table = draw_table(rng, 400, 400)
    for _ in range(int(rng.choice([0, 4, 8]))):
        draw_thing(rng, table, rng.uniform(0, 400, 2), rng.uniform(70, 120))
    return table


@dataclass(frozen=True, slots=True)
class Errors:
    """How far a crop's quad is off, standard deviations: turn (radians), shift, size and each
    corner by itself (parts of the card's length)."""

    margin: float
    turn: float
    shift: float
    size: float
    corner: float

    def times(self, k: float) -> "Errors":
        """The same errors, `k` times as large."""
        return Errors(self.margin, self.turn * k, self.shift * k, self.size * k, self.corner * k)


NAMER_ERRORS = Errors(MARGIN, 0.03, 0.012, 0.016, 0.008)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A crop in the making: picture (HEIGHT, WIDTH, 3) float32, drawn on in place, its light, and
    the length in px that a card is supposed to have."""

    picture: np.ndarray
    light: Light
    length: float


def empty_scene(rng: np.random.Generator, bank: FaceBank, length: float) -> Scene:
    """A piece of a table in some light."""
    table = bank.tables[rng.integers(len(bank.tables))]
    y, x = rng.integers(0, 400 - HEIGHT), rng.integers(0, 400 - HEIGHT)
    piece = np.ascontiguousarray(
        np.rot90(table[y : y + HEIGHT, x : x + HEIGHT], int(rng.integers(4)))
    )
    light = random_light(rng, length)
    light = replace(light, jpeg=None, glare=light.glare if rng.random() < 0.5 else None)
    return Scene(
        cv2.resize(np.ascontiguousarray(piece), (WIDTH, HEIGHT)).astype(np.float32), light, length
    )


def draw_crop(
    rng: np.random.Generator, bank: FaceBank, label: int, errors: Errors
) -> tuple[np.ndarray, np.ndarray]:
    """A crop (HEIGHT, WIDTH, 3) uint8 and the true corners in it (4, 2), as parts of its size."""
    scene = empty_scene(rng, bank, HEIGHT / (1 + 2 * errors.margin))
    quad = jitter(rng, inner_quad(margin=errors.margin), errors)
    for _ in range(int(rng.choice([0, 0, 1, 2, 3]))):
        lay_other(rng, bank, label, rng.normal(0, 0.25, 2), scene)
    lay(scene.picture, Laid(bank.faces[label], quad), scene.light)
    if rng.random() < 0.45:
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.45, 1.0)
        lay_other(rng, bank, label, away, scene)
    return damage(rng, scene), (quad / [WIDTH, HEIGHT]).astype(np.float32)


def damage(rng: np.random.Generator, scene: Scene) -> np.ndarray:
    """The crop as a camera gives it, (HEIGHT, WIDTH, 3) uint8: small, lit, blurred, noisy."""
    picture = scene.picture
    small = min(1.0, float(np.exp(rng.uniform(np.log(45), np.log(300)))) / scene.length)
    if small < 1:
        size = round(WIDTH * small), round(HEIGHT * small)
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    jpeg = int(rng.integers(40, 97)) if rng.random() < 0.5 else None
    crop = expose(picture, replace(scene.light, jpeg=jpeg), rng)
    return cv2.resize(crop, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)


def jitter(rng: np.random.Generator, quad: np.ndarray, errors: Errors) -> np.ndarray:
    """The corners moved as a locator errs: shift, size, turn, and each corner by itself."""
    length = HEIGHT / (1 + 2 * errors.margin)
    centre = quad.mean(0)
    a = rng.normal(0, errors.turn)
    c, s = np.cos(a), np.sin(a)
    stretch = np.exp(rng.normal(0, errors.size, 2))
    out = (quad - centre) * stretch @ np.array([[c, s], [-s, c]])
    out = out + centre + rng.normal(0, errors.shift * length, 2)
    return (out + rng.normal(0, errors.corner * length, (4, 2))).astype(np.float32)


def lay_other(
    rng: np.random.Generator,
    bank: FaceBank,
    label: int,
    away: np.ndarray,
    scene: Scene,
    turn: float = 0.5,
) -> None:
    """Lays another card, mostly of the same deck, `away` card lengths from the crop's middle,
    turned by about `turn` radians."""
    family = label // FAMILY
    pick = (
        family * FAMILY + int(rng.integers(FAMILY))
        if rng.random() < 0.6
        else int(rng.integers(len(bank.faces)))
    )
    face = bank.faces[pick]
    width = scene.length * face.shape[1] / face.shape[0]
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, scene.length / 2]
    angle = rng.normal(0, turn) + np.pi * rng.integers(2)
    c, s = np.cos(angle), np.sin(angle)
    centre = np.array([WIDTH / 2, HEIGHT / 2]) + away * scene.length
    quad = (half @ np.array([[c, s], [-s, c]]) + centre).astype(np.float32)
    lay(scene.picture, Laid(face, quad), scene.light)
