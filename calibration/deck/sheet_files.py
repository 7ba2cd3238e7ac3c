"""Sheets of files: photographs, scanned pages and PDFs of several cards, films of single ones."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.film_cards import Namer, film_sheets
from calibration.deck.row_finding import SeveralFinder
from calibration.deck.segmentation import Image
from calibration.deck.sheets import LARGEST_PX, Sheet, found_sheet, read_sheet
from models.picture_file import LARGEST_FILE
from rules.errors import FairdealError
from rules.files import read_bytes

PDF = ".pdf"
FILMS = (".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v")
MOST_PAGES = 64
PDF_DPI = 300.0
POINTS = 72.0  # of a PDF, to an inch


def sheets_of(
    paths: Sequence[Path], finder: SeveralFinder, namer: Namer,
    refuse: Callable[[FairdealError], None],
) -> list[Sheet]:  # fmt: skip
    """The sheets of pictures, PDFs and films, in that order. A page or picture that shows no card
    goes to `refuse`. FairdealError for a file that cannot be read."""
    found: list[Sheet] = []
    for path in paths:
        ending = path.suffix.lower()
        if ending in FILMS:
            found += film_sheets(path, finder, namer)
        elif ending == PDF:
            for number, page in enumerate(pdf_pages(path), 1):
                try:
                    found.append(found_sheet(page, f"{path} page {number}", finder))
                except FairdealError as error:
                    refuse(error)
        else:
            try:
                found.append(read_sheet(path, finder))
            except FairdealError as error:
                refuse(error)
    return found


def pdf_pages(path: Path) -> list[Image]:
    """The pages (H, W, 3) BGR of a PDF, at 300 dpi or less. Raises FairdealError for
    a file that is no PDF, and where the package that reads PDFs is not installed."""
    try:
        import pypdfium2
    except ImportError:
        raise FairdealError(
            "a picture, or the package pypdfium2 that reads PDFs", "neither",
            'pip install "fairdeal[pdf]", or save its pages as JPEG', str(path),
        ) from None  # fmt: skip
    data = read_bytes(path, "a PDF", most=LARGEST_FILE)
    try:
        document = pypdfium2.PdfDocument(data)
        count = len(document)
        if not 1 <= count <= MOST_PAGES:
            raise FairdealError(f"a PDF of at most {MOST_PAGES} pages", f"{count}", "split it",
                                str(path))  # fmt: skip
        return [_rendered(document[k]) for k in range(count)]
    except pypdfium2.PdfiumError as error:
        raise FairdealError("a PDF without a password", f"one that cannot be read ({error})",
                            "save it again, or its pages as JPEG", str(path)) from None  # fmt: skip


def _rendered(page: object) -> Image:
    width, height = page.get_size()  # type: ignore[attr-defined]
    scale = min(PDF_DPI / POINTS, LARGEST_PX / max(width, height, 1.0))
    bitmap = page.render(scale=scale, rev_byteorder=False)  # type: ignore[attr-defined]
    picture = bitmap.to_numpy()
    kind = {1: cv2.COLOR_GRAY2BGR, 4: cv2.COLOR_BGRA2BGR}.get(
        1 if picture.ndim == 2 else picture.shape[2]
    )
    return np.array(picture if kind is None else cv2.cvtColor(picture, kind), np.uint8)
