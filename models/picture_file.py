"""Reads picture files with bounded memory: the header is checked before a pixel is decoded."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from rules.errors import FairdealError
from rules.files import opened, read_bytes

Image = npt.NDArray[np.uint8]

LARGEST_FILE = 64 << 20  # bytes
MOST_PIXELS = 50_000_000  # decoded at full size: 150 MB
REDUCIBLE_PIXELS = 250_000_000  # a JPEG up to here is decoded at 1/2, 1/4 or 1/8
LONGEST_SIDE = 30_000  # px
SHORTEST_SIDE = 32  # px: on less, no card is seen
THINNEST = 12.0  # longer side / shorter side
_REDUCED = (
    (1, cv2.IMREAD_COLOR),
    (2, cv2.IMREAD_REDUCED_COLOR_2),
    (4, cv2.IMREAD_REDUCED_COLOR_4),
    (8, cv2.IMREAD_REDUCED_COLOR_8),
)
_JPEG_WITHOUT_LENGTH = frozenset({0x01, *range(0xD0, 0xD9)})
_PNG_WITH_ALPHA = frozenset({4, 6})  # colour types of the PNG standard
_JPEG_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
_OTHER_KINDS = {
    b"RIFF": "WebP", b"GIF8": "GIF", b"BM": "BMP", b"II*\0": "TIFF", b"MM\0*": "TIFF",
    b"%PDF": "PDF", b"<svg": "SVG", b"<?xml": "SVG",
}  # fmt: skip


class Kind(Enum):
    """The picture formats that are read."""

    JPEG = "JPEG"
    PNG = "PNG"


@dataclass(frozen=True, slots=True)
class Header:
    """What a picture file says of itself before it is decoded; sizes in px."""

    kind: Kind
    width: int
    height: int
    channels: int


def read_picture(path: Path, wanted_px: int | None = None) -> Image:
    """A JPEG or PNG as (H, W, 3) uint8 BGR, rotated as its EXIF tag says.

    wanted_px: a JPEG may be decoded at 1/2, 1/4 or 1/8 if its longer side stays above this.
    FairdealError for other formats, CMYK, damaged files, and sizes beyond the limits.
    """
    data = read_bytes(path, "a picture", most=LARGEST_FILE)
    return decoded_picture(data, str(path), wanted_px)


def decoded_picture(data: bytes, where: str, wanted_px: int | None = None) -> Image:
    """The same of a picture file's content. `where` names it in errors."""
    header = _header(data, where)
    flag = _checked(header, where, wanted_px)
    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except cv2.error:
        bgr = None
    if bgr is None:
        raise FairdealError("a picture (jpg or png)", "a damaged file", "replace it", where)
    return np.asarray(bgr, np.uint8)


def check_header(data: bytes, where: str) -> None:
    """FairdealError for a picture file's content that `decoded_picture` would not decode, as far
    as its header tells."""
    _checked(_header(data, where), where, None)


def longer_side(path: Path) -> int:
    """The longer side of a file's picture in px, before anything is reduced. FairdealError."""
    header = _header(read_bytes(path, "a picture", most=LARGEST_FILE), str(path))
    return max(header.width, header.height)


def has_alpha(path: Path) -> bool:
    """Whether the file is a PNG with an alpha channel, which no camera writes."""
    with opened(path, "a picture") as file:
        return _png(start := file.read(33)) is not None and start[25] in _PNG_WITH_ALPHA


def read_art(path: Path) -> Image:
    """A PNG with alpha as (H, W, 4) uint8 BGRA, other pictures as (H, W, 3). FairdealError as for
    `read_picture`."""
    bgr = read_picture(path)
    if not has_alpha(path):
        return bgr
    data = read_bytes(path, "a picture", most=LARGEST_FILE)
    bgra = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if bgra is None or bgra.dtype != np.uint8 or bgra.ndim != 3 or bgra.shape[2] != 4:
        return bgr
    return np.asarray(bgra, np.uint8)


def check_sides(width: int, height: int, where: str) -> None:
    """FairdealError for a picture (px) on which no card could be seen."""
    if min(width, height) < SHORTEST_SIDE:
        raise FairdealError(
            f"pictures of at least {SHORTEST_SIDE} px on each side", f"{width}×{height} px",
            "take larger ones", where,
        )  # fmt: skip


def _header(data: bytes, where: str) -> Header:
    header = _png(data) or _jpeg(data)
    if header is None:
        raise FairdealError("a picture (jpg or png)", _kind_found(data), "export it as JPEG", where)
    return header


def _png(data: bytes) -> Header | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n") or data[12:16] != b"IHDR" or len(data) < 33:
        return None
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    return Header(Kind.PNG, width, height, 3)


def _jpeg(data: bytes) -> Header | None:
    """Walks over the markers up to the frame header (ITU T.81, B.2.2)."""
    if not data.startswith(b"\xff\xd8"):
        return None
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = (int.from_bytes(data[k : k + 2], "big") for k in (at + 5, at + 7))
            return Header(Kind.JPEG, width, height, data[at + 9])
        if marker == 0xFF:  # padding
            at += 1
        elif marker in _JPEG_WITHOUT_LENGTH:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _kind_found(data: bytes) -> str:
    if data[4:8] == b"ftyp":
        return "a HEIC or AVIF file"
    if data.startswith(b"\xff\xd8"):
        return "a damaged JPEG file"
    kind = next((name for start, name in _OTHER_KINDS.items() if data.startswith(start)), None)
    return f"a {kind} file" if kind else "an empty file" if not data else "a file that is none"


def _checked(header: Header, where: str, wanted_px: int | None) -> int:
    """The flag to decode with. FairdealError for what is not decoded."""
    w, h = header.width, header.height
    if header.channels == 4:
        raise FairdealError("an RGB picture", "a CMYK JPEG", "export it as RGB", where)
    check_sides(w, h, where)
    if max(w, h) > LONGEST_SIDE or max(w, h) > THINNEST * min(w, h):
        raise FairdealError("a picture of a usual size", f"{w}×{h} px", "save it again", where)
    is_jpeg = header.kind is Kind.JPEG
    most = REDUCIBLE_PIXELS if is_jpeg else MOST_PIXELS
    if w * h > most:
        raise FairdealError(
            f"at most {most // 1_000_000} megapixels", f"{w}×{h} px", "save a smaller one", where
        )
    flag = cv2.IMREAD_COLOR
    for factor, reduced in _REDUCED if is_jpeg else ():
        is_large = w * h > MOST_PIXELS * (factor // 2) ** 2 if factor > 1 else False
        is_enough = wanted_px is not None and max(w, h) / factor >= wanted_px
        if factor > 1 and (is_large or is_enough):
            flag = reduced
    return flag
