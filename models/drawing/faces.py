"""Invented card faces for training: families of near twins in many styles, and card backs.

A face is drawn from a frozen `Design`; near twins share all of it but one thing (numeral, colour,
count, picture), as the cards of real decks do. Nothing here copies a published deck.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.drawing.marks import draw_picture, draw_text, random_colour, random_word

HEIGHT = 288  # px; enough for a crop of 160 px after all camera damage

TWIN_KINDS = ("index", "colour", "count", "picture", "suit", "caption", "turned")


@dataclass(frozen=True, slots=True)
class Design:
    """All that decides how a face looks. Colours are BGR, sizes parts of the card's width."""

    aspect: float
    outline: str
    border: float
    border_colour: tuple[int, int, int]
    ground: str
    ground_seed: int
    colours: tuple[tuple[int, int, int], ...]
    picture_seed: int
    picture_size: float
    count: int
    index: str
    index_size: float
    index_seed: int
    index_colour: tuple[int, int, int]
    index_places: str
    suit_seed: int
    caption: str
    upside: bool


def random_design(rng: np.random.Generator) -> Design:
    """A face's design, unlike any other but for chance."""
    # Mostly cards: a round one has no direction, and teaches a locator none.
    outline = rng.choice(["card", "square", "round", "bubble"], p=[0.82, 0.04, 0.05, 0.09])
    aspect = {"square": 1.0, "round": 1.0}.get(outline, float(rng.uniform(1.25, 1.65)))
    if outline == "bubble":
        aspect = float(rng.uniform(1.0, 1.4))
    colours = tuple(random_colour(rng) for _ in range(5))
    plain = rng.random() < 0.4
    border = 0.0 if rng.random() < 0.3 else float(rng.uniform(0.02, 0.1))
    light = rng.random()
    border_colour = (250, 250, 250) if light < 0.6 else (25, 25, 25) if light < 0.75 else colours[3]
    grounds = ["flat", "gradient", "rays", "stripes", "dots", "checks", "photo", "court", "court"]
    ground = "white" if plain else str(rng.choice(grounds))
    index = _random_index(rng)
    return Design(
        aspect=aspect,
        outline=str(outline),
        border=border,
        border_colour=border_colour,
        ground=ground,
        ground_seed=int(rng.integers(1 << 30)),
        colours=colours,
        picture_seed=int(rng.integers(1 << 30)),
        picture_size=float(rng.uniform(0.3, 0.75)),
        count=int(rng.choice([1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])) if plain else 1,
        index=index,
        index_size=float(rng.uniform(0.1, 0.26)),
        index_seed=int(rng.integers(1 << 30)),
        index_colour=(20, 20, 20) if rng.random() < 0.5 else random_colour(rng),
        index_places=str(rng.choice(["corners", "corners", "one", "centre", "none"])),
        suit_seed=int(rng.integers(1 << 30)),
        caption=random_word(rng) if rng.random() < 0.3 else "",
        upside=bool(rng.random() < 0.3),
    )


def _random_index(rng: np.random.Generator) -> str:
    kinds = ["number", "letter", "rank"]
    kind = rng.choice(kinds)
    if kind == "number":
        return str(rng.integers(1, 100 if rng.random() < 0.2 else 14))
    if kind == "letter":
        return chr(ord("A") + int(rng.integers(26)))
    return str(rng.choice([*"23456789JQKA", "10"]))


def twin(design: Design, rng: np.random.Generator) -> Design:
    """The same card but for one thing: its numeral, colour, count, picture, suit or word."""
    kind = rng.choice(TWIN_KINDS)
    if kind == "index":
        new = {"6": "9", "9": "6"}.get(design.index, _random_index(rng))
        places = "corners" if design.index_places == "none" else design.index_places
        return replace(design, index=new, index_places=places)
    if kind == "colour":
        return replace(
            design,
            colours=(random_colour(rng), *design.colours[1:]),
            index_colour=random_colour(rng),
        )
    if kind == "count" and design.ground == "white":
        return replace(design, count=int(rng.integers(1, 11)))
    if kind == "suit":
        return replace(design, suit_seed=int(rng.integers(1 << 30)))
    if kind == "caption":
        return replace(design, caption=random_word(rng))
    return replace(design, picture_seed=int(rng.integers(1 << 30)))


def draw_face(design: Design, height: int = HEIGHT) -> np.ndarray:
    """The face, upright. Returns (H, W, 4) uint8 BGRA; alpha is the card's outline."""
    h, w = height, round(height / design.aspect)
    face = _ground(design, h, w)
    _pictures(face, design)
    _indices(face, design)
    if design.border:
        b = max(2, round(design.border * w))
        inner = outline_mask(h, w, design.outline, b)
        face = np.where(inner[..., None] > 127, face, np.array(design.border_colour, np.uint8))
    return np.dstack([face, outline_mask(h, w, design.outline, 0)])


