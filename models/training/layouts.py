"""How cards lie in a training picture: alone, in piles, fans, rows, grids, half over each other."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.drawing.fans import held_quad
from models.drawing.scene import Laid

GRID = 0.13  # pictures with cards laid out in rows and columns
TOUCHING = 0.4  # of these grids: cards that touch, or nearly
DOWN = (0.1, 0.95)  # of a grid: the share of its cards that lie face down
FANNED = 0.25  # pictures with fans and cascades of which narrow strips can be seen
BACK = 0.18  # cards that lie face down
LARGE = 0.35  # of the picture's side; of cards longer than that, at most three groups lie there

Place = tuple[np.ndarray, float]  # a card's centre, px, and its turn, radians


@dataclass(frozen=True, slots=True)
class View:
    """A tilted camera with a little lens distortion over a table of `size` px a side, with cards
    `length` px long. `tilt` (2,): how much nearer one side is; `lens`: of the distortion."""

    size: int
    length: float
    tilt: np.ndarray
    lens: float

    def corners(self, face: np.ndarray, at: np.ndarray, angle: float) -> np.ndarray:
        """The corners (4, 2) px of a face that lies at a place."""
        h, w = face.shape[:2]
        half = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / h * self.length / 2
        middle = self.size / 2
        p = (half @ _turn(angle) + at - middle) / middle
        p = p / np.maximum(1 + 0.5 * (p @ self.tilt), 0.35)[:, None]  # not behind the camera
        p = p * (1 + self.lens * (p**2).sum(1, keepdims=True))
        return (p * middle + middle).astype(np.float32)


def lay_out(
    rng: np.random.Generator,
    decks: tuple[tuple[np.ndarray, ...], ...],
    backs: tuple[np.ndarray, ...],
    deck: int,
    size: int,
    length: float,
) -> list[Laid]:
    """Cards of `deck` (seldom of another, too) as they lie on a table of `size` px, the lowest
    first; `decks` are faces (H, W, 4) BGRA, `backs` one for each deck."""
    view = View(size, length, rng.uniform(0, 0.45, 2) * rng.choice([-1, 1], 2), rng.normal(0, 0.03))
    gloss = float(rng.choice([0, rng.uniform(0.005, 0.03), rng.uniform(0.02, 0.06)]))
    cards: list[Laid] = []
    kind = rng.random()
    is_grid, is_fanned = kind < GRID, GRID <= kind < GRID + FANNED
    down = rng.uniform(*DOWN) if is_grid else BACK
    laid = _fanned(rng, view) if is_fanned else groups(rng, view)
    for group in [_grid(rng, decks[deck][0], view)] if is_grid else laid:
        if rng.random() < 0.08:
            deck = int(rng.integers(len(decks)))
        for at, angle in group:
            is_back = rng.random() < down
            face = backs[deck] if is_back else decks[deck][rng.integers(len(decks[deck]))]
            shown = _gloss(rng, face, gloss) if gloss else face
            cards.append(Laid(shown, view.corners(face, at, angle)))
    return cards


def groups(rng: np.random.Generator, view: View) -> Iterator[list[Place]]:
    """Groups of cards as they lie on a table: alone, piles, fans, rows, half over each other; the
    lowest card first."""
    count = int(rng.choice([0, 1, 2, 3, 4, 6, 8], p=[0.04, 0.14, 0.18, 0.2, 0.18, 0.14, 0.12]))
    if view.length > LARGE * view.size:
        count = min(count, int(rng.integers(1, 4)))
    for _ in range(count):
        centre, turn = rng.uniform(0.02, 0.98, 2) * view.size, rng.uniform(0, 2 * np.pi)
        kinds = (_one, _pile, _fan, _row, _half)
        kind = kinds[int(rng.choice(5, p=[0.32, 0.26, 0.12, 0.18, 0.12]))]
        yield kind(rng, centre, turn, view.length)


def _one(rng: np.random.Generator, centre: np.ndarray, turn: float, length: float) -> list[Place]:
    return [(centre, turn)]


def _pile(rng: np.random.Generator, centre: np.ndarray, turn: float, length: float) -> list[Place]:
    return [
        (centre + rng.normal(0, length * 0.1, 2), turn + rng.normal(0, 0.5))
        for _ in range(int(rng.integers(2, 7)))
    ]


def _fan(rng: np.random.Generator, centre: np.ndarray, turn: float, length: float) -> list[Place]:
    count, spread = int(rng.integers(2, 7)), rng.uniform(0.1, 0.32)
    turns = [turn + (k - count / 2) * spread for k in range(count)]
    return _about(centre, length * 0.8, turns)


def _about(pivot: np.ndarray, far: float, turns: list[float]) -> list[Place]:
    """Cards whose middles lie `far` px from a pivot, each turned with its place."""
    return [(pivot + far * np.array([np.sin(a), -np.cos(a)]), a) for a in turns]


def _fanned(rng: np.random.Generator, view: View) -> Iterator[list[Place]]:
    """Fans about a point below their cards, cascades and single cards; the lowest card first."""
    count = int(rng.integers(1, 5)) if view.length < LARGE * view.size else 1
    for _ in range(count):
        centre, turn = rng.uniform(0.1, 0.9, 2) * view.size, rng.uniform(0, 2 * np.pi)
        kind = rng.random()
        if kind < 0.55:
            yield _narrow_fan(rng, centre, turn, view.length)
        elif kind < 0.85:
            yield _cascade(rng, centre, turn, view.length)
        else:
            yield _one(rng, centre, turn, view.length)


def _narrow_fan(
    rng: np.random.Generator, centre: np.ndarray, turn: float, length: float
) -> list[Place]:
    """Cards that a hand lays down spread: to the right, or to the left."""
    count, far = int(rng.integers(3, 10)), length * rng.uniform(0.5, 1.4)
    spread = rng.uniform(0.08, 0.35) * rng.choice([-1, 1])
    pivot = centre - far * np.array([np.sin(turn), -np.cos(turn)])
    turns = [turn + (k - (count - 1) / 2) * spread + rng.normal(0, 0.025) for k in range(count)]
    return _about(pivot, far, turns)


def _cascade(
    rng: np.random.Generator, centre: np.ndarray, turn: float, length: float
) -> list[Place]:
    """Cards that overlap by most of their width or length, laid by hand."""
    angle = turn + np.pi / 2 * int(rng.integers(4)) + rng.normal(0, 0.1)
    along = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.13, 0.4) * length
    count = int(rng.integers(3, 9))
    return [
        (
            centre + along * (k - (count - 1) / 2) + rng.normal(0, 0.02, 2) * length,
            turn + rng.normal(0, 0.06),
        )
        for k in range(count)
    ]


def _row(rng: np.random.Generator, centre: np.ndarray, turn: float, length: float) -> list[Place]:
    """A cascade of strips, side by side, or anyhow."""
    kind = rng.random()
    angle = turn + np.pi / 2 * int(rng.integers(4)) if kind < 0.75 else rng.uniform(0, 2 * np.pi)
    step = rng.uniform(0.18, 0.55) if kind < 0.55 else rng.uniform(0.15, 1.15)
    along = np.array([np.cos(angle), np.sin(angle)]) * step * length
    count = int(rng.integers(2, 7))
    return [(centre + along * k, turn + rng.normal(0, 0.05)) for k in range(count)]


def _half(rng: np.random.Generator, centre: np.ndarray, turn: float, length: float) -> list[Place]:
    """Two, one half over the other, along or across."""
    along = np.array([np.sin(turn), -np.cos(turn)]) * rng.choice([-1, 1])
    second = turn + rng.choice([0, np.pi / 2, 0.1])
    return [(centre, turn), (centre + length * 0.5 * along, second)]


def _turn(angle: float) -> np.ndarray:
    """The matrix (2, 2) that turns points (N, 2), multiplied from the right, by `angle` radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]])


