"""Suds: laundry in soap suds, one bold garment a card, numbered in the order of the sequence."""

from models.drawing.art import pen
from models.drawing.art.lettering import text
from models.drawing.art.pen import at, bubble, dot, oval, path, stroke

ORDER = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers")
COUNTS = {"hat": 9, "t-shirt": 9, "boxers": 9, "pants": 8, "socks": 8, "sneakers": 8, "wild": 3}
FIELD = {
    "hat": pen.SUN,
    "t-shirt": pen.SKY,
    "boxers": pen.PINK,
    "pants": pen.LEAF,
    "socks": pen.PLUM,
    "sneakers": pen.CORAL,
}


def _hat() -> str:
    brim = oval(0, 120, 225, 58, pen.CORAL, pen.LINE)
    crown = path(
        "M-150 112 C-150 -60 -115 -160 0 -160 C115 -160 150 -60 150 112 C80 150 -80 150 -150 112 Z",
        pen.CORAL,
    )
    band = path("M-152 60 C-80 100 80 100 152 60 L150 112 C80 150 -80 150 -150 112 Z", pen.WHITE)
    flower = "".join(
        at(104, 84, oval(0, -26, 17, 26, pen.PINK, 8), turn=72 * k) for k in range(5)
    ) + dot(104, 84, 16, pen.SUN, 8)
    dent = stroke("M-60 -110 C-20 -84 20 -84 60 -110")
    return brim + crown + band + flower + dent


def _t_shirt() -> str:
    body = path(
        "M-80 -170 C-40 -120 40 -120 80 -170 L130 -160 L245 -50 L165 30 L130 0 L130 185 "
        "L-130 185 L-130 0 L-165 30 L-245 -50 L-130 -160 Z",
        pen.WHITE,
    )
    stripes = "".join(
        path(f"M-130 {y} L130 {y} L130 {y + 34} L-130 {y + 34} Z", pen.CORAL, 0) for y in (20, 88)
    )
    edge = stroke("M130 0 L130 185 L-130 185 L-130 0 M130 0 L122 -60 M-130 0 L-122 -60")
    collar = stroke("M-80 -170 C-40 -120 40 -120 80 -170")
    return body + stripes + edge + collar + pen.star(0, -40, 52, pen.SUN, 9)


def _boxers() -> str:
    body = path(
        "M-190 -130 L190 -130 L235 150 C180 180 90 180 40 155 L0 30 L-40 155 "
        "C-90 180 -180 180 -235 150 Z",
        pen.WHITE,
    )
    hearts = "".join(
        at(x, y, path("M0 34 C-60 -6 -34 -48 0 -18 C34 -48 60 -6 0 34 Z", pen.CORAL, 7))
        for x, y in ((-130, -30), (-140, 96), (132, -30), (142, 96), (0, -26))
    )
    band = path("M-196 -178 L196 -178 L190 -112 L-190 -112 Z", pen.BLUE)
    ticks = "".join(stroke(f"M{x} -162 L{x} -128", pen.WHITE, 8) for x in range(-150, 151, 50))
    return body + hearts + band + ticks


def _pants() -> str:
    body = path("M-135 -215 L135 -215 L185 225 L55 225 L0 -40 L-55 225 L-185 225 Z", pen.BLUE)
    cuffs = path("M-185 225 L-55 225 L-66 172 L-179 172 Z", pen.SKY) + path(
        "M185 225 L55 225 L66 172 L179 172 Z", pen.SKY
    )
    band = path("M-138 -215 L138 -215 L142 -165 L-142 -165 Z", pen.BROWN)
    buckle = pen.box(-34, -222, 68, 64, 12, pen.SUN, 10)
    patch = at(
        98,
        60,
        pen.box(-38, -38, 76, 76, 8, pen.CORAL, 9),
        stroke("M-18 0 L18 0 M0 -18 L0 18", pen.WHITE, 8),
        turn=-12,
    )
    seams = stroke("M0 -165 L0 -40 M-138 -110 C-110 -90 -80 -100 -70 -160", pen.INK, 9)
    return (
        body
        + cuffs
        + band
        + buckle
        + seams
        + patch
        + stroke("M138 -110 C110 -90 80 -100 70 -160", pen.INK, 9)
    )


def _sock(main: str, other: str) -> str:
    shape = (
        "M-62 -200 L62 -200 L62 30 C66 60 150 80 176 110 C206 150 180 196 130 196 "
        "L20 196 C-50 190 -62 130 -62 90 Z"
    )
    bands = "".join(
        path(f"M-62 {y} L62 {y} L62 {y + 34} L-62 {y + 34} Z", other, 0) for y in (-96, -28)
    )
    toe = path("M118 92 C160 96 176 110 176 110 C206 150 180 196 130 196 L108 196 Z", other, 9)
    heel = path("M-62 60 C-10 70 10 120 -16 182 C-50 170 -62 130 -62 90 Z", other, 9)
    cuff = pen.box(-76, -212, 152, 62, 20, other, pen.LINE)
    return path(shape, main, 0) + bands + toe + heel + stroke(shape + " Z") + cuff