def draw_back(rng: np.random.Generator, design: Design, height: int = HEIGHT) -> np.ndarray:
    """A back in the outline of `design`: patterned, seldom plain. (H, W, 4) uint8 BGRA."""
    colours = tuple(random_colour(rng) for _ in range(5))
    look = replace(
        design,
        ground=str(rng.choice(["dots", "checks", "stripes", "rays", "flat", "gradient"])),
        ground_seed=int(rng.integers(1 << 30)),
        colours=colours,
        index_places="none",
        count=int(rng.choice([0, 1, 1, 4])),
        picture_seed=int(rng.integers(1 << 30)),
        caption=random_word(rng) if rng.random() < 0.5 else "",
        border=design.border or float(rng.uniform(0.0, 0.08)),
    )
    return draw_face(look, height)


def outline_mask(h: int, w: int, kind: str, inset: int) -> np.ndarray:
    """A card's outline of `kind`, drawn in by `inset` px: (H, W) uint8, 255 inside."""
    mask = np.zeros((h, w), np.uint8)
    if kind == "round":
        cv2.ellipse(
            mask,
            (w // 2, h // 2),
            (w // 2 - inset, h // 2 - inset),
            0,
            0,
            360,
            255,
            -1,
            cv2.LINE_AA,
        )
    elif kind == "bubble":
        t = np.linspace(0, 2 * np.pi, 120, endpoint=False)
        wobble = 0.47 + 0.03 * np.cos(6 * t) + 0.012 * np.cos(9 * t + 1)
        r = np.stack([w * wobble * np.cos(t), h * wobble * np.sin(t)], 1)
        r *= 1 - 2 * inset / w
        cv2.fillPoly(mask, [(r + np.array([w / 2, h / 2])).astype(np.int32)], 255, cv2.LINE_AA)
    elif kind in ("cut", "oval"):  # corners cut off; between a round and a card
        t = np.linspace(0, 2 * np.pi, 160, endpoint=False)
        power = 2 / 3.2 if kind == "oval" else 1.0
        r = np.stack([np.cos(t), np.sin(t)], 1)
        r = np.sign(r) * np.abs(r) ** power
        if kind == "cut":
            r = r / np.maximum(np.abs(r).max(1), np.abs(r).sum(1) / 1.75)[:, None]
        r = r * [w / 2 - inset, h / 2 - inset] + [w / 2 - 0.5, h / 2 - 0.5]
        cv2.fillPoly(mask, [np.array(r * 16, np.int32)], 255, cv2.LINE_AA, 4)
    else:
        radius = max(1, round((0.02 if kind == "square" else 0.055) * w))
        x0, y0, x1, y1 = inset, inset, w - 1 - inset, h - 1 - inset
        cv2.rectangle(mask, (x0 + radius, y0), (x1 - radius, y1), 255, -1)
        cv2.rectangle(mask, (x0, y0 + radius), (x1, y1 - radius), 255, -1)
        for x in (x0 + radius, x1 - radius):
            for y in (y0 + radius, y1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def _ground(d: Design, h: int, w: int) -> np.ndarray:
    rng = np.random.default_rng(d.ground_seed)
    face = np.empty((h, w, 3), np.uint8)
    face[:] = (250, 250, 250) if d.ground == "white" else d.colours[0]
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    other = np.array(d.colours[1], np.float32)
    if d.ground == "gradient":
        t = (yy / h if rng.random() < 0.5 else np.hypot(xx - w / 2, yy - h / 2) / h)[..., None]
        face = np.array(face * (1 - t) + other * t, np.uint8)
    elif d.ground == "rays":
        angle = np.arctan2(yy - h / 2, xx - w / 2) * int(rng.integers(6, 20))
        face[np.sin(angle) > 0] = np.array(
            np.array(d.colours[0], np.float32) * 0.7 + other * 0.3, np.uint8
        )
    elif d.ground == "stripes":
        a, period = rng.uniform(0, np.pi), rng.uniform(0.05, 0.3) * w
        face[np.sin((xx * np.cos(a) + yy * np.sin(a)) * 2 * np.pi / period) > 0] = d.colours[1]
    elif d.ground == "checks":
        p = rng.uniform(0.04, 0.2) * w
        face[((xx // p + yy // p) % 2) > 0] = d.colours[1]
    elif d.ground == "dots":
        p = rng.uniform(0.06, 0.25) * w
        face[np.hypot(xx % p - p / 2, yy % p - p / 2) < p * rng.uniform(0.15, 0.45)] = d.colours[1]
    elif d.ground == "photo":
        for s in (6, 14, 40):
            n = rng.uniform(-1, 1, (s, s, 3)).astype(np.float32)
            face = np.clip(
                face + cv2.resize(n, (w, h), interpolation=cv2.INTER_CUBIC) * 240 / s**0.5, 0, 255
            ).astype(np.uint8)
    elif d.ground == "court":
        _court(face, d, rng)
    return face


def _court(face: np.ndarray, d: Design, rng: np.random.Generator) -> None:
    """A white card with a thin frame full of small patterns, the same from both ends."""
    h, w = face.shape[:2]
    face[:] = (245, 248, 250)
    x0, y0 = round(rng.uniform(0.1, 0.2) * w), round(rng.uniform(0.06, 0.14) * h)
    colours = np.array([(245, 248, 250), (30, 30, 30), *d.colours], np.uint8)
    cells = rng.integers(0, len(colours), (int(rng.integers(5, 14)), int(rng.integers(7, 18))))
    inside = face[y0 : h // 2, x0 : w - x0]
    ih, iw = inside.shape[:2]
    yy, xx = np.mgrid[0:ih, 0:iw]
    bend = np.sin(yy / ih * rng.uniform(2, 9) + rng.uniform(0, 6)) * rng.uniform(0, 0.15) * iw
    column = np.clip((xx + bend) * cells.shape[1] / iw, 0, cells.shape[1] - 1).astype(int)
    row = np.clip((yy + bend * 0.5) * cells.shape[0] / ih, 0, cells.shape[0] - 1).astype(int)
    inside[:] = colours[cells[row, column]]
    for _ in range(int(rng.integers(3, 9))):
        at = (int(rng.uniform(0, iw)), int(rng.uniform(0, ih)))
        tint = tuple(int(v) for v in colours[rng.integers(len(colours))])
        patch = np.ascontiguousarray(inside)
        cv2.circle(patch, at, round(rng.uniform(0.04, 0.16) * w), tint, -1, cv2.LINE_AA)
        inside[:] = patch
    face[h - h // 2 :] = face[: h // 2][::-1, ::-1]
    cv2.rectangle(face, (x0, y0), (w - x0, h - y0), d.colours[1], max(1, round(0.008 * w)))


_PIPS = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.25), (0.5, 0.75)],
    3: [(0.5, 0.22), (0.5, 0.5), (0.5, 0.78)],
    4: [(0.3, 0.25), (0.7, 0.25), (0.3, 0.75), (0.7, 0.75)],
    5: [(0.3, 0.25), (0.7, 0.25), (0.3, 0.75), (0.7, 0.75), (0.5, 0.5)],
    6: [(x, y) for x in (0.3, 0.7) for y in (0.22, 0.5, 0.78)],
    7: [(x, y) for x in (0.3, 0.7) for y in (0.22, 0.5, 0.78)] + [(0.5, 0.36)],
    8: [(x, y) for x in (0.3, 0.7) for y in (0.22, 0.5, 0.78)] + [(0.5, 0.36), (0.5, 0.64)],
    9: [(x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)] + [(0.5, 0.5)],
    10: [(x, y) for x in (0.3, 0.7) for y in (0.2, 0.4, 0.6, 0.8)] + [(0.5, 0.3), (0.5, 0.7)],
}


def _pictures(face: np.ndarray, d: Design) -> None:
    h, w = face.shape[:2]
    if d.count == 0:
        return
    size = d.picture_size * w if d.count == 1 else 0.2 * w
    for x, y in _PIPS[d.count]:
        draw_picture(
            face, (x * w, y * h), size, d.picture_seed, d.colours[2:], turned=d.upside and y > 0.55
        )


def _indices(face: np.ndarray, d: Design) -> None:
    h, w = face.shape[:2]
    size = d.index_size * w
    if d.index_places == "centre":
        draw_text(face, d.index, (w / 2, h / 2), size * 2.2, d.index_colour, d.index_seed)
    elif d.index_places in ("corners", "one"):
        at = (0.06 * w + size * 0.55, 0.05 * h + size * 0.6)
        for turned in (False, True) if d.index_places == "corners" else (False,):
            view = face[::-1, ::-1] if turned else face
            patch = np.ascontiguousarray(view)
            draw_text(patch, d.index, at, size, d.index_colour, d.index_seed)
            draw_picture(patch, (at[0], at[1] + size * 1.1), size * 0.7, d.suit_seed, d.colours[2:])
            view[:] = patch
    if d.caption:
        draw_text(face, d.caption, (w / 2, h * 0.9), w * 0.09, d.index_colour, d.index_seed)


def in_other_inks(rng: np.random.Generator, face: np.ndarray) -> np.ndarray:
    """The face (H, W, 4) with all hues turned by one angle: the same drawing in other inks."""
    hsv = cv2.cvtColor(face[..., :3], cv2.COLOR_BGR2HSV)
    turned = (hsv[..., 0].astype(np.int16) + rng.integers(25, 155)) % 180
    hsv[..., 0] = turned.astype(np.uint8)
    return np.dstack([cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), face[..., 3]])


def differ(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether 0.5 % of the area of two faces (H, W, 4) differs clearly.

    A twin may differ only in something that its design hides.
    """
    apart = np.abs(a[..., :3].astype(np.int16) - b[..., :3]).max(2)
    return float((apart > 48).mean()) > 0.005
