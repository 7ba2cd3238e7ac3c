"""Things that lie on tables and are no cards: mugs, sheets, score pads, coins, pens, cases."""

import copy
from collections.abc import Callable

import cv2
import numpy as np

from models.drawing.marks import draw_text, random_colour, random_word, whole_px

Draw = Callable[[np.random.Generator, np.ndarray, np.ndarray, float], None]


def draw_thing(
    rng: np.random.Generator, picture: np.ndarray, centre: np.ndarray, size: float
) -> None:
    """Draws a thing into `picture` (H, W, 3) uint8 in place; `size`: a card's length there, px."""
    kinds: tuple[Draw, ...] = (draw_mug, _case, _sheet, _sheet, _sheet, _coins, _pen, _note, _tile)
    kinds[int(rng.integers(len(kinds)))](rng, picture, np.asarray(centre, float), size)


def draw_card_like(
    rng: np.random.Generator, picture: np.ndarray, centre: np.ndarray, size: float
) -> None:
    """Draws what is flat and straight as cards are, but longer, larger or square: a phone, a blank
    sheet, a folded napkin, into `picture` in place."""
    at, angle = np.asarray(centre, float), float(rng.uniform(0, 180))
    kind = rng.integers(4)
    if kind < 2:
        draw_phone(rng, picture, at, size, float(angle))
    elif kind == 2:  # a sheet
        tone = rng.uniform(190, 252) - rng.uniform(0, 15, 3)
        shape = (size * rng.uniform(2.0, 3.4), size * rng.uniform(1.5, 2.4))
        _fill(picture, at, shape, angle, (int(tone[0]), int(tone[1]), int(tone[2])))
    else:  # a napkin, a coaster, folded once
        colour, side = random_colour(rng), size * rng.uniform(0.5, 1.3)
        _fill(picture, at, (side, side), angle, colour)
        if rng.random() < 0.5:
            _fill(picture, at, (side, side * 0.5), angle, _shade(colour, rng.uniform(0.85, 1.1)))


def draw_phone(
    rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float, angle: float = 0.0
) -> None:
    """Rounded, about twice as long as wide, with a screen that is dark or lit."""
    long = size * rng.uniform(0.9, 1.8)
    shape = np.array([long, long / rng.uniform(1.85, 2.25)])
    body = _shade((60, 60, 60), rng.uniform(0.3, 3.5)) if rng.random() < 0.7 else random_colour(rng)
    _fill_round(picture, at, shape, angle, 0.16, body)
    if rng.random() < 0.75:
        screen = (
            random_colour(rng) if rng.random() < 0.5 else _shade((24, 22, 20), rng.uniform(0.5, 2))
        )
        _fill_round(picture, at, shape * (0.97, 0.93), angle, 0.13, screen)
    else:  # its back, with lenses
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        lens = at + np.array([c, s]) * long * 0.38
        cv2.circle(
            picture, whole_px(lens), max(1, round(long * 0.05)), (25, 25, 25), -1, cv2.LINE_AA
        )


def _fill_round(
    picture: np.ndarray,
    at: np.ndarray,
    shape: np.ndarray,
    angle: float,
    round_part: float,
    colour: tuple[int, int, int],
) -> None:
    """A rectangle `shape` px with corners rounded by a part of its shorter side."""
    radius = float(shape.min()) * round_part
    t = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    points = np.stack([np.cos(t), np.sin(t)], 1)
    points = points * radius + np.sign(points + 1e-9) * (shape / 2 - radius)
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    points = points @ np.array([[c, s], [-s, c]]) + at
    cv2.fillPoly(picture, [np.array(points * 16, np.int32)], colour, cv2.LINE_AA, 4)


def thing_layer(rng: np.random.Generator, side: int, centre: np.ndarray, size: float) -> np.ndarray:
    """A thing alone: (side, side, 4) uint8 BGRA, to be put over what lies there."""
    again = copy.deepcopy(rng)
    on_black, on_white = (
        np.zeros((side, side, 3), np.uint8),
        np.full((side, side, 3), 255, np.uint8),
    )
    draw_thing(again, on_white, centre, size)
    draw_thing(rng, on_black, centre, size)
    clear = cv2.absdiff(on_white, on_black).max(2)
    return np.dstack([on_black, 255 - clear])


