"""PDFs to scale: the ChArUco board and the table mat, with a ruler to check the printer by."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.lens import board as boards
from rules.errors import FairdealError
from rules.layout import SIDES
from vision.mat import Mat, marker_bits

PAPERS = {"a4": A4, "letter": letter, "a3": (297 * mm, 420 * mm)}
MARGIN_MM = 8.0
RULER_MM = 100
OVERLAP_MM = 10.0
_GREY = 0.55


def paper_mm(name: str) -> tuple[float, float]:
    """Width and height of an upright sheet. FairdealError for a paper that is unknown."""
    if name not in PAPERS:
        raise FairdealError(f"a paper of {', '.join(PAPERS)}", name, "give another --paper")
    width, height = PAPERS[name]
    return width / mm, height / mm


def board_pdf(path: Path, paper: str = "a4", board: boards.Board | None = None) -> int:
    """Writes the ChArUco board onto one sheet. Returns the number of sheets, 1."""
    board = board or boards.Board()
    page_w, page_h = paper_mm(paper)
    width, height = board.size_mm
    x, y = (page_w - width) / 2, page_h - MARGIN_MM - height
    if x < MARGIN_MM or y < 18:
        raise FairdealError(
            f"a paper for {width:g}x{height:g} mm", paper, "take a4, letter or a3"
        )  # fmt: skip
    canvas = _canvas(path, (page_w, page_h), "fairdeal ChArUco board")
    _bitmap(canvas, _board_bits(board), x, y, board.square_mm / _CELLS)
    words = (f"fairdeal board {board.columns}x{board.rows}, squares of {board.square_mm:g} mm. "
             "Print at 100 %, glue it flat onto board or glass.")  # fmt: skip
    _ruler(canvas, MARGIN_MM, 9, words)
    canvas.showPage()
    _write(canvas, path)
    return 1


# A marker of 3/4 square stands in by 1/8 and has 7 modules of 3/28: 56 cells cut both evenly.
_CELLS = 56


def _board_bits(board: boards.Board) -> np.ndarray:
    """(rows·56, columns·56) bool, True where black; exact for a marker of 3/4 of its square."""
    if abs(board.marker_mm / board.square_mm - 0.75) > 1e-9:
        raise ValueError("a board whose markers are 3/4 of a square")
    return boards.picture(board, _CELLS / board.square_mm) < 128


def mat_pdf(path: Path, mat: Mat, paper: str = "a4", players: int = 4) -> int:
    """Writes the mat, tiled over as many sheets as it needs. Returns their number."""
    upright = paper_mm(paper)
    best = min((upright, upright[::-1]), key=lambda page: _tiling(mat, page)[2])
    columns, rows, _ = _tiling(mat, best)
    canvas = _canvas(path, best, f"fairdeal table mat {mat.name}")
    step_x, step_y = _steps(mat, best, columns, rows)
    for row in range(rows):
        for column in range(columns):
            _tile(canvas, mat, best, (column, row), (columns, rows), (step_x, step_y), players)
            canvas.showPage()
    _write(canvas, path)
    return columns * rows


def _usable(page: tuple[float, float]) -> tuple[float, float]:
    return page[0] - 2 * MARGIN_MM, page[1] - 2 * MARGIN_MM - 10


def _tiling(mat: Mat, page: tuple[float, float]) -> tuple[int, int, int]:
    """Columns, rows and sheets."""
    counts = []
    for size, room in zip((mat.width_mm, mat.height_mm), _usable(page), strict=True):
        count = 1
        while count * room - (count - 1) * OVERLAP_MM < size - 1e-6:
            count += 1
        counts.append(count)
    return counts[0], counts[1], counts[0] * counts[1]


def _steps(mat: Mat, page: tuple[float, float], columns: int, rows: int) -> tuple[float, float]:
    room = _usable(page)
    step_x = room[0] - OVERLAP_MM if columns > 1 else mat.width_mm
    step_y = room[1] - OVERLAP_MM if rows > 1 else mat.height_mm
    return step_x, step_y


def _tile(
    canvas: Canvas, mat: Mat, page: tuple[float, float], at: tuple[int, int],
    of: tuple[int, int], step: tuple[float, float], players: int,
) -> None:  # fmt: skip
    """One sheet: the part of the mat that falls on it, crop marks, ruler and number."""
    room = _usable(page)
    left, top = at[0] * step[0], at[1] * step[1]
    width, height = min(room[0], mat.width_mm - left), min(room[1], mat.height_mm - top)
    origin_y = page[1] - MARGIN_MM - height
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(MARGIN_MM * mm, origin_y * mm, width * mm, height * mm)
    canvas.clipPath(clip, stroke=0)
    # From here on: millimetres of the mat, y downward.
    canvas.translate((MARGIN_MM - left) * mm, (page[1] - MARGIN_MM + top) * mm)
    _draw_mat(canvas, mat, players)
    canvas.restoreState()
    _crop_marks(canvas, MARGIN_MM, origin_y, width, height, at, of)
    words = f"fairdeal mat {mat.name}, {mat.width_mm:g}x{mat.height_mm:g} mm"
    if of != (1, 1):
        words += (f"; sheet {at[1] * of[0] + at[0] + 1} of {of[0] * of[1]} "
                  f"(row {at[1] + 1}, column {at[0] + 1}): cut along the dashes, "
                  "lay the cut on the neighbour's corner marks, glue")  # fmt: skip
    _ruler(canvas, MARGIN_MM, 5, words)


def _draw_mat(canvas: Canvas, mat: Mat, players: int) -> None:
    w, h = mat.width_mm, mat.height_mm
    canvas.setStrokeGray(_GREY)
    canvas.setLineWidth(0.6)
    canvas.rect(0.3 * mm, -(h - 0.3) * mm, (w - 0.6) * mm, (h - 0.6) * mm)
    edge = mat.marker_mm * 1.5
    canvas.setDash(4, 3)
    canvas.roundRect(edge * mm, -(h - edge) * mm, (w - 2 * edge) * mm, (h - 2 * edge) * mm, 8 * mm)
    canvas.setDash()
    for marker in mat.markers():
        bits = marker_bits(marker.number)
        cell = marker.side_mm / bits.shape[0]
        _bitmap(canvas, bits, marker.x_mm, -(marker.y_mm + marker.side_mm), cell)
    canvas.setFillGray(_GREY)
    size = mat.marker_mm * 0.32
    turns = {"bottom": 0, "left": 270, "top": 180, "right": 90}
    inset = mat.marker_mm * 0.5
    spots = {"bottom": (w / 2, h - inset), "left": (inset, h * 0.3), "top": (w / 2, inset),
             "right": (w - inset, h * 0.7)}  # fmt: skip
    for seat, side in enumerate(SIDES[:players], start=1):
        x, y = spots[side]
        canvas.saveState()
        canvas.translate(x * mm, -y * mm)
        canvas.rotate(turns[side])
        canvas.setFont("Helvetica", size * mm)
        canvas.drawCentredString(0, -size * 0.35 * mm, f"seat {seat}")
        canvas.restoreState()
    canvas.setFillGray(0)


def _bitmap(canvas: Canvas, bits: np.ndarray, x_mm: float, y_mm: float, cell_mm: float) -> None:
    """Black cells as one path of rectangles, their lower left at (x, y)."""
    path = canvas.beginPath()
    rows = len(bits)
    row = 0
    while row < rows:
        end = row + 1
        while end < rows and (bits[end] == bits[row]).all():
            end += 1
        y, height = y_mm + (rows - end) * cell_mm, (end - row) * cell_mm
        edges = np.flatnonzero(np.diff(np.concatenate([[0], bits[row].astype(int), [0]])))
        for start, stop in edges.reshape(-1, 2):
            x, width = x_mm + start * cell_mm, (stop - start) * cell_mm
            path.rect(x * mm, y * mm, width * mm, height * mm)
        row = end
    canvas.setFillGray(0)
    canvas.drawPath(path, stroke=0, fill=1)


def _crop_marks(
    canvas: Canvas, x: float, y: float, width: float, height: float,
    at: tuple[int, int], of: tuple[int, int],
) -> None:  # fmt: skip
    """Dashes where the neighbour's sheet is laid on, and ticks at the corners."""
    canvas.setStrokeGray(0.3)
    canvas.setLineWidth(0.3)
    for cx in (x, x + width):
        for cy in (y, y + height):
            out_x, out_y = (-1 if cx == x else 1), (-1 if cy == y else 1)
            canvas.line((cx + out_x) * mm, cy * mm, (cx + out_x * 5) * mm, cy * mm)
            canvas.line(cx * mm, (cy + out_y) * mm, cx * mm, (cy + out_y * 5) * mm)
    canvas.setDash(2, 2)
    if at[0] > 0:
        canvas.line((x + OVERLAP_MM) * mm, y * mm, (x + OVERLAP_MM) * mm, (y + height) * mm)
    if at[1] > 0:
        line = y + height - OVERLAP_MM
        canvas.line(x * mm, line * mm, (x + width) * mm, line * mm)
    canvas.setDash()


