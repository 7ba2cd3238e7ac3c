"""Dirty Laundry's items, actions, machines and clothesline; each about 460 units across."""

from collections.abc import Callable

from models.drawing.art import pen
from models.drawing.art.lettering import text, width_of
from models.drawing.art.pen import at, box, bubble, dot, num, oval, path, stroke


def _detergent() -> str:
    carton = box(-140, -150, 280, 350, 22, pen.CORAL, pen.LINE)
    lid = path("M-140 -140 L-100 -206 L100 -206 L140 -140 Z", pen.SUN)
    burst = pen.star(0, 30, 116, pen.WHITE, pen.LINE, points=9) + dot(0, 30, 46, pen.SKY, 9)
    return carton + lid + burst + bubble(-14, 22, 16)


def _softener() -> str:
    body = path("M-60 -110 L60 -110 C130 -80 140 -20 140 40 L140 200 L-140 200 L-140 40 "
                "C-140 -20 -130 -80 -60 -110 Z", pen.PINK)  # fmt: skip
    cap = box(-66, -206, 132, 96, 20, pen.WHITE, pen.LINE)
    flower = "".join(at(0, 66, oval(0, -52, 34, 46, pen.WHITE, 10), turn=72 * k) for k in range(5))
    return body + cap + flower + dot(0, 66, 32, pen.SUN, 10)


def _stain_remover() -> str:
    body = path("M-50 -90 L50 -90 L110 30 L110 200 L-110 200 L-110 30 Z", pen.SKY)
    neck = box(-46, -150, 92, 66, 10, pen.WHITE, pen.LINE)
    head = path("M-76 -210 L96 -210 L150 -150 L-76 -150 Z", pen.BLUE)
    trigger = stroke("M76 -150 C96 -120 84 -90 64 -74", pen.BLUE, 24)
    spray = "".join(dot(x, y, 12, pen.BLUE) for x, y in ((-130, -180), (-176, -210), (-180, -156)))
    cross = stroke("M-54 60 L54 150 M54 60 L-54 150", pen.CORAL, 26)
    return trigger + body + neck + head + spray + cross


def _mesh_bag() -> str:
    bag = "M-90 -110 C-210 -20 -210 200 0 200 C210 200 210 -20 90 -110 Z"
    net = (
        "M-150 -20 L50 190 M-100 -90 L130 150 M0 -104 L174 70 "
        "M150 -20 L-50 190 M100 -90 L-130 150 M0 -104 L-174 70"
    )
    knot = path("M-90 -110 L-130 -200 L0 -170 L130 -200 L90 -110 Z", pen.LEAF)
    return (
        path(bag, pen.WHITE, 0)
        + stroke(net, pen.LEAF, 13)
        + stroke(bag + " Z")
        + knot
        + box(-104, -128, 208, 36, 18, pen.SUN, pen.LINE)
    )


def _red_sock() -> str:
    shape = (
        "M-96 -200 L46 -200 L46 20 C56 60 150 70 176 110 C206 160 180 206 124 206 "
        "L-10 206 C-80 196 -96 130 -96 80 Z"
    )
    heel = path("M-96 60 C-40 76 -20 130 -44 190 C-80 170 -96 130 -96 80 Z", "#a8281c", 9)
    toe = path("M112 82 C160 94 170 104 176 110 C206 160 180 206 124 206 L96 206 Z", "#a8281c", 9)
    cuff = box(-112, -214, 174, 70, 20, "#a8281c", pen.LINE)
    return path(shape + " Z", "#e2321f") + heel + toe + cuff + pen.face(-26, -66, 26, "sly")


def _dye() -> str:
    pot = path("M-150 -90 L150 -90 L128 200 L-128 200 Z", pen.WHITE)
    bail = stroke("M-150 -90 C-120 -250 120 -250 150 -90")
    paint = path("M-162 -96 C-150 -130 150 -130 162 -96 C162 -20 130 -20 118 -52 C106 -80 92 -60 "
                 "88 0 C84 70 36 70 32 0 C28 -60 10 -60 0 -20 C-12 40 -52 40 -58 -20 "
                 "C-66 -70 -84 -60 -92 -30 C-110 10 -160 -10 -162 -96 Z", pen.PLUM)  # fmt: skip
    return (
        bail
        + pot
        + paint
        + "".join(
            dot(x, 120, 28, fill, 9) for x, fill in ((-64, pen.CORAL), (0, pen.SUN), (64, pen.TEAL))
        )
    )


