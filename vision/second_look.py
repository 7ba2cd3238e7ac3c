"""Tells near twins apart: the crop laid on the taught pictures, compared where these differ."""

import cv2
import numpy as np

WIDTH, HEIGHT = 120, 160  # px of a look
PAD = 5  # px, how far the crop is shifted to find its best place
_SOFT = 9.0


def normalised(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) uint8 → float32, each place freed of its surroundings' light and contrast."""
    x = picture.astype(np.float32)
    mean = cv2.GaussianBlur(x, (0, 0), _SOFT)
    spread = cv2.GaussianBlur((x - mean) ** 2, (0, 0), _SOFT)
    grey = np.sqrt(spread.mean(2, keepdims=True)) + 6.0
    return np.clip((x - mean) / grey, -3, 3)


def aligned(crop: np.ndarray, look: np.ndarray) -> tuple[np.ndarray, float]:
    """The part of `crop` (PAD wider on each side) that fits `look` best, and how well, -1..1."""
    match = cv2.matchTemplate(crop, look, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(match)
    return crop[y : y + look.shape[0], x : x + look.shape[1]], float(best)


def duel(
    crop_a: np.ndarray, look_a: np.ndarray, crop_b: np.ndarray, look_b: np.ndarray
) -> tuple[float, float]:
    """Above 0 where the crop is more like `a` than `b`, weighted by where the two differ: -1..1;
    and how far the winner is off there, in units of local contrast: 1 is good, 3 is nothing like
    it, as where a hand or another card lies on it."""
    differ = ((look_a - look_b) ** 2).sum(2)
    weight = np.maximum(cv2.blur(differ, (5, 5)), 0) ** 1.5
    edge = 4
    weight[:edge], weight[-edge:], weight[:, :edge], weight[:, -edge:] = 0, 0, 0, 0
    total = float(weight.sum()) + 1e-6
    error_a = float((np.abs(crop_a - look_a).sum(2) * weight).sum()) / total
    error_b = float((np.abs(crop_b - look_b).sum(2) * weight).sum()) / total
    return (error_b - error_a) / (error_a + error_b + 1e-6), min(error_a, error_b)
