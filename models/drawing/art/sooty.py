"""Sooty: two suits of own invention, a coal-black owl and a bristly hedgehog, and their magic.

A suit card tells its number three ways, so that half of it may be covered: numerals at both ends,
a ring of as many stars (owl) or apples (hedgehog), and the colour of the numerals' disc and of the
glow behind the animal.
"""

from math import cos, pi, sin

from models.drawing.art import pen
from models.drawing.art.lettering import text
from models.drawing.art.pen import at, dot, num, oval, path, stroke

COUNTS = {1: 3, 2: 3, 3: 6, 4: 3, 5: 3}
FIELD = {"sooty": pen.SUN, "sweep": pen.TEAL}
DISC = {1: pen.WHITE, 2: pen.SKY, 3: pen.PINK, 4: pen.CORAL, 5: pen.PLUM}
GLOW = {1: pen.PAPER, 2: "#bfe3f7", 3: "#fbd0e2", 4: "#f9b3a6", 5: "#cdb6e0"}
COAL, SOOT, SPINE = "#39405c", "#5a6385", "#7a4a2c"


def _owl() -> str:
    tufts = path("M-120 -130 L-150 -215 L-60 -172 Z", COAL) + path(
        "M120 -130 L150 -215 L60 -172 Z", COAL
    )
    body = path(
        "M0 -185 C110 -185 165 -110 165 10 C165 130 100 190 0 190 C-100 190 -165 130 -165 10 "
        "C-165 -110 -110 -185 0 -185 Z",
        COAL,
    )
    belly = path("M0 20 C60 20 96 60 92 110 C80 160 -80 160 -92 110 C-96 60 -60 20 0 20 Z", SOOT, 0)
    flecks = "".join(
        stroke(f"M{x - 14} {y} C{x - 8} {y + 14} {x + 8} {y + 14} {x + 14} {y}", COAL, 9)
        for x, y in ((-44, 62), (0, 62), (44, 62), (-24, 98), (24, 98))
    )
    wings = path("M-160 -30 C-220 40 -210 110 -170 140 C-140 100 -140 30 -160 -30 Z", COAL) + path(
        "M160 -30 C220 40 210 110 170 140 C140 100 140 30 160 -30 Z", COAL
    )
    eyes = "".join(
        dot(side * 66, -72, 62, pen.WHITE, pen.LINE) + dot(side * 58, -66, 28, pen.INK)
        + dot(side * 58 - 10, -78, 9, pen.WHITE)
        for side in (-1, 1)
    )  # fmt: skip
    beak = path("M-24 -40 L24 -40 L0 8 Z", pen.CORAL, 10)
    feet = "".join(
        stroke(f"M{side * 60 - 26} 204 L{side * 60} 184 L{side * 60 + 26} 204", pen.CORAL, 18)
        for side in (-1, 1)
    )
    return feet + tufts + wings + body + belly + flecks + eyes + beak


def _hedgehog() -> str:
    spikes = []
    for k in range(19):
        angle = pi * (0.82 + 1.36 * k / 18)
        spikes.append(f"{num(218 * cos(angle))} {num(10 + 218 * sin(angle))}")
        angle += pi * 0.68 / 18
        spikes.append(f"{num(168 * cos(angle))} {num(10 + 168 * sin(angle))}")
    coat = path("M" + " L".join(spikes) + " L0 150 Z", SPINE)
    body = oval(0, 70, 168, 132, pen.SAND, pen.LINE)
    ears = "".join(dot(side * 122, -38, 38, pen.SAND, pen.LINE) for side in (-1, 1))
    brow = path(
        "M-150 20 C-120 -70 -70 -50 -50 -74 C-30 -50 -16 -52 0 -80 C16 -52 30 -50 50 -74 "
        "C70 -50 120 -70 150 20 C150 -170 -150 -170 -150 20 Z",
        SPINE, 9,
    )  # fmt: skip
    eyes = "".join(
        oval(side * 62, 26, 24, 32, pen.INK) + dot(side * 62 + 7, 14, 9, pen.WHITE)
        + dot(side * 104, 86, 24, pen.PINK)
        for side in (-1, 1)
    )  # fmt: skip
    nose = oval(0, 78, 34, 26, pen.INK) + stroke("M0 100 L0 122 M-44 118 C-24 146 24 146 44 118")
    feet = "".join(oval(side * 74, 204, 52, 26, pen.SAND, pen.LINE) for side in (-1, 1))
    return coat + ears + feet + body + brow + eyes + nose


