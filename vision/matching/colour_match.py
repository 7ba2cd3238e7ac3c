"""Tells near twins apart by their colours and how strong these are.

The second look frees each place of its surroundings' light and contrast, and so of the colour of a
plain ground, and of how pale a mark is. Here both faces are put in the card's own light instead,
and the card lies nearer to the one or the other, place by place.
"""

import cv2
import numpy as np

from vision.matching.template_match import HEIGHT, WIDTH

SIZE = (WIDTH // 2, HEIGHT // 2)  # px that are compared: light needs no more
_SAME = 12  # of 255: colours so near tell of the light, not of the face
_LEAST = 0.05  # of what is bare, for that; else all of it must do
_BRIGHT = 250  # what is brighter is cut off
_REACH = 12.0  # px, over which light is even
_SHADES = (0.5, 2.0)  # of light at one place against the mean
_UNLIKE = 50.0  # of 255: so far from both faces lies something else
_EDGE = 2  # px that may lie beside the card
_SUM = np.ones((1, 3), np.float32)


def tone(part: np.ndarray, a: np.ndarray, b: np.ndarray, bare: np.ndarray) -> float:
    """1 where a card's colours are those of face `a`, -1 where they are those of `b`, 0 where they
    tell nothing. All are (HEIGHT, WIDTH, 3) uint8, and laid on each other; `bare` (HEIGHT, WIDTH,
    1) is 0 where something else lies on the card."""
    seen, a, b = (_small(picture) for picture in (part, a, b))
    counts = _small(bare)
    counts[:_EDGE], counts[-_EDGE:], counts[:, :_EDGE], counts[:, -_EDGE:] = 0, 0, 0, 0
    middle = (a + b) / 2
    light = _light(seen, middle, counts * (cv2.absdiff(a, b).max(2) < _SAME), counts)
    if light is None:
        return 0.0
    a, b = np.minimum(a * light, 255), np.minimum(b * light, 255)
    apart = a - b
    far = cv2.transform(apart * apart, _SUM)
    lies = cv2.transform((seen - (a + b) / 2) * apart, _SUM) / (far + 1e-3)
    near = np.where((lies > 0)[..., None], a, b)
    off = cv2.transform((seen - near) ** 2, _SUM)
    weight = counts * far
    known = weight * (off < np.maximum(far, _UNLIKE**2))
    told = float(known.sum()) / max(float(weight.sum()), 1e-6)
    if told <= 0:
        return 0.0
    mean = float((np.clip(lies, -1, 1) * known).sum()) / float(known.sum())
    return float(np.clip(2 * mean, -1, 1)) * min(1.0, 2 * told)


def _small(picture: np.ndarray) -> np.ndarray:
    return cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)


def _light(
    seen: np.ndarray, middle: np.ndarray, same: np.ndarray, counts: np.ndarray
) -> np.ndarray | None:
    """By what the picture is brighter than the faces, colour by colour and place by place, (H, W,
    3), told by where the faces are the `same`; None where too little can be seen."""
    if same.sum() < _LEAST * counts.sum():
        same = counts
    unclipped = same * (seen.max(2) < _BRIGHT)
    same = unclipped if unclipped.sum() > _LEAST * counts.sum() else same
    if same.sum() <= 0:
        return None
    colours = (seen * same[..., None]).sum((0, 1)) / np.maximum(
        (middle * same[..., None]).sum((0, 1)), 1.0
    )
    here, taught = (
        cv2.GaussianBlur(same * cv2.transform(one, _SUM), (0, 0), _REACH) + np.float32(1e-3)
        for one in (seen, middle * colours.astype(np.float32))
    )
    shade = np.clip(here / taught, *_SHADES)
    return (shade[..., None] * colours).astype(np.float32)
