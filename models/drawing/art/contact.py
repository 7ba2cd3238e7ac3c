"""Contact sheets: many cards in one picture, for inspection and for the docs."""

from collections.abc import Sequence

import numpy as np

from models.deck import Deck
from models.drawing.raster import face_picture

CLOTH = (96, 104, 84)  # BGR of the table below the cards


def contact_sheet(
    cards: Sequence[tuple[Deck, str]], columns: int, height_px: int = 300, gap_px: int = 10
) -> np.ndarray:
    """Cards in rows: (H, W, 3) uint8, BGR. All decks must have cards of one size."""
    pictures = [_on_cloth(face_picture(deck, face, height_px)) for deck, face in cards]
    tall, wide = pictures[0].shape[:2]
    rows = -(-len(pictures) // columns)
    size = (rows * (tall + gap_px) + gap_px, columns * (wide + gap_px) + gap_px, 3)
    sheet = np.full(size, CLOTH, np.uint8)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        top, left = gap_px + row * (tall + gap_px), gap_px + column * (wide + gap_px)
        sheet[top : top + tall, left : left + wide] = picture
    return sheet


def _on_cloth(picture: np.ndarray) -> np.ndarray:
    alpha = picture[..., 3:].astype(np.float32) / 255
    return (picture[..., :3] * alpha + np.array(CLOTH) * (1 - alpha)).astype(np.uint8)
