"""Fans of cards in hands at the edge of the picture: drawn once, then only moved."""

from collections.abc import Sequence

import cv2
import numpy as np

from models.drawing.arms import Dress, draw_limb, floats
from models.drawing.steps import Fan

_SIDE = 5.0  # of the sprite's square, in card lengths
_NEAR = 1.16  # how much larger cards look that are held 15 cm above the table
_DEGREES = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}


def fan_sprite(
    pictures: Sequence[np.ndarray], fan: Fan, dress: Dress, card: tuple[float, float],
    rng: np.random.Generator,
) -> np.ndarray:  # fmt: skip
    """A fan and its hands, (S, S, 4) uint8 BGRA premultiplied; the fan's middle is the square's.

    `pictures`: BGRA, left to right. `card` (width, length) px on the table.
    """
    width, length = (each * _NEAR for each in card)
    side = int(_SIDE * length)
    layer = np.zeros((side, side, 4), np.float32)
    middle = floats([side / 2, side / 2])
    pivot = middle + floats([0, length * 0.62])
    squash = float(rng.uniform(0.72, 0.95) if fan.shows_faces else rng.uniform(0.5, 0.8))
    spread = float(rng.uniform(9, 15)) * min(1.0, 6 / max(1, len(pictures)))
    palm = length * 0.66
    _arm_below(layer, pivot, palm, dress, -0.15)
    if fan.both_hands:
        _arm_below(layer, pivot + floats([length * 0.75, -length * 0.1]), palm, dress, 0.5)
    for number, picture in enumerate(pictures):
        turn = (number - (len(pictures) - 1) / 2) * spread + float(rng.normal(0, 1.2))
        quad = held_quad(pivot, (width, length), turn, squash)
        _lay_on(layer, picture, quad)
    _fingers(layer, pivot, palm, dress, fan.shows_faces)
    if fan.both_hands:
        _pinch(layer, pivot + floats([length * 0.62, -length * 0.3]), palm, dress)
    layer[..., :3] *= layer[..., 3:]
    layer[..., 3] *= 255
    return np.clip(layer, 0, 255).astype(np.uint8)


