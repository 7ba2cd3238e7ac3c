"""Drawn decks by kind of art and border, on tables and in light that make cards hard to see.

`sets.draw_deck` draws decks of near twins; here are the looks that are hard to find: pale lines on
white, dark borders, plain papers, in piles and fans in which a thin edge separates the cards.
"""

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np

from lab.evaluation.scoring import Truth
from lab.evaluation.sets import DrawnDeck, Item, Notes
from models.crop import rectangle
from models.drawing.arts import ARTS, BORDERS, Look, draw_art, random_look
from models.drawing.faces import differ, draw_back, random_design
from models.drawing.marks import draw_text
from models.drawing.scene import Laid, expose, lay, random_light, visible_parts
from models.drawing.tables import draw_table
from models.drawing.tabletops import draw_hard_table
from models.drawing.things import draw_thing
from models.training.layouts import View, groups
from models.training.tables import alike, hard_light

KINDS = tuple(product(ARTS, BORDERS))
FACE = 480  # px, the height of a drawn face


@dataclass(frozen=True, slots=True)
class KindShares:
    """Shares 0..1 of the pictures or decks, and counts."""

    hard_table: float = 0.5
    hard_light: float = 0.5
    alike: float = 0.1  # pictures whose table has the tone of the cards
    thing: float = 0.5
    back: float = 0.12  # cards that lie face down
    tints: float = 0.5  # decks whose faces have papers of their own tint
    numerals: float = 0.35  # decks in which pairs of faces differ by a numeral only
    cards: int = 12  # most cards of a picture
    gain: float = 1.1  # of the light; brighter bleaches pale ink, so that nobody could tell faces


@dataclass(frozen=True, slots=True)
class TeachingDamage:
    """How a careless photograph of FACE px differs from the art."""

    blur_px: float = 3.0
    gain: tuple[float, float] = (0.5, 1.15)
    corners: float = 0.004  # of the height; standard deviation of each coordinate


SHARES = KindShares()
TEACHING = TeachingDamage()


def draw_kind_deck(
    rng: np.random.Generator, art: str, border: str, faces: int = 8, outline: str = ""
) -> DrawnDeck:
    """A deck of `faces` faces of one look, and a back; any outline, mostly a card's, if none is
    given."""
    look = random_look(rng, art, border, outline)
    is_tinted, has_numerals = rng.random() < SHARES.tints, rng.random() < SHARES.numerals
    drawn: list[np.ndarray] = []
    tries = 0
    while len(drawn) < faces:
        own, tries = look, tries + 1
        has_numerals = has_numerals or tries > 2 * faces  # plain faces hardly differ without
        if is_tinted:
            tint = random_look(rng, art, border, look.outline)
            own = replace(look, paper=tint.paper, ink=tint.ink, frame=tint.frame)
        seed = rng.integers(1 << 30)
        for _ in range(2 if has_numerals else 1):
            face = draw_art(np.random.default_rng(seed), own, FACE)
            if has_numerals:
                _number(rng, face, own)
            if len(drawn) < faces and all(differ(face, known) for known in drawn):
                drawn.append(face)
    art_of = {f"face-{i}": face for i, face in enumerate(drawn)}
    aspect = drawn[0].shape[0] / drawn[0].shape[1]
    design = replace(random_design(rng), aspect=aspect, outline="card")
    back = draw_back(rng, design, FACE)
    h, w = drawn[0].shape[:2]
    back = cv2.resize(back, (w, h), interpolation=cv2.INTER_AREA)
    back[..., 3] = drawn[0][..., 3]
    art_of["back"] = back
    outline = look.outline if look.outline in ("card", "round", "bubble") else "card"
    return DrawnDeck(art_of, outline, h / w)


def _number(rng: np.random.Generator, face: np.ndarray, look: Look) -> None:
    """Writes a numeral into two corners of the face (H, W, 4), in place."""
    h, w = face.shape[:2]
    number, size = str(rng.integers(1, 20)), w * rng.uniform(0.14, 0.24)
    ink = (20, 20, 20) if sum(look.paper) > 400 and look.art != "photo" else (240, 240, 240)
    for x, y in ((0.22, 0.16), (0.78, 0.84)):
        part = np.ascontiguousarray(face[..., :3])
        draw_text(part, number, (w * x, h * y), size, ink, 5)
        face[..., :3] = part


