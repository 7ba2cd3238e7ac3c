"""A deck as a PDF to print and cut: fronts, mirrored backs, cut marks and a ruler."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from kiosk.printing.document import write_pdf
from kiosk.printing.paper import paper_mm
from models.deck import Deck, load_deck
from models.drawing.raster import face_picture, read_svg
from models.drawing.vector import NotPlain, draw_svg, ground_of, size_of
from rules.errors import FairdealError

UNPRINTABLE_MM = 4.3  # the rim that home printers leave white: a sixth of an inch
MARGIN_MM = 7.0  # that rim and room for the cut marks
BLEED_MM = 1.0  # colour beyond the cut at the sheet's outer edge
NEAR_MM, FAR_MM = 1.5, 5.0  # distances of a cut mark's ends from the cards
RULER_MM = 80
FONT, FONT_PT = "Helvetica", 5.5
DPI = 300  # of art that cannot be drawn as vectors
SMALLEST, LARGEST = 0.3, 3.0  # scale


@dataclass(frozen=True)
class Sheet:
    """How cards lie on a sheet of paper; in mm from the paper's lower left corner."""

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
        """The lower left corner of the block of cards, which is centred on the paper."""
        across = self.paper_mm[0] - self.columns * self.card_mm[0]
        return across / 2, (self.paper_mm[1] - self.rows * self.card_mm[1]) / 2

    def cell_mm(self, number: int, behind: bool = False) -> tuple[float, float]:
        """The lower left corner of card number 0, 1, … of a page, from the top left.

        `behind`: on the other side of the sheet, turned over at the long edge.
        """
        row, column = divmod(number, self.columns)
        if behind:
            column = self.columns - 1 - column
        left, low = self.corner_mm
        return left + column * self.card_mm[0], low + (self.rows - 1 - row) * self.card_mm[1]


