"""Cards, shadows, hands, light and lens put together into a picture whose truth is known.

The same code draws the training pictures and the simulated table.
"""

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table: its picture (H, W, 4) BGRA, and its corners in the scene, (4, 2) px,
    from the upright face's top-left, clockwise."""

    picture: np.ndarray
    quad: np.ndarray


@dataclass(frozen=True, slots=True)
class Light:
    """Where shadows fall (px, for a card), how dark they are, and how the camera sees. `sun`: the
    direction, place (-1..1) and depth (0..1) of a hard shadow's edge across the table."""

    shadow: tuple[float, float] = (2.0, 3.0)
    shadow_depth: float = 0.35
    gain: float = 1.0
    tint: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: tuple[float, float] = (0.0, 0.0)
    glare: tuple[float, float, float, float] | None = None
    blur_px: float = 0.0
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 2.0
    jpeg: int | None = None
    sun: tuple[float, float, float, float] | None = None


def lay(picture: np.ndarray, card: Laid, light: Light, lift: float = 1.0) -> None:
    """Draws a card with its shadow into `picture` (H, W, 3) in place; `lift` widens the shadow."""
    h, w = picture.shape[:2]
    offset = np.array(light.shadow, np.float32) * lift
    pad = 4 + float(np.abs(offset).max()) * 2
    x0, y0 = np.floor(np.maximum(card.quad.min(0) - pad, 0)).astype(int)
    x1, y1 = np.ceil(np.minimum(card.quad.max(0) + pad, [w, h])).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    ch, cw = card.picture.shape[:2]
    size = float(np.linalg.norm(card.quad[3] - card.quad[0]))
    source = card.picture
    while size * 2 <= ch * 0.75:  # halve first: plain warping aliases
        source = cv2.resize(
            source, (max(2, source.shape[1] // 2), max(2, ch // 2)), interpolation=cv2.INTER_AREA
        )
        ch, cw = source.shape[:2]
    corners = np.array([[0, 0], [cw, 0], [cw, ch], [0, ch]], np.float32) - 0.5
    m = cv2.getPerspectiveTransform(corners, np.array(card.quad - [x0, y0] - 0.5, np.float32))
    warped = cv2.warpPerspective(
        source,
        m,
        (int(x1 - x0), int(y1 - y0)),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
    )
    alpha = warped[..., 3:].astype(np.float32) / 255
    part = picture[y0:y1, x0:x1].astype(np.float32)
    if light.shadow_depth > 0:
        move = np.array([[1, 0, offset[0]], [0, 1, offset[1]]], np.float32)
        soft = cv2.warpAffine(alpha[..., 0], move, (alpha.shape[1], alpha.shape[0]))
        soft = cv2.GaussianBlur(soft, (0, 0), max(0.6, float(np.abs(offset).max()) * 0.6))
        part *= 1 - light.shadow_depth * soft[..., None]
    picture[y0:y1, x0:x1] = part * (1 - alpha) + warped[..., :3] * alpha


def put(picture: np.ndarray, layer: np.ndarray, light: Light, height_px: float = 6.0) -> None:
    """Puts a BGRA `layer` of the picture's size (a hand) over it, with its shadow, in place."""
    alpha = layer[..., 3].astype(np.float32) / 255
    if not alpha.any():
        return
    dx, dy = (
        np.array(light.shadow, np.float32) / max(1e-3, float(np.hypot(*light.shadow))) * height_px
    )
    soft = cv2.warpAffine(alpha, np.array([[1, 0, dx], [0, 1, dy]], np.float32), alpha.shape[::-1])
    soft = cv2.blur(soft, (int(height_px) | 1, int(height_px) | 1))
    shade = 1 - light.shadow_depth * soft * (1 - alpha)
    picture[:] = picture * (shade * (1 - alpha))[..., None] + layer[..., :3] * alpha[..., None]


def visible_parts(
    quads: np.ndarray, shape: tuple[int, int], cover: np.ndarray | None = None
) -> np.ndarray:
    """The part of each card that can be seen, (N,) 0..1; later quads lie on top of earlier ones.

    `cover`: (H, W) bool, what hands hide.
    """
    h, w = shape
    owner = np.zeros((h, w), np.int32)
    areas = np.zeros(len(quads))
    for i, quad in enumerate(quads):
        cv2.fillConvexPoly(owner, np.array(np.round(quad), np.int32), i + 1)
        areas[i] = max(1.0, cv2.contourArea(np.array(quad, np.float32)))
    if cover is not None:
        owner[cover] = 0
    counts = np.bincount(owner.ravel(), minlength=len(quads) + 1)[1:]
    return np.minimum(1.0, counts / areas)


def expose(picture: np.ndarray, light: Light, rng: np.random.Generator) -> np.ndarray:
    """What the camera makes of the scene: light, glare, blur, noise, JPEG. Returns uint8."""
    h, w = picture.shape[:2]
    yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    field = np.clip(light.gain * (1 + light.slope[0] * xx + light.slope[1] * yy), 0.02, 3)
    if light.sun:
        nx, ny, off, depth = light.sun
        field *= 1 - depth / (1 + np.exp(-np.clip((nx * xx + ny * yy - off) * 90, -30, 30)))
    out = picture.astype(np.float32) * (field[..., None] * np.array(light.tint, np.float32))
    if light.glare:
        gx, gy, radius, strength = light.glare
        out += strength * np.exp(-((xx - gx) ** 2 + (yy - gy) ** 2) / radius**2)[..., None]
    if light.blur_px > 0.2:
        out = cv2.GaussianBlur(out, (0, 0), light.blur_px)
    length = float(np.hypot(*light.motion_px))
    if length > 1:
        n = int(np.ceil(length)) | 1
        kernel = np.zeros((n, n), np.float32)
        c, d = n // 2, np.array(light.motion_px, np.float32) / 2
        cv2.line(
            kernel, (round(c - d[0]), round(c - d[1])), (round(c + d[0]), round(c + d[1])), 1.0
        )
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    if light.noise > 0:
        sigma = light.noise * (0.6 + 0.4 * np.sqrt(np.clip(out, 0, 255) / 128))
        out = out + rng.standard_normal(out.shape, np.float32) * sigma
    result = np.clip(out, 0, 255).astype(np.uint8)
    if light.jpeg:
        result = cv2.imdecode(
            cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, light.jpeg])[1], 1
        )
    return result