def drawn_kind(
    rng: np.random.Generator,
    deck: DrawnDeck,
    count: int,
    name: str,
    notes: Notes,
    words: tuple[str, ...] = (),
    size: tuple[int, int] = (1280, 720),
) -> list[Item]:
    """`count` pictures of `size` (W, H) of the deck in piles, fans, rows and alone; `notes` is
    filled with the `words` and the conditions of each picture."""
    items = []
    for number in range(count):
        label = f"{name}-{number:02d}"
        bgr, truths = _picture(rng, deck, size)
        longest = max((float(np.linalg.norm(t.quad[3] - t.quad[0])) for t in truths), default=0)
        is_large = longest > 0.25 * size[1]
        notes[label] = (*words, "large cards" if is_large else "small cards")
        items.append((label, bgr, truths))
    return items


def _picture(
    rng: np.random.Generator, deck: DrawnDeck, size: tuple[int, int]
) -> tuple[np.ndarray, list[Truth]]:
    w, h = size
    length = float(np.exp(rng.uniform(np.log(0.1), np.log(0.4))) * h)
    names = [face for face in deck.faces if face != "back"]
    is_hard = rng.random() < SHARES.hard_table
    top = draw_hard_table(rng, w)[:h].copy() if is_hard else draw_table(rng, h, w).copy()
    light = random_light(rng, length)
    if rng.random() < SHARES.hard_light:
        light = hard_light(rng, light, length)
    light = replace(light, gain=min(light.gain, SHARES.gain))
    if rng.random() < SHARES.alike:
        top = alike(rng, top, deck.faces[names[0]])
    if rng.random() < SHARES.thing:
        draw_thing(rng, top, rng.uniform(0.1, 0.9, 2) * size, length)
    scene = top.astype(np.float32)
    faces: list[str] = []
    quads: list[np.ndarray] = []
    tilt = rng.uniform(0, 0.35, 2) * rng.choice([-1, 1], 2)
    view = View(w, length, tilt, float(rng.normal(0, 0.02)))
    above = np.array([0, (w - h) / 2], np.float32)
    for group in groups(rng, view):
        for at, angle in group:
            face = "back" if rng.random() < SHARES.back else names[rng.integers(len(names))]
            quad = view.corners(deck.faces[face], at, angle) - above
            middle = quad.mean(0)
            if len(quads) < SHARES.cards and (middle > 0).all() and (middle < size).all():
                lay(scene, Laid(deck.faces[face], quad), light, float(rng.uniform(0.7, 1.6)))
                faces.append(face)
                quads.append(quad)
    if not quads:
        return expose(scene, light, rng), []
    seen = visible_parts(np.stack(quads), (h, w))
    truths = [Truth(q, f, float(v)) for q, f, v in zip(quads, faces, seen, strict=True)]
    return expose(scene, light, rng), truths


def as_photographed(rng: np.random.Generator, art: np.ndarray) -> np.ndarray:
    """A face (H, W, 4) as a careless teaching photograph shows it: tinted, dim or bright, with
    glare, a little soft, its corners off by half a percent."""
    h, w = art.shape[:2]
    light = random_light(rng, h)
    light = replace(
        light,
        blur_px=min(light.blur_px, TEACHING.blur_px),
        motion_px=(0.0, 0.0),
        gain=float(np.clip(light.gain, *TEACHING.gain)),
        sun=None,
    )
    seen = np.dstack([expose(art[..., :3].astype(np.float32), light, rng), art[..., 3]])
    corners = rectangle(w, h)
    off = corners + rng.normal(0, TEACHING.corners * h, (4, 2)).astype(np.float32)
    to = cv2.getPerspectiveTransform(corners, off)
    return cv2.warpPerspective(seen, to, (w, h), borderMode=cv2.BORDER_REPLICATE)
