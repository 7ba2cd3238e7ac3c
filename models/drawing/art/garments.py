"""Dirty Laundry's garments: six kinds for each of six owners, dirty in front, ruined behind.

Owner: the field's colour, a numeral and an emblem. Colour: white cloth, or coloured. Need: the
sign at the top right (none for a plain one). Ruined: a grey field, spoiled cloth and a sad face.
"""

from models.drawing.art import pen
from models.drawing.art.laundry_items import ITEMS
from models.drawing.art.lettering import text
from models.drawing.art.pen import at, box, dot, oval, path, stroke

FIELDS = (pen.CORAL, pen.SUN, pen.LEAF, pen.SKY, pen.PLUM, pen.PINK)
RUINED = "#8d8780"
STAIN, MUD = "#b98a52", "#6d5a48"
KINDS = (
    "white-plain", "white-softener", "white-stain", "colour-plain", "colour-plain2", "colour-mesh",
)  # fmt: skip


def _drop(x: float, y: float, r: float, fill: str) -> str:
    d = "M0 -60 C34 -10 48 10 48 34 C48 84 -48 84 -48 34 C-48 10 -34 -10 0 -60 Z"
    return at(x, y, path(d, fill, 14), scale=r / 60)


def emblem(owner: int, x: float, y: float, r: float) -> str:
    """The owner's sign: star, heart, moon, leaf, drop or sun."""
    if owner == 1:
        return pen.star(x, y, r * 1.15, pen.SUN, 9)
    if owner == 2:
        body = path("M0 50 C-82 -6 -48 -72 0 -24 C48 -72 82 -6 0 50 Z", pen.CORAL, 12)
        return at(x, y, body, scale=r / 52)
    if owner == 3:
        body = path("M18 -54 C-30 -50 -60 -20 -56 14 C-52 60 20 72 50 34 C0 40 -24 -10 18 -54 Z",
                    pen.SKY, 12)  # fmt: skip
        return at(x, y, body, scale=r / 54)
    if owner == 4:
        body = path("M-46 46 C-60 -30 0 -60 52 -50 C60 10 20 60 -46 46 Z", pen.LEAF, 12)
        return at(x, y, body, stroke("M-46 46 L10 -10", pen.INK, 10), scale=r / 54)
    if owner == 5:
        return _drop(x, y, r, pen.BLUE)
    rays = pen.star(x, y, r * 1.2, pen.CORAL, 8, points=9)
    return rays + dot(x, y, r * 0.55, pen.SUN, 8)


def _vest() -> str:
    return path(
        "M-96 -190 L-96 -120 C-96 -50 -130 -30 -150 -20 L-150 200 L150 200 L150 -20 "
        "C130 -30 96 -50 96 -120 L96 -190 L52 -190 C52 -90 -52 -90 -52 -190 Z",
        pen.WHITE,
    ) + stroke("M-150 160 L150 160", pen.GREY, 9)


def _towel() -> str:
    rail = box(-230, -196, 460, 34, 16, pen.BROWN, pen.LINE)
    cloth = path("M-160 -206 L160 -206 L160 190 L-160 190 Z", pen.WHITE)
    bands = "".join(box(-160, y, 320, 26, 0, pen.GREY) for y in (96, 140))
    fringe = stroke(" ".join(f"M{x} 190 L{x} 222" for x in range(-140, 141, 40)), pen.INK, 11)
    return rail + fringe + cloth + bands + stroke("M-160 -206 L160 -206 L160 190 L-160 190 Z")


def _shirt() -> str:
    body = path(
        "M-70 -180 L-140 -160 L-250 40 L-170 84 L-130 10 L-130 200 L130 200 L130 10 L170 84 "
        "L250 40 L140 -160 L70 -180 Z",
        pen.WHITE,
    )
    collar = path("M-70 -180 L0 -120 L-66 -70 L-110 -168 Z", pen.WHITE, 10) + path(
        "M70 -180 L0 -120 L66 -70 L110 -168 Z", pen.WHITE, 10
    )
    placket = stroke("M0 -120 L0 200", pen.INK, 9)
    buttons = "".join(dot(22, y, 9, pen.INK) for y in (-50, 20, 90, 160))
    pocket = box(-106, -40, 74, 76, 10, pen.WHITE, 9)
    return body + collar + placket + buttons + pocket


def _trousers() -> str:
    body = path("M-135 -205 L135 -205 L180 215 L50 215 L0 -30 L-50 215 L-180 215 Z", pen.BLUE)
    stripe = stroke("M-122 -150 L-150 200 M122 -150 L150 200", pen.SUN, 14)
    band = path("M-137 -205 L137 -205 L142 -158 L-142 -158 Z", pen.SUN)
    seams = stroke("M0 -158 L0 -30 M-60 -158 C-70 -100 -100 -90 -126 -96", pen.INK, 9)
    return body + stripe + band + seams


def _jumper() -> str:
    body = path(
        "M-70 -170 L-150 -146 L-246 120 L-160 150 L-130 40 L-130 190 L130 190 L130 40 L160 150 "
        "L246 120 L150 -146 L70 -170 Z",
        pen.TEAL,
    )
    zigzag = "M-128 30 L-96 -10 L-64 30 L-32 -10 L0 30 L32 -10 L64 30 L96 -10 L128 30"
    pattern = stroke(zigzag, pen.SUN, 18) + at(0, 58, stroke(zigzag, pen.CORAL, 18))
    hem = box(-134, 158, 268, 44, 14, pen.CORAL, pen.LINE)
    neck = path("M-76 -176 L76 -176 L62 -116 C30 -96 -30 -96 -62 -116 Z", pen.CORAL)
    return body + pattern + hem + neck + stroke("M-130 40 L-122 -30 M130 40 L122 -30")


