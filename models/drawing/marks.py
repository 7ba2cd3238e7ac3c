"""Marks on cards: invented pictures, and text in many hands, drawn by OpenCV."""

import cv2
import numpy as np
import numpy.typing as npt

_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)
_SYLLABLES = (
    "ba",
    "do",
    "ki",
    "lu",
    "ma",
    "no",
    "pe",
    "ra",
    "su",
    "ti",
    "vo",
    "wa",
    "zen",
    "shi",
    "cor",
)


def whole_px(point: npt.ArrayLike) -> tuple[int, int]:
    """A point (2,) as whole pixels, as OpenCV's drawing functions take it."""
    x, y = np.asarray(point, float)
    return round(float(x)), round(float(y))


def random_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """A colour, BGR 0..255; often saturated, as print is."""
    hsv = np.array(
        [
            [
                [
                    rng.integers(180),
                    rng.choice([rng.integers(60), rng.integers(110, 256)]),
                    rng.integers(40, 256),
                ]
            ]
        ],
        np.uint8,
    )
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0]
    return int(b), int(g), int(r)


def random_word(rng: np.random.Generator) -> str:
    """A word in no language."""
    return "".join(rng.choice(_SYLLABLES, rng.integers(1, 4))).upper()


def draw_text(
    face: np.ndarray,
    text: str,
    centre: tuple[float, float],
    size: float,
    colour: tuple[int, int, int],
    seed: int,
) -> None:
    """Writes `text` into `face` (H, W, 3), `size` px high about `centre`, in a hand of `seed`."""
    rng = np.random.default_rng(seed)
    font = int(rng.choice(_FONTS))
    (w1, h1), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = size / max(h1, 1)
    thick = max(1, round(size * rng.uniform(0.06, 0.22)))
    (w1, h1), _ = cv2.getTextSize(text, font, scale, thick)
    at = (round(centre[0] - w1 / 2), round(centre[1] + h1 / 2))
    if rng.random() < 0.3:
        edge = (255, 255, 255) if sum(colour) < 380 else (0, 0, 0)
        cv2.putText(face, text, at, font, scale, edge, thick + max(2, thick), cv2.LINE_AA)
    cv2.putText(face, text, at, font, scale, colour, thick, cv2.LINE_AA)


def draw_picture(
    face: np.ndarray,
    centre: tuple[float, float],
    size: float,
    seed: int,
    colours: tuple[tuple[int, int, int], ...],
    turned: bool = False,
) -> None:
    """An invented thing of `seed`, `size` px wide about `centre`: blobs, polygons, strokes."""
    rng = np.random.default_rng(seed)
    outline = max(1, round(size * rng.uniform(0.01, 0.05)))
    sign = -1.0 if turned else 1.0
    for part in range(int(rng.integers(1, 6))):
        colour = colours[part % len(colours)]
        points = outline_part(rng) * size * (1.0 if part == 0 else 0.55)
        shift = np.zeros(2) if part == 0 else rng.uniform(-0.3, 0.3, 2) * size
        places = [points + shift]
        if rng.random() < 0.5:  # things are often symmetric
            places.append(places[0] * [-1, 1])
        for p in places:
            xy = np.array((p * sign + centre) * 16, np.int32)
            if rng.random() < 0.15:
                cv2.polylines(face, [xy], True, colour, outline * 2, cv2.LINE_AA, 4)
            else:
                cv2.fillPoly(face, [xy], colour, cv2.LINE_AA, 4)
                if outline > 1:
                    cv2.polylines(face, [xy], True, (20, 20, 20), outline, cv2.LINE_AA, 4)


def outline_part(rng: np.random.Generator) -> np.ndarray:
    """A closed outline within ±0.5, (N, 2)."""
    kind = rng.integers(5)
    if kind == 0:  # a smooth blob
        t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        r = 0.36 + sum(
            rng.uniform(-0.1, 0.1) * np.cos(k * t + rng.uniform(0, 6)) for k in (1, 2, 3, 5)
        )
        return np.stack([r * np.cos(t), r * np.sin(t)], 1)
    if kind == 1:  # a polygon
        n = int(rng.integers(3, 8))
        t = np.sort(rng.uniform(0, 2 * np.pi, n))
        return np.stack([np.cos(t), np.sin(t)], 1) * rng.uniform(0.2, 0.5, (n, 1))
    if kind == 2:  # a star
        n = int(rng.integers(4, 9))
        t = np.linspace(0, 2 * np.pi, 2 * n, endpoint=False) - np.pi / 2
        r = np.where(np.arange(2 * n) % 2, rng.uniform(0.1, 0.35), 0.48)
        return np.stack([r * np.cos(t), r * np.sin(t)], 1)
    if kind == 3:  # a bar
        a, b = rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.5)
        box = np.array([[-a, -b], [a, -b], [a * rng.uniform(0.5, 1.5), b], [-a, b]])
        q = rng.uniform(0, np.pi)
        return box @ np.array([[np.cos(q), -np.sin(q)], [np.sin(q), np.cos(q)]])
    t = np.linspace(0, 2 * np.pi, 32, endpoint=False)  # an ellipse
    return np.stack([rng.uniform(0.15, 0.5) * np.cos(t), rng.uniform(0.15, 0.5) * np.sin(t)], 1)
