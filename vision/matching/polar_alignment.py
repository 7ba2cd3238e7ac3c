"""How far a card without straight sides is turned: its picture and a taught one compared all
around their middles, where a turn is a shift."""

import cv2
import numpy as np

ANGLES, RADII = 180, 28  # steps around, and out to the rim
SIDE = 96  # px, of the square that is looked at
INNER = 0.1  # of the radius: nearer the middle there is nothing to tell


def around(picture: np.ndarray) -> np.ndarray:
    """What lies around the middle of a normalised picture (H, W, 3), of a card's whole quad: the
    spectrum (ANGLES // 2 + 1, RADII × 3) of its circles, each as heavy as it is long."""
    square = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    middle = (SIDE - 1) / 2
    circles = cv2.warpPolar(
        square, (RADII, ANGLES), (middle, middle), middle, cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR
    )
    radius = (np.arange(RADII, dtype=np.float32) + 0.5) / RADII
    heavy = np.sqrt(np.where(radius < INNER, 0, radius))
    return np.fft.rfft((circles * heavy[:, None]).reshape(ANGLES, -1), axis=0)


def turn(card: np.ndarray, look: np.ndarray) -> float:
    """By how much the card is turned against the look, clockwise in radians; both as `around`
    tells them."""
    alike = np.fft.irfft((card * look.conj()).sum(1), ANGLES)
    best = int(alike.argmax())
    before, here, after = (float(alike[(best + k) % ANGLES]) for k in (-1, 0, 1))
    curve = before - 2 * here + after
    off = 0.5 * (before - after) / curve if curve < 0 else 0.0
    return (best + off) * 2 * np.pi / ANGLES