def _dress() -> str:
    skirt = path("M-80 -20 L80 -20 L210 190 C150 222 110 182 70 204 C30 224 -30 224 -70 204 "
                 "C-110 182 -150 222 -210 190 Z", pen.PLUM)  # fmt: skip
    top = path("M-84 -190 L-48 -190 C-40 -120 40 -120 48 -190 L84 -190 C80 -110 110 -90 90 -10 "
               "L-90 -10 C-110 -90 -80 -110 -84 -190 Z", pen.PLUM)  # fmt: skip
    spots = "".join(
        dot(x, y, 17, pen.SUN)
        for x, y in ((-60, 60), (0, 50), (60, 60), (-116, 138), (-40, 134), (40, 134), (116, 138),
                     (-40, -70), (40, -70))
    )  # fmt: skip
    return skirt + top + spots + box(-96, -40, 192, 44, 16, pen.CORAL, pen.LINE)


CLOTHES = {
    "white-plain": _vest, "white-softener": _towel, "white-stain": _shirt,
    "colour-plain": _trousers, "colour-plain2": _jumper, "colour-mesh": _dress,
}  # fmt: skip
# Stains of a garment that needs washing.
DIRT = ((-84, 96, 30), (-58, 124, 17), (78, -20, 24), (100, 4, 13), (60, 150, 20))


def _blot(x: float, y: float, r: float, fill: str) -> str:
    return (
        oval(x, y, r * 1.25, r, fill) + dot(x + r, y + 0.7 * r, r * 0.45, fill)
        + dot(x - r, y - 0.6 * r, r * 0.4, fill)
    )  # fmt: skip


def _spoiled(cloth: str, white: bool) -> str:
    """White cloth dyed pink, coloured cloth bleached, both torn."""
    if white:
        cloth = cloth.replace(pen.WHITE, "#f2a3ad").replace(pen.GREY, "#c95a6c")
        blots = "".join(_blot(x, y, r, "#d4566a") for x, y, r in ((-70, 80, 34), (76, 0, 28)))
    else:
        for lively, pale in ((pen.BLUE, "#cfd9e6"), (pen.TEAL, "#d3e2df"), (pen.PLUM, "#ded3e4"),
                             (pen.SUN, "#f2ead6"), (pen.CORAL, "#e9d2cb")):  # fmt: skip
            cloth = cloth.replace(lively, pale)
        blots = "".join(_blot(x, y, r, pen.WHITE) for x, y, r in ((-80, 40, 30), (90, 60, 28)))
    tear = path("M-20 92 L18 110 L4 128 L34 150 L-14 142 L-2 124 Z", MUD, 9)
    return cloth + blots + tear


def need_sign(need: str, x: float, y: float) -> str:
    """The sign of the item that a garment needs, as on the item's card."""
    drawn = {"softener": "fabric-softener", "stain": "stain-remover", "mesh": "mesh-bag"}[need]
    return dot(x, y, 74, pen.WHITE, pen.LINE) + at(x, y, ITEMS[drawn](), scale=0.25)


def _label(white: bool, ruined: bool) -> str:
    """A strip at the foot: white, or three colours; with its word."""
    word = "white" if white else "colour"
    if ruined:
        word = "ruined"
    strip = box(70, 738, 386, 84, 22, pen.WHITE if white else pen.INK, pen.LINE)
    marks = "" if white else "".join(
        dot(104 + 30 * k, 780, 12, paint) for k, paint in enumerate((pen.CORAL, pen.SUN, pen.SKY))
    )  # fmt: skip
    middle = 263 if white else 308
    return strip + marks + text(word, middle, 781, 42, pen.INK if white else pen.WHITE, 0.18)


def garment(owner: int, kind: str, ruined: bool) -> str:
    """One side of a garment's card."""
    white = kind.startswith("white")
    cloth = CLOTHES[kind]()
    field = FIELDS[owner - 1]
    if ruined:
        drawn = _spoiled(cloth, white) + at(0, -54, pen.face(0, 0, 36, "sad"))
    else:
        drawn = cloth + "".join(_blot(x, y, r * 0.8, STAIN) for x, y, r in DIRT[: 3 + owner % 3])
    ground = dot(315, 452, 238, "#cfc9bf" if ruined else pen.PAPER)
    edge = box(34, 34, 562, 812, 34, None, pen.LINE)
    frame = box(62, 62, 506, 756, 20, None, 56, field) if ruined else ""
    numeral = pen.WHITE if ruined and field == pen.PLUM else pen.INK  # ink on plum is hard to read
    mark = dot(116, 124, 68, field if ruined else pen.WHITE, pen.LINE) + text(
        str(owner), 116, 124, 76, numeral, 0.22
    )
    need = kind.split("-")[1]
    sign = need_sign(need, 506, 124) if need in ("softener", "stain", "mesh") else ""
    lines = "".join(
        stroke(f"M{x} 226 C{x - 22} 204 {x + 22} 186 {x} 162", pen.INK, 10) for x in (250, 315, 380)
    )
    return pen.card(
        pen.panel(RUINED if ruined else field), frame, edge, ground,
        at(315, 458, drawn, scale=0.96), lines if ruined else "", mark, sign,
        _label(white, ruined), emblem(owner, 514, 762, 46),
    )  # fmt: skip
