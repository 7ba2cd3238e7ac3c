"""The plain 52 in four colours: people and cameras distinguish the suits more easily.

Every card reads the same from both ends; 6 and 9 have a bar under the numeral.
"""

from models.drawing.art import pen
from models.drawing.art.courts import COURTS
from models.drawing.art.lettering import text
from models.drawing.art.pen import at, dot, path

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
COLOURS = {"c": "#2f8f45", "d": pen.BLUE, "h": "#e0402f", "s": pen.INK}
TINTS = {"c": "#dff0d6", "d": "#d9eaf9", "h": "#fde0d6", "s": "#e6e6ee"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
LEFT, MIDDLE, RIGHT = 205, 315, 425  # columns, clear of the index at x = 26 to 122
TOP, LOW = 150, 343  # rows of the upper half; four rows are spaced evenly
# Pips in the upper half (the lower half is rotated), and pips on the middle line.
UPPER = {
    "2": [(MIDDLE, TOP)],
    "3": [(MIDDLE, TOP)],
    "4": [(LEFT, TOP), (RIGHT, TOP)],
    "5": [(LEFT, TOP), (RIGHT, TOP)],
    "6": [(LEFT, TOP), (RIGHT, TOP)],
    "7": [(LEFT, TOP), (RIGHT, TOP)],
    "8": [(LEFT, TOP), (RIGHT, TOP), (MIDDLE, 295)],
    "9": [(LEFT, TOP), (RIGHT, TOP), (LEFT, LOW), (RIGHT, LOW)],
    "10": [(LEFT, TOP), (RIGHT, TOP), (LEFT, LOW), (RIGHT, LOW), (MIDDLE, 246)],
}
LEVEL = {
    "3": [(MIDDLE, 440)],
    "5": [(MIDDLE, 440)],
    "6": [(LEFT, 440), (RIGHT, 440)],
    "7": [(LEFT, 440), (RIGHT, 440), (MIDDLE, 295)],
    "8": [(LEFT, 440), (RIGHT, 440)],
    "9": [(MIDDLE, 440)],
}


def pip(suit: str, x: float, y: float, size: float, edge: float = 9) -> str:
    """A suit's sign, about 2 × size high."""
    colour = COLOURS[suit]
    scale = size / 50
    if suit == "h":
        body = path("M0 50 C-82 -6 -48 -72 0 -24 C48 -72 82 -6 0 50 Z", colour, 0)
    elif suit == "d":
        body = path("M0 -56 L44 0 L0 56 L-44 0 Z", colour, 0)
    elif suit == "s":
        body = path(
            "M0 -54 C82 6 48 60 6 26 L18 54 L-18 54 L-6 26 C-48 60 -82 6 0 -54 Z", colour, 0
        )
    else:
        body = (
            dot(0, -26, 25, colour) + dot(0, 0, 20, colour)
            + dot(-28, 12, 25, colour) + dot(28, 12, 25, colour)
            + path("M-5 -8 L5 -8 L6 24 L18 54 L-18 54 L-6 24 Z M-20 0 L20 0 L0 24 Z", colour, edge)
        )  # fmt: skip
        body = body.replace(f'stroke="{pen.INK}"', f'stroke="{colour}"')
    return at(x, y, body, scale=scale)


def _corner(rank: str, suit: str) -> str:
    height = 82 if rank != "10" else 64
    mark = text(rank, 74, 96, height, COLOURS[suit], 0.2)
    if rank in ("6", "9"):
        mark += pen.stroke("M46 156 L102 156", COLOURS[suit], 11)
        return mark + pip(suit, 74, 206, 30)
    return mark + pip(suit, 74, 190, 30)


def _number(rank: str, suit: str) -> str:
    size = 48 if rank in ("9", "10") else 58  # ten of the larger ones would touch
    upper = [pip(suit, x, y, size) for x, y in UPPER[rank]]
    level = [pip(suit, x, y, size) for x, y in LEVEL.get(rank, [])]
    return pen.card(*level, pen.both_ends(*upper), pen.both_ends(_corner(rank, suit)))


def _ace(suit: str) -> str:
    rays = "".join(
        at(315, 440, path("M0 0 L-30 -236 L30 -236 Z", TINTS[suit], 0), turn=30 * k)
        for k in range(12)
    )
    middle = dot(315, 440, 168, pen.PAPER, pen.LINE, COLOURS[suit]) + pip(suit, 315, 440, 112)
    return pen.card(rays, middle, pen.both_ends(_corner("a", suit)))


def _court(rank: str, suit: str) -> str:
    field = pen.box(148, 64, 334, 752, 26, TINTS[suit])
    frame = pen.box(148, 64, 334, 752, 26, None, pen.LINE, COLOURS[suit])
    sash = pen.box(148, 418, 334, 44, 0, COLOURS[suit]) + "".join(
        dot(180 + 54 * k, 440, 11, pen.SUN) for k in range(6)
    )
    half = COURTS[rank](COLOURS[suit]) + pip(suit, 450, 108, 24)
    return pen.card(field, pen.both_ends(half), sash, frame, pen.both_ends(_corner(rank, suit)))


def _face(rank: str, suit: str) -> str:
    if rank == "a":
        return _ace(suit)
    return _court(rank, suit) if rank in COURTS else _number(rank, suit)


def _back() -> str:
    rows = []
    for row in range(4):
        for k in range(5 if row % 2 == 0 else 4):
            x, y = 95 + 110 * k + (55 if row % 2 else 0), 100 + 97 * row
            rows.append(path(f"M{x} {y - 40} L{x + 30} {y} L{x} {y + 40} L{x - 30} {y} Z",
                             pen.SKY if k % 2 else pen.WHITE, 0))  # fmt: skip
    # Every second petal on top, so that a half turn shows the same overlaps.
    rose = "".join(
        at(315, 440, pen.oval(0, -78, 34, 66, pen.SUN, 9), turn=45 * k)
        for k in (0, 2, 4, 6, 1, 3, 5, 7)
    )
    return pen.card(
        pen.panel(pen.BLUE), pen.both_ends(*rows), dot(315, 440, 170, pen.CORAL, pen.LINE), rose,
        dot(315, 440, 40, pen.WHITE, 9),
    )  # fmt: skip


def draw() -> dict[str, str]:
    """Every picture of the deck: name → SVG text."""
    art = {rank + suit: _face(rank, suit) for suit in SUITS for rank in RANKS}
    return art | {"back": _back()}


def deck() -> dict:
    """The contents of deck.toml."""
    faces = [
        {"name": rank + suit, "count": 1, "suit": SUITS[suit], "value": k + 2}
        for suit in SUITS
        for k, rank in enumerate(RANKS)
    ]
    return {"name": "plain52", "title": "Plain 52", "game": "soda", "faces": faces}
