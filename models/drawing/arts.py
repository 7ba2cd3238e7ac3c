"""Faces by kind of art: pale lines, bold, photo-like, trading cards, plain; with any border.

`faces.py` draws decks of near twins for the namer; here the looks are drawn on which a locator
fails: cards of which little but a thin edge tells them from the table or from each other.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.drawing.faces import draw_face, outline_mask, random_design
from models.drawing.marks import draw_text, outline_part, random_colour, random_word, whole_px

ARTS = ("line", "bold", "photo", "trading", "plain")
BORDERS = ("none", "white", "dark")
OUTLINES = ("card", "square", "round", "bubble", "cut", "oval")

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What the faces of one deck share. `paper`, `ink` and `frame` are BGR, `border` a part of the
    card's width, `edge` the brightness of the cut edge (1: it cannot be seen)."""

    art: str
    border: str
    outline: str
    aspect: float
    paper: Colour
    ink: Colour
    frame: Colour
    border_width: float
    edge: float
    stroke: float


def random_look(rng: np.random.Generator, art: str, border: str, outline: str = "") -> Look:
    """A deck's look of the given kind; any outline, mostly a card's, if none is given."""
    outline = outline or str(rng.choice(OUTLINES, p=[0.74, 0.04, 0.05, 0.1, 0.04, 0.03]))
    aspect = float(rng.uniform(1.2, 1.65))
    if outline in ("square", "round"):
        aspect = 1.0
    elif outline == "bubble":
        aspect = float(rng.uniform(1.0, 1.4))
    paper = _paper(rng)
    return Look(
        art=art,
        border=border,
        outline=outline,
        aspect=aspect,
        paper=paper,
        ink=_ink(rng, paper, art),
        frame=random_colour(rng),
        border_width=float(rng.uniform(0.025, 0.09)),
        edge=float(rng.choice([1.0, rng.uniform(0.55, 0.97), rng.uniform(1.02, 1.15)])),
        stroke=float(rng.uniform(0.004, 0.012)),
    )


