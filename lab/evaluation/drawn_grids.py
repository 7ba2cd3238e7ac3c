"""Drawn decks whose backs repeat a pattern, laid in grids: it also fits astride two cards."""

from dataclasses import dataclass, replace

import numpy as np

from lab.evaluation.scoring import Truth
from lab.evaluation.sets import DrawnDeck, Item, Notes
from models.drawing.backs import repeating_back
from models.drawing.faces import differ, draw_face, random_design
from models.drawing.scene import Laid, expose, lay, random_light
from models.drawing.tables import draw_table
from models.training.layouts import View

FACE = 400  # px, the height of a drawn face
SIZE = 1280, 720  # px, W × H of a picture
MOST_GAIN = 1.1  # of the light; brighter bleaches the patterns


@dataclass(frozen=True, slots=True)
class GridShares:
    """Shares of a card's side, probabilities, and counts."""

    gap: tuple[float, float] = (0.0, 0.25)  # between neighbours
    roll: float = 0.05  # rad, standard deviation of the grid's rotation
    askew: float = 0.01  # standard deviation of each card's place
    turn: float = 0.012  # rad, standard deviation of each card's rotation
    back: float = 0.75  # cards that lie face down
    square: float = 0.6  # decks of square cards
    rows: tuple[int, int] = (2, 4)
    columns: tuple[int, int] = (3, 5)
    filled: float = 0.85  # of the picture, by the grid


SHARES = GridShares()


def draw_grid_deck(rng: np.random.Generator, faces: int = 5) -> DrawnDeck:
    """A deck of `faces` faces whose back repeats a small pattern."""
    aspect = 1.0 if rng.random() < SHARES.square else float(rng.uniform(1.25, 1.55))
    first = replace(random_design(rng), aspect=aspect, outline="card")
    drawn: list[np.ndarray] = []
    while len(drawn) < faces:
        design = replace(random_design(rng), aspect=aspect, outline="card", border=first.border)
        face = draw_face(design, FACE)
        if all(differ(face, known) for known in drawn):
            drawn.append(face)
    art = {f"face-{i}": face for i, face in enumerate(drawn)}
    art["back"] = repeating_back(rng, *drawn[0].shape[:2])
    h, w = drawn[0].shape[:2]
    return DrawnDeck(art, "card", h / w)


def drawn_grid(rng: np.random.Generator, deck: DrawnDeck, label: str, notes: Notes) -> Item:
    """A picture of SIZE of the deck's cards in rows and columns; `notes` is filled."""
    w, h = SIZE
    gap = float(rng.uniform(*SHARES.gap))
    places, height = _places(rng, deck.aspect, gap)
    view = View(w, height, rng.uniform(-0.15, 0.15, 2), float(rng.normal(0, 0.01)))
    light = random_light(rng, height)
    light = replace(light, gain=min(light.gain, MOST_GAIN))
    scene = draw_table(rng, h, w).astype(np.float32)
    names, truths = [face for face in deck.faces if face != "back"], []
    turn, above = rng.normal(0, SHARES.roll), np.array([0, (w - h) / 2], np.float32)
    c, s = np.cos(turn), np.sin(turn)
    hasty = min(1.0, gap * 10)  # cards that nearly touch are laid with care
    for place in places:
        face = "back" if rng.random() < SHARES.back else str(rng.choice(names))
        at = place @ np.array([[c, s], [-s, c]]) + w / 2
        at += rng.normal(0, SHARES.askew * height * hasty, 2)
        own = turn + rng.normal(0, SHARES.turn * hasty)
        quad = view.corners(deck.faces[face], at, own) - above
        lay(scene, Laid(deck.faces[face], quad), light)
        truths.append(Truth(quad, face, 1.0))
    notes[label] = ("touching" if gap < 0.03 else "apart", "square" if deck.aspect == 1 else "tall")
    return label, np.asarray(expose(scene, light, rng), np.uint8), truths


def _places(rng: np.random.Generator, aspect: float, gap: float) -> tuple[np.ndarray, float]:
    """Where the cards of a grid lie about its middle, (N, 2) px, and a card's height in px."""
    rows, columns = (int(rng.integers(a, b + 1)) for a, b in (SHARES.rows, SHARES.columns))
    step = (1 + gap) * np.array([1 / aspect, 1.0])  # in heights
    height = float((SHARES.filled * np.array(SIZE) / (step * [columns, rows])).min())
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    return (grid - [(columns - 1) / 2, (rows - 1) / 2]) * step * height, height
