"""Letters and numerals as round strokes: rendering needs no typeface.

Each glyph: its width and its strokes in a box 100 high, the baseline at 100.
"""

from models.drawing.art.pen import INK, at, num, stroke

_C = "M58 22 C48 -8 0 -12 0 50 C0 112 48 108 58 78"
_O = "M32 0 C75 0 75 100 32 100 C-11 100 -11 0 32 0 Z"
_P = "M0 100 L0 0 L30 0 C68 0 68 56 30 56 L0 56"

GLYPHS: dict[str, tuple[float, str]] = {
    "a": (60, "M0 100 L30 0 L60 100 M12 66 L48 66"),
    "b": (58, "M0 0 L0 100 L30 100 C68 100 68 47 30 47 L0 47 M0 0 L28 0 C60 0 60 47 28 47"),
    "c": (58, _C),
    "d": (62, "M0 0 L0 100 L20 100 C76 100 76 0 20 0 Z"),
    "e": (52, "M52 0 L0 0 L0 100 L52 100 M0 49 L42 49"),
    "f": (52, "M52 0 L0 0 L0 100 M0 49 L42 49"),
    "g": (60, _C + " L58 54 L34 54"),
    "h": (58, "M0 0 L0 100 M58 0 L58 100 M0 50 L58 50"),
    "i": (36, "M0 0 L36 0 M18 0 L18 100 M0 100 L36 100"),
    "j": (46, "M46 0 L46 66 C46 112 0 112 0 74"),
    "k": (58, "M0 0 L0 100 M56 0 L0 60 M20 40 L58 100"),
    "l": (50, "M0 0 L0 100 L50 100"),
    "m": (76, "M0 100 L0 0 L38 62 L76 0 L76 100"),
    "n": (58, "M0 100 L0 0 L58 100 L58 0"),
    "o": (64, _O),
    "p": (58, _P),
    "q": (66, _O + " M42 70 L66 104"),
    "r": (58, _P + " M30 56 L58 100"),
    "s": (56, "M54 18 C44 -8 2 -6 2 26 C2 58 56 42 56 74 C56 108 8 106 0 80"),
    "t": (60, "M0 0 L60 0 M30 0 L30 100"),
    "u": (58, "M0 0 L0 62 C0 112 58 112 58 62 L58 0"),
    "v": (60, "M0 0 L30 100 L60 0"),
    "w": (86, "M0 0 L20 100 L43 30 L66 100 L86 0"),
    "x": (58, "M0 0 L58 100 M58 0 L0 100"),
    "y": (60, "M0 0 L30 50 L60 0 M30 50 L30 100"),
    "z": (58, "M2 0 L56 0 L0 100 L58 100"),
    "0": (56, "M28 0 C66 0 66 100 28 100 C-10 100 -10 0 28 0 Z"),
    "1": (48, "M2 22 L26 0 L26 100 M2 100 L48 100"),
    "2": (56, "M2 24 C6 -8 54 -8 54 28 C54 54 20 70 0 100 L56 100"),
    "3": (56, "M2 16 C14 -8 52 -6 52 24 C52 46 30 47 22 47 C34 47 56 50 56 74 C56 108 8 108 0 82"),
    "4": (58, "M42 100 L42 0 L0 68 L58 68"),
    "5": (56, "M50 0 L8 0 L4 44 C20 32 56 34 56 66 C56 108 8 108 0 82"),
    "6": (56, "M46 2 C20 10 2 36 2 68 C2 112 56 110 56 68 C56 34 12 32 2 64"),
    "7": (54, "M0 0 L54 0 L20 100"),
    "8": (
        56,
        "M28 46 C-4 44 -2 0 28 0 C58 0 60 44 28 46 C-8 48 -8 100 28 100 C64 100 64 48 28 46 Z",
    ),
    "9": (56, "M10 98 C36 90 54 64 54 32 C54 -12 0 -10 0 32 C0 66 44 68 54 36"),
    "?": (50, "M0 22 C4 -8 50 -8 50 26 C50 52 24 48 24 70 M24 98 L24 99"),
    "!": (4, "M2 0 L2 66 M2 98 L2 99"),
    "-": (36, "M0 56 L36 56"),
    " ": (24, ""),
}
GAP = 24


def width_of(text: str, height: float) -> float:
    """The width of a line of text without the strokes' thickness."""
    total = sum(GLYPHS[letter][0] for letter in text) + GAP * (len(text) - 1)
    return total * height / 100


def text(
    words: str, x: float, y: float, height: float, colour: str = INK, weight: float = 0.16,
    halo: str | None = None, halo_width: float = 0.12,
) -> str:  # fmt: skip
    """A line centred on (x, y). `weight`: stroke as a share of height; `halo`: outline colour."""
    words = words.lower()
    scale = height / 100
    left = x - width_of(words, height) / 2
    strokes = []
    for letter in words:
        wide, d = GLYPHS[letter]
        if d:
            strokes.append((left, d))
        left += (wide + GAP) * scale
    passes = [(colour, 100 * weight)]
    if halo:
        passes.insert(0, (halo, 100 * (weight + 2 * halo_width)))
    return "".join(
        at(spot, y - height / 2, stroke(d, paint, thick), scale=scale)
        for paint, thick in passes
        for spot, d in strokes
    )


def index(words: str, x: float, y: float, height: float, colour: str) -> str:
    """A corner mark with a bar below, which distinguishes 6 from 9 and N from Z."""
    reach = max(width_of(words, height), 0.5 * height) / 2
    low = y + 0.5 * height + 0.34 * height
    bar = f"M{num(x - reach)} {num(low)} L{num(x + reach)} {num(low)}"
    return text(words, x, y, height, colour, 0.2) + stroke(bar, colour, 0.13 * height)
