"""What all printed sheets share: the canvas, bitmaps as vectors, and a ruler."""

import io
from pathlib import Path

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from rules.files import write_file

RULER_MM = 100


class Document:
    """A PDF in memory: draw on `canvas`, then `write` it whole or not at all."""

    def __init__(self, page_mm: tuple[float, float], title: str) -> None:
        self._content = io.BytesIO()
        size = (page_mm[0] * mm, page_mm[1] * mm)
        self.canvas = Canvas(self._content, pagesize=size, pageCompression=1, invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor("fairdeal")

    def write(self, path: Path) -> Path:
        """Writes the file and returns its path. FairdealError if it cannot be written."""
        self.canvas.save()
        return write_pdf(path, self._content.getvalue())


def write_pdf(path: Path, content: bytes) -> Path:
    """Writes a PDF whole or not at all, and returns its path. Raises FairdealError."""
    return write_file(path, content, "a file for the PDF", "name another --out")


def draw_bitmap(canvas: Canvas, bits: np.ndarray, x_mm: float, y_mm: float, cell_mm: float) -> None:
    """Draws black cells as one path of rectangles, their lower left at (x, y)."""
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


def draw_ruler(canvas: Canvas, x: float, y: float, words: str) -> None:
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
