"""A deck as a PDF to print, cut and play with: fronts, mirrored backs, cut marks and a ruler."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from models.deck import Deck, load_deck
from models.drawing.raster import face_picture, refuse_foreign
from models.drawing.vector import NotPlain, draw_svg, ground_of, size_of
from rules.errors import FairdealError

PAPERS_MM = {"a3": (297.0, 420.0), "a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 7.0  # what home printers leave white, and room for the cut marks
BLEED_MM = 1.0  # colour beyond the cut at the sheet's outer edge
RULER_MM = 80
DPI = 300
SMALLEST, LARGEST = 0.3, 3.0


@dataclass(frozen=True)
class Sheet:
    """How cards lie on one size of paper; all in mm from the paper's lower left corner."""

    paper_mm: tuple[float, float]
    card_mm: tuple[float, float]
    columns: int
    rows: int

    @property
    def room(self) -> int:
        """How many cards a page holds."""
        return self.columns * self.rows

    @property
    def corner_mm(self) -> tuple[float, float]:
        """The lower left corner of the block of cards, which lies in the paper's middle."""
        across = self.paper_mm[0] - self.columns * self.card_mm[0]
        return across / 2, (self.paper_mm[1] - self.rows * self.card_mm[1]) / 2

    def cell_mm(self, number: int, behind: bool = False) -> tuple[float, float]:
        """The lower left corner of the page's card number 0, 1, …, from the top left.

        `behind`: on the page's other side, turned over at the long edge.
        """
        row, column = divmod(number, self.columns)
        if behind:
            column = self.columns - 1 - column
        left, low = self.corner_mm
        return left + column * self.card_mm[0], low + (self.rows - 1 - row) * self.card_mm[1]