def _motion(rng: np.random.Generator, spread: float) -> tuple[float, float]:
    x, y = rng.normal(0, spread, 2)
    return float(x), float(y)


def random_light(rng: np.random.Generator, card_px: float) -> Light:
    """Any light a living room has, and some that a cellar has; sizes follow `card_px`."""
    warm = rng.normal(0, 0.08)
    angle, reach = rng.uniform(0, 2 * np.pi), card_px * rng.uniform(0.005, 0.05)
    return Light(
        shadow=(float(np.cos(angle) * reach), float(np.sin(angle) * reach)),
        shadow_depth=float(rng.uniform(0.05, 0.6)),
        gain=float(np.exp(rng.normal(-0.15, 0.35))),
        tint=(float(1 - warm), float(1 + rng.normal(0, 0.02)), float(1 + warm)),
        slope=(float(rng.normal(0, 0.15)), float(rng.normal(0, 0.15))),
        glare=(
            float(rng.uniform(-1, 1)),
            float(rng.uniform(-1, 1)),
            float(rng.uniform(0.1, 0.6)),
            float(rng.uniform(20, 140)),
        )
        if rng.random() < 0.3
        else None,
        blur_px=float(card_px * abs(rng.normal(0, 0.006))),
        motion_px=_motion(rng, card_px * 0.015) if rng.random() < 0.2 else (0.0, 0.0),
        noise=float(abs(rng.normal(0, 4))),
        jpeg=int(rng.integers(40, 97)) if rng.random() < 0.7 else None,
        sun=_sun(rng) if rng.random() < 0.12 else None,
    )


def _sun(rng: np.random.Generator) -> tuple[float, float, float, float]:
    angle = rng.uniform(0, 2 * np.pi)
    depth = float(rng.uniform(0.2, 0.65))
    return float(np.cos(angle)), float(np.sin(angle)), float(rng.uniform(-0.7, 0.7)), depth


def lamp(w: int, h: int) -> np.ndarray:
    """The light of a warm lamp to the upper left, (H, W, 3) float32 factors."""
    yy, xx = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j].astype(np.float32)
    tone = 1.1 - 0.17 * ((xx + 0.25) ** 2 + 0.9 * (yy + 0.3) ** 2)
    return tone[..., None] * np.array([0.95, 1.0, 1.04], np.float32)


def grain(rng: np.random.Generator, w: int, h: int, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """What the sensor adds and what it takes away, (H, W, 3) uint8 each."""
    noise = rng.standard_normal((h, w, 3), np.float32) * sigma
    up, down = np.maximum(noise + 0.5, 0), np.maximum(0.5 - noise, 0)
    return up.astype(np.uint8), down.astype(np.uint8)
