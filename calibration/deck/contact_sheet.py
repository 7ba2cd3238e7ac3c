"""A contact sheet of a deck's teaching pictures: every outline, checked at a glance."""

import base64
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.deck_files import make_folder
from calibration.deck.ends import Asked, End, Taken, Unusable
from calibration.deck.segmentation import Points
from calibration.deck.teach import TeachingPicture
from calibration.pictures import write
from rules.files import write_file
from vision.frame import Image

TILE = 240  # px, the longer side of a picture on the sheet
ROW = 7  # pictures in a row
LINE = 22  # px, height of the words below a picture
AROUND = 0.35  # of the card's longer side: what is shown around it
GREEN, RED = (60, 170, 40), (40, 40, 220)  # BGR
OTHERS = ((220, 130, 20), (0, 170, 220), (200, 60, 200))  # of the second proposal and the next ones
STYLE = (
    "body{font:16px system-ui,sans-serif;margin:1rem;background:#fff;color:#222}"
    "main{display:flex;flex-wrap:wrap;gap:.8rem}figure{margin:0;width:240px}"
    "img{display:block;max-width:240px}figure.asked{outline:3px solid #d62828;padding:.3rem}"
    "figcaption{overflow-wrap:anywhere}"
)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """A picture of the sheet: a small one with the outlines drawn on it, and words below."""

    name: str
    bgr: Image
    words: str = ""
    is_asked: bool = False


def write_sheet(folder: Path, title: str, ends: Sequence[End]) -> tuple[Path, Path]:
    """Writes `sheet.png` and `sheet.html`, the asked pictures first. Returns their paths."""
    tiles = [tile for end in ends if not isinstance(end, Unusable) for tile in [_tile(end)]]
    tiles.sort(key=lambda tile: not tile.is_asked)
    png, page = folder / "sheet.png", folder / "sheet.html"
    make_folder(folder)
    write(png, _sheet(tiles))
    write_file(page, _page(title, tiles), "a file for the sheet")
    return png, page


def write_alike(
    folder: Path, pairs: Sequence[tuple[str, str]], pictures: Mapping[str, Image]
) -> Path:
    """Writes `alike.png`: the pictures (H, W, 3) of faces that look alike, a row a pair."""
    rows = []
    for pair in pairs:
        row = np.full((TILE + LINE, 2 * TILE, 3), 255, np.uint8)
        for k, face in enumerate(pair):
            small = _small(pictures[face])
            h, w = small.shape[:2]
            row[:h, k * TILE : k * TILE + w] = small
            cv2.putText(row, face[:26], (k * TILE + 4, TILE + 15), 0, 0.45, (30, 30, 30), 1,
                        cv2.LINE_AA)  # fmt: skip
        rows.append(row)
    path = folder / "alike.png"
    write(path, np.concatenate(rows))
    return path


def _tile(end: Taken | Asked) -> Tile:
    if isinstance(end, Taken):
        return Tile(end.name, _drawn([end.picture], is_asked=False))
    if not end.proposals:
        return Tile(end.name, _small(end.bgr), f"{end.reason}; no outline found", is_asked=True)
    words = f"found {end.reason.found}"
    return Tile(end.name, _drawn(end.proposals, is_asked=True), words, is_asked=True)


def _drawn(pictures: Sequence[TeachingPicture], is_asked: bool) -> Image:
    """The part of the picture around the cards, their outlines numbered if there are several."""
    bgr = pictures[0].bgr
    outlines = [_contour(picture) for picture in pictures]
    around = np.concatenate(outlines)
    margin = AROUND * float(np.ptp(outlines[0], axis=0).max())
    limits = np.array(bgr.shape[1::-1], np.float64)
    low = np.clip(np.floor(around.min(0) - margin), 0, limits - 1).astype(int)
    high = np.clip(np.ceil(around.max(0) + margin), low + 1, limits).astype(int)
    cut = bgr[low[1] : high[1], low[0] : high[0], :3]
    small = _small(cut)
    scale = small.shape[1] / cut.shape[1]
    # The best outline is drawn last: it lies above the others.
    for k, outline in reversed(list(enumerate(outlines))):
        colour = OTHERS[(k - 1) % len(OTHERS)] if k else (RED if is_asked else GREEN)
        points = np.rint((outline - low) * scale * 16).astype(np.int32)
        cv2.polylines(small, [points], True, colour, 2, cv2.LINE_AA, 4)
        if len(outlines) > 1:
            x, y = ((outline[0] - low) * scale).astype(int)
            cv2.putText(small, str(k + 1), (int(x) + 4, int(y) + 16), 0, 0.5, colour, 2)
    return small


def _contour(picture: TeachingPicture) -> Points:
    points = picture.quad if picture.outline is None else picture.outline
    return np.asarray(points, np.float32)


def _small(bgr: Image) -> Image:
    scale = TILE / max(bgr.shape[:2])
    size = [max(1, round(side * scale)) for side in bgr.shape[1::-1]]
    small = cv2.resize(bgr[..., :3], size, interpolation=cv2.INTER_AREA)
    return np.array(small, np.uint8)


def _sheet(tiles: Sequence[Tile]) -> Image:
    rows = -(-len(tiles) // ROW) or 1
    columns = min(ROW, max(1, len(tiles)))
    sheet = np.full((rows * (TILE + LINE), columns * TILE, 3), 255, np.uint8)
    for number, tile in enumerate(tiles):
        y, x = (number // ROW) * (TILE + LINE), (number % ROW) * TILE
        h, w = tile.bgr.shape[:2]
        sheet[y : y + h, x : x + w] = tile.bgr
        words = f"{tile.name} ?" if tile.is_asked else tile.name
        colour = RED if tile.is_asked else (30, 30, 30)
        cv2.putText(sheet, words[:26], (x + 4, y + TILE + 15), 0, 0.45, colour, 1, cv2.LINE_AA)
    return sheet


def _page(title: str, tiles: Sequence[Tile]) -> str:
    asked = sum(tile.is_asked for tile in tiles)
    told = f"{len(tiles) - asked} taken, {asked} asked" if asked else f"{len(tiles)} taken"
    figures = "\n".join(map(_figure, tiles))
    return (f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{html.escape(title)}'
            f"</title><style>{STYLE}</style>\n<h1>{html.escape(title)}: {told}</h1>\n"
            f"<main>\n{figures}\n</main></html>\n")  # fmt: skip


def _figure(tile: Tile) -> str:
    _, data = cv2.imencode(".jpg", tile.bgr, [cv2.IMWRITE_JPEG_QUALITY, 85])
    source = f"data:image/jpeg;base64,{base64.b64encode(data.tobytes()).decode()}"
    name, words = html.escape(tile.name), html.escape(tile.words)
    kind = ' class="asked"' if tile.is_asked else ""
    mark = f"<b>{name}?</b> {words}" if tile.is_asked else name
    return (f'<figure{kind}><img src="{source}" alt="{name}">'
            f"<figcaption>{mark}</figcaption></figure>")  # fmt: skip