def _socks() -> str:
    return at(-95, -38, _sock(pen.SUN, pen.CORAL), turn=-8) + at(
        40, 48, _sock(pen.SUN, pen.CORAL), turn=6
    )


def _sneaker() -> str:
    upper = path(
        "M-200 90 L-200 -90 C-150 -60 -100 -70 -84 -112 L0 -60 C40 -4 110 8 176 30 "
        "C216 46 222 70 220 96 Z",
        pen.TEAL,
    )
    cap = path("M96 90 C100 40 130 22 176 30 C216 46 222 70 220 96 Z", pen.WHITE)
    sole = pen.box(-216, 84, 452, 58, 28, pen.WHITE, pen.LINE)
    line = stroke("M-196 112 L216 112", pen.CORAL, 12)
    laces = "".join(
        stroke(f"M{-84 + 44 * k} {-62 + 28 * k} L{-34 + 40 * k} {-96 + 34 * k}", pen.WHITE, 17)
        for k in range(4)
    )
    mark = pen.star(-130, 14, 44, pen.SUN, 9)
    return upper + cap + sole + line + laces + mark


def _sneakers() -> str:
    return at(-6, -108, _sneaker(), turn=-10, scale=0.9) + at(
        4, 100, _sneaker(), turn=4, scale=0.96
    )


def _wild() -> str:
    rings = "".join(
        dot(0, 0, r, paint, 9)
        for r, paint in ((222, pen.CORAL), (180, pen.SUN), (138, pen.LEAF), (96, pen.BLUE))
    )
    return rings + pen.star(0, 6, 128, pen.WHITE) + pen.face(0, -8, 36)


DRAWN = {
    "hat": _hat, "t-shirt": _t_shirt, "boxers": _boxers, "pants": _pants, "socks": _socks,
    "sneakers": _sneakers, "wild": _wild,
}  # fmt: skip


def _mark(words: str, fill: str) -> str:
    disc = dot(108, 112, 58, pen.WHITE, pen.LINE)
    return pen.both_ends(disc + text(words, 108, 112, 62, fill, 0.22))


def _suds(colour: str) -> str:
    spots = ((510, 120, 44), (440, 84, 22), (548, 206, 20), (96, 790, 28), (84, 690, 18),
             (520, 690, 24), (180, 180, 18), (250, 84, 26))  # fmt: skip
    return "".join(bubble(x, y, r, colour) for x, y, r in spots)


def _face(name: str) -> str:
    order = ORDER.index(name) + 1
    words = text(name, 262, 760, 46, pen.WHITE, 0.17, pen.INK, 0.13)
    return pen.card(
        pen.panel(FIELD[name]), _suds(pen.WHITE), dot(315, 420, 246, pen.PAPER),
        at(315, 420, DRAWN[name](), scale=0.96), words, _mark(str(order), pen.INK),
    )  # fmt: skip


def _wild_card() -> str:
    words = text("wild", 315, 752, 60, pen.SUN, 0.18, pen.INK, 0.13)
    return pen.card(
        pen.panel(pen.INK), _suds(pen.SKY), at(315, 425, DRAWN["wild"]()), words,
        pen.both_ends(pen.star(108, 112, 62, pen.SUN, 8)),
    )  # fmt: skip


def _back() -> str:
    spots = ((130, 150, 70), (300, 110, 36), (480, 180, 84), (100, 330, 40), (270, 230, 44),
             (520, 330, 46), (400, 90, 24), (90, 240, 20))  # fmt: skip
    drum = dot(315, 440, 168, pen.WHITE, pen.LINE) + dot(315, 440, 122, pen.SKY, pen.LINE)
    middle = (
        drum
        + pen.star(315, 440, 104, pen.WHITE, 9, points=6)
        + dot(315, 440, 38, pen.CORAL, 9)
        + pen.both_ends(bubble(380, 372, 22))
    )
    suds = "".join(bubble(x, y, r) for x, y, r in spots)
    return pen.card(pen.panel(pen.TEAL), pen.both_ends(suds), middle)


def draw() -> dict[str, str]:
    """Every picture of the deck: name → SVG text."""
    art = {name: _face(name) for name in ORDER}
    return {**art, "wild": _wild_card(), "back": _back()}


def deck() -> dict:
    """The contents of deck.toml."""
    faces = [{"name": name, "count": COUNTS[name], "order": k + 1} for k, name in enumerate(ORDER)]
    faces.append({"name": "wild", "count": COUNTS["wild"]})
    return {"name": "suds", "title": "Suds", "game": "suds", "faces": faces}