def held_fan(
    rng: np.random.Generator, faces: tuple[np.ndarray, ...], back: np.ndarray, view: View
) -> tuple[list[Laid], np.ndarray, np.ndarray]:
    """Cards that a hand holds at the picture's edge, the lowest first; where the hand holds them
    (x, y) px, and the unit vector (x, y) from there to the player."""
    side, along = int(rng.integers(4)), rng.uniform(0.1, 0.9)
    at = np.array([along, rng.uniform(0.72, 1.02)]) * view.size  # at the lower edge
    length, squash = view.length * rng.uniform(1.05, 1.3), rng.uniform(0.5, 0.95)
    count, spread = int(rng.integers(2, 9)), rng.uniform(4, 15)
    turn = _turn(np.pi / 2 * side + rng.normal(0, 0.25))
    middle = view.size / 2
    pivot = (at - middle) @ _turn(np.pi / 2 * side) + middle
    shows_faces, cards = rng.random() < 0.5, []
    for k in range(count):
        picture = faces[rng.integers(len(faces))] if shows_faces else back
        h, w = picture.shape[:2]
        degrees = (k - (count - 1) / 2) * spread + rng.normal(0, 1.2)
        quad = held_quad(np.zeros(2, np.float32), (length * w / h, length), degrees, squash)
        cards.append(Laid(picture, (quad @ turn + pivot).astype(np.float32)))
    return cards, pivot, np.array([0.0, 1.0]) @ turn


def _grid(rng: np.random.Generator, face: np.ndarray, view: View) -> list[Place]:
    """Rows and columns with narrow gaps or none."""
    is_touching = rng.random() < TOUCHING
    turn, sloppy = rng.normal(0, 0.15), 0.002 if is_touching else rng.choice([0.004, 0.02])
    if rng.random() < 0.25:
        turn = rng.uniform(0, 2 * np.pi)
    gaps = 1 + (rng.uniform(0.0, 0.02, 2) if is_touching else rng.uniform(0.02, 0.25, 2))
    step = np.array([face.shape[1] / face.shape[0], 1.0]) * gaps * view.length
    count = np.minimum(rng.integers([2, 2], [9, 6]), np.ceil(1.3 * view.size / step)).astype(int)
    along = _turn(turn)
    first = view.size / 2 + rng.normal(0, 0.12, 2) * view.size - ((count - 1) / 2 * step) @ along
    return [
        (
            first + (np.array([x, y]) * step) @ along + rng.normal(0, sloppy, 2) * view.length,
            turn + rng.normal(0, sloppy),
        )
        for y in range(count[1])
        for x in range(count[0])
        if rng.random() < 0.93
    ]


def _gloss(rng: np.random.Generator, face: np.ndarray, part: float) -> np.ndarray:
    """The face a little lighter or darker, and unevenly so: no two cards lie quite alike."""
    h, w = face.shape[:2]
    slope = rng.normal(0, part, 2)
    field = 1 + rng.normal(0, part) + slope[0] * np.linspace(-1, 1, h)[:, None]
    field = (field + slope[1] * np.linspace(-1, 1, w)[None]).astype(np.float32)
    lit = np.clip(face[..., :3] * field[..., None], 0, 255).astype(np.uint8)
    return np.dstack([lit, face[..., 3]])
