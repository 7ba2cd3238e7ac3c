"""The common style of all shipped decks: palette, thick outlines, the card's frame, as SVG text.

Units are a tenth of a millimetre; a card is 630 × 880 (63 × 88 mm). Only `path` (M L C Z),
`rect`, `circle`, `ellipse` and `g` (translate, rotate, scale) are used, without fonts. So the text
is rendered alike everywhere and printed as vectors.
"""

INK = "#22304a"
PAPER = "#fff8e9"
WHITE = "#ffffff"
CORAL = "#ef5b45"
SUN = "#f9bd3a"
LEAF = "#5aad4e"
TEAL = "#1c9c98"
SKY = "#62bdec"
BLUE = "#2f6fc4"
PLUM = "#7d4fa6"
PINK = "#f59dc3"
BROWN = "#9c6440"
SAND = "#f3d9a4"
GREY = "#a9b4c2"

WIDTH, HEIGHT, CORNER = 630, 880, 30
LINE = 13  # the thick outline


def card(*body: str) -> str:
    """A whole card: paper with rounded corners, then its body."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="63mm" height="88mm" stroke-linecap="round" stroke-linejoin="round">\n'
        f"{box(0, 0, WIDTH, HEIGHT, CORNER, PAPER)}\n" + "\n".join(body) + "\n</svg>\n"
    )


def panel(fill: str, edge: float = LINE) -> str:
    """The coloured field of a face, inside a margin of paper."""
    return box(34, 34, 562, 812, 34, fill, edge)


def num(value: float) -> str:
    """A number in short form, equal on every machine."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def _paint(fill: str | None, edge: float, colour: str) -> str:
    paint = f'fill="{fill or "none"}"'
    return paint + (f' stroke="{colour}" stroke-width="{num(edge)}"' if edge else "")


def path(d: str, fill: str | None = None, edge: float = LINE, colour: str = INK) -> str:
    return f'<path d="{d}" {_paint(fill, edge, colour)}/>'


def stroke(d: str, colour: str = INK, edge: float = LINE) -> str:
    """A line without fill."""
    return path(d, None, edge, colour)


def box(
    x: float, y: float, w: float, h: float, r: float, fill: str | None, edge: float = 0,
    colour: str = INK,
) -> str:  # fmt: skip
    return (
        f'<rect x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" rx="{num(r)}" '
        f"{_paint(fill, edge, colour)}/>"
    )


def dot(x: float, y: float, r: float, fill: str | None, edge: float = 0, colour: str = INK) -> str:
    return f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(r)}" {_paint(fill, edge, colour)}/>'


def oval(
    x: float, y: float, rx: float, ry: float, fill: str | None, edge: float = 0,
    colour: str = INK,
) -> str:  # fmt: skip
    return (
        f'<ellipse cx="{num(x)}" cy="{num(y)}" rx="{num(rx)}" ry="{num(ry)}" '
        f"{_paint(fill, edge, colour)}/>"
    )


def at(x: float, y: float, *body: str, turn: float = 0, scale: float = 1) -> str:
    """A group moved to (x, y), then turned (degrees clockwise) and scaled."""
    moves = f"translate({num(x)} {num(y)})"
    if turn:
        moves += f" rotate({num(turn)})"
    if scale != 1:
        moves += f" scale({scale:.3f})"
    return f'<g transform="{moves}">' + "".join(body) + "</g>"


def turned(*body: str) -> str:
    """The same at the other end of the card, rotated by 180°."""
    return at(WIDTH, HEIGHT, *body, turn=180)


def both_ends(*body: str) -> str:
    """At both ends of the card, like corner marks."""
    return "".join(body) + turned(*body)


def bubble(x: float, y: float, r: float, colour: str = WHITE) -> str:
    """A soap bubble: a ring and a glint."""
    glint = (
        f"M{num(x - 0.55 * r)} {num(y - 0.1 * r)} C{num(x - 0.5 * r)} {num(y - 0.4 * r)} "
        f"{num(x - 0.3 * r)} {num(y - 0.55 * r)} {num(x - 0.05 * r)} {num(y - 0.6 * r)}"
    )
    width = max(4.0, r / 7)
    return dot(x, y, r, None, width, colour) + stroke(glint, colour, width)


def star(x: float, y: float, r: float, fill: str, edge: float = LINE, points: int = 5) -> str:
    """A star with rounded tips."""
    from math import cos, pi, sin

    spots = []
    for k in range(2 * points):
        reach = r if k % 2 == 0 else r * 0.5
        angle = pi * k / points - pi / 2
        spots.append(f"{num(x + reach * cos(angle))} {num(y + reach * sin(angle))}")
    return path("M" + " L".join(spots) + " Z", fill, edge)


def face(x: float, y: float, size: float, mood: str = "glad") -> str:
    """Two eyes and a mouth. `mood`: glad, sad or sly."""
    eyes = "".join(
        oval(x + side * size, y, 0.3 * size, 0.42 * size, WHITE, 0.1 * size)
        + dot(x + side * size + 0.06 * size, y + 0.06 * size, 0.17 * size, INK)
        for side in (-1, 1)
    )
    low, bend = y + 0.85 * size, {"glad": 0.5, "sad": -0.42, "sly": 0.2}[mood] * size
    start = low if bend > 0 else low + 0.35 * size
    mouth = stroke(
        f"M{num(x - 0.6 * size)} {num(start)} C{num(x - 0.3 * size)} {num(start + bend)} "
        f"{num(x + 0.3 * size)} {num(start + bend)} {num(x + 0.6 * size)} {num(start)}",
        INK,
        0.16 * size,
    )
    return eyes + mouth
