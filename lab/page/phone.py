"""A phone that films a drawn game: a real browser whose camera is a file, at the page's https."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.drawing.steps import Script
from rules.errors import FairdealError
from vision.frame import Image
from vision.sources.simulated import SimulatedSource

GAME = Path(__file__).parent / "phone-game.txt"
CHROMIUM_RATE = 30.0  # pictures a second of its camera, where the file is Motion JPEG
QUALITY = 90
BITS, CELL_PX = 10, 16  # the picture's number, as black and white squares in its upper left corner


def camera_flags(film: Path) -> tuple[str, ...]:
    """What makes Chromium take a file for its camera, and the page be allowed to film."""
    return (
        "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )  # fmt: skip


def write_film(script: Script, path: Path) -> None:
    """The drawn game as Motion JPEG. Each picture bears its number; see `number_of`."""
    source = SimulatedSource(script)
    times = round(CHROMIUM_RATE / source.rate)
    if times * source.rate != CHROMIUM_RATE:
        raise FairdealError(f"a camera whose rate divides {CHROMIUM_RATE:g}", f"{source.rate:g}")
    with path.open("wb") as film:
        while (frame := source.read()) is not None:
            numbered = with_number(frame.bgr, frame.number)
            _, data = cv2.imencode(".jpg", numbered, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
            film.write(data.tobytes() * times)


def with_number(bgr: Image, number: int) -> Image:
    """The picture with its number in the corner."""
    marked = bgr.copy()
    bits = [255 * (number >> k & 1) for k in range(BITS)]
    strip = np.repeat(np.array(bits, np.uint8), CELL_PX)
    marked[:CELL_PX, : BITS * CELL_PX] = strip[None, :, None]
    return marked


def number_of(bgr: Image) -> int:
    """The number of a picture of such a film."""
    middle = CELL_PX // 2
    levels = bgr[middle, middle : BITS * CELL_PX : CELL_PX].mean(axis=1)
    return sum(int(level > 127) << k for k, level in enumerate(levels))