def sheet_for(deck: Deck, paper: str, scale: float = 1.0) -> Sheet:
    """The sheet with the most cards. FairdealError for an unknown paper or a wrong scale."""
    paper_size = paper_mm(paper)
    if not SMALLEST <= scale <= LARGEST:
        raise FairdealError(f"a scale from {SMALLEST} to {LARGEST}", f"{scale}", where="print")
    card = (deck.width_mm * scale, deck.height_mm * scale)
    columns, rows = (
        int((whole - 2 * MARGIN_MM + 1e-6) // part)
        for whole, part in zip(paper_size, card, strict=True)
    )
    if columns * rows == 0:
        raise FairdealError(
            f"cards that fit on {paper}",
            f"cards of {card[0]:.0f} × {card[1]:.0f} mm",
            "print at a smaller scale",
            where="print",
        )
    return Sheet(paper_size, card, columns, rows)


def cards_of(deck: Deck) -> list[tuple[str, str]]:
    """Every card to print, by its count: (front's picture, back's picture)."""
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

    Pages come in pairs, fronts and then their backs, for duplex printing at the long edge.
    `scale` 1.0 is the deck's true size. FairdealError for a bad deck, paper, scale or path; no
    partial file is left.
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
    return write_pdf(Path(out), text.getvalue())


def _pictures(cards: list[tuple[str, str]]) -> Iterator[str]:
    """Each picture once, in the order of the deck."""
    yield from dict.fromkeys(name for card in cards for name in card)


def _form(canvas: Canvas, deck: Deck, name: str, sheet: Sheet) -> str | None:
    """Stores a picture in the PDF once, for repeated use. Returns its ground colour, if any."""
    wide, tall = (side * mm for side in sheet.card_mm)
    art = deck.art(name)
    svg = read_svg(art) if art.suffix == ".svg" else ""
    try:
        if svg and _is_plain(svg):
            canvas.beginForm(name, 0, 0, wide, tall)
            draw_svg(canvas, svg, wide, tall)
            canvas.endForm()
            return ground_of(svg)
    except NotPlain as error:  # the trial run has drawn it already: a bug of ours
        raise AssertionError(f"{art} was drawn once but not twice") from error
    picture = face_picture(deck, name, round(sheet.card_mm[1] / 25.4 * DPI))
    png = cv2.imencode(".png", picture)[1].tobytes()
    canvas.beginForm(name, 0, 0, wide, tall)
    canvas.drawImage(ImageReader(io.BytesIO(png)), 0, 0, wide, tall, mask="auto")
    canvas.endForm()
    return None


def _is_plain(svg: str) -> bool:
    """Whether the art can be drawn as vectors; tried on a canvas that is discarded."""
    try:
        draw_svg(Canvas(io.BytesIO()), svg, *size_of(svg))
    except (NotPlain, ArithmeticError):
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
        canvas.rect(x * mm, y * mm, wide, tall, 0, 1)  # covers a neighbour's bleed
        canvas.translate(x * mm, y * mm)
        canvas.doForm(name)
        canvas.restoreState()
    if not behind:
        canvas.setStrokeColor(HexColor("#b8b8b8"))
        canvas.setLineWidth(0.25)
        for x, y in cells:
            canvas.rect(x * mm, y * mm, wide, tall, 1, 0)
    _cut_marks(canvas, sheet)


def mark_reach_mm(margin_mm: float) -> float:
    """How far cut marks reach from the cards: 5 mm, or less where a printer would cut them off."""
    return max(NEAR_MM + 0.5, min(FAR_MM, margin_mm - UNPRINTABLE_MM))


def _cut_marks(canvas: Canvas, sheet: Sheet) -> None:
    """Short lines outside the block, where the knife goes."""
    left, low = sheet.corner_mm
    right = left + sheet.columns * sheet.card_mm[0]
    high = low + sheet.rows * sheet.card_mm[1]
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setLineWidth(0.4)
    far = mark_reach_mm(low)
    for k in range(sheet.columns + 1):
        x = (left + k * sheet.card_mm[0]) * mm
        canvas.line(x, (low - NEAR_MM) * mm, x, (low - far) * mm)
        canvas.line(x, (high + NEAR_MM) * mm, x, (high + far) * mm)
    far = mark_reach_mm(left)
    for k in range(sheet.rows + 1):
        y = (low + k * sheet.card_mm[1]) * mm
        canvas.line((left - NEAR_MM) * mm, y, (left - far) * mm, y)
        canvas.line((right + NEAR_MM) * mm, y, (right + far) * mm, y)


def _ruler_gap_mm(sheet: Sheet) -> float:
    """The distance from the cards to the ruler, which is also the length of its long ticks."""
    return min(1.8, (sheet.corner_mm[0] - UNPRINTABLE_MM) / 2)


def ruler_has_words(sheet: Sheet) -> bool:
    """Whether the margin has room for the words beside the ruler."""
    return sheet.corner_mm[0] - 2 * _ruler_gap_mm(sheet) - 2.3 >= UNPRINTABLE_MM


def _ruler(canvas: Canvas, sheet: Sheet) -> None:
    """80 mm in the left margin beside the lowest row, to compare with a real ruler."""
    left, low = sheet.corner_mm
    gap = _ruler_gap_mm(sheet)
    x, start = left - gap, low + 4.0
    canvas.setStrokeColor(HexColor("#000000"))
    canvas.setFillColor(HexColor("#000000"))
    canvas.setLineWidth(0.4)
    canvas.line(x * mm, start * mm, x * mm, (start + RULER_MM) * mm)
    for k in range(0, RULER_MM + 1, 5):
        tick = gap if k % 10 == 0 else 0.6 * gap
        canvas.line(x * mm, (start + k) * mm, (x - tick) * mm, (start + k) * mm)
    if not ruler_has_words(sheet):
        return
    canvas.saveState()
    canvas.translate((x - gap - 0.4) * mm, (start + 11) * mm)
    canvas.rotate(90)
    canvas.setFont(FONT, FONT_PT)
    canvas.drawString(0, 0, f"This line is {RULER_MM} mm long. If it is not, print at 100 %.")
    canvas.restoreState()


def foot_parts(sheet: Sheet, title: str) -> list[tuple[str, float, float]]:
    """The words below the cards: (text, x mm, y mm), clear of cut marks and the paper's rim.

    Below the marks if the margin is deep enough; otherwise one part under each column of cards, so
    that no mark crosses it.
    """
    left, low = sheet.corner_mm
    note = "Print on both sides, long edge, at 100 %."
    below = low - mark_reach_mm(low) - 3.0
    if below >= UNPRINTABLE_MM:
        return [(f"{title}. {note}", left + 2, below)]
    room = (sheet.card_mm[0] - 3) * mm
    parts = [f"{title}.", note][: sheet.columns]
    return [
        (words, left + k * sheet.card_mm[0] + 1.5, low - NEAR_MM - 1.7)
        for k, words in enumerate(parts)
        if stringWidth(words, FONT, FONT_PT) <= room
    ]


def _foot(canvas: Canvas, sheet: Sheet, title: str) -> None:
    canvas.setFillColor(HexColor("#000000"))
    canvas.setFont(FONT, FONT_PT)
    for words, x, y in foot_parts(sheet, title):
        canvas.drawString(x * mm, y * mm, words)
