"""Compares look-alikes by colour and by the strength of their marks.

Local normalisation removes the colour of a plain ground and the paleness of a mark. Here both faces
are shown in the card's own light, and the card's colours are nearer to one or to the other.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.matching.template_match import HEIGHT, WIDTH

SIZE = (WIDTH // 2, HEIGHT // 2)  # px that are compared; colour needs no more


@dataclass(frozen=True, slots=True)
class ColourLimits:
    """Levels of 255, shares 0..1, and px of SIZE."""

    same: float = 12.0  # levels; smaller differences between the faces tell only of the light
    least_same: float = 0.05  # share of the visible card that estimates the light; else all of it
    bright: float = 250.0  # levels; brighter pixels are clipped and left out
    shading_px: float = 12.0  # standard deviation over which light is even
    shading: tuple[float, float] = (0.5, 2.0)  # light at one place against the card's mean
    unlike: float = 50.0  # levels from both faces; farther off lies something else
    edge_px: int = 2  # rim that may show the table


LIMITS = ColourLimits()
_SUM = np.ones((1, 3), np.float32)


def colour_margin(part: np.ndarray, a: np.ndarray, b: np.ndarray, visible: np.ndarray) -> float:
    """1 if a card has the colours of face `a`, -1 if it has those of `b`, 0 if they do not tell.

    `part`, `a`, `b`: (HEIGHT, WIDTH, 3) uint8, aligned; `visible` (HEIGHT, WIDTH, 1) is 0 where
    the card is occluded.
    """
    seen, a, b = (_small(picture) for picture in (part, a, b))
    counts = _small(visible)
    edge = LIMITS.edge_px
    counts[:edge], counts[-edge:], counts[:, :edge], counts[:, -edge:] = 0, 0, 0, 0
    middle = (a + b) / 2
    light = _light(seen, middle, counts * (cv2.absdiff(a, b).max(2) < LIMITS.same), counts)
    if light is None:
        return 0.0
    a, b = np.minimum(a * light, 255), np.minimum(b * light, 255)
    apart = a - b
    far = cv2.transform(apart * apart, _SUM)
    lies = cv2.transform((seen - (a + b) / 2) * apart, _SUM) / (far + 1e-3)
    near = np.where((lies > 0)[..., None], a, b)
    off = cv2.transform((seen - near) ** 2, _SUM)
    weight = counts * far
    known = weight * (off < np.maximum(far, LIMITS.unlike**2))
    share = float(known.sum()) / max(float(weight.sum()), 1e-6)
    if share <= 0:
        return 0.0
    mean = float((np.clip(lies, -1, 1) * known).sum()) / float(known.sum())
    return float(np.clip(2 * mean, -1, 1)) * min(1.0, 2 * share)


def _small(picture: np.ndarray) -> np.ndarray:
    return cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)


def _light(
    seen: np.ndarray, middle: np.ndarray, same: np.ndarray, counts: np.ndarray
) -> np.ndarray | None:
    """The gain (H, W, 3) from the faces to the picture, for each colour and place.

    It is estimated where the faces are the `same`; None if too little can be seen.
    """
    if same.sum() < LIMITS.least_same * counts.sum():
        same = counts
    unclipped = same * (seen.max(2) < LIMITS.bright)
    same = unclipped if unclipped.sum() > LIMITS.least_same * counts.sum() else same
    if same.sum() <= 0:
        return None
    colours = (seen * same[..., None]).sum((0, 1)) / np.maximum(
        (middle * same[..., None]).sum((0, 1)), 1.0
    )
    here, taught = (
        cv2.GaussianBlur(same * cv2.transform(one, _SUM), (0, 0), LIMITS.shading_px)
        + np.float32(1e-3)
        for one in (seen, middle * colours.astype(np.float32))
    )
    shade = np.clip(here / taught, *LIMITS.shading)
    return (shade[..., None] * colours).astype(np.float32)
