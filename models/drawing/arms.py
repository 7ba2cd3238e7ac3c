"""The arms of the simulated table: rounded hands with sleeves, ready to be put over a picture."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.drawing.hands import SKINS
from models.drawing.tables import draw_table

_LONG, _CLOTH = 1500, 640
_INWARD = {
    "bottom": (0.0, 1.0), "left": (-1.0, 0.0), "top": (0.0, -1.0), "right": (1.0, 0.0),
}  # fmt: skip
# Skin and sleeve, BGR. Seats 1 to 6 have the first six.
LOOKS = (
    ((150, 182, 232), (134, 78, 44)),
    ((70, 106, 164), (62, 92, 196)),
    ((122, 158, 214), (92, 116, 70)),
    ((48, 72, 118), (60, 168, 214)),
    ((168, 196, 238), (118, 66, 122)),
    ((96, 134, 192), (86, 84, 82)),
    ((140, 172, 226), (134, 166, 220)),  # bare arms
    ((60, 88, 140), (57, 84, 133)),
    ((158, 188, 234), (232, 230, 228)),
    ((84, 120, 178), (34, 32, 32)),
)


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm turned for one act: `keep` (h, w, 3) uint8 is how much of 255 stays of what is
    below, `add` (h, w, 3) uint8 comes on top; `tip` (x, y) is the fingers' end in it, `away`
    the unit vector towards the player."""

    keep: np.ndarray
    add: np.ndarray
    tip: tuple[float, float]
    away: tuple[float, float]