def _bleach() -> str:
    jug = path("M-60 -140 L40 -140 C60 -90 150 -70 150 0 L150 200 L-150 200 L-150 0 "
               "C-150 -60 -80 -80 -60 -140 Z", pen.WHITE)  # fmt: skip
    cap = box(-66, -206, 112, 70, 14, pen.BLUE, pen.LINE)
    grip = path("M76 -40 C120 -30 120 40 116 80 C86 80 70 40 76 -40 Z", pen.GREY, 10)
    bolt = path("M0 10 L-70 110 L-16 110 L-44 186 L46 80 L-8 80 L30 10 Z", pen.SUN, 11)
    return jug + cap + grip + bolt


def _drum(r: float, water: str) -> str:
    return dot(0, 0, r, pen.WHITE, pen.LINE) + dot(0, 0, r * 0.78, water, pen.LINE)


def _wash() -> str:
    bend = "M-146 20 C-150 -80 -70 -150 20 -146"
    head = "M10 -212 L116 -134 L0 -70 Z"
    turns = tuple(zip((0, 120, 240), (pen.BLUE, pen.CORAL, pen.TEAL), strict=True))
    tails = "".join(
        at(0, 0, stroke(bend, pen.INK, 72), stroke(bend, fill, 46), turn=turn)
        for turn, fill in turns
    )
    heads = "".join(at(0, 0, path(head, fill), turn=turn) for turn, fill in turns)
    return tails + heads + bubble(0, 0, 62, pen.BLUE)


def _sort() -> str:
    arrow = path("M-190 -40 L60 -40 L60 -96 L200 10 L60 116 L60 60 L-190 60 Z", pen.SUN)
    return at(0, -104, arrow) + at(0, 104, arrow.replace(pen.SUN, pen.CORAL), turn=180)


def _rinse() -> str:
    pipe = stroke("M-160 210 L-160 -120 C-160 -220 20 -220 20 -150", pen.INK, 56)
    shine = stroke("M-160 210 L-160 -120 C-160 -220 20 -220 20 -150", pen.GREY, 32)
    rose = path("M-50 -150 L90 -150 L150 -70 L-110 -70 Z", pen.BLUE)
    drops = "".join(
        at(x, y, path("M0 -38 C20 -8 28 0 28 16 C28 46 -28 46 -28 16 C-28 0 -20 -8 0 -38 Z",
                      pen.SKY, 10))
        for x, y in ((-70, 0), (20, 0), (110, 0), (-25, 90), (65, 90), (155, 90), (-70, 180),
                     (20, 180), (110, 180))
    )  # fmt: skip
    return pipe + shine + rose + drops


def _repair_wreck() -> str:
    spanner = path("M-34 -40 L-34 190 C-34 220 34 220 34 190 L34 -40 C90 -70 96 -150 48 -190 "
                   "L48 -120 L0 -92 L-48 -120 L-48 -190 C-96 -150 -90 -70 -34 -40 Z",
                   pen.SKY)  # fmt: skip
    handle = box(-26, -130, 52, 340, 22, pen.BROWN, pen.LINE)
    head = box(-120, -206, 240, 112, 22, pen.CORAL, pen.LINE)
    return at(-16, 0, handle + head, turn=38) + at(16, 0, spanner, turn=-38)


def _bucket() -> str:
    bail = stroke("M-170 -60 C-150 -240 150 -240 170 -60", pen.INK, 18)
    pail = path("M-180 -60 L180 -60 L140 210 L-140 210 Z", pen.TEAL)
    suds = "".join(
        dot(x, y, r, pen.WHITE, 10)
        for x, y, r in ((-120, -80, 52), (-40, -104, 60), (56, -96, 56), (128, -76, 48))
    )
    rim = box(-196, -76, 392, 52, 24, pen.TEAL, pen.LINE)
    return bail + suds + pail + rim + pen.face(0, 56, 42)