def _apple() -> str:
    fruit = path(
        "M0 -18 C30 -44 52 -16 40 16 C28 48 12 44 0 36 C-12 44 -28 48 -40 16 "
        "C-52 -16 -30 -44 0 -18 Z",
        pen.CORAL, 9,
    )  # fmt: skip
    return fruit + stroke("M0 -18 L6 -42", pen.INK, 9) + oval(24, -40, 17, 9, pen.LEAF, 6)


ANIMAL = {"sooty": _owl, "sweep": _hedgehog}


def _ring(suit: str, number: int) -> str:
    """As many stars or apples as the number, on an arc over the animal's head."""
    thing = pen.star(0, 0, 50, pen.WHITE, 9) if suit == "sooty" else _apple()
    spots = []
    for k in range(number):
        angle = -pi / 2 + (k - (number - 1) / 2) * 0.43
        spots.append(at(315 + 268 * cos(angle), 512 + 306 * sin(angle), thing))
    return "".join(spots)


def _mark(number: int) -> str:
    dark = number in (4, 5)
    disc = dot(112, 120, 66, DISC[number], pen.LINE)
    return disc + text(str(number), 112, 120, 74, pen.WHITE if dark else pen.INK, 0.22)


def _banner(words: str) -> str:
    return text(words, 270, 768, 50, pen.WHITE, 0.17, pen.INK, 0.13)


def _suit_card(suit: str, number: int) -> str:
    glow = dot(315, 512, 226, GLOW[number])
    return pen.card(
        pen.panel(FIELD[suit]), glow, _ring(suit, number),
        at(315, 520, ANIMAL[suit](), scale=0.92), _banner(suit), pen.both_ends(_mark(number)),
    )  # fmt: skip


def _cap() -> str:
    """A jester's cap, for either animal."""
    left = path("M-120 40 C-190 -20 -220 -120 -190 -150 C-130 -110 -60 -100 0 40 Z", pen.CORAL)
    right = path("M120 40 C190 -20 220 -120 190 -150 C130 -110 60 -100 0 40 Z", pen.BLUE)
    middle = path("M-80 40 C-80 -60 -40 -140 0 -190 C40 -140 80 -60 80 40 Z", pen.SUN)
    bells = "".join(dot(x, y, 24, pen.SUN, 9) for x, y in ((-192, -150), (192, -150), (0, -196)))
    return left + right + middle + bells + pen.box(-130, 22, 260, 44, 20, pen.WHITE, pen.LINE)


def _joker(suit: str) -> str:
    rays = "".join(
        at(315, 490, path("M0 0 L-42 -250 L42 -250 Z", pen.PINK, 0), turn=30 * k) for k in range(12)
    )
    animal = at(315, 556, ANIMAL[suit](), scale=0.84)
    ground = dot(315, 490, 262, FIELD[suit], pen.LINE)
    mark = dot(112, 120, 66, pen.INK) + pen.star(112, 120, 54, pen.SUN, 0)
    return pen.card(
        pen.panel(pen.PLUM), ground, rays, animal, at(315, 376, _cap(), scale=0.86),
        text("joker", 270, 772, 48, pen.SUN, 0.17, pen.INK, 0.13), pen.both_ends(mark),
    )  # fmt: skip


def _sparkles(colour: str, spots: tuple[tuple[int, int, int], ...]) -> str:
    return "".join(pen.star(x, y, r, colour, 0, points=4) for x, y, r in spots)


