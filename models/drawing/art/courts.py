"""The plain 52's own court figures: the upper half of each, down to the sash at y = 440."""

from collections.abc import Callable

from models.drawing.art import pen
from models.drawing.art.pen import box, dot, oval, path, stroke

SKIN = {"j": "#f3c79a", "q": "#d99a6c", "k": "#8f5a3c"}


def _shoulders(colour: str, collar: str) -> str:
    """A robe that fills the frame's width down to the sash."""
    robe = path("M154 424 L154 372 C170 330 240 326 315 326 C390 326 460 330 476 372 L476 424 Z",
                colour)  # fmt: skip
    return robe + path("M240 330 L315 424 L390 330 C350 344 280 344 240 330 Z", collar, 10)


def _head(skin: str) -> str:
    eyes = "".join(oval(315 + side * 30, 244, 10, 14, pen.INK) for side in (-1, 1))
    cheeks = "".join(dot(315 + side * 50, 274, 13, pen.PINK) for side in (-1, 1))
    neck = box(285, 290, 60, 56, 18, skin, 10)
    return neck + oval(315, 248, 82, 92, skin, pen.LINE) + cheeks + eyes


def _jack(colour: str) -> str:
    """A squire with a feathered cap and a curl."""
    hair = path("M226 250 C206 330 250 336 262 300 L368 300 C380 336 424 330 404 250 Z", pen.SUN)
    cap = path("M214 206 C214 120 300 96 400 140 C424 152 424 190 416 210 Z", colour)
    brim = box(204, 188, 222, 36, 18, pen.WHITE, 10)
    feather = path("M236 190 C170 170 160 110 186 84 C212 110 246 130 252 186 Z", pen.CORAL
                   if colour != "#e0402f" else pen.SKY, 10)  # fmt: skip
    smile = stroke("M288 294 C300 308 330 308 342 294", pen.INK, 9)
    return hair + _shoulders(colour, pen.WHITE) + _head(SKIN["j"]) + smile + cap + brim + feather


def _queen(colour: str) -> str:
    """A queen with long curls, a round crown and a flower."""
    hair = path(
        "M315 130 C200 130 190 250 206 330 C214 372 262 372 262 340 L368 340 C368 372 416 372 424 "
        "330 C440 250 430 130 315 130 Z",
        "#5a3427",
    )
    crown = path("M232 180 L222 96 L270 130 L315 84 L360 130 L408 96 L398 180 Z", pen.SUN)
    pearls = "".join(dot(x, y, 13, pen.WHITE, 7) for x, y in ((222, 94), (315, 82), (408, 94)))
    lips = path("M296 292 C306 284 312 290 315 292 C318 290 324 284 334 292 C324 308 306 308 296 "
                "292 Z", pen.CORAL, 6)  # fmt: skip
    lashes = stroke("M270 232 L286 238 M360 232 L344 238", pen.INK, 7)
    flower = "".join(
        pen.at(196, 396, oval(0, -17, 11, 17, pen.PINK, 6), turn=72 * k) for k in range(5)
    ) + dot(196, 396, 11, pen.SUN, 6)
    beads = "".join(dot(268 + 24 * k, 352 + (8 if k in (1, 3) else 12 if k == 2 else 0), 10,
                        pen.WHITE, 6) for k in range(5))  # fmt: skip
    return (
        hair + _shoulders(colour, pen.PINK) + _head(SKIN["q"]) + lips + lashes + crown + pearls
        + beads + flower
    )  # fmt: skip


def _king(colour: str) -> str:
    """A king with a great white beard and a square crown."""
    beard = path(
        "M233 250 C226 350 270 410 315 410 C360 410 404 350 397 250 C380 290 350 276 315 276 "
        "C280 276 250 290 233 250 Z",
        pen.WHITE,
    )
    moustache = path("M315 282 C296 262 262 272 252 296 C276 304 304 300 315 288 C326 300 354 304 "
                     "378 296 C368 272 334 262 315 282 Z", pen.WHITE, 8)  # fmt: skip
    brows = stroke("M268 222 L300 216 M362 222 L330 216", pen.WHITE, 13)
    crown = path("M222 192 L222 88 L262 126 L288 88 L315 126 L342 88 L368 126 L408 88 L408 192 Z",
                 pen.SUN)  # fmt: skip
    band = box(216, 164, 198, 34, 10, colour, 10)
    gems = "".join(dot(x, 181, 9, pen.WHITE) for x in (258, 315, 372))
    return (
        _shoulders(colour, pen.SAND) + _head(SKIN["k"]) + brows + beard + moustache + crown + band
        + gems
    )  # fmt: skip


COURTS: dict[str, Callable[[str], str]] = {"j": _jack, "q": _queen, "k": _king}