def machine(broken: bool) -> str:
    """A washing machine's front, glad or broken."""
    body = box(-210, -250, 420, 500, 34, pen.GREY if broken else pen.WHITE, pen.LINE)
    top = stroke("M-210 -150 L210 -150")
    knobs = "".join(dot(x, -200, 24, fill, 10) for x, fill in ((90, pen.CORAL), (155, pen.SUN)))
    drawer = box(-178, -222, 150, 46, 12, pen.SKY, 10)
    drum = at(0, 46, _drum(158, "#4a4f5c" if broken else pen.SKY))
    if not broken:
        water = path("M-122 60 C-80 30 -40 90 0 60 C40 30 80 90 122 60 C112 190 -112 190 -122 60 Z",
                     pen.BLUE, 0)  # fmt: skip
        ring = dot(0, 46, 123, None, pen.LINE)
        suds = bubble(-50, 100, 20) + bubble(40, 110, 26)
        return body + top + knobs + drawer + drum + water + ring + suds + pen.face(0, 20, 40)
    crack = stroke("M-20 -62 L10 -30 L-10 0 L24 30 M10 -30 L46 -44", pen.WHITE, 10)  # fmt: skip
    smoke = "".join(
        dot(x, y, r, "#5d6270", 10)
        for x, y, r in ((-150, -262, 50), (-70, -296, 62), (20, -270, 48))
    )
    spring = stroke("M120 -250 L160 -280 L110 -300 L160 -324", pen.INK, 12)
    puddle = oval(40, 262, 220, 34, pen.SKY, pen.LINE)
    plaster = at(120, 190, box(-70, -20, 140, 40, 18, pen.SAND, 9), turn=-24)
    return (
        smoke
        + spring
        + puddle
        + body
        + top
        + knobs
        + drawer
        + drum
        + at(62, -8, crack)
        + plaster
        + at(-14, 84, pen.face(0, -20, 42, "sad"))
    )


ITEMS: dict[str, Callable[[], str]] = {
    "detergent": _detergent, "fabric-softener": _softener, "stain-remover": _stain_remover,
    "mesh-bag": _mesh_bag, "red-sock": _red_sock, "special-dye": _dye, "special-bleach": _bleach,
}  # fmt: skip
ITEM_FIELDS = {
    "detergent": pen.SKY, "fabric-softener": pen.TEAL, "stain-remover": pen.SUN,
    "mesh-bag": pen.PINK, "red-sock": pen.INK, "special-dye": pen.LEAF, "special-bleach": pen.PLUM,
}  # fmt: skip
ACTIONS: dict[str, Callable[[], str]] = {
    "wash": _wash, "sort": _sort, "rinse": _rinse, "repair-wreck": _repair_wreck,
    "hand-wash": _bucket,
}  # fmt: skip
ACTION_FIELDS = {
    "wash": pen.SUN, "sort": pen.BLUE, "rinse": pen.PINK, "repair-wreck": pen.LEAF,
    "hand-wash": pen.CORAL,
}  # fmt: skip
WORDS = {
    "fabric-softener": ("fabric", "softener"), "stain-remover": ("stain", "remover"),
    "special-dye": ("special dye",), "special-bleach": ("special", "bleach"),
    "mesh-bag": ("mesh bag",), "red-sock": ("red sock",), "repair-wreck": ("repair", "or wreck"),
    "hand-wash": ("hand wash",),
}  # fmt: skip


def _words(name: str, y: float, width: float) -> str:
    """The card's name on a plate of this width, centred on y: dark on light, without outlines."""
    lines = WORDS.get(name, (name,))
    fitting = min(100 * (width - 90) / width_of(line, 100) for line in lines)
    height, step, tall = (56.0, 0, 92) if len(lines) == 1 else (46.0, 64, 136)
    height = min(height, fitting)
    top = y - step * (len(lines) - 1) / 2
    plate = box(315 - width / 2, y - tall / 2, width, tall, 26, pen.PAPER, pen.LINE)
    return plate + "".join(
        text(line, 315, top + step * k, height, pen.INK, 0.17) for k, line in enumerate(lines)
    )


