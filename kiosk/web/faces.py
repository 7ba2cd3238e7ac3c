"""Small pictures of a deck's faces: its art where it has any, else what it was taught by."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from kiosk.web.pictures import CARD_HEIGHT_PX, jpeg
from models.deck import load_deck
from rules.errors import FairdealError


@lru_cache(maxsize=256)
def face_jpeg(deck: str, face: str) -> bytes:
    """A face as JPEG, upright, on white. FairdealError where deck or face is unknown."""
    from models.drawing.raster import face_picture

    loaded = load_deck(deck)
    if face not in loaded.names and face != "back":
        raise FairdealError(f"a face of {loaded.name}", ascii(face))
    pixels = face_picture(loaded, face, CARD_HEIGHT_PX).astype(np.float32)
    alpha = pixels[..., 3:] / 255.0
    flat = (pixels[..., :3] * alpha + 255.0 * (1.0 - alpha)).astype(np.uint8)
    return jpeg(np.ascontiguousarray(cv2.GaussianBlur(flat, (0, 0), 0.5)), quality=85)
