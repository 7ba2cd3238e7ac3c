"""Card art to pixels: the only file that knows resvg, the SVG rasteriser."""

import re
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from models.deck import Deck
from models.picture_file import read_art
from rules.errors import FairdealError
from rules.files import read_text

DEEPEST = 100  # elements inside each other: the readers recurse
# A reference that is neither to a part of the same file nor an embedded PNG or JPEG.
_REFERENCE = re.compile(
    r"""href\s*=\s*["']\s*(?!\#|data:image/(?:png|jpe?g)[;,])[^"']*|url\(\s*["']?(?!\#)[^)]*"""
    r"""|@import[^;]*""",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/)?[A-Za-z][^<>]*?(/)?>")


def face_picture(deck: Deck, face: str, height_px: int) -> np.ndarray:
    """A face, extra or the back of a deck, upright: (height_px, W, 4) uint8, BGRA, read-only.

    W follows from the card's size in mm. Alpha is 0 outside the card's outline (for flat pictures
    without one, the rounded corners or the ellipse are cut here). FairdealError for art that is
    missing or cannot be read.
    """
    width_px = max(1, round(height_px * deck.width_mm / deck.height_mm))
    return _picture(
        deck.art(face), width_px, height_px, deck.outline, deck.corner_mm / deck.height_mm
    )


def rasterise(path: Path, width_px: int, height_px: int) -> np.ndarray:
    """An SVG, PNG or JPEG file at a size in pixels: (height_px, width_px, 4) uint8, BGRA."""
    pixels = _pixels_of_svg(path, width_px, height_px) if path.suffix == ".svg" else read_art(path)
    if pixels.shape[2] == 3:
        pixels = cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA)
    if pixels.shape[:2] != (height_px, width_px):
        pixels = cv2.resize(pixels, (width_px, height_px), interpolation=cv2.INTER_AREA)
    return pixels


@lru_cache(maxsize=256)
def _picture(path: Path, width: int, height: int, outline: str, corner: float) -> np.ndarray:
    pixels = rasterise(path, width, height).copy()
    if pixels[..., 3].min() == 255:
        pixels[..., 3] = outline_mask(width, height, outline, corner)
    pixels.setflags(write=False)
    return pixels


def outline_mask(width: int, height: int, outline: str, corner: float) -> np.ndarray:
    """Alpha of a card's outline. `corner`: the corners' radius as a share of the height."""
    scale = 4  # drawn larger and shrunk, for smooth edges
    mask = np.zeros((height * scale, width * scale), np.uint8)
    tall, wide = mask.shape
    if outline == "card":
        radius = max(0, round(corner * tall))
        cv2.rectangle(mask, (radius, 0), (wide - 1 - radius, tall - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (wide - 1, tall - 1 - radius), 255, -1)
        for x in (radius, wide - 1 - radius):
            for y in (radius, tall - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
    else:
        cv2.ellipse(mask, (wide // 2, tall // 2), (wide // 2, tall // 2), 0, 0, 360, 255, -1)
    return cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)


def refuse_foreign(svg: str, path: Path) -> None:
    """FairdealError for SVG that refers to other files, or nests deeper than DEEPEST.

    A deck from elsewhere must not bring a picture of this machine into a PDF.
    """
    foreign = _REFERENCE.search(svg)
    if foreign or "<!entity" in svg.lower():
        found = foreign[0][:60] if foreign else "an entity"
        raise FairdealError("an SVG picture on its own", found, "embed it or remove it", str(path))
    depth = deepest = 0
    for tag in _TAG.finditer(svg):
        if tag[1]:
            depth -= 1
        elif not tag[2]:
            depth += 1
            deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise FairdealError(
            f"an SVG picture nested at most {DEEPEST} deep", str(deepest), "simplify it", str(path)
        )


def read_svg(path: Path) -> str:
    """The text of an SVG file that stands on its own. Raises FairdealError."""
    svg = read_text(path, "an SVG picture", "replace it")
    refuse_foreign(svg, path)
    return svg


def _pixels_of_svg(path: Path, width: int, height: int) -> np.ndarray:
    import resvg_py

    svg = read_svg(path)
    try:
        png = resvg_py.svg_to_bytes(
            svg_string=svg,
            dpi=96,
            width=width,
            height=height,
            # Reading the system's fonts takes long, and the shipped art has no text.
            skip_system_fonts="<text" not in svg,
        )
    except (ValueError, RuntimeError) as error:
        raise FairdealError("an SVG picture", str(error), "replace it", where=str(path)) from error
    pixels = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None  # resvg wrote it just now
    return np.asarray(pixels, np.uint8)