def _oofle_dust() -> str:
    sack = path(
        "M-70 -90 C-190 0 -210 190 -120 215 C-60 228 60 228 120 215 C210 190 190 0 70 -90 Z",
        pen.PLUM,
    )
    neck = path("M-70 -90 L-110 -160 C-60 -140 -40 -170 0 -150 C40 -170 60 -140 110 -160 L70 -90 Z",
                pen.PLUM)  # fmt: skip
    tie = pen.box(-86, -108, 172, 38, 18, pen.SUN, pen.LINE)
    puff = "".join(
        dot(x, y, r, pen.WHITE, 9)
        for x, y, r in (
            (-96, -214, 48),
            (96, -224, 52),
            (0, -250, 66),
            (-30, -190, 40),
            (44, -186, 38),
        )
    )
    spots = ((150, 250, 44), (480, 250, 54), (118, 480, 34), (520, 470, 36), (200, 148, 30),
             (420, 130, 26), (90, 640, 40), (545, 610, 26))  # fmt: skip
    mark = pen.star(112, 120, 62, pen.SUN, 9, points=4)
    return pen.card(
        pen.panel(pen.PINK), _sparkles(pen.WHITE, spots),
        at(315, 470, puff + sack + neck + tie + pen.star(0, 70, 84, pen.SUN), scale=0.95),
        text("oofle dust", 280, 776, 42, pen.WHITE, 0.17, pen.INK, 0.14), pen.both_ends(mark),
    )  # fmt: skip


def _magic_wand() -> str:
    trail = stroke(
        "M-180 190 C-230 40 -120 -60 -10 -20 C70 10 40 110 -30 80 C-90 40 10 -110 150 -130",
        pen.SKY, 16,
    )  # fmt: skip
    wand = at(0, 0, pen.box(-24, -60, 48, 350, 22, pen.CORAL, pen.LINE)
              + path("M-24 0 L24 -30 L24 20 L-24 50 Z", pen.WHITE, 0)
              + path("M-24 110 L24 80 L24 130 L-24 160 Z", pen.WHITE, 0)
              + pen.box(-24, -60, 48, 350, 22, None, pen.LINE), turn=32)  # fmt: skip
    tip = pen.star(74, -118, 132, pen.SUN) + pen.face(74, -128, 34)
    spots = ((480, 170, 50), (170, 260, 40), (520, 560, 46), (140, 430, 28), (400, 690, 34),
             (520, 420, 22), (260, 130, 26), (230, 690, 22))  # fmt: skip
    mark = at(112, 120, pen.box(-11, -50, 22, 112, 10, pen.CORAL, 8), turn=32) + pen.star(
        134, 84, 42, pen.SUN, 8
    )
    return pen.card(
        pen.panel(pen.BLUE), _sparkles(pen.WHITE, spots), at(300, 440, trail + wand + tip),
        text("magic wand", 270, 776, 42, pen.WHITE, 0.17, pen.INK, 0.14), pen.both_ends(mark),
    )  # fmt: skip


def _back() -> str:
    rows = "".join(
        pen.star(95 + 110 * k + (55 if row % 2 else 0), 110 + 110 * row, 30, pen.SUN, 0)
        for row in range(3)
        for k in range(4 if row % 2 else 5)
    ) + pen.star(110, 440, 30, pen.SUN, 0)
    hoop = dot(315, 440, 130, pen.SUN, pen.LINE) + dot(315, 440, 92, pen.PLUM, pen.LINE)
    return pen.card(
        pen.panel(pen.PLUM), pen.both_ends(rows), hoop,
        pen.star(315, 440, 74, pen.WHITE, 9, points=6),
    )  # fmt: skip


def draw() -> dict[str, str]:
    """Every picture of the deck: name → SVG text."""
    art: dict[str, str] = {}
    for suit in ("sooty", "sweep"):
        art |= {f"{suit}-{number}": _suit_card(suit, number) for number in COUNTS}
        art[f"{suit}-joker"] = _joker(suit)
    return art | {"oofle-dust": _oofle_dust(), "magic-wand": _magic_wand(), "back": _back()}


def deck() -> dict:
    """The contents of deck.toml."""
    faces = []
    for suit in ("sooty", "sweep"):
        faces += [
            {"name": f"{suit}-{number}", "count": count, "suit": suit, "number": number}
            for number, count in COUNTS.items()
        ]
        faces.append({"name": f"{suit}-joker", "count": 1, "suit": suit})
    faces += [{"name": "oofle-dust", "count": 8}, {"name": "magic-wand", "count": 8}]
    return {"name": "sooty", "title": "Sooty", "game": "sooty", "faces": faces}
