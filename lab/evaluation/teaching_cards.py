"""Drawn decks for teaching pictures: art from pale to saturated, in outlines of many kinds."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.drawing.faces import Design, draw_face, random_design
from models.drawing.marks import draw_picture, draw_text, random_colour

Image = npt.NDArray[np.uint8]

HEIGHT = 560  # px of a face
OUTLINES = ("card", "lobes", "card", "wavy", "card", "round", "card", "square", "die-cut")
STYLES = ("pale", "saturated", "framed", "plain", "court", "dark", "photo")


@dataclass(frozen=True, slots=True, eq=False)
class TeachingDeck:
    """Faces by name, (H, W, 4) uint8 BGRA each, whose art fills the outline's bounding box."""

    faces: dict[str, Image]
    outline: str
    style: str

    @property
    def aspect(self) -> float:
        """Height / width of the reference rectangle."""
        h, w = next(iter(self.faces.values())).shape[:2]
        return h / w

    @property
    def rim(self) -> npt.NDArray[np.float32]:
        """The outline (N, 2), in card lengths from the reference rectangle's top left."""
        art = next(iter(self.faces.values()))
        mask = (art[..., 3] > 127).astype(np.uint8)
        rims = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
        return ((max(rims, key=len)[:, 0] + 0.5) / art.shape[0]).astype(np.float32)


def draw_teaching_deck(rng: np.random.Generator, number: int, count: int) -> TeachingDeck:
    """A deck of `count` faces; its outline and style follow from its number."""
    outline = OUTLINES[number % len(OUTLINES)]
    style = STYLES[(number // 2 + number) % len(STYLES)]
    aspect = 1.0 if outline in ("square", "round") else float(rng.uniform(1.25, 1.6))
    if outline in ("lobes", "wavy", "die-cut"):
        aspect = float(rng.uniform(1.0, 1.35))
    height, width = HEIGHT, round(HEIGHT / aspect)
    mask = draw_outline(rng, outline, height, width)
    first = random_design(rng)
    faces = {}
    for k in range(count):
        face = _face(rng, style, first, aspect, width)
        if style in ("framed", "dark"):
            face = _bordered(face, mask, first, style)
        faces[f"face-{k}"] = np.dstack([face, mask])
    return TeachingDeck(faces, outline, style)


def draw_outline(rng: np.random.Generator, kind: str, height: int, width: int) -> Image:
    """A card's outline (height, width) uint8, which touches all four sides of its box."""
    if kind in ("card", "square"):
        return _rounded(height, width, rng.uniform(0.0, 0.07))
    points = {"round": _circle, "lobes": _lobes, "wavy": _wavy, "die-cut": _die_cut}[kind](rng)
    points = points - points.min(0)
    points = points / points.max(0) * [width - 1, height - 1]
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.rint(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _rounded(height: int, width: int, radius: float) -> Image:
    r = round(radius * width)
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    return mask


def _circle(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    return np.stack([np.cos(t), np.sin(t)], 1)


def _lobes(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """A cloud of bubbles: the union of circles along an ellipse."""
    count = int(rng.integers(7, 14))
    mask = np.zeros((600, 600), np.uint8)
    cv2.circle(mask, (300, 300), 190, 255, -1)
    for k in range(count):
        a = 2 * np.pi * (k + rng.uniform(-0.2, 0.2)) / count
        at = 300 + 190 * np.array([np.cos(a), np.sin(a)])
        radius = round(rng.uniform(0.45, 0.75) * 2 * np.pi * 190 / count)
        cv2.circle(mask, (int(at[0]), int(at[1])), min(radius, 100), 255, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 4), np.uint8)
    rims = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL,
                            cv2.CHAIN_APPROX_NONE)[0]  # fmt: skip
    return max(rims, key=len)[:, 0].astype(np.float64)


def _wavy(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    t = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    r = np.ones_like(t)
    for k, size in ((int(rng.integers(5, 13)), 0.05), (int(rng.integers(2, 5)), 0.03)):
        r = r + rng.uniform(0.3, 1.0) * size * np.cos(k * t + rng.uniform(0, 6))
    return np.stack([r * np.cos(t), r * np.sin(t)], 1)


def _die_cut(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """A rectangle with curved notches and rounded corners: a bottle, a shirt, a ticket."""
    mask = np.zeros((700, 600), np.uint8)
    cv2.rectangle(mask, (60, 60), (540, 640), 255, -1)
    for side in (60, 540):
        if rng.random() < 0.8:
            at = (side, int(rng.integers(140, 560)))
            cv2.circle(mask, at, int(rng.integers(30, 80)), 0, -1)
    if rng.random() < 0.6:
        cv2.circle(mask, (300, 60), int(rng.integers(40, 110)), int(rng.choice([0, 255])), -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(8, 22))), np.uint8)
    rims = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL,
                            cv2.CHAIN_APPROX_NONE)[0]  # fmt: skip
    return max(rims, key=len)[:, 0].astype(np.float64)


def _face(rng: np.random.Generator, style: str, first: Design, aspect: float, width: int) -> Image:
    if style == "pale":
        return _line_art(rng, width)
    grounds = {
        "saturated": str(rng.choice(["flat", "gradient", "rays", "stripes"])), "framed": "rays",
        "plain": "white", "court": "court", "dark": "flat", "photo": "photo",
    }  # fmt: skip
    fresh = random_design(rng)
    ground = grounds[style]
    design = replace(
        fresh, aspect=HEIGHT / width, outline="card", border=0.0, ground=ground,
        index_size=first.index_size, index_seed=first.index_seed, index_colour=first.index_colour,
        index_places="corners" if style in ("plain", "court") else first.index_places,
        count=int(rng.integers(1, 11)) if style == "plain" else 1,
    )  # fmt: skip
    face = draw_face(design, HEIGHT)[..., :3]
    return np.asarray(cv2.resize(face, (width, HEIGHT)), np.uint8)


def _line_art(rng: np.random.Generator, width: int) -> Image:
    """Thin pale strokes on white, without a border."""
    face = np.empty((HEIGHT, width, 3), np.uint8)
    face[:] = rng.integers(238, 254, 3)
    blue, green, red = (int(v) for v in rng.integers(110, 190, 3))
    ink = (blue, green, red)
    fill = np.full((HEIGHT, width, 3), 255, np.uint8)
    colours = tuple(random_colour(rng) for _ in range(3))
    draw_picture(fill, (width / 2, HEIGHT / 2), 0.6 * width, int(rng.integers(1 << 30)), colours)
    edges = cv2.morphologyEx(fill, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(2) > 40
    faint = float(rng.uniform(0.05, 0.25))
    face = np.rint(face * (1 - faint) + np.minimum(fill, face) * faint).astype(np.uint8)
    face[edges] = ink
    if rng.random() < 0.5:
        draw_text(face, str(rng.integers(1, 14)), (0.14 * width, 0.1 * HEIGHT), 0.08 * width, ink,
                  int(rng.integers(99)))  # fmt: skip
    return face


def _bordered(face: Image, mask: Image, first: Design, style: str) -> Image:
    """A border that follows the outline: white or the deck's, dark for the style `dark`."""
    px = max(8, round(max(first.border, 0.035) * face.shape[1]))
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    inner = cv2.distanceTransform((padded > 127).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1] > px
    colour = (28, 26, 30) if style == "dark" else (250, 250, 250)
    return np.where(inner[..., None], face, np.array(colour, np.uint8))
