"""Drawn teaching pictures with known corners: many decks, outlines, tables, lights and cameras."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from lab.evaluation.teaching_cards import TeachingDeck, draw_teaching_deck
from models.crop import rectangle
from models.drawing.hands import draw_hand
from models.drawing.marks import random_colour
from models.drawing.scene import Laid, Light, expose, lay
from models.drawing.tables import draw_table

Image = npt.NDArray[np.uint8]
Quad = npt.NDArray[np.float32]

SIZES = ((720, 540), (960, 720), (1280, 720), (768, 1024))  # px, W × H of a picture
TABLES = ("slate", "walnut", "oak", "gingham", "white", "saturated", "felt", "dots", "stone")
LIGHTS = ("even", "dim", "tint", "glare", "shadow", "slope")
BAD = ("two cards", "two overlapping", "cut off", "hand", "out of focus", "small", "empty")
FACES = 8  # of a deck
CONTRAST = 14.0  # ΔE (CIE 1976) across the card's edge that a person sees
SHARP = 0.004  # of the card's length: largest blur (Gaussian sigma) of a good picture
BLURRED = 0.035  # least blur of a picture that is out of focus
TURNED = 0.06  # share of pictures that are upside down


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One teaching picture. `quad` (4, 2) px: the card's reference rectangle from the upright
    face's top left, clockwise; None for a bad picture. `notes`: the conditions it was taken in."""

    face: str
    bgr: Image
    quad: Quad | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Folder:
    """The teaching pictures of one deck: good ones, and bad ones that must be refused."""

    deck: TeachingDeck
    samples: tuple[Sample, ...]


def draw_folders(seed: int, decks: int, bad: int = 2) -> Iterator[Folder]:
    """`decks` folders of FACES good pictures and `bad` bad ones each."""
    for number in range(decks):
        yield draw_folder(seed, number, bad)


