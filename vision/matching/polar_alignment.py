"""The rotation of a card whose outline does not tell it (a round, a bubble).

Card and template are resampled in polar coordinates, where a rotation is a circular shift. The
cross-correlation of their circles, by FFT, has its peak at that shift.
"""

import cv2
import numpy as np

ANGLES, RADII = 180, 28  # samples around, and from the centre to the rim
SIDE = 96  # px of the resampled square
INNER = 0.1  # of the radius; nearer the centre a circle is too short to tell


def polar_spectrum(picture: np.ndarray) -> np.ndarray:
    """The spectrum (ANGLES // 2 + 1, RADII × 3) of a normalised picture's circles (H, W, 3), each
    weighted by its length; the picture shows a card's whole quad."""
    square = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    middle = (SIDE - 1) / 2
    circles = cv2.warpPolar(
        square, (RADII, ANGLES), (middle, middle), middle, cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR
    )
    radius = (np.arange(RADII, dtype=np.float32) + 0.5) / RADII
    weight = np.sqrt(np.where(radius < INNER, 0, radius))
    return np.fft.rfft((circles * weight[:, None]).reshape(ANGLES, -1), axis=0)


def rotation(card: np.ndarray, template: np.ndarray) -> float:
    """The clockwise rotation of the card against the template in radians; both as polar spectra."""
    alike = np.fft.irfft((card * template.conj()).sum(1), ANGLES)
    best = int(alike.argmax())
    before, here, after = (float(alike[(best + k) % ANGLES]) for k in (-1, 0, 1))
    curve = before - 2 * here + after
    off = 0.5 * (before - after) / curve if curve < 0 else 0.0
    return (best + off) * 2 * np.pi / ANGLES