def floats(values: object) -> np.ndarray:
    """Numbers as a float32 array; OpenCV takes no others."""
    return np.asarray(values, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Dress:
    """Skin and sleeve, BGR (3,). `cloth` (H, W, 3) float32, about 1, is the sleeve's pattern."""

    skin: np.ndarray
    sleeve: np.ndarray
    cloth: np.ndarray | None = None


def dress_of(seat: int, sleeves: int = 0) -> Dress:
    """What a seat (from 1) wears; `sleeves`: the seed of any patterns and colours, 0 for plain."""
    skin, sleeve = (floats(c) for c in LOOKS[(seat - 1) % len(LOOKS)])
    if not sleeves:
        return Dress(skin, sleeve)
    rng = np.random.default_rng([sleeves, seat])
    skin = floats(SKINS[int(rng.integers(len(SKINS)))]) * float(rng.uniform(0.85, 1.1))
    kind = str(rng.choice(("cloth", "print", "rug", "plain", "folds")))
    small = draw_table(rng, _LONG // 4, _CLOTH // 4, kind)
    cloth = cv2.resize(small, (_CLOTH, _LONG), interpolation=cv2.INTER_CUBIC)
    return Dress(np.minimum(skin, 250), np.full(3, 255, np.float32), floats(cloth) / 255)


def upright_arm(dress: Dress, palm: float, is_elbow: bool = False) -> np.ndarray:
    """An arm that points up, (H, W, 4) uint8 BGRA with BGR premultiplied.

    `palm`: the hand's breadth, px. The fingers end at (W / 2, palm / 2); with `is_elbow` there is
    no hand, but a bent elbow that ends there.
    """
    skin, cloth = dress.skin, dress.sleeve
    width = int(palm * 2.2) | 1
    layer = np.zeros((_LONG, width, 4), np.float32)
    middle = floats([width / 2, palm / 2])

    def limb(
        ax: float, ay: float, bx: float, by: float, ra: float, rb: float,
        colour: np.ndarray, flat: float = 0.0,
    ) -> None:  # fmt: skip
        a, b = middle + floats([ax, ay]) * palm, middle + floats([bx, by]) * palm
        draw_limb(layer, a, b, ra * palm, rb * palm, colour, flat)

    end = _LONG / palm
    if is_elbow:
        limb(0.1, 0.35, -0.9, end, 0.5, 0.75, cloth, 0.1)
        limb(0.1, 0.35, 0.55, end, 0.48, 0.6, cloth * 0.95, 0.1)
        return _finished(layer, dress)
    limb(0, 1.5, 0, 2.7, 0.30, 0.33, skin * 0.97, 0.3)
    limb(-0.32, 1.62, -0.62, 1.12, 0.17, 0.13, skin * 0.95)
    limb(-0.62, 1.12, -0.50, 0.62, 0.13, 0.105, skin * 0.98)
    limb(0, 1.12, 0, 1.62, 0.43, 0.36, skin, 0.6)
    knuckles = ((-0.34, 0.14), (-0.115, 0.0), (0.115, 0.03), (0.335, 0.24))
    for x, _ in knuckles:
        limb(x, 1.02, x * 0.5, 1.7, 0.125, 0.12, skin, 0.75)
    for x, tip in knuckles:
        limb(x, 1.02, x * 0.92, 0.55 + tip * 0.4, 0.135, 0.12, skin * 0.985)
        limb(x * 0.92, 0.55 + tip * 0.4, x * 0.78, tip + 0.1, 0.12, 0.1, skin)
        limb(x * 0.79, tip + 0.13, x * 0.775, tip + 0.075, 0.06, 0.055, skin * 0.6 + 98, 0.5)
    hand = layer.copy() if dress.cloth is not None else layer
    limb(0, 2.5, 0, 2.7, 0.42, 0.44, np.minimum(cloth * 0.7 + 70, 255), 0.1)
    limb(0, 2.68, 0, end, 0.48, 0.66, cloth, 0.1)
    return _finished(layer, dress, hand)


def _finished(layer: np.ndarray, dress: Dress, hand: np.ndarray | None = None) -> np.ndarray:
    """The layer as uint8; the sleeve, which is what `hand` does not show, has its pattern."""
    if dress.cloth is not None:
        is_sleeve = np.ones(layer.shape[:2], bool)
        if hand is not None:
            is_sleeve = np.abs(layer - hand).max(2) > 0
        cloth = dress.cloth[: layer.shape[0], : layer.shape[1]]
        layer[..., :3] = np.where(is_sleeve[..., None], layer[..., :3] * cloth, layer[..., :3])
    layer[..., :3] *= layer[..., 3:]
    layer[..., 3] *= 255
    return layer.astype(np.uint8)


def draw_limb(
    layer: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    ra: float,
    rb: float,
    colour: np.ndarray,
    flat: float = 0.0,
) -> None:
    """Draws a rounded limb; `flat` 0..1 takes the roundness out of its shading."""
    reach = max(ra, rb) + 2
    x0, y0 = np.maximum(np.floor(np.minimum(a, b) - reach), 0).astype(int)
    x1, y1 = np.ceil(np.maximum(a, b) + reach).astype(int)
    part = layer[y0:y1, x0:x1]
    h, w = part.shape[:2]
    if h == 0 or w == 0:
        return
    yy, xx = np.mgrid[y0 : y0 + h, x0 : x0 + w].astype(np.float32)
    along = b - a
    t = ((xx - a[0]) * along[0] + (yy - a[1]) * along[1]) / max(1e-6, float(along @ along))
    t = np.clip(t, 0, 1)
    radius = ra + (rb - ra) * t
    far = np.hypot(xx - a[0] - t * along[0], yy - a[1] - t * along[1])
    alpha = np.clip(radius - far + 0.5, 0, 1)[..., None]
    round_ = np.sqrt(np.clip(1 - (far / radius) ** 2, 0, 1))
    shade = (0.6 + 0.44 * round_) * (1 - flat) + flat
    part[..., :3] = part[..., :3] * (1 - alpha) + np.clip(colour * shade[..., None], 0, 255) * alpha
    part[..., 3:] = np.maximum(part[..., 3:], alpha)


def turned_arm(
    upright: np.ndarray, palm: float, side: str, target: np.ndarray, size: tuple[int, int],
    shadow: tuple[float, float], depth: float,
) -> Arm:  # fmt: skip
    """The arm as it reaches from `side` to `target` (x, y) px of a picture of `size` (w, h).

    `shadow`: where the hand's shadow falls, px; `depth`: how dark it is, 0..1.
    """
    w, h = size
    out = floats(_INWARD[side])
    middle = floats([w / 2, h / 2])
    along = floats([abs(out[1]), abs(out[0])])
    shoulder = middle + out * floats([w, h]) * 1.25 + along * (target - middle) * 0.45
    away = (shoulder - target) / max(1e-6, float(np.linalg.norm(shoulder - target)))
    length = min(_LONG, int(float(np.abs(out * (middle * 2)).sum()) * 1.15 + palm * 4))
    arm = upright[:length]
    # The upright arm's (0, 1) is turned to `away`; the box holds it and its shadow.
    turn = floats([[away[1], away[0]], [-away[0], away[1]]])
    tip = floats([arm.shape[1] / 2, palm / 2])
    corners = floats([[0, 0], [arm.shape[1], 0], [arm.shape[1], length], [0, length]])
    turned = (corners - tip) @ turn.T
    pad = float(np.abs(shadow).max()) * 2 + 6
    low = np.floor(turned.min(0) - pad)
    box = np.ceil(turned.max(0) + pad - low).astype(int)
    matrix = np.hstack([turn, (-(turn @ tip) - low)[:, None]])
    spread = cv2.warpAffine(arm, matrix, (int(box[0]), int(box[1])), flags=cv2.INTER_LINEAR)
    alpha = np.ascontiguousarray(spread[..., 3])
    move = floats([[1, 0, shadow[0]], [0, 1, shadow[1]]])
    soft = cv2.warpAffine(alpha, move, alpha.shape[::-1])
    soft = cv2.blur(soft, (int(pad) // 2 * 2 + 1,) * 2)
    lit = cv2.convertScaleAbs(soft, alpha=-depth, beta=255)  # positive: depth is below 1
    keep = cv2.multiply(lit, cv2.bitwise_not(alpha), scale=1 / 255)
    return Arm(
        cv2.merge([keep] * 3),
        np.ascontiguousarray(spread[..., :3]),
        (float(-low[0]), float(-low[1])),
        (float(away[0]), float(away[1])),
    )