def draw_art(rng: np.random.Generator, look: Look, height: int = 224) -> np.ndarray:
    """A face of that look, upright. Returns (H, W, 4) uint8 BGRA; alpha is the outline."""
    h, w = height, round(height / look.aspect)
    face = np.empty((h, w, 3), np.uint8)
    face[:] = look.paper
    draw = {"line": _line, "bold": _bold, "photo": _photo, "trading": _trading, "plain": _plain}
    draw[look.art](rng, face, look)
    if look.border != "none":
        dark = (18, 18, 20) if sum(look.frame) % 3 else tuple(c // 6 for c in look.frame)
        colour = (248, 248, 248) if look.border == "white" else dark
        inner = outline_mask(h, w, look.outline, max(2, round(look.border_width * w)))
        face = np.where(inner[..., None] > 127, face, np.array(colour, np.uint8))
    outline = outline_mask(h, w, look.outline, 0)
    if look.edge != 1:
        rim = outline_mask(h, w, look.outline, max(1, round(0.008 * w))) < 128
        face[rim] = np.clip(face[rim] * look.edge, 0, 255).astype(np.uint8)
    return np.dstack([face, outline])


def _paper(rng: np.random.Generator) -> Colour:
    """White, or white with a breath of colour."""
    white = rng.uniform(228, 255)
    tint = rng.uniform(0, 22, 3) if rng.random() < 0.6 else np.zeros(3)
    b, g, r = (int(max(0, white - t)) for t in tint)
    return b, g, r


def _ink(rng: np.random.Generator, paper: Colour, art: str) -> Colour:
    """Pale for line art, mostly; else dark."""
    pale = rng.uniform(0.5, 0.88) if art == "line" and rng.random() < 0.75 else rng.uniform(0, 0.4)
    tint = rng.uniform(0.75, 1.1, 3)
    b, g, r = (int(np.clip(c * pale * t, 0, 255)) for c, t in zip(paper, tint, strict=True))
    return b, g, r


def _line(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    """Thin outlines about the middle, perhaps filled with a paler tone; small words."""
    h, w = face.shape[:2]
    middle = np.array([w / 2, h * rng.uniform(0.42, 0.58)])
    size = w * rng.uniform(0.35, 0.85)
    thick = max(1, round(look.stroke * w))
    tone = np.array(look.paper, float) * 0.75 + np.array(look.ink, float) * 0.25
    for part in range(int(rng.integers(1, 7))):
        shape = outline_part(rng) * size * (1 if part == 0 else 0.5)
        shift = np.zeros(2) if part == 0 else rng.uniform(-0.35, 0.35, 2) * size
        for side in (1, -1) if rng.random() < 0.4 else (1,):
            xy = np.array(((shape + shift) * [side, 1] + middle) * 16, np.int32)
            if rng.random() < 0.35:
                cv2.fillPoly(face, [xy], tone.tolist(), cv2.LINE_AA, 4)
            cv2.polylines(face, [xy], True, look.ink, thick, cv2.LINE_AA, 4)
    for _ in range(int(rng.integers(0, 4))):  # hatching, a hem, a string
        a = middle + rng.uniform(-0.4, 0.4, 2) * size
        b = a + rng.normal(0, 0.2, 2) * size
        cv2.line(face, whole_px(a), whole_px(b), look.ink, thick, cv2.LINE_AA)
    if rng.random() < 0.5:
        at = (w / 2 if rng.random() < 0.5 else w * 0.2, h * float(rng.choice([0.08, 0.92])))
        draw_text(face, random_word(rng), at, w * rng.uniform(0.03, 0.09), look.ink, 3)


def _plain(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    """Nothing, or one small mark or numeral."""
    h, w = face.shape[:2]
    if rng.random() < 0.35:
        face[:] = random_colour(rng)
    if rng.random() < 0.6:
        at = (w / 2, h / 2) if rng.random() < 0.5 else (w * 0.14, h * 0.1)
        draw_text(face, str(rng.integers(30)), at, w * rng.uniform(0.1, 0.4), look.ink, 5)


def _bold(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    h, w = face.shape[:2]
    design = replace(random_design(rng), aspect=h / w, outline="card", border=0.0)
    drawn = draw_face(design, h)[..., :3]
    face[:] = drawn if drawn.shape[1] == w else cv2.resize(drawn, (w, h))


def _photo(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    """Soft patches of all sizes, a horizon, shapes with soft light: a photograph or a painting."""
    h, w = face.shape[:2]
    dim = rng.uniform(0.35, 1.0)
    tone = np.empty((h, w, 3), np.float32)
    tone[:] = np.array(random_colour(rng), np.float32) * dim
    if rng.random() < 0.5:
        below = np.array(random_colour(rng), np.float32) * dim
        start = int(h * rng.uniform(0.25, 0.75))
        tone[start:] = below
        tone[:] = cv2.GaussianBlur(tone, (0, 0), max(1.0, h * rng.uniform(0.005, 0.08)))
    for cells, strength in ((5, 70), (13, 55), (34, 40), (80, 28)):
        noise = rng.uniform(-1, 1, (cells, cells, 3)).astype(np.float32)
        noise = noise * 0.4 + noise.mean(2, keepdims=True)
        tone += cv2.resize(noise, (w, h), interpolation=cv2.INTER_CUBIC) * strength * dim
    drawn = np.clip(tone, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(1, 4))):
        xy = outline_part(rng) * w * rng.uniform(0.2, 0.8) + rng.uniform(0.2, 0.8, 2) * [w, h]
        colour = np.array(random_colour(rng), float) * dim
        cv2.fillPoly(drawn, [np.array(xy * 16, np.int32)], colour.tolist(), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(drawn, (0, 0), max(0.5, w * 0.006))
    face[:] = np.clip(soft + rng.normal(0, 6, (h, w, 1)), 0, 255)


def _trading(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    """A frame with a picture above, a box of text below, and a line for the title."""
    h, w = face.shape[:2]
    face[:] = np.clip(np.array(look.frame) + rng.normal(0, 8, (h, w, 1)), 0, 255)
    x0, x1 = round(w * rng.uniform(0.06, 0.13)), round(w * rng.uniform(0.87, 0.94))
    y0, y1 = round(h * rng.uniform(0.07, 0.13)), round(h * rng.uniform(0.48, 0.62))
    picture = np.empty((y1 - y0, x1 - x0, 3), np.uint8)
    _photo(rng, picture, look)
    face[y0:y1, x0:x1] = picture
    top, bottom = round(h * rng.uniform(0.62, 0.66)), round(h * rng.uniform(0.86, 0.94))
    paper = np.array(look.frame) * 0.3 + np.array(_paper(rng)) * rng.uniform(0.4, 0.7)
    face[top:bottom, x0:x1] = np.clip(paper, 0, 255)
    ink = (30, 30, 30)
    for y in range(top + 5, bottom - 4, max(4, round(h * rng.uniform(0.03, 0.05)))):
        cv2.line(face, (x0 + 4, y), (int(rng.uniform(w * 0.4, x1 - 4)), y), ink, 1, cv2.LINE_AA)
    tone = (235, 235, 235) if sum(look.frame) < 380 else (20, 20, 20)
    draw_text(face, random_word(rng), (w * 0.35, h * 0.05), w * 0.06, tone, 7)