def held_quad(
    pivot: np.ndarray, card: tuple[float, float], degrees: float, squash: float
) -> np.ndarray:
    """A held card's corners (4, 2) px: it turns about the hand at `pivot`, and leans away from the
    camera. `card` (width, length) px; `squash`: its length as seen, as a part of the true one."""
    w, h = card
    flat = floats(
        [[-w / 2, -h * 1.05], [w / 2, -h * 1.05], [w / 2, -h * 0.05], [-w / 2, -h * 0.05]]
    )
    a = np.radians(degrees)
    spin = floats([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    points = flat @ spin.T
    nearer = 1 - 0.05 * points[:, 1:] / h  # the far edge is held higher
    return floats(points * nearer * floats([1, squash]) + pivot)


def _lay_on(layer: np.ndarray, picture: np.ndarray, quad: np.ndarray) -> None:
    """A card with its soft shadow over what is drawn so far."""
    low = np.floor(quad.min(0) - 8).astype(int)
    high = np.ceil(quad.max(0) + 8).astype(int)
    part = layer[low[1] : high[1], low[0] : high[0]]
    h, w = picture.shape[:2]
    corners = floats([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    matrix = cv2.getPerspectiveTransform(corners, floats(quad - low - 0.5))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    card = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_AREA).astype(np.float32)
    alpha = card[..., 3:] / 255
    shadow = cv2.GaussianBlur(alpha, (0, 0), 3.5)[..., None] * 0.4
    part[..., :3] *= 1 - shadow * (1 - alpha)
    part[..., :3] = part[..., :3] * (1 - alpha) + card[..., :3] * alpha
    part[..., 3:] = np.maximum(part[..., 3:], alpha)


def _arm_below(
    layer: np.ndarray, wrist: np.ndarray, palm: float, dress: Dress, lean: float
) -> None:
    """The palm behind the cards, and a forearm with its sleeve down to the layer's edge."""
    end = layer.shape[0] - 2.0
    away = wrist + floats([lean * palm * 2, palm * 1.0])
    far = floats([wrist[0] + lean * (end - wrist[1]), end])
    draw_limb(
        layer, wrist - floats([0, palm * 0.3]), away, palm * 0.5, palm * 0.36, dress.skin, 0.3
    )
    bare = layer.copy()
    cuff = away + floats([lean * palm, palm]) * 0.1
    draw_limb(layer, cuff, far, palm * 0.46, palm * 0.62, dress.sleeve, 0.1)
    if dress.cloth is not None:
        is_sleeve = np.abs(layer - bare).max(2) > 0
        cloth = cv2.resize(dress.cloth, layer.shape[1::-1])
        layer[is_sleeve, :3] *= cloth[is_sleeve]


def _fingers(
    layer: np.ndarray, pivot: np.ndarray, palm: float, dress: Dress, shows_faces: bool
) -> None:
    """What of the hand is before the cards: its thumb, or its fingers where backs are seen."""

    def finger(x: float, y: float, x1: float, y1: float, radius: float, tone: float) -> None:
        a, b = pivot + floats([x, y]) * palm, pivot + floats([x1, y1]) * palm
        knuckle = a + (b - a) * 0.55 + floats([0.04, 0.02]) * palm
        skin = dress.skin * tone
        draw_limb(layer, a, knuckle, radius * palm, radius * palm * 0.95, skin)
        draw_limb(layer, knuckle, b, radius * palm * 0.95, radius * palm * 0.8, skin)
        tip = b + (a - b) * 0.08
        draw_limb(layer, tip, b, radius * palm * 0.5, radius * palm * 0.45, skin * 0.6 + 95, 0.5)

    if shows_faces:
        finger(-0.5, 0.35, -0.02, -0.55, 0.2, 1.0)
        draw_limb(layer, pivot + floats([-0.5, 0.4]) * palm, pivot + floats([0.35, 0.5]) * palm,
                  0.34 * palm, 0.34 * palm, dress.skin, 0.5)  # fmt: skip
        return
    for number, x in enumerate((0.42, 0.17, -0.08, -0.33)):
        finger(x + 0.22, 0.42, x - 0.12, -0.28 - 0.1 * (number in (1, 2)), 0.135, 0.97)
    draw_limb(layer, pivot + floats([0.5, 0.5]) * palm, pivot + floats([-0.25, 0.55]) * palm,
              0.27 * palm, 0.25 * palm, dress.skin, 0.55)  # fmt: skip


def _pinch(layer: np.ndarray, at: np.ndarray, palm: float, dress: Dress) -> None:
    """Thumb and first finger of the other hand at the fan's right edge."""
    root = at + floats([0.75, 0.5]) * palm
    for x, y, tone in ((0.0, -0.1, 0.96), (-0.08, 0.22, 1.0)):
        end = at + floats([x, y]) * palm
        draw_limb(layer, root, end, 0.2 * palm, 0.13 * palm, dress.skin * tone)
    draw_limb(
        layer, root, root + floats([0.2, 0.6]) * palm, 0.36 * palm, 0.4 * palm, dress.skin, 0.4
    )


class Wander:
    """How a held thing moves: rests, small shifts, now and then a large one. px and degrees."""

    def __init__(self, rng: np.random.Generator, end: float, unit: float) -> None:
        times, poses, at = [0.0], [np.zeros(3)], 0.0
        while at < end:
            big = 2.5 if rng.random() < 0.15 else 1.0
            pose = rng.normal(0, (0.09, 0.06, 3.5)) * big
            at += float(rng.uniform(0.5, 3.0))
            times.append(at)
            poses.append(poses[-1])
            at += float(rng.uniform(0.3, 0.9))
            times.append(at)
            poses.append(pose)
        self._times, self._poses = np.array(times), np.array(poses) * [unit, unit, 1.0]
        self._tremble = rng.uniform(0, 2 * np.pi, 2)

    def at(self, at: float) -> tuple[float, float, float]:
        """Shift x, y (px) and turn (degrees) at `at` s."""
        x, y, turn = (float(np.interp(at, self._times, self._poses[:, k])) for k in range(3))
        shake = 0.6 * np.sin(at * np.array([7.1, 5.3]) + self._tremble)
        return x + float(shake[0]), y + float(shake[1]), turn


class HeldFan:
    """One seat's fan over the pictures of a film of `size` (width, height) px.

    `pictures`: BGRA by face, with `back`. `side`: of the picture. `light` (3,): factors.
    """

    def __init__(
        self, fan: Fan, side: str, dress: Dress, pictures: dict[str, np.ndarray], back: str,
        card: tuple[float, float], size: tuple[int, int], end: float, seed: int,
        light: np.ndarray,
    ) -> None:  # fmt: skip
        self.seat, self._fan, self._dress, self._card = fan.seat, fan, dress, card
        self._pictures, self._back, self._seed, self._light = pictures, back, seed, light
        self._cards = list(fan.cards)
        self._way = Wander(np.random.default_rng([seed, fan.seat, 5]), end, card[1])
        w, h = size
        deep = fan.deep * card[1]
        self._at = {
            "bottom": (fan.along * w, h - deep), "top": (fan.along * w, deep),
            "left": (deep, fan.along * h), "right": (w - deep, fan.along * h),
        }[side]  # fmt: skip
        self._degrees = _DEGREES[side]
        self._sprite = self._drawn()

    def _drawn(self) -> np.ndarray:
        rng = np.random.default_rng([self._seed, self._fan.seat, 6])
        names = self._cards if self._fan.shows_faces else [self._back] * len(self._cards)
        pictures = [self._pictures[name] for name in names]
        sprite = fan_sprite(pictures, self._fan, self._dress, self._card, rng).astype(np.float32)
        sprite[..., :3] *= self._light
        return np.clip(sprite, 0, 255).astype(np.uint8)

    def laid(self, face: str) -> None:
        """A card was laid on the table: it leaves the fan, which keeps two at least."""
        if len(self._cards) > 2:
            gone = self._cards.index(face) if face in self._cards else 0
            if self._fan.shows_faces and face not in self._cards:
                return
            del self._cards[gone]
            self._sprite = self._drawn()

    def fall_on(self, picture: np.ndarray, at: float) -> None:
        """Draws the fan over `picture` (H, W, 3) uint8 in place, where it is at `at` s."""
        x, y, turn = self._way.at(at)
        side = self._sprite.shape[0]
        matrix = cv2.getRotationMatrix2D((side / 2, side / 2), -self._degrees - turn, 1.0)
        # A hand at the picture's edge moves along its own sides.
        a = np.radians(self._degrees)
        shift = np.array([x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)])
        corner = np.array(self._at) + shift - side / 2
        low = np.floor(corner).astype(int)
        matrix[:, 2] += corner - low
        h, w = picture.shape[:2]
        x0, y0, x1, y1 = (
            max(0, low[0]),
            max(0, low[1]),
            min(w, low[0] + side),
            min(h, low[1] + side),
        )
        if x1 <= x0 or y1 <= y0:
            return
        matrix[:, 2] -= [x0 - low[0], y0 - low[1]]
        spread = cv2.warpAffine(self._sprite, matrix, (int(x1 - x0), int(y1 - y0)))
        _over(picture[y0:y1, x0:x1], spread)


def _over(part: np.ndarray, spread: np.ndarray) -> None:
    """Premultiplied BGRA over a picture's part, in place, with a soft shadow."""
    alpha = np.ascontiguousarray(spread[..., 3])
    soft = cv2.warpAffine(alpha, floats([[1, 0, 14], [0, 1, 18]]), alpha.shape[::-1])
    soft = cv2.blur(soft, (31, 31))
    lit = cv2.convertScaleAbs(soft, alpha=-0.3, beta=255)
    keep = cv2.multiply(lit, cv2.bitwise_not(alpha), scale=1 / 255)
    kept = cv2.multiply(part, cv2.merge([keep] * 3), scale=1 / 255)
    cv2.add(kept, np.ascontiguousarray(spread[..., :3]), part)