def draw_mug(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    """A mug from above, its side a little in view."""
    colour, r = random_colour(rng), size * rng.uniform(0.3, 0.6)
    lean = rng.normal(0, 0.25, 2) * r  # the camera sees some of its side
    away = _unit(rng)
    if rng.random() < 0.7:
        grip = max(2, round(r * 0.2))
        cv2.ellipse(
            picture,
            whole_px(at + away * r * 1.1),
            whole_px([r * 0.5, r * 0.35]),
            float(np.degrees(np.arctan2(away[1], away[0]))),
            0,
            360,
            colour,
            grip,
            cv2.LINE_AA,
        )
    for k in np.linspace(0, 1, 6):
        cv2.circle(
            picture,
            whole_px(at + lean * (1 - k)),
            round(r),
            _shade(colour, 0.6 + 0.3 * k),
            -1,
            cv2.LINE_AA,
        )
    cv2.circle(picture, whole_px(at), round(r), colour, -1, cv2.LINE_AA)
    inner = random_colour(rng) if rng.random() < 0.4 else (25, 35, 55)
    cv2.circle(picture, whole_px(at), round(r * 0.87), _shade(colour, 0.7), -1, cv2.LINE_AA)
    cv2.circle(
        picture,
        whole_px(at - lean * 0.1),
        round(r * rng.uniform(0.7, 0.85)),
        inner,
        -1,
        cv2.LINE_AA,
    )


def _coins(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    for _ in range(int(rng.integers(1, 7))):
        where, r = at + rng.normal(0, size * 0.4, 2), size * rng.uniform(0.06, 0.16)
        colour = random_colour(rng)
        cv2.circle(picture, whole_px(where), round(r), colour, -1, cv2.LINE_AA)
        cv2.circle(picture, whole_px(where), round(r * 0.8), _shade(colour, 0.8), 1, cv2.LINE_AA)


def _case(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    """A case for glasses, a phone, a remote control: long and rounded."""
    along, colour = _unit(rng) * size * rng.uniform(0.25, 0.6), random_colour(rng)
    width = size * rng.uniform(0.25, 0.5)
    for k in (1.0, 0.75, 0.4):
        cv2.line(
            picture,
            whole_px(at - along),
            whole_px(at + along),
            _shade(colour, 1.3 - 0.4 * k),
            max(1, round(width * k)),
            cv2.LINE_AA,
        )


def _pen(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    along, width = (
        _unit(rng) * size * rng.uniform(0.5, 0.9),
        max(1, round(size * rng.uniform(0.04, 0.09))),
    )
    cv2.line(
        picture, whole_px(at - along), whole_px(at + along), random_colour(rng), width, cv2.LINE_AA
    )
    cv2.line(
        picture,
        whole_px(at + along),
        whole_px(at + along * 1.15),
        (30, 30, 30),
        max(1, width // 2),
        cv2.LINE_AA,
    )


def _note(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    _fill(picture, at, (size * 0.6, size * 0.6), float(rng.uniform(0, 180)), random_colour(rng))


def _tile(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    """A mat, a tray, a folded cloth: much larger than a card."""
    shape = (size * rng.uniform(2, 3.2), size * rng.uniform(1.6, 2.4))
    angle, colour = float(rng.uniform(0, 180)), random_colour(rng)
    _fill(picture, at, shape, angle, colour)
    if rng.random() < 0.5:
        _fill(
            picture,
            at,
            (shape[0] * 0.9, shape[1] * 0.86),
            angle,
            _shade(colour, rng.uniform(0.6, 1.4)),
        )


def _sheet(rng: np.random.Generator, picture: np.ndarray, at: np.ndarray, size: float) -> None:
    """A sheet of paper: text in columns, a score pad, a form, seldom blank."""
    h, w = 150, round(150 * rng.uniform(0.65, 1.5))
    tone = rng.uniform(200, 252)
    sheet = np.full((h, w, 3), (tone * rng.uniform(0.85, 1), tone, tone), np.uint8)
    ink = random_colour(rng) if rng.random() < 0.25 else (45, 45, 50)
    (_text, _text, _grid, _form)[int(rng.integers(4))](rng, sheet, ink)
    long = size * rng.uniform(1.5, 3.2) if rng.random() < 0.85 else size * rng.uniform(0.6, 1.0)
    box = cv2.boxPoints(
        (
            (float(at[0]), float(at[1])),
            (long * w / max(h, w), long * h / max(h, w)),
            float(rng.uniform(0, 360)),
        )
    )
    m = cv2.getPerspectiveTransform(np.array([[0, h], [0, 0], [w, 0], [w, h]], np.float32), box)
    cv2.warpPerspective(
        sheet, m, picture.shape[1::-1], picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT
    )


def _text(rng: np.random.Generator, sheet: np.ndarray, ink: tuple[int, int, int]) -> None:
    h, w = sheet.shape[:2]
    columns, step = int(rng.integers(1, 4)), int(rng.integers(4, 12))
    thick, wide = max(1, round(step * rng.uniform(0.2, 0.6))), (w - 12) / columns
    for column in range(columns):
        x0, x1 = 8 + column * wide, (column + 1) * wide
        for y in range(8, h - 6, step):
            x = x0
            end = x1 if rng.random() < 0.8 else x0 + (x1 - x0) * rng.random()
            while x < end - 3:
                to = min(end, x + rng.uniform(3, 24))
                cv2.line(sheet, whole_px([x, y]), whole_px([to, y]), ink, thick)
                x = to + rng.uniform(2, 5)


def _grid(rng: np.random.Generator, sheet: np.ndarray, ink: tuple[int, int, int]) -> None:
    h, w = sheet.shape[:2]
    rows, columns = int(rng.integers(3, 12)), int(rng.integers(2, 7))
    for k in range(rows + 1):
        cv2.line(sheet, (0, k * h // rows), (w, k * h // rows), (150, 140, 140), 1)
    for k in range(columns + 1):
        cv2.line(sheet, (k * w // columns, 0), (k * w // columns, h), (150, 140, 140), 1)
    seed, size = int(rng.integers(99)), min(h / rows, w / columns) * 0.55
    for cell in range(rows * columns):
        if rng.random() < 0.65:
            row, column = divmod(cell, columns)
            middle = (column + 0.5) * w / columns, (row + 0.5) * h / rows
            draw_text(sheet, str(rng.integers(100)), middle, size, ink, seed)


def _form(rng: np.random.Generator, sheet: np.ndarray, ink: tuple[int, int, int]) -> None:
    """Lines to write on, with some words and boxes."""
    h, w = sheet.shape[:2]
    for y in range(10, h - 5, int(rng.integers(8, 22))):
        if rng.random() < 0.5:
            cv2.line(
                sheet, (8, y), (int(rng.integers(w // 3, w - 6)), y), ink, int(rng.integers(1, 4))
            )
        elif rng.random() < 0.6:
            draw_text(sheet, random_word(rng), (w / 2, y), 9, ink, int(rng.integers(99)))
        else:
            x = int(rng.integers(8, w - 20))
            cv2.rectangle(sheet, (x, y - 4), (x + 12, y + 4), ink, 1)


def _fill(
    picture: np.ndarray,
    at: np.ndarray,
    shape: tuple[float, float],
    angle: float,
    colour: tuple[int, int, int],
) -> None:
    box = cv2.boxPoints(((float(at[0]), float(at[1])), shape, angle))
    cv2.fillPoly(picture, [np.array(box * 16, np.int32)], colour, cv2.LINE_AA, 4)


def _unit(rng: np.random.Generator) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def _shade(colour: tuple[int, int, int], by: float) -> tuple[int, int, int]:
    b, g, r = (int(min(255, c * by)) for c in colour)
    return b, g, r
