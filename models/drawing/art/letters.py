"""Cat in the hat's cards: the alphabet as big letters with eyes, and VOOM.

Each card shows the position of its letter among the 26 by beads at the foot, and its upright
direction by a bar under the corner letter (for N and Z, M and W).
"""

from string import ascii_lowercase

from models.drawing.art import pen
from models.drawing.art.lettering import GLYPHS, index, text
from models.drawing.art.pen import dot, oval

# Neighbours in the alphabet never share a field or a letter's colour.
FIELDS = (pen.SUN, pen.SKY, pen.CORAL, pen.LEAF, pen.PINK, pen.TEAL, pen.SAND, pen.PLUM)
COLOURS = (pen.CORAL, pen.SUN, pen.WHITE, pen.BLUE, pen.LEAF, pen.PINK, pen.PLUM)
COUNTS = {letter: 3 if letter in "aeiou" else 2 for letter in ascii_lowercase}
# Where the eyes sit on each letter, in the glyph's own box.
EYES = {
    "a": (30, 22), "b": (22, 0), "c": (32, 2), "d": (24, 2), "e": (26, 2), "f": (26, 2),
    "g": (32, 2), "h": (29, 50), "i": (18, 2), "j": (44, 10), "k": (20, 42), "l": (0, 14),
    "m": (38, 58), "n": (29, 48), "o": (32, 4), "p": (24, 2), "q": (32, 4), "r": (24, 2),
    "s": (30, 3), "t": (30, 2), "u": (29, 94), "v": (30, 94), "w": (43, 34), "x": (29, 50),
    "y": (30, 50), "z": (29, 2),
}  # fmt: skip


def _pattern(place: int, colour: str) -> str:
    """Dots, drops, rings, crosses or bars around the letter: one of five, by place."""
    kind, marks = place % 5, []
    for row in range(5):
        for column in range(5):
            x, y = 120 + 98 * column + (49 if row % 2 else 0), 200 + 100 * row
            if x > 560:
                continue
            if kind == 0:
                marks.append(dot(x, y, 15, colour))
            elif kind == 1:
                marks.append(pen.box(x - 7, y - 26, 14, 52, 7, colour))
            elif kind == 2:
                marks.append(dot(x, y, 19, None, 9, colour))
            elif kind == 3:
                marks.append(pen.stroke(f"M{x - 18} {y} L{x + 18} {y} M{x} {y - 18} L{x} {y + 18}",
                                        colour, 10))  # fmt: skip
            else:
                marks.append(pen.stroke(f"M{x - 26} {y + 8} L{x} {y - 12} L{x + 26} {y + 8}",
                                        colour, 10))  # fmt: skip
    return "".join(marks)


def _beads(place: int, colour: str) -> str:
    """26 beads on a string, the letter's own one large."""
    string = pen.stroke("M80 664 L550 664", pen.INK, 6)
    beads = "".join(dot(80 + 18.8 * k, 664, 7, pen.PAPER, 5) for k in range(26) if k != place)
    return string + beads + dot(80 + 18.8 * place, 664, 25, colour, 10)


def _look(letter: str, height: float, x: float, y: float) -> str:
    """The eyes on a letter centred on (x, y)."""
    wide, scale = GLYPHS[letter][0], height / 100
    left, top = EYES[letter]
    middle_x, middle_y = x + (left - wide / 2) * scale, y + (top - 50) * scale
    return "".join(
        oval(middle_x + side * 31, middle_y, 27, 33, pen.WHITE, 9)
        + dot(middle_x + side * 31 + 5, middle_y + 7, 13, pen.INK)
        for side in (-1, 1)
    )


def _letter(letter: str) -> str:
    place = ascii_lowercase.index(letter)
    field, colour = FIELDS[place % len(FIELDS)], COLOURS[place % len(COLOURS)]
    if colour == field:
        colour = pen.WHITE
    faint = pen.WHITE if field in (pen.SUN, pen.SAND, pen.PINK, pen.SKY) else pen.SAND
    height = 340
    mark = pen.box(58, 58, 112, 124, 30, pen.PAPER, pen.LINE) + index(letter, 114, 108, 58, pen.INK)
    return pen.card(
        pen.panel(field), _pattern(place, faint),
        text(letter, 315, 412, height, colour, 0.21, pen.INK, 0.045),
        _look(letter, height, 315, 412), _beads(place, colour), pen.both_ends(mark),
    )  # fmt: skip


def _voom() -> str:
    burst = pen.star(315, 430, 330, pen.SUN, pen.LINE, points=13)
    inner = pen.star(315, 430, 236, pen.CORAL, pen.LINE, points=13)
    mark = pen.box(58, 58, 116, 136, 30, pen.INK, 0) + pen.star(116, 126, 56, pen.SUN, 0)
    return pen.card(
        pen.panel(pen.BLUE), pen.at(315, 430, pen.at(-315, -430, burst), scale=0.82),
        pen.at(315, 430, pen.at(-315, -430, inner), scale=0.82),
        text("voom", 315, 430, 118, pen.WHITE, 0.22, pen.INK, 0.1), pen.both_ends(mark),
    )  # fmt: skip


def _back() -> str:
    tall = 812 / 15  # an odd number of bands: a half turn shows the same stripes
    stripes = "".join(pen.box(34, 34 + tall * k, 562, tall, 0, pen.CORAL) for k in range(1, 15, 2))
    words = text("a", 250, 440, 120, pen.SUN, 0.22, pen.INK, 0.1)
    return pen.card(
        pen.panel(pen.PAPER), stripes, pen.box(34, 34, 562, 812, 34, None, pen.LINE),
        dot(315, 440, 170, pen.TEAL, pen.LINE), pen.both_ends(words),
    )  # fmt: skip


def draw() -> dict[str, str]:
    """Every picture of the deck: name → SVG text."""
    art = {letter: _letter(letter) for letter in ascii_lowercase}
    return art | {"voom": _voom(), "back": _back()}


def deck() -> dict:
    """The contents of deck.toml."""
    faces: list[dict] = [
        {"name": letter, "count": COUNTS[letter], "order": k + 1}
        for k, letter in enumerate(ascii_lowercase)
    ]
    faces.append({"name": "voom", "count": 6})
    return {
        "name": "cat-in-the-hat", "title": "Cat in the hat", "game": "cat-in-the-hat",
        "faces": faces,
    }  # fmt: skip
