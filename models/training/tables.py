"""Training pictures for the locator: random tables with random cards, and where the cards are."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.drawing.faces import draw_back, draw_face, random_design, twin
from models.drawing.hands import draw_hand
from models.drawing.scene import Laid, expose, lay, put, random_light, visible_parts
from models.drawing.tables import draw_table
from models.drawing.things import draw_thing, thing_layer

LABELLED = 0.22  # a card of which less can be seen is not asked for


@dataclass(frozen=True, slots=True)
class Bank:
    """Drawn cards and tables to choose from, so that a picture costs milliseconds."""

    decks: tuple[tuple[np.ndarray, ...], ...]
    backs: tuple[np.ndarray, ...]
    tables: tuple[np.ndarray, ...]


def make_bank(rng: np.random.Generator, decks: int, tables: int, size: int) -> Bank:
    """Draws `decks` decks of six faces with a back each, and `tables` tables of 1.5 × `size` px."""
    all_faces, backs = [], []
    for _ in range(decks):
        design = random_design(rng)
        designs = [design] + [twin(twin(design, rng), rng) for _ in range(5)]
        all_faces.append(tuple(draw_face(d, 224) for d in designs))
        backs.append(draw_back(rng, design, 224))
    big = round(size * 1.5)
    return Bank(
        tuple(all_faces), tuple(backs), tuple(draw_table(rng, big, big) for _ in range(tables))
    )


def draw_training_picture(
    rng: np.random.Generator, bank: Bank, size: int
) -> tuple[np.ndarray, np.ndarray]:
    """One picture (size, size, 3) uint8 and the quads (N, 4, 2) px of the cards to be found."""
    table = bank.tables[rng.integers(len(bank.tables))]
    off = rng.integers(0, table.shape[0] - size + 1, 2)
    picture = table[off[0] : off[0] + size, off[1] : off[1] + size]
    picture = np.ascontiguousarray(np.rot90(picture, int(rng.integers(4))))
    length = float(np.exp(rng.uniform(np.log(0.055 * size), np.log(0.6 * size))))
    light = random_light(rng, length)
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 2, 3]))):
        draw_thing(rng, picture, rng.uniform(0, size, 2), length * rng.uniform(0.7, 1.2))
    cards = _layout(rng, bank, size, length)
    scene = picture.astype(np.float32)
    for card in cards:
        lay(scene, card, light, float(rng.uniform(0.7, 1.6)))
    cover = np.zeros((size, size), bool)
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        tip = (
            rng.uniform(0, size, 2)
            if not cards
            else cards[rng.integers(len(cards))].quad.mean(0) + rng.normal(0, length * 0.4, 2)
        )
        angle = rng.uniform(0, 2 * np.pi)
        hand = draw_hand(
            (size, size),
            np.array(tip, np.float32),
            np.array([np.cos(angle), np.sin(angle)], np.float32),
            length * rng.uniform(0.7, 1.1),
            rng,
        )
        put(scene, hand, light, length * 0.15)
        cover |= hand[..., 3] > 127
    if cards and rng.random() < 0.12:  # something was laid on a card
        under = cards[int(rng.integers(len(cards)))].quad.mean(0)
        layer = thing_layer(rng, size, under + rng.normal(0, length * 0.7, 2), length)
        put(scene, layer, light, length * 0.05)
        cover |= layer[..., 3] > 127
    picture = expose(scene, light, rng)
    if rng.random() < 0.04:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if not cards:
        return picture, np.zeros((0, 4, 2), np.float32)
    quads = np.stack([c.quad for c in cards]).astype(np.float32)
    seen = visible_parts(quads, (size, size), cover)
    return picture, quads[seen >= LABELLED]


def _layout(rng: np.random.Generator, bank: Bank, size: int, length: float) -> list[Laid]:
    """Cards alone, in piles, fans, rows and half over each other, of one or two decks."""
    deck = int(rng.integers(len(bank.decks)))
    tilt = rng.uniform(0, 0.45, 2) * rng.choice([-1, 1], 2)
    lens = rng.normal(0, 0.03)
    cards: list[Laid] = []
    groups = int(rng.choice([0, 1, 2, 3, 4, 6, 8], p=[0.04, 0.14, 0.18, 0.2, 0.18, 0.14, 0.12]))
    for _ in range(groups):
        if rng.random() < 0.08:
            deck = int(rng.integers(len(bank.decks)))
        centre = rng.uniform(0.02, 0.98, 2) * size
        kind = rng.choice(["one", "pile", "fan", "row", "half"], p=[0.32, 0.26, 0.12, 0.18, 0.12])
        n = 1 if kind == "one" else 2 if kind == "half" else int(rng.integers(2, 7))
        turn = rng.uniform(0, 2 * np.pi)
        along, step = _row(rng, turn, length)
        for k in range(n):
            back = rng.random() < 0.18
            face = bank.backs[deck] if back else bank.decks[deck][rng.integers(6)]
            at, a = centre, turn
            if kind == "pile":
                at, a = centre + rng.normal(0, length * 0.1, 2), turn + rng.normal(0, 0.5)
            elif kind == "fan":
                a = turn + (k - n / 2) * 0.22
                at = centre + length * 0.8 * np.array([np.sin(a), -np.cos(a)])
            elif kind == "row":
                at, a = centre + along * step * k, turn + rng.normal(0, 0.05)
            elif kind == "half":
                at = centre + k * length * 0.5 * np.array(
                    [np.sin(turn), -np.cos(turn)]
                ) * rng.choice([-1, 1])
                a = turn + rng.choice([0, np.pi / 2, 0.1]) * k
            cards.append(Laid(face, _quad(face, at, a, length, size, tilt, lens)))
    return cards


def _row(rng: np.random.Generator, turn: float, length: float) -> tuple[np.ndarray, float]:
    """Direction and step in px of a row of cards: a cascade of strips, side by side, or anyhow."""
    kind = rng.random()
    angle = turn + np.pi / 2 * int(rng.integers(4)) if kind < 0.75 else rng.uniform(0, 2 * np.pi)
    step = rng.uniform(0.18, 0.55) if kind < 0.55 else rng.uniform(0.15, 1.15)
    return np.array([np.cos(angle), np.sin(angle)]), step * length


def _quad(
    face: np.ndarray,
    at: np.ndarray,
    angle: float,
    length: float,
    size: int,
    tilt: np.ndarray,
    lens: float,
) -> np.ndarray:
    """A card's corners under a tilted camera with a little lens distortion."""
    h, w = face.shape[:2]
    half = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / h * length / 2
    c, s = np.cos(angle), np.sin(angle)
    p = (half @ np.array([[c, s], [-s, c]]) + at - size / 2) / (size / 2)
    p = p / (1 + 0.5 * (p @ tilt))[:, None]
    p = p * (1 + lens * (p**2).sum(1, keepdims=True))
    return (p * size / 2 + size / 2).astype(np.float32)
