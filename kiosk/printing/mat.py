"""The table mat as a PDF to scale: markers, seats, and the places of a game where play has them.

The places are those of `rules/games/<game>/layout.py`, which the scene uses too. A mat that is
larger than the paper is tiled over several sheets; no marker is cut by a seam.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from kiosk.printing.document import Document, draw_bitmap, draw_ruler
from kiosk.printing.paper import paper_mm
from rules.errors import FairdealError
from rules.games import game
from rules.table.layout import Area, Layout, Side, default_sides
from vision.mat import Mat, marker_bits

MARGIN_MM = 8.0
OVERLAP_MM = 10.0  # glued at each seam
FOOT_MM = 10.0  # below the mat, for the ruler
_GREY, _PALE = 0.55, 0.72
MOST_PLAYERS = 6


@dataclass(frozen=True)
class Printed:
    """What is printed on a mat besides its markers: the players' sides and a game's areas."""

    title: str
    sides: tuple[Side, ...]
    areas: tuple[Area, ...] = ()

    @classmethod
    def plain(cls, players: int = 4) -> "Printed":
        """Seats only, for every game."""
        if not 1 <= players <= MOST_PLAYERS:
            raise FairdealError(f"1 to {MOST_PLAYERS} players", str(players), where="print mat")
        return cls("plain", default_sides(players))

    @classmethod
    def of_game(cls, name: str, players: int | None = None) -> "Printed":
        """The places of a game; `players` None: the most it takes. FairdealError for others."""
        rules = game(name)
        least, most = rules.players
        count = most if players is None else players
        if not least <= count <= most:
            expected = f"{least} to {most} players of {name}"
            raise FairdealError(expected, str(count), where="print mat")
        sides = default_sides(count)
        return cls(f"{rules.title}, {count} players", sides, rules.layout.areas(sides))


@dataclass(frozen=True)
class Tiling:
    """How a mat lies on sheets: their number and the step from one to the next, mm."""

    page_mm: tuple[float, float]
    columns: int
    rows: int
    step_mm: tuple[float, float]

    @property
    def room_mm(self) -> tuple[float, float]:
        """The part of a sheet that a mat can use."""
        return _room(self.page_mm)


def mat_pdf(path: Path, mat: Mat, paper: str | None = None, printed: Printed | None = None) -> int:
    """Writes the mat, tiled over as many sheets as it needs. Returns their number.

    `paper` None: A3 for the A3 mat, else A4. FairdealError for an unknown paper or a bad path.
    """
    printed = printed or Printed.plain()
    tiling = tiling_of(mat, paper or ("a3" if mat.name == "a3" else "a4"))
    document = Document(tiling.page_mm, f"fairdeal table mat {mat.name}, {printed.title}")
    for row in range(tiling.rows):
        for column in range(tiling.columns):
            _tile(document.canvas, mat, tiling, (column, row), printed)
            document.canvas.showPage()
    document.write(path)
    return tiling.columns * tiling.rows


def tiling_of(mat: Mat, paper: str) -> Tiling:
    """The tiling with the fewest sheets, upright or across, whose seams cut no marker."""
    upright = paper_mm(paper)
    choices = []
    for page in (upright, upright[::-1]):
        markers = mat.markers()
        across = [(m.x_mm, m.x_mm + m.side_mm) for m in markers]
        down = [(m.y_mm, m.y_mm + m.side_mm) for m in markers]
        room = _room(page)
        columns, step_x = _steps(mat.width_mm, room[0], across)
        rows, step_y = _steps(mat.height_mm, room[1], down)
        choices.append(Tiling(page, columns, rows, (step_x, step_y)))
    return min(choices, key=lambda tiling: tiling.columns * tiling.rows)


def _room(page_mm: tuple[float, float]) -> tuple[float, float]:
    return page_mm[0] - 2 * MARGIN_MM, page_mm[1] - 2 * MARGIN_MM - FOOT_MM


def _steps(size: float, room: float, markers: Sequence[tuple[float, float]]) -> tuple[int, float]:
    """How many sheets a side of the mat takes, and their step: the largest that cuts no marker."""
    if size <= room + 1e-6:
        return 1, size
    step = room - OVERLAP_MM
    while step >= room / 2:
        seams = [k * step for k in range(1, _count(size, room, step))]
        if not any(
            low < seam + OVERLAP_MM and seam < high for seam in seams for low, high in markers
        ):
            return len(seams) + 1, step
        step -= 1.0
    step = room - OVERLAP_MM
    return _count(size, room, step), step


def _count(size: float, room: float, step: float) -> int:
    count = 1
    while (count - 1) * step + room < size - 1e-6:
        count += 1
    return count


def _tile(canvas: Canvas, mat: Mat, tiling: Tiling, at: tuple[int, int], printed: Printed) -> None:
    """One sheet: its part of the mat, crop marks, ruler and number."""
    page, room, of = tiling.page_mm, tiling.room_mm, (tiling.columns, tiling.rows)
    left, top = at[0] * tiling.step_mm[0], at[1] * tiling.step_mm[1]
    width, height = min(room[0], mat.width_mm - left), min(room[1], mat.height_mm - top)
    origin_y = page[1] - MARGIN_MM - height
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(MARGIN_MM * mm, origin_y * mm, width * mm, height * mm)
    canvas.clipPath(clip, stroke=0)
    # From here on: millimetres of the mat, y downward.
    canvas.translate((MARGIN_MM - left) * mm, (page[1] - MARGIN_MM + top) * mm)
    _draw_mat(canvas, mat, printed)
    canvas.restoreState()
    _crop_marks(canvas, MARGIN_MM, origin_y, width, height, at, of)
    words = f"fairdeal mat {mat.name}, {printed.title}, {mat.width_mm:g}x{mat.height_mm:g} mm"
    if of != (1, 1):
        words += (f"; sheet {at[1] * of[0] + at[0] + 1} of {of[0] * of[1]} "
                  f"(row {at[1] + 1}, column {at[0] + 1}): cut along the dashes, "
                  "lay the cut on the neighbour's corner marks, glue")  # fmt: skip
    draw_ruler(canvas, MARGIN_MM, 5, words)


def _draw_mat(canvas: Canvas, mat: Mat, printed: Printed) -> None:
    w, h = mat.width_mm, mat.height_mm
    canvas.setLineWidth(0.6)
    for area in printed.areas:
        _draw_area(canvas, mat, area, printed.sides)
    canvas.setStrokeGray(_GREY)
    canvas.rect(0.3 * mm, -(h - 0.3) * mm, (w - 0.6) * mm, (h - 0.6) * mm)
    for marker in mat.markers():
        side, low = marker.side_mm, -(marker.y_mm + marker.side_mm)
        quiet = side / 6  # one cell of white, which the detector needs
        canvas.setFillGray(1)
        box = (marker.x_mm - quiet, low - quiet, side + 2 * quiet, side + 2 * quiet)
        canvas.rect(*(value * mm for value in box), stroke=0, fill=1)
        bits = marker_bits(marker.number)
        draw_bitmap(canvas, bits, marker.x_mm, low, side / bits.shape[0])
    _draw_seats(canvas, mat, printed.sides)
    canvas.setFillGray(0)


def _draw_area(canvas: Canvas, mat: Mat, area: Area, sides: tuple[Side, ...]) -> None:
    """The outline of a place and its name, as its player reads it."""
    inset = mat.marker_mm * 0.04
    xs = [x * mat.width_mm for x, _ in area.polygon]
    ys = [y * mat.height_mm for _, y in area.polygon]
    left, right, top, low = min(xs) + inset, max(xs) - inset, min(ys) + inset, max(ys) - inset
    canvas.setStrokeGray(_PALE)
    canvas.setDash(3, 2)
    canvas.roundRect(
        left * mm, -low * mm, (right - left) * mm, (low - top) * mm, mat.marker_mm * 0.1 * mm
    )
    canvas.setDash()
    side, words = Side.BOTTOM, area.place
    if words.startswith("seat/"):
        _, seat, words = words.split("/", 2)
        side = sides[int(seat) - 1]
    across, deep = right - left, low - top
    if side in (Side.LEFT, Side.RIGHT):
        across, deep = deep, across
    is_narrow = across < 0.6 * deep
    size = min(mat.marker_mm * 0.22, 1.6 * max(across if not is_narrow else deep * 0.7, 1) /
               max(len(words), 1))  # fmt: skip
    # A seat's markers are at the rim, so its words stand at the inner edge.
    middle = ((left + right) / 2, (top + low) / 2)
    if area.place.startswith("seat/"):
        inwards = deep * (0.5 if is_narrow else 0.8) - deep / 2 + (deep * 0.14) * is_narrow
        step = {Side.BOTTOM: (0, -1), Side.TOP: (0, 1), Side.LEFT: (1, 0), Side.RIGHT: (-1, 0)}
        middle = (middle[0] + step[side][0] * inwards, middle[1] + step[side][1] * inwards)
    _words(canvas, words, middle, 90.0 * is_narrow - side.degrees, size, _PALE)


def _draw_seats(canvas: Canvas, mat: Mat, sides: tuple[Side, ...]) -> None:
    """`seat N` at the rim before each player, between the markers."""
    inset = mat.marker_mm * 0.5
    for number, area in enumerate(Layout(strips={"all": (0.0, 1.0)}).areas(sides), start=1):
        side = sides[number - 1]
        x = sum(x for x, _ in area.polygon) / len(area.polygon) * mat.width_mm
        y = sum(y for _, y in area.polygon) / len(area.polygon) * mat.height_mm
        if side in (Side.LEFT, Side.RIGHT):  # a marker is in the middle of a short side
            x = inset if side is Side.LEFT else mat.width_mm - inset
            y = mat.height_mm * (0.3 if side is Side.LEFT else 0.7)
        else:
            y = inset if side is Side.TOP else mat.height_mm - inset
        _words(canvas, f"seat {number}", (x, y), -side.degrees, mat.marker_mm * 0.32, _GREY)


def _words(
    canvas: Canvas, words: str, at: tuple[float, float], degrees: float, size: float, grey: float
) -> None:
    canvas.saveState()
    canvas.translate(at[0] * mm, -at[1] * mm)
    canvas.rotate(degrees)
    canvas.setFillGray(grey)
    canvas.setFont("Helvetica", size * mm)
    canvas.drawCentredString(0, -size * 0.35 * mm, words)
    canvas.restoreState()


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