def draw_folder(seed: int, number: int, bad: int = 2) -> Folder:
    """The folder of that number: its outline, style and table follow from the number."""
    rng = np.random.default_rng([seed, 91, number])
    deck = draw_teaching_deck(rng, number, FACES + bad)
    table, colour = TABLES[(number + number // len(TABLES)) % len(TABLES)], random_colour(rng)
    size = SIZES[int(rng.integers(len(SIZES)))]
    faces = list(deck.faces)
    samples = [_good(rng, deck, face, table, colour, size) for face in faces[:FACES]]
    for k, face in enumerate(faces[FACES:]):
        kind = BAD[(number * bad + k) % len(BAD)]
        samples.append(_bad(rng, deck, face, kind, table, colour, size))
    return Folder(deck, tuple(samples))


def _good(
    rng: np.random.Generator, deck: TeachingDeck, face: str, table: str,
    colour: tuple[int, int, int], size: tuple[int, int],
) -> Sample:  # fmt: skip
    art = deck.faces[face]
    quad = _pose(rng, art.shape[0] / art.shape[1], size)
    top = visible_table(rng, table, colour, size, art, quad)
    _clutter(rng, top, quad)
    light, kind = any_light(rng, quad)
    if kind == "dim" and _edge_contrast(top, art, quad) * light.gain < CONTRAST:
        light = replace(light, gain=0.6)  # a dark card in the dark is no good picture
    scene = top.astype(np.float32)
    lay(scene, Laid(art, quad), light)
    notes = (f"table {table}", f"light {kind}", f"outline {deck.outline}", f"art {deck.style}")
    return Sample(face, expose(scene, light, rng), quad, notes)


def _bad(
    rng: np.random.Generator, deck: TeachingDeck, face: str, kind: str, table: str,
    colour: tuple[int, int, int], size: tuple[int, int],
) -> Sample:  # fmt: skip
    art, aspect = deck.faces[face], deck.aspect
    quad = _pose(rng, aspect, size)
    light, _ = any_light(rng, quad)
    top = visible_table(rng, table, colour, size, art, quad)
    scene = top.astype(np.float32)
    if kind == "empty":
        return Sample(face, expose(scene, light, rng), None, (f"bad {kind}",))
    if kind == "cut off":
        along = (quad[3] - quad[0]) * rng.uniform(0.3, 0.6)
        along *= np.sign(along[1])  # downwards, also of a card that is upside down
        edge = float(quad[:, 1].min())
        quad = quad - along * 1.0 - np.array([0, edge - 2], np.float32)
        quad = quad.astype(np.float32)
    if kind.startswith("two"):
        other = deck.faces[next(name for name in deck.faces if name != face)]
        quad = ((quad - quad.mean(0)) * 0.72 + quad.mean(0)).astype(np.float32)
        aside = (quad[1] - quad[0]) * (0.62 if kind == "two cards" else 0.3)
        lay(scene, Laid(other, (quad - aside).astype(np.float32)), light)
        quad = (quad + aside).astype(np.float32)
    lay(scene, Laid(art, quad.astype(np.float32)), light)
    if kind == "hand":
        length = float(np.linalg.norm(quad[3] - quad[0]))
        tip = quad.mean(0) + rng.normal(0, 0.08, 2) * length
        towards = rng.normal(0, 1, 2) + np.array([0, 1.5])
        layer = draw_hand(scene.shape[:2], tip, towards, length * 0.6, rng)
        alpha = layer[..., 3:].astype(np.float32) / 255
        scene = (scene * (1 - alpha) + layer[..., :3] * alpha).astype(np.float32)
    if kind == "out of focus":
        length = float(np.linalg.norm(quad[3] - quad[0]))
        light = replace(light, blur_px=float(rng.uniform(BLURRED, 2 * BLURRED)) * length)
    seen = expose(scene, light, rng)
    if kind == "small":
        length = float(np.linalg.norm(quad[3] - quad[0]))
        scale = rng.uniform(50, 85) / length
        seen = np.asarray(cv2.resize(seen, None, fx=scale, fy=scale), np.uint8)
    return Sample(face, seen, None, (f"bad {kind}",))


def _pose(rng: np.random.Generator, aspect: float, size: tuple[int, int]) -> Quad:
    """A card as a hand-held camera sees it: roll, tilt, distance; whole and mostly upright."""
    w, h = size
    for _ in range(50):
        length = rng.uniform(0.38, 0.72) * min(h, w * aspect)
        corners = np.array([[-1, -aspect], [1, -aspect], [1, aspect], [-1, aspect]])
        corners = corners / aspect * length / 2
        roll = rng.normal(0, np.radians(7))
        if rng.random() < TURNED:
            roll += np.pi
        c, s = np.cos(roll), np.sin(roll)
        flat = corners @ np.array([[c, s], [-s, c]])
        tilt, towards = abs(rng.normal(0, np.radians(9))), rng.uniform(0, 2 * np.pi)
        away = flat @ [np.cos(towards), np.sin(towards)] * np.sin(min(tilt, np.radians(28)))
        focal = 1.15 * max(w, h)
        across = flat - np.outer(
            (1 - np.cos(tilt)) * (flat @ [np.cos(towards), np.sin(towards)]),
            [np.cos(towards), np.sin(towards)],
        )
        quad = across * (focal / (focal + away))[:, None]
        quad += np.array(size) / 2 + rng.normal(0, 0.05, 2) * size
        if (quad > 6).all() and (quad < np.array(size) - 6).all():
            return quad.astype(np.float32)
    raise RuntimeError("no pose of the card fits the picture")


def visible_table(
    rng: np.random.Generator, kind: str, colour: tuple[int, int, int], size: tuple[int, int],
    art: Image, quad: Quad,
) -> Image:  # fmt: skip
    """A table of that kind on which the card's edge can be seen by a person."""
    for _ in range(12):
        top = _table(rng, kind, colour, size)
        if _edge_contrast(top, art, quad) >= CONTRAST:
            return top
        colour = random_colour(rng)
        kind = kind if kind in ("saturated", "felt", "gingham", "dots") else "saturated"
    return _table(rng, "slate" if art[..., :3].mean() > 90 else "white", colour, size)


def _edge_contrast(top: Image, art: Image, quad: Quad) -> float:
    """Median ΔE between the card just inside its edge and the table under the edge."""
    h, w = art.shape[:2]
    to = cv2.getPerspectiveTransform(rectangle(w, h), quad)
    inner = cv2.erode((art[..., 3] > 127).astype(np.uint8), np.ones((9, 9), np.uint8))
    rim = cv2.findContours(inner, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    points = max(rim, key=len)[::8, 0].astype(np.float32)
    at = np.rint(cv2.perspectiveTransform(points[None], to)[0]).astype(int)
    at = np.clip(at, 0, np.array(top.shape[1::-1]) - 1)
    inside = art[points[:, 1].astype(int), points[:, 0].astype(int), :3]
    outside = top[at[:, 1], at[:, 0]]
    apart = [cv2.cvtColor(side[None].astype(np.float32) / 255, cv2.COLOR_BGR2Lab)[0]
             for side in (inside, outside)]  # fmt: skip
    return float(np.quantile(np.linalg.norm(apart[0] - apart[1], axis=1), 0.35))


def _table(
    rng: np.random.Generator, kind: str, colour: tuple[int, int, int], size: tuple[int, int]
) -> Image:
    w, h = size
    if kind == "gingham":
        return _gingham(rng, colour, size)
    if kind == "dots":
        return _dots(rng, colour, size)
    kinds = {
        "slate": ("stone", (62, 58, 54)), "walnut": ("wood", (45, 62, 88)),
        "oak": ("wood", (110, 160, 200)), "white": ("plain", (236, 240, 242)),
        "saturated": ("plain", colour), "felt": ("felt", (70, 110, 40)),
        "stone": ("stone", (150, 155, 158)),
    }  # fmt: skip
    name, base = kinds[kind]
    return draw_table(rng, h, w, name, base)


def _gingham(
    rng: np.random.Generator, colour: tuple[int, int, int], size: tuple[int, int]
) -> Image:
    w, h = size
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    angle, period = rng.uniform(-0.3, 0.3), rng.uniform(0.02, 0.08) * w
    u = xx * np.cos(angle) + yy * np.sin(angle)
    v = yy * np.cos(angle) - xx * np.sin(angle)
    share = ((u // period) % 2 + (v // period) % 2) / 2
    white = np.array([238, 240, 242], np.float32)
    cloth = white + (np.array(colour, np.float32) - white) * share[..., None]
    cloth *= 1 + rng.normal(0, 0.02, (h, w, 1)).astype(np.float32)
    return np.clip(cloth, 0, 255).astype(np.uint8)


def _dots(rng: np.random.Generator, colour: tuple[int, int, int], size: tuple[int, int]) -> Image:
    w, h = size
    top = np.empty((h, w, 3), np.uint8)
    top[:] = colour
    dot = tuple(int(255 - 0.15 * (255 - c)) if sum(colour) < 420 else int(0.5 * c) for c in colour)
    for _ in range(int(rng.integers(15, 60))):
        at = int(rng.integers(w)), int(rng.integers(h))
        cv2.circle(top, at, round(rng.uniform(0.006, 0.02) * w), dot, -1, cv2.LINE_AA)
    return top


def _clutter(rng: np.random.Generator, top: Image, quad: Quad) -> None:
    """Now and then a pen or a coin at the picture's rim, far from the card."""
    if rng.random() > 0.15:
        return
    h, w = top.shape[:2]
    corner = np.array([[0, 0], [w, 0], [w, h], [0, h]])[int(rng.integers(4))]
    at = corner + (np.array([w, h]) / 2 - corner) * rng.uniform(0.08, 0.2)
    if np.linalg.norm(quad - at, axis=1).min() < 0.12 * w:
        return
    if rng.random() < 0.5:
        cv2.circle(top, (int(at[0]), int(at[1])), round(0.03 * w), (90, 150, 170), -1, cv2.LINE_AA)
        return
    end = at + rng.normal(0, 0.05, 2) * w
    cv2.line(top, (int(at[0]), int(at[1])), (int(end[0]), int(end[1])), random_colour(rng),
             max(2, round(0.008 * w)), cv2.LINE_AA)  # fmt: skip


def any_light(rng: np.random.Generator, quad: Quad) -> tuple[Light, str]:
    """A light a family has, and its name; shadows and blur follow the card's length."""
    length = float(np.linalg.norm(quad[3] - quad[0]))
    angle, reach = rng.uniform(0, 2 * np.pi), length * rng.uniform(0.003, 0.02)
    base = Light(
        shadow=(float(np.cos(angle) * reach), float(np.sin(angle) * reach)),
        shadow_depth=float(rng.uniform(0.1, 0.5)),
        gain=float(rng.uniform(0.85, 1.1)),
        blur_px=float(rng.uniform(0, SHARP)) * length,
        noise=float(rng.uniform(0.5, 3.5)),
        jpeg=int(rng.integers(70, 96)),
    )
    kind = str(rng.choice(LIGHTS, p=(0.3, 0.14, 0.16, 0.16, 0.12, 0.12)))
    if kind == "dim":
        return replace(base, gain=float(rng.uniform(0.25, 0.5))), kind
    if kind == "tint":
        warm = rng.uniform(-0.25, 0.3)
        return replace(base, tint=(float(1 - warm), 1.0, float(1 + warm))), kind
    if kind == "glare":
        at = rng.uniform(-0.4, 0.4, 2)
        spot = float(at[0]), float(at[1]), float(rng.uniform(0.2, 0.5)), float(rng.uniform(50, 130))
        return replace(base, glare=spot), kind
    if kind == "shadow":
        turn = rng.uniform(0, 2 * np.pi)
        edge = float(np.cos(turn)), float(np.sin(turn)), float(rng.uniform(-0.4, 0.4)), float(
            rng.uniform(0.2, 0.5))  # fmt: skip
        return replace(base, sun=edge), kind
    if kind == "slope":
        return replace(base, slope=(float(rng.normal(0, 0.25)), float(rng.normal(0, 0.25)))), kind
    return base, kind
