"""Drawn photographs of several cards laid in rows, with known order and corners."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lab.evaluation.teaching_cards import HEIGHT, TeachingDeck, draw_teaching_deck
from lab.evaluation.teaching_pictures import TABLES, any_light, visible_table
from models.crop import rectangle
from models.deck import Deck
from models.drawing.marks import random_colour
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, expose, lay

Image = npt.NDArray[np.uint8]
Quad = npt.NDArray[np.float32]
Range = tuple[float, float]

SIZES = ((1600, 1200), (2016, 1512), (1920, 1080), (1200, 1600))  # px, W × H of a picture
LAYOUTS = ((3, 3), (2, 4), (3, 4), (2, 3), (4, 4), (1, 5))  # rows, cards in a row
GAP = 0.14, 0.45  # of a card's width, between two cards
ROW_GAP = 0.1, 0.3  # of a card's height, between two rows
FINGER = 0.25, 0.4  # both where people lay them a finger apart
MISSING = 0.12  # share of the places, behind a row's first, that stay empty
JITTER = 0.03  # of the width, of a card's place
LEAN = np.radians(2.5)  # of a single card
BOW = 0.12  # of the height, by which a row may be bowed
ROLL, TILT = np.radians(6), np.radians(8)  # of the camera
FILLS = 0.8, 0.92  # of the picture
TOUCHING = 0.1  # share of pictures in which two cards touch


@dataclass(frozen=True, slots=True, eq=False)
class RowPicture:
    """A photograph of cards in rows. faces (N,) in reading order; quads (N, 4, 2) px of their
    reference rectangles; touching: numbers of the cards that touch another one."""

    faces: tuple[str, ...]
    bgr: Image
    quads: Quad
    touching: frozenset[int]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RowDeck:
    """The photographs of one deck."""

    deck: TeachingDeck
    pictures: tuple[RowPicture, ...]


def draw_row_decks(seed: int, decks: int, pictures: int = 2, first: int = 0) -> Iterator[RowDeck]:
    """The decks from number `first` on, with `pictures` photographs each, of different faces."""
    for number in range(first, first + decks):
        yield draw_row_deck(seed, number, pictures)


def draw_row_deck(seed: int, number: int, pictures: int = 2) -> RowDeck:
    """The deck of that number: outline, style and table follow from the number."""
    rng = np.random.default_rng([seed, 17, number])
    rows, columns = LAYOUTS[number % len(LAYOUTS)]
    deck = draw_teaching_deck(rng, number, rows * columns * pictures)
    table, colour = TABLES[(number + number // len(TABLES)) % len(TABLES)], random_colour(rng)
    size = SIZES[int(rng.integers(len(SIZES)))]
    names, drawn = list(deck.faces), []
    for k in range(pictures):
        own = names[k * rows * columns : (k + 1) * rows * columns]
        drawn.append(_picture(rng, deck, own, (rows, columns), table, colour, size))
    return RowDeck(deck, tuple(drawn))


def _picture(
    rng: np.random.Generator, deck: TeachingDeck, names: Sequence[str], layout: tuple[int, int],
    table: str, colour: tuple[int, int, int], size: tuple[int, int],
) -> RowPicture:  # fmt: skip
    flat, is_touching = lay_out(rng, deck.aspect, layout)
    quads = seen_by_camera(rng, flat, size)
    faces = tuple(names[: len(quads)])
    arts = [deck.faces[face] for face in faces]
    top = visible_table(rng, table, colour, size, arts[0], quads[0])
    light, kind = any_light(rng, quads[0])
    scene = top.astype(np.float32)
    for art, quad in zip(arts, quads, strict=True):
        lay(scene, Laid(art, quad), light)
    touching = frozenset(is_touching) if deck.outline in ("card", "square") else frozenset()
    notes = (f"table {table}", f"light {kind}", f"outline {deck.outline}", f"art {deck.style}",
             f"rows of {layout[1]}", *(["touching"] if touching else []))  # fmt: skip
    return RowPicture(faces, expose(scene, light, rng), quads, touching, notes)


def lay_out(
    rng: np.random.Generator,
    aspect: float,
    layout: tuple[int, int],
    missing: float = MISSING,
    touching: float = TOUCHING,
    gaps: tuple[Range, Range] = (GAP, ROW_GAP),
) -> tuple[npt.NDArray[np.float64], list[int]]:
    """Cards of width 1 laid in rows by hand, (N, 4, 2) in reading order, and those that touch.
    missing: share of the places that stay empty; touching: chance that two cards touch; gaps:
    least and most between cards of a row, and between rows."""
    rows, columns = layout
    gap, row_gap = rng.uniform(*gaps[0]), rng.uniform(*gaps[1]) * aspect
    bow = rng.uniform(-BOW, BOW) * aspect / 2
    wants_touching = rng.random() < touching
    cards: list[npt.NDArray[np.float64]] = []
    joined: list[int] = []
    for row in range(rows):
        shift = rng.uniform(0, 0.5) * gap
        for column in range(columns):
            if column and rng.random() < missing:
                continue
            place = column - (columns - 1) / 2
            x = column * (1 + gap) + shift + rng.normal(0, JITTER)
            y = row * (aspect + row_gap) + bow * (place / columns) ** 2 * 4
            lean = rng.normal(0, LEAN)
            if wants_touching and not joined and column:
                right = cards[-1][:, 0].max()
                x, lean, y = right + 0.5, 0.0, float(cards[-1][:, 1].mean())
                joined = [len(cards) - 1, len(cards)]
            c, s = np.cos(lean), np.sin(lean)
            corners = rectangle(1, aspect).astype(np.float64) - [0.5, aspect / 2]
            cards.append(corners @ np.array([[c, s], [-s, c]]) + [x, y + rng.normal(0, JITTER)])
    return np.stack(cards), joined


def seen_by_camera(
    rng: np.random.Generator, flat: npt.NDArray[np.float64], size: tuple[int, int]
) -> Quad:
    """Cards of a table's plane as a hand-held camera sees them: (N, 4, 2) px of a picture."""
    points = flat.reshape(-1, 2) - (flat.reshape(-1, 2).min(0) + flat.reshape(-1, 2).max(0)) / 2
    roll, tilt, towards = rng.normal(0, ROLL), abs(rng.normal(0, TILT)), rng.uniform(0, 2 * np.pi)
    c, s = np.cos(roll), np.sin(roll)
    points = points @ np.array([[c, s], [-s, c]]) / np.abs(points).max()
    along = np.array([np.cos(towards), np.sin(towards)])
    depth = points @ along * np.sin(tilt)
    points = points - np.outer((points @ along) * (1 - np.cos(tilt)), along)
    points = points / (1 + depth / 2.6)[:, None]
    low, high = points.min(0), points.max(0)
    scale = float((np.array(size) * rng.uniform(*FILLS) / (high - low)).min())
    middle = np.array(size) / 2 - scale * (low + high) / 2
    return (points * scale + middle).reshape(-1, 4, 2).astype(np.float32)


def photographed(
    deck: Deck, names: Sequence[str], layout: tuple[int, int], seed: int, size: tuple[int, int],
    table: str = "walnut",
) -> RowPicture:  # fmt: skip
    """Cards of a deck, at most rows × columns, laid in full rows, a finger apart, photographed."""
    rng = np.random.default_rng([seed, 29])
    arts = [face_picture(deck, name, HEIGHT) for name in names]
    aspect = arts[0].shape[0] / arts[0].shape[1]
    flat, _ = lay_out(rng, aspect, layout, missing=0.0, touching=0.0, gaps=(FINGER, FINGER))
    quads = seen_by_camera(rng, flat[: len(names)], size)
    top = visible_table(rng, table, random_colour(rng), size, arts[0], quads[0])
    light, kind = any_light(rng, quads[0])
    scene = top.astype(np.float32)
    for art, quad in zip(arts, quads, strict=True):
        lay(scene, Laid(art, quad), light)
    notes = (f"table {table}", f"light {kind}")
    return RowPicture(tuple(names), expose(scene, light, rng), quads, frozenset(), notes)
