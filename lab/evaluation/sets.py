"""The pictures with known truth on which recognition is measured."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from lab.evaluation.scoring import Truth
from models.drawing.faces import differ, draw_back, draw_face, random_design, twin
from models.drawing.scene import Laid, Light, expose, lay, random_light, visible_parts
from models.drawing.tables import draw_table
from models.drawing.things import draw_thing
from rules.errors import FairdealError

Item = tuple[str, np.ndarray, list[Truth]]
Notes = dict[str, tuple[str, ...]]  # a picture's name → the conditions that it was taken in


def stills(folder: Path) -> Iterator[Item]:
    """Photograph-like pictures with `truth.json` beside them."""
    for entry in _read(folder / "truth.json"):
        truths = [
            Truth(
                np.array(c["quad"], np.float32), c["face"] if c["face_up"] else "back", c["visible"]
            )
            for c in entry["cards"]
        ]
        yield entry["image"], _picture(folder / entry["image"]), truths


def boxes(folder: Path) -> Iterator[Item]:
    """Real photographs with axis-aligned boxes in `labels.json`; the boxes stand for quads."""
    for entry in _read(folder / "labels.json"):
        bgr = _picture(folder / "images" / Path(entry["image"]).name)
        truths = []
        for card in entry["cards"]:
            x0, y0, x1, y1 = card["box"]
            truths.append(
                Truth(
                    np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32),
                    card["label"],
                    1.0,
                )
            )
        yield entry["image"], bgr, truths


def _picture(path: Path) -> np.ndarray:
    bgr = cv2.imread(str(path))
    if bgr is None:
        raise FairdealError("a picture", f"none that can be read at {path}", "copy the set again")
    return bgr


def _read(path: Path) -> Any:
    if not path.is_file():
        raise FairdealError(
            "a file with the truth", f"no file {path}", "name the folder of the set"
        )
    return json.loads(path.read_text(encoding="utf-8"))


def still_notes(folder: Path) -> Notes:
    """Light, table, layout and tilt of each picture of `stills`."""
    notes = {}
    for entry in _read(folder / "truth.json"):
        tilt = entry.get("camera", {}).get("tilt_deg", 0.0)
        words = [f"{key} {entry[key]}" for key in ("light", "table", "layout") if key in entry]
        notes[entry["image"]] = (*words, "tilt above 15°" if tilt > 15 else "tilt to 15°")
    return notes


@dataclass(frozen=True, slots=True, eq=False)
class DrawnDeck:
    """A deck that no training saw: faces by name, (H, W, 4) uint8 BGRA each, "back" among them."""

    faces: dict[str, np.ndarray]
    outline: str
    aspect: float


def draw_deck(rng: np.random.Generator, faces: int = 12) -> DrawnDeck:
    """A deck of `faces` faces, half of them near twins of the others."""
    first = random_design(rng)
    designs, looks = [first], [draw_face(first, 480)]
    while len(designs) < faces:
        if len(designs) % 2:
            other = replace(random_design(rng), aspect=first.aspect, outline=first.outline)
        else:
            other = twin(designs[-1], rng)
        look = draw_face(other, 480)
        if all(differ(look, known) for known in looks):
            designs.append(other)
            looks.append(look)
    art = {f"face-{i}": look for i, look in enumerate(looks)}
    art["back"] = draw_back(rng, first, 480)
    h, w = art["face-0"].shape[:2]
    return DrawnDeck(art, first.outline, h / w)


def drawn(
    rng: np.random.Generator,
    deck: DrawnDeck,
    count: int,
    name: str,
    notes: Notes,
    size: tuple[int, int] = (1280, 720),
) -> Iterator[Item]:
    """`count` pictures of `size` (W, H) of the deck on drawn tables; `notes` is filled."""
    w, h = size
    for number in range(count):
        length = float(rng.uniform(70, 240))
        light = random_light(rng, length)
        picture = draw_table(rng, h, w).copy()
        if rng.random() < 0.5:
            draw_thing(rng, picture, rng.uniform(0.1, 0.9, 2) * size, length)
        tilt = rng.uniform(-0.25, 0.25, 2)
        faces, quads = _lay_cards(rng, deck, length, size, tilt)
        scene = picture.astype(np.float32)
        for face, quad in zip(faces, quads, strict=True):
            lay(scene, Laid(deck.faces[face], quad), light)
        seen = visible_parts(quads, (h, w))
        truths = [Truth(q, f, float(v)) for f, q, v in zip(faces, quads, seen, strict=True)]
        label = f"{name}-{number:02d}"
        notes[label] = _conditions(light, length, tilt, seen)
        yield label, expose(scene, light, rng), truths


def photograph(
    rng: np.random.Generator, art: np.ndarray, size: tuple[int, int] = (1280, 720)
) -> np.ndarray:
    """A teaching picture of `size` (W, H): one card, nearly upright, on any table.

    `art`: (H, W, 4).
    """
    length = float(rng.uniform(0.5, 0.65)) * size[1]
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * art.shape[1::-1] / art.shape[0]
    angle = rng.normal(0, 0.08)
    c, s = np.cos(angle), np.sin(angle)
    middle = np.array(size) / 2 + rng.normal(0, 30, 2)
    quad = half * length / 2 @ np.array([[c, s], [-s, c]]) + middle
    scene, light = draw_table(rng, size[1], size[0]).astype(np.float32), Light(noise=2.0)
    lay(scene, Laid(art, quad.astype(np.float32)), light)
    return expose(scene, light, rng)


def _lay_cards(
    rng: np.random.Generator,
    deck: DrawnDeck,
    length: float,
    size: tuple[int, int],
    tilt: np.ndarray,
) -> tuple[list[str], np.ndarray]:
    names, faces, quads = list(deck.faces), [], []
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / [deck.aspect, 1.0] * length / 2
    at = rng.uniform(0.15, 0.85, 2) * size
    for i in range(int(rng.integers(2, 9))):
        if i == 0 or rng.random() < 0.65:
            at = rng.uniform(0.12, 0.88, 2) * size
        else:  # partly over the last one
            at = at + rng.normal(0, 0.4, 2) * length
        angle = rng.uniform(0, 2 * np.pi)
        c, s = np.cos(angle), np.sin(angle)
        p = (half @ np.array([[c, s], [-s, c]]) + at - np.array(size) / 2) / (size[0] / 2)
        p = p / (1 + 0.5 * (p @ tilt))[:, None]
        quads.append(p * size[0] / 2 + np.array(size) / 2)
        faces.append(names[rng.integers(len(names))])
    return faces, np.stack(quads).astype(np.float32)


def _conditions(light: Light, length: float, tilt: np.ndarray, seen: np.ndarray) -> tuple[str, ...]:
    words = {
        "dim": light.gain < 0.65,
        "glare": light.glare is not None,
        "blur": light.blur_px > 0.008 * length or np.hypot(*light.motion_px) > 0.015 * length,
        "overlap": bool((seen < 0.98).any()),
        "tilt": float(np.hypot(*tilt)) > 0.2,
        "cards to 120 px": length <= 120,
        "cards above 120 px": length > 120,
    }
    return tuple(word for word, holds in words.items() if holds)
