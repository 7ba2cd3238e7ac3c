"""A Gaussian blur whose time does not grow with its width."""

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.float32]

KEPT_PX = 4.0  # sigma of a wide blur at its smaller size


def softened(plane: Grey, sigma: float) -> Grey:
    """A Gaussian blur (H, W); a wide one is made at a smaller size."""
    shrunk = min(int(sigma / KEPT_PX), min(plane.shape) // 8)
    if shrunk < 2:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.float32)
    height, width = plane.shape
    size = -(-width // shrunk), -(-height // shrunk)
    small = cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
    # Shrinking and enlarging blur by a box and a triangle: their variances are taken off.
    own = sigma**2 / shrunk**2 - 1 / 12 - 1 / 6
    small = cv2.GaussianBlur(small, (0, 0), float(np.sqrt(own)))
    return np.asarray(
        cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )
