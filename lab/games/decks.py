"""Decks that nobody trained on, drawn for a game and taught from their flat art."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.teach import build_gallery, pictures_of_deck
from models.deck import Deck, load_deck
from models.drawing.faces import Design, differ, draw_back, draw_face, random_design
from vision.networks.embedder import Embedder

_HEIGHT_PX = 640
_WIDTH_MM = 63.0


def drawn_deck(own: str, seed: int, folder: Path) -> Deck:
    """Draws a deck with the faces of the deck `own`, teaches it and writes its folder."""
    rng = np.random.default_rng([seed, 77])
    model = load_deck(own)
    first = random_design(rng)
    looks = _looks(rng, first, len(model.names))
    height, width = looks[0].shape[:2]
    (folder / "faces").mkdir(parents=True, exist_ok=True)
    for name, look in zip(model.names, looks, strict=True):
        cv2.imwrite(str(folder / "faces" / f"{name}.png"), look)
    cv2.imwrite(str(folder / "faces" / f"{model.back}.png"), draw_back(rng, first, _HEIGHT_PX))
    deck = replace(
        model, name=f"drawn-{seed}", title="", width_mm=_WIDTH_MM,
        height_mm=round(_WIDTH_MM * height / width, 1), outline=first.outline, folder=folder,
        extras=(),
    )  # fmt: skip
    (folder / "deck.toml").write_text(deck.to_toml(), encoding="utf-8")
    build_gallery(pictures_of_deck(deck), Embedder(threads=1)).save(deck.taught)
    return deck


def _looks(rng: np.random.Generator, first: Design, count: int) -> list[np.ndarray]:
    """Faces of one shape, no two of which look the same."""
    looks = [draw_face(first, _HEIGHT_PX)]
    while len(looks) < count:
        design = replace(random_design(rng), aspect=first.aspect, outline=first.outline)
        look = draw_face(design, _HEIGHT_PX)
        if all(differ(look, known) for known in looks):
            looks.append(look)
    return looks