def _ruler(canvas: Canvas, x: float, y: float, words: str) -> None:
    """A ruler of 100 mm with words beside it."""
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.3)
    canvas.line(x * mm, y * mm, (x + RULER_MM) * mm, y * mm)
    for tick in range(RULER_MM + 1):
        if tick % 5 == 0 or tick < 10:
            length = 3 if tick % 10 == 0 else 2 if tick % 5 == 0 else 1
            canvas.line((x + tick) * mm, y * mm, (x + tick) * mm, (y + length) * mm)
    canvas.setFont("Helvetica", 5.5)
    canvas.drawString(x * mm, (y - 2.4) * mm, "0")
    canvas.drawRightString((x + RULER_MM) * mm, (y - 2.4) * mm, "100 mm: measure it; if it is "
                           "97 mm, say --scale 0.97 to `fairdeal calibrate table`")  # fmt: skip
    text = canvas.beginText((x + RULER_MM + 4) * mm, (y + 1) * mm)
    text.setFont("Helvetica", 5.5)
    half = words.find(": cut") + 1 or words.find(". Print") + 1
    for line in (words[:half], words[half:].strip()) if half else (words,):
        text.textLine(line)
    canvas.drawText(text)


def _canvas(path: Path, page_mm: tuple[float, float], title: str) -> Canvas:
    canvas = Canvas(str(path), pagesize=(page_mm[0] * mm, page_mm[1] * mm), invariant=True)
    canvas.setTitle(title)
    canvas.setAuthor("fairdeal")
    return canvas


def _write(canvas: Canvas, path: Path) -> None:
    make: Callable[[], None] = canvas.save
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        make()
    except OSError as error:
        found = error.strerror or str(error)
        raise FairdealError("a place for the PDF", found, "name another --out", str(path)) from None