def item(name: str) -> str:
    """An item's card: the item on a disc, and a small one in the corner."""
    corner = dot(112, 116, 64, pen.WHITE, pen.LINE) + at(112, 116, ITEMS[name](), scale=0.2)
    suds = bubble(490, 120, 40) + bubble(548, 196, 18) + bubble(84, 660, 20) + bubble(540, 640, 26)
    return pen.card(
        pen.panel(ITEM_FIELDS[name]), suds, dot(315, 420, 246, pen.PAPER),
        at(315, 420, ITEMS[name](), scale=0.96), corner,
        _words(name, 752, 500),
    )  # fmt: skip


def action(name: str) -> str:
    """An action's card: a broad border, a diamond, a flash of lightning in the corner."""
    field = box(64, 64, 502, 752, 60, ACTION_FIELDS[name], pen.LINE)
    ring = box(92, 92, 446, 696, 40, None, 8, pen.WHITE)
    bolt = path("M128 66 L84 132 L118 132 L98 186 L160 110 L124 110 L146 66 Z", pen.SUN, 9)
    mark = dot(120, 124, 70, pen.WHITE, pen.LINE) + bolt
    hub = path("M315 160 L560 410 L315 660 L70 410 Z", pen.PAPER, 0)
    return pen.card(
        field, ring, hub, at(315, 410, ACTIONS[name](), scale=0.86), mark,
        _words(name, 712, 420),
    )  # fmt: skip


def machine_card(broken: bool) -> str:
    """A machine's card, or its broken side."""
    tiles = "".join(
        box(x, y, 84, 84, 8, "#6b5570" if broken else "#3aa9a4")
        for x in range(62, 520, 104) for y in range(62, 760, 104)
    )  # fmt: skip
    words = text("broken" if broken else "machine", 315, 782, 54,
                 pen.CORAL if broken else pen.WHITE, 0.17, pen.INK, 0.13)  # fmt: skip
    return pen.card(
        pen.panel("#56435c" if broken else pen.TEAL), tiles, at(315, 432, machine(broken)), words
    )


def clothesline() -> str:
    """The clothesline's card: where clean garments hang."""
    sun = pen.star(230, 180, 110, pen.SUN, pen.LINE, points=11) + dot(230, 180, 50, pen.WHITE, 9)
    hill = path("M40 700 C200 560 420 640 590 600 L590 812 C590 830 580 840 562 840 L68 840 "
                "C50 840 40 830 40 812 Z", pen.LEAF)  # fmt: skip
    posts = "".join(box(x, y, 34, 450, 14, pen.BROWN, pen.LINE) for x, y in ((82, 270), (514, 250)))
    rope = stroke("M98 300 C220 360 410 350 532 290")
    cloths = "".join(
        at(x, y, box(-44, 0, 88, tall, 10, fill, pen.LINE) + box(-8, -22, 16, 48, 6, pen.SAND, 7))
        for x, y, tall, fill in ((180, 330, 150, pen.WHITE), (290, 345, 190, pen.CORAL),
                                 (400, 342, 130, pen.PINK), (482, 318, 90, pen.WHITE))
    )  # fmt: skip
    words = text("clothesline", 315, 776, 46, pen.WHITE, 0.17, pen.INK, 0.13)
    return pen.card(pen.panel(pen.SKY), sun, hill, posts, rope, cloths, words)


def back() -> str:
    """The back of items and actions: pegs in rows, symmetric under a half turn."""
    pegs = []
    for row in range(4):
        for k in range(4 + row % 2):
            x, y = 150 + 110 * k - (55 if row % 2 else 0), 110 + 88 * row
            turn = num(30 if k % 2 else -30)
            pegs.append(at(x, y, box(-11, -34, 22, 68, 8, pen.SAND, 8), stroke("M-10 -6 L10 -6",
                        pen.INK, 7), turn=float(turn)))  # fmt: skip
    badge = dot(315, 440, 132, pen.WHITE, pen.LINE) + dot(315, 440, 94, pen.SKY, pen.LINE)
    rounds = pen.both_ends(bubble(286, 410, 30) + bubble(352, 402, 16))
    return pen.card(pen.panel(pen.CORAL), pen.both_ends(*pegs), badge, rounds)
