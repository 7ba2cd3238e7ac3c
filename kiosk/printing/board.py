"""The ChArUco board as a PDF to scale, with a ruler to check the printer by."""

from pathlib import Path

import numpy as np

from calibration.lens import board as boards
from kiosk.printing.document import Document, draw_bitmap, draw_ruler
from kiosk.printing.paper import paper_mm
from rules.errors import FairdealError

MARGIN_MM = 8.0


def board_pdf(path: Path, paper: str = "a4", board: boards.Board | None = None) -> int:
    """Writes the ChArUco board onto one sheet. Returns the number of sheets, 1."""
    board = board or boards.Board()
    page_w, page_h = paper_mm(paper)
    width, height = board.size_mm
    x, y = (page_w - width) / 2, page_h - MARGIN_MM - height
    if x < MARGIN_MM or y < 18:
        raise FairdealError(
            f"a paper for {width:g}x{height:g} mm", paper, "use a4, letter or a3"
        )  # fmt: skip
    document = Document((page_w, page_h), "fairdeal ChArUco board")
    draw_bitmap(document.canvas, board_bits(board), x, y, board.square_mm / _CELLS)
    words = (f"fairdeal board {board.columns}x{board.rows}, squares of {board.square_mm:g} mm. "
             "Print at 100 %, glue it flat onto board or glass.")  # fmt: skip
    draw_ruler(document.canvas, MARGIN_MM, 9, words)
    document.canvas.showPage()
    document.write(path)
    return 1


# A marker of 3/4 square is inset by 1/8 and has 7 modules of 3/28: 56 cells divide both evenly.
_CELLS = 56


def board_bits(board: boards.Board) -> np.ndarray:
    """(rows·56, columns·56) bool, True where black; exact for a marker of 3/4 of its square."""
    if abs(board.marker_mm / board.square_mm - 0.75) > 1e-9:
        raise ValueError("a board whose markers are 3/4 of a square")
    return boards.picture(board, _CELLS / board.square_mm) < 128
