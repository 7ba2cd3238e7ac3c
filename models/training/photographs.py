"""Photographs without cards, if given: as tables, as things on the table, as the art of a face.

What is drawn has not the textures of real things; a locator that saw only drawings takes birds on
a tray, jars and book covers for cards. Any folder of photographs will do.
"""

from pathlib import Path

import cv2
import numpy as np

from rules.errors import FairdealError

_LONGEST = 900  # px that a photograph is kept at
_ENDINGS = (".jpg", ".jpeg", ".png")


def load_photographs(folder: Path | None, most: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Up to `most` pictures (H, W, 3) uint8 of the folder, by chance; none without a folder.

    Raises FairdealError where the folder holds no picture.
    """
    if folder is None:
        return []
    files = check_folder(folder)
    chosen = rng.permutation(len(files))[:most]
    pictures = [p for p in (cv2.imread(str(files[k])) for k in chosen) if p is not None]
    return [_shrunk(picture) for picture in pictures]


def files_in(folder: Path) -> list[Path]:
    """The picture files in it."""
    return sorted(f for f in folder.rglob("*") if f.suffix.lower() in _ENDINGS)


def check_folder(folder: Path) -> list[Path]:
    """Its picture files. FairdealError where none can be read."""
    files = files_in(folder)
    if not any(cv2.imread(str(file)) is not None for file in files):
        raise FairdealError(
            "a folder with photographs", f"no .jpg or .png that can be read in {folder}",
            "name another, or leave --photographs out",
        )  # fmt: skip
    return files


def as_table(rng: np.random.Generator, photograph: np.ndarray, size: int) -> np.ndarray:
    """A piece of it as a table (size, size, 3), in any colours and light."""
    return _recoloured(rng, _piece(rng, photograph, size, size))


def as_thing(
    rng: np.random.Generator, photograph: np.ndarray, side: int, at: np.ndarray, size: float
) -> np.ndarray:
    """A layer (side, side, 4) BGRA with a thing cut out of it at `at`; `size`: a card's length."""
    layer = np.zeros((side, side, 4), np.uint8)
    layer[..., :3] = _recoloured(rng, _piece(rng, photograph, side, side))
    mask = np.zeros((side, side), np.uint8)
    wide, high = size * rng.uniform(0.4, 1.6), size * rng.uniform(0.3, 1.0)
    angle = float(rng.uniform(0, 360))
    middle = (float(at[0]), float(at[1]))
    kind = rng.random()
    if kind < 0.4:
        cv2.ellipse(mask, (middle, (wide, high), angle), 255, -1, cv2.LINE_AA)
    elif kind < 0.75:  # any outline
        ways = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(5, 11))))
        far = rng.uniform(0.4, 1.0, len(ways)) * wide / 2
        outline = np.array(at) + np.stack([np.cos(ways) * far, np.sin(ways) * far], 1)
        cv2.fillPoly(mask, [np.array(outline, np.int32)], 255, cv2.LINE_AA)
        soft = max(1, round(size * 0.05)) * 2 + 1
        mask = ((cv2.GaussianBlur(mask, (soft, soft), 0) > 127) * 255).astype(np.uint8)
    else:  # a book, a magazine: larger than a card
        long = size * rng.uniform(1.7, 3.0)
        box = cv2.boxPoints((middle, (long, long * rng.uniform(0.6, 1.0)), angle))
        cv2.fillConvexPoly(mask, np.array(box, np.int32), 255, cv2.LINE_AA)
    layer[..., 3] = mask
    return layer


def illustrated(rng: np.random.Generator, face: np.ndarray, photograph: np.ndarray) -> np.ndarray:
    """The face (H, W, 4) with a piece of the photograph in its middle, or all over it."""
    h, w = face.shape[:2]
    rim = 0 if rng.random() < 0.25 else round(w * rng.uniform(0.05, 0.18))
    below = rim if rng.random() < 0.6 else round(h * rng.uniform(0.2, 0.5))
    out = face.copy()
    inner = out[rim : h - below, rim : w - rim, :3]
    inner[:] = _recoloured(rng, _piece(rng, photograph, *inner.shape[:2]))
    return out


def _piece(rng: np.random.Generator, photograph: np.ndarray, h: int, w: int) -> np.ndarray:
    part = rng.uniform(0.25, 1.0)
    scale = min(photograph.shape[0] / h, photograph.shape[1] / w) * part
    ch, cw = max(2, int(h * scale)), max(2, int(w * scale))
    y = int(rng.integers(photograph.shape[0] - ch + 1))
    x = int(rng.integers(photograph.shape[1] - cw + 1))
    piece = cv2.resize(photograph[y : y + ch, x : x + cw], (w, h), interpolation=cv2.INTER_AREA)
    return piece[:, ::-1] if rng.random() < 0.5 else piece


def _recoloured(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    gamma, gain = float(np.exp(rng.normal(0, 0.25))), rng.normal(1, 0.1, 3) * rng.uniform(0.6, 1.1)
    curve = (np.arange(256) / 255.0)[:, None] ** gamma * gain * 255
    return cv2.LUT(np.ascontiguousarray(picture), np.clip(curve, 0, 255).astype(np.uint8)[None])


def _shrunk(picture: np.ndarray) -> np.ndarray:
    scale = _LONGEST / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