def sheet_for(deck: Deck, paper: str, scale: float = 1.0) -> Sheet:
    """The sheet that holds the most cards. FairdealError for a paper or scale that will not do."""
    if paper not in PAPERS_MM:
        raise FairdealError(f"paper one of {', '.join(PAPERS_MM)}", f"'{paper}'", where="print")
    if not SMALLEST <= scale <= LARGEST:
        raise FairdealError(f"a scale from {SMALLEST} to {LARGEST}", f"{scale}", where="print")
    card = (deck.width_mm * scale, deck.height_mm * scale)
    columns, rows = (
        int((whole - 2 * MARGIN_MM + 1e-6) // part)
        for whole, part in zip(PAPERS_MM[paper], card, strict=True)
    )
    if columns * rows == 0:
        raise FairdealError(
            f"cards that fit on {paper}",
            f"cards of {card[0]:.0f} × {card[1]:.0f} mm",
            "print at a smaller scale",
            where="print",
        )
    return Sheet(PAPERS_MM[paper], card, columns, rows)


def cards_of(deck: Deck) -> list[tuple[str, str]]:
    """Every card to print, as often as the deck has it: (front's picture, back's picture)."""
    return [
        (face.name, str(face.attributes.get("reverse", deck.back)))
        for face in (*deck.faces, *deck.extras)
        if face.attributes.get("side") != "reverse"
        for _ in range(face.count)
    ]


def print_deck(
    name_or_folder: str | Path, out: Path, paper: str = "a4", scale: float = 1.0
) -> Path:
    """Write the PDF of a deck and return its path.

    Pages come in pairs, fronts and then their backs, for printing on both sides with the long
    edge bound. `scale` 1.0 is the deck's true size. FairdealError for a deck, paper, scale or
    place that will not do; nothing is left half written.
    """
    deck = load_deck(name_or_folder)
    sheet = sheet_for(deck, paper, scale)
    cards = cards_of(deck)
    text = io.BytesIO()
    canvas = Canvas(
        text, pagesize=tuple(side * mm for side in sheet.paper_mm), pageCompression=1, invariant=1
    )
    canvas.setTitle(f"{deck.title or deck.name}: {len(cards)} cards")
    canvas.setAuthor("fairdeal")
    grounds = {name: _form(canvas, deck, name, sheet) for name in _pictures(cards)}
    pages = [cards[start : start + sheet.room] for start in range(0, len(cards), sheet.room)]
    for number, page in enumerate(pages, start=1):
        title = f"{deck.title or deck.name}, sheet {number} of {len(pages)}"
        for behind in (False, True):
            _page(canvas, sheet, [card[behind] for card in page], grounds, behind)
            _ruler(canvas, sheet)
            _foot(canvas, sheet, f"{title}, {'backs' if behind else 'fronts'}")
            canvas.showPage()
    canvas.save()
    return _written(Path(out), text.getvalue())


def _pictures(cards: list[tuple[str, str]]) -> Iterator[str]:
    """Each picture once, in the order of the deck."""
    yield from dict.fromkeys(name for card in cards for name in card)


def _form(canvas: Canvas, deck: Deck, name: str, sheet: Sheet) -> str | None:
    """Store a picture in the file once, to be drawn often; its ground colour, if it has one."""
    wide, tall = (side * mm for side in sheet.card_mm)
    art = deck.art(name)
    svg = art.read_text(encoding="utf-8") if art.suffix == ".svg" else ""
    refuse_foreign(svg, art)
    try:
        if svg and _is_plain(svg):
            canvas.beginForm(name, 0, 0, wide, tall)
            draw_svg(canvas, svg, wide, tall)
            canvas.endForm()
            return ground_of(svg)
    except NotPlain as error:  # the trial run has drawn it already: this is our bug
        raise AssertionError(f"{art} was drawn once but not twice") from error
    picture = face_picture(deck, name, round(sheet.card_mm[1] / 25.4 * DPI))
    png = cv2.imencode(".png", picture)[1].tobytes()
    canvas.beginForm(name, 0, 0, wide, tall)
    canvas.drawImage(ImageReader(io.BytesIO(png)), 0, 0, wide, tall, mask="auto")
    canvas.endForm()
    return None


def _is_plain(svg: str) -> bool:
    """Whether the art can be drawn as vectors: tried on a canvas that is thrown away."""
    try:
        draw_svg(Canvas(io.BytesIO()), svg, *size_of(svg))
    except NotPlain:
        return False
    return True


def _page(
    canvas: Canvas, sheet: Sheet, names: list[str], grounds: dict[str, str | None], behind: bool
) -> None:
    wide, tall = (side * mm for side in sheet.card_mm)
    cells = [sheet.cell_mm(number, behind) for number in range(len(names))]
    for (x, y), name in zip(cells, names, strict=True):
        if ground := grounds[name]:
            canvas.setFillColor(HexColor(ground))
            edge = BLEED_MM * mm
            canvas.rect(x * mm - edge, y * mm - edge, wide + 2 * edge, tall + 2 * edge, 0, 1)
    for (x, y), name in zip(cells, names, strict=True):
        canvas.saveState()
        canvas.setFillColor(HexColor(grounds[name] or "#ffffff"))
        canvas.rect(x * mm, y * mm, wide, tall, 0, 1)  # over a neighbour's bleed
        canvas.translate(x * mm, y * mm)
        canvas.doForm(name)
        canvas.restoreState()
    if not behind:
        canvas.setStrokeColor(HexColor("#b8b8b8"))
        canvas.setLineWidth(0.25)
        for x, y in cells:
            canvas.rect(x * mm, y * mm, wide, tall, 1, 0)
    _cut_marks(canvas, sheet)


def _cut_marks(canvas: Canvas, sheet: Sheet) -> None:
    """Short lines outside the block, where the knife goes."""
    left, low = sheet.corner_mm
    right = left + sheet.columns * sheet.card_mm[0]
    high = low + sheet.rows * sheet.card_mm[1]
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setLineWidth(0.4)
    near, far = BLEED_MM + 0.5, BLEED_MM + 4.0
    for k in range(sheet.columns + 1):
        x = (left + k * sheet.card_mm[0]) * mm
        canvas.line(x, (low - near) * mm, x, (low - far) * mm)
        canvas.line(x, (high + near) * mm, x, (high + far) * mm)
    for k in range(sheet.rows + 1):
        y = (low + k * sheet.card_mm[1]) * mm
        canvas.line((left - near) * mm, y, (left - far) * mm, y)
        canvas.line((right + near) * mm, y, (right + far) * mm, y)


def _ruler(canvas: Canvas, sheet: Sheet) -> None:
    """80 mm in the left margin beside the lowest row, to be held against a real ruler."""
    left, low = sheet.corner_mm
    x, start = left - 2.0, low + 4.0
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setFillColor(HexColor("#000000"))
    canvas.setLineWidth(0.4)
    canvas.line(x * mm, start * mm, x * mm, (start + RULER_MM) * mm)
    for k in range(0, RULER_MM + 1, 5):
        tick = 2.0 if k % 10 == 0 else 1.2
        canvas.line(x * mm, (start + k) * mm, (x - tick) * mm, (start + k) * mm)
    canvas.saveState()
    canvas.translate((x - 2.4) * mm, (start + 11) * mm)
    canvas.rotate(90)
    canvas.setFont("Helvetica", 5.5)
    canvas.drawString(0, 0, f"This line is {RULER_MM} mm long. If it is not, print at 100 %.")
    canvas.restoreState()


def _foot(canvas: Canvas, sheet: Sheet, title: str) -> None:
    left, low = sheet.corner_mm
    canvas.setFillColor(HexColor("#000000"))
    canvas.setFont("Helvetica", 5.5)
    words = f"{title}. Print on both sides, long edge, at 100 %."
    canvas.drawString((left + 2) * mm, (low - 3.4) * mm, words)


def _written(out: Path, content: bytes) -> Path:
    half = out.with_name(out.name + ".part")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(content)
        half.replace(out)
    except OSError as error:
        raise FairdealError(
            "a place to write the PDF", str(error), "name another file", where=str(out)
        ) from error
    return out
