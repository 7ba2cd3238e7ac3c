"""Drawn views of a flat thing through a known camera: the truth that tests and REPORT.md use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from calibration.lens.board import Board
    from vision.mat import Mat

TEXTURE_MARGIN_MM = 12.0


@dataclass(frozen=True)
class Lens:
    """A camera whose truth is known: px, and distortion (k1, k2, p1, p2, k3)."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...]

    @property
    def matrix(self) -> np.ndarray:
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1.0]])

    def project(self, points_mm: np.ndarray, rotation: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """(N, 3) mm → (N, 2) px."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 3)
        vector = cv2.Rodrigues(rotation)[0]
        out, _ = cv2.projectPoints(points, vector, shift, self.matrix, np.array(self.distortion))
        return out.reshape(-1, 2)


def random_lens(rng: np.random.Generator, width: int = 1280, height: int = 720) -> Lens:
    """From a mild telephoto to a wide webcam (50° to 85° across)."""
    focal = width / (2 * np.tan(np.radians(rng.uniform(50, 85)) / 2))
    k1 = rng.uniform(-0.25, 0.08)
    k2 = rng.uniform(-0.02, 0.08) if k1 < 0 else rng.uniform(-0.05, 0.02)
    tangential = rng.uniform(-0.0015, 0.0015, 2)
    return Lens(
        width, height, focal, focal * rng.uniform(0.998, 1.002),
        width / 2 + rng.uniform(-0.02, 0.02) * width,
        height / 2 + rng.uniform(-0.02, 0.02) * height,
        (float(k1), float(k2), float(tangential[0]), float(tangential[1]), 0.0),
    )  # fmt: skip


@lru_cache(maxsize=2)
def rays(lens: Lens) -> np.ndarray:
    """(H, W, 2) float64: for each pixel where its ray meets the plane z = 1."""
    x, y = np.meshgrid(np.arange(lens.width, dtype=np.float64), np.arange(lens.height))
    u, v = (x - lens.cx) / lens.fx, (y - lens.cy) / lens.fy
    k1, k2, p1, p2, k3 = lens.distortion
    a, b = u.copy(), v.copy()
    for _ in range(25):
        r2 = a * a + b * b
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        da = 2 * p1 * a * b + p2 * (r2 + 2 * a * a)
        db = p1 * (r2 + 2 * b * b) + 2 * p2 * a * b
        before, (a, b) = a, ((u - da) / radial, (v - db) / radial)
        if np.abs(a - before).max() < 1e-8:
            break
    found = np.stack([a, b], axis=2)
    found.flags.writeable = False
    return found


def look_at(
    centre_mm: np.ndarray, distance_mm: float, tilt_deg: tuple[float, float], turn_deg: float
) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (3, 3) and shift (3,) of a plane z = 0 seen from above with this tilt and turn."""
    tx, ty, tz = np.radians([tilt_deg[1], tilt_deg[0], turn_deg])
    rx = cv2.Rodrigues(np.array([tx, 0, 0.0]))[0]
    ry = cv2.Rodrigues(np.array([0, ty, 0.0]))[0]
    rz = cv2.Rodrigues(np.array([0, 0, tz]))[0]
    rotation = rx @ ry @ rz
    centre = np.array([centre_mm[0], centre_mm[1], 0.0])
    return rotation, np.array([0, 0, distance_mm]) - rotation @ centre


def aim(
    rotation: np.ndarray, centre_mm: np.ndarray, lens: Lens, at_px: np.ndarray, distance_mm: float
) -> np.ndarray:
    """The shift (3,) that puts the plane's `centre_mm` near the pixel `at_px`."""
    ray = np.array([(at_px[0] - lens.cx) / lens.fx, (at_px[1] - lens.cy) / lens.fy, 1.0])
    return distance_mm * ray - rotation @ np.array([centre_mm[0], centre_mm[1], 0.0])


def view(
    texture: np.ndarray,
    px_per_mm: float,
    origin_mm: tuple[float, float],
    lens: Lens,
    lens_rays: np.ndarray,
    rotation: np.ndarray,
    shift: np.ndarray,
    background: int = 110,
) -> np.ndarray:
    """Draws the flat texture as this camera sees it, (H, W) uint8.

    `texture` (h, w) uint8 holds `px_per_mm` pixels a millimetre, its corner at `origin_mm`.
    """  # fmt: skip
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], shift])
    inverse = np.linalg.inv(plane)
    a, b = lens_rays[..., 0], lens_rays[..., 1]
    depth = inverse[2, 0] * a + inverse[2, 1] * b + inverse[2, 2]
    safe = np.where(np.abs(depth) < 1e-12, 1e-12, depth)
    x = (inverse[0, 0] * a + inverse[0, 1] * b + inverse[0, 2]) / safe
    y = (inverse[1, 0] * a + inverse[1, 1] * b + inverse[1, 2]) / safe
    behind = depth <= 0  # 1 / distance along the ray
    scale = px_per_mm
    finest = lens.fx / max(float(shift[2]), 1.0)
    while scale > 1.6 * finest and min(texture.shape) > 64:
        texture = cv2.resize(texture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        scale /= 2
    # A texel's value stands at its middle; millimetres are counted from its edge.
    map_x = ((x - origin_mm[0]) * scale - 0.5).astype(np.float32)
    map_y = ((y - origin_mm[1]) * scale - 0.5).astype(np.float32)
    map_x[behind] = -1e4
    return cv2.remap(
        texture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT,
        borderValue=background,
    )  # fmt: skip


def spoil(
    picture: np.ndarray,
    rng: np.random.Generator,
    noise: float = 2.0,
    blur_px: float = 0.5,
    gain: float = 0.85,
    offset: float = 18.0,
) -> np.ndarray:
    """Blur (sigma, px), less contrast, uneven light and noise (sigma, grey levels)."""
    out: np.ndarray = picture.astype(np.float32)
    if blur_px > 0.05:
        out = cv2.GaussianBlur(out, (0, 0), blur_px)
    height, width = picture.shape[:2]
    slope = rng.uniform(-0.15, 0.15, 2)
    across, down = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    ramp = 1 + slope[0] * across[None] + slope[1] * down[:, None]
    out = (out * gain + offset) * ramp.astype(np.float32)
    out += rng.normal(0, noise, out.shape).astype(np.float32)
    return out.clip(0, 255).astype(np.uint8)


def board_texture(board: Board, px_per_mm: float = 6.0) -> tuple[np.ndarray, tuple[float, float]]:
    """The board on white paper, and the texture's corner in the board's millimetres."""
    from calibration.lens.board import picture

    margin = round(TEXTURE_MARGIN_MM * px_per_mm)
    paper = cv2.copyMakeBorder(
        picture(board, px_per_mm), margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=250
    )
    return paper, (-margin / px_per_mm, -margin / px_per_mm)


def board_views(
    board: Board,
    lens: Lens,
    rng: np.random.Generator,
    count: int = 14,
    noise: float = 2.0,
    blur_px: float = 0.5,
    tilt_deg: float = 32.0,
) -> list[np.ndarray]:
    """Pictures as a careful person takes them: all over the picture, tilted each way."""
    texture, origin = board_texture(board)
    directions = rays(lens)
    width_mm, height_mm = board.size_mm
    places = [(0.5, 0.5), (0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7), (0.5, 0.3), (0.5, 0.7),
              (0.3, 0.5), (0.7, 0.5)]  # fmt: skip
    tilts = [(1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7),
             (0.1, 0.1)]  # fmt: skip
    out = []
    for i in range(count):
        place = np.array(places[i % 9]) + rng.uniform(-0.06, 0.06, 2)
        turn = rng.choice([0, 90, 180, 270]) + rng.uniform(-15, 15)
        lean = np.array(tilts[(i * 4 + 1) % 9]) * tilt_deg * rng.uniform(0.85, 1.1)
        distance = rng.uniform(0.62, 0.85) * lens.fy * height_mm / (0.62 * lens.height)
        rotation, _ = look_at(np.zeros(2), distance, (lean[0], lean[1]), turn)
        middle = np.array([width_mm / 2, height_mm / 2])
        shift = aim(rotation, middle, lens, place * (lens.width, lens.height), distance)
        picture = view(texture, 6.0, origin, lens, directions, rotation, shift)
        out.append(spoil(picture, rng, noise, blur_px))
    return out


def mat_view(
    mat: Mat,
    lens: Lens,
    rng: np.random.Generator,
    tilt_deg: float = 20.0,
    turn_deg: float = 0.0,
    noise: float = 2.0,
    blur_px: float = 0.5,
    fill: float = 0.8,
    at: tuple[float, float] = (0.5, 0.5),
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mat filling `fill` of the picture: the picture, and the truth as rotation and shift."""
    from vision.mat import picture

    middle = np.array([mat.width_mm / 2, mat.height_mm / 2])
    rotation, _ = look_at(np.zeros(2), 1.0, (0.0, tilt_deg), turn_deg)
    across = mat.width_mm if abs(np.cos(np.radians(turn_deg))) > 0.7 else mat.height_mm
    upward = mat.height_mm if across == mat.width_mm else mat.width_mm
    distance = max(lens.fx * across / (fill * lens.width), lens.fy * upward / (fill * lens.height))
    distance += 0.5 * upward * abs(np.sin(np.radians(tilt_deg)))
    spot = np.array(at) * (lens.width, lens.height)
    shift = aim(rotation, middle, lens, spot, distance)
    texture = picture(mat, 3.0)
    drawn = view(texture, 3.0, (0.0, 0.0), lens, rays(lens), rotation, shift, background=90)
    return spoil(drawn, rng, noise, blur_px), rotation, shift
