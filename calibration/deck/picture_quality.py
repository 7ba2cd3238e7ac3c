"""Whether the card of a teaching picture is whole, large and sharp enough, and uncovered."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.proposals import edge_contrast
from calibration.deck.segmentation import Image
from vision import geometry
from vision.geometry import Quad

Points = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """When a picture is refused."""

    side_px: int = 60  # least shorter side of a picture
    mean_level: float = 10.0  # least mean grey level of a picture
    length_px: float = 100.0  # least length of the card
    beyond: float = 0.02  # share of the card's length by which a corner may leave the picture
    blur: float = 0.014  # of the card's length: largest Gaussian sigma of its edges
    blur_px: float = 1.5  # px: an edge as sharp as this is never too soft
    step: float = 12.0  # grey levels of an edge that tells the blur


LIMITS = QualityLimits()
REACH, SAMPLES = 0.06, 25  # of the card's length, and points of a profile across its edge
SHARPEST = 0.25  # quantile of the edge's blur: shadows make other places soft
POINTS = 200  # around the card


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a picture cannot be taught, in the words of a FairdealError."""

    expected: str
    found: str
    todo: str


def flaw(bgr: Image, quad: Quad) -> Flaw | None:
    """The first reason why the card at `quad` (4, 2) px of (H, W, 3) uint8 cannot be taught."""
    length = geometry.length(quad)
    size = np.array(bgr.shape[1::-1])
    beyond = float(np.maximum(-quad, quad - size).max())
    if beyond > LIMITS.beyond * length:
        return Flaw("a whole card", "a card cut off by the picture's edge", "photograph all of it")
    if length < LIMITS.length_px:
        return Flaw(
            f"a card of {LIMITS.length_px:.0f} px or more", f"one of {length:.0f} px",
            "photograph it closer",
        )  # fmt: skip
    blur = edge_blur(bgr, around(quad))
    if blur is not None and blur > max(LIMITS.blur_px, LIMITS.blur * length):
        return Flaw("a sharp picture", "one out of focus", "hold the camera further off or still")
    return None


def around(quad: Quad) -> Points:
    """POINTS points of equal steps along the sides of a quad (4, 2), closed, (POINTS, 2)."""
    share = np.linspace(0, 1, POINTS // 4, endpoint=False, dtype=np.float32)[:, None]
    sides = [quad[k] + share * (quad[(k + 1) % 4] - quad[k]) for k in range(4)]
    return np.concatenate(sides).astype(np.float32)


def edge_gap(bgr: Image, contour: Points, edge: float) -> float:
    """Longest part of a closed contour (N, 2) px without an edge of ΔE > `edge`, 0..1."""
    has_edge = edge_contrast(bgr, contour) > edge
    if not has_edge.any():
        return 1.0
    start = int(np.argmax(has_edge))
    gaps = np.split(np.roll(has_edge, -start), np.flatnonzero(np.roll(has_edge, -start)))
    return max(len(gap) - 1 for gap in gaps if len(gap)) / len(has_edge)


def edge_blur(bgr: Image, contour: Points) -> float | None:
    """Blur of the card's edge as a Gaussian sigma in px, from the steepest places of a closed
    contour (N, 2) px; None without a clear edge."""
    length = float(np.sqrt(abs(cv2.contourArea(contour))))
    along = np.roll(contour, -1, axis=0) - np.roll(contour, 1, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    reach = np.linspace(-REACH, REACH, SAMPLES) * length
    at = (contour[:, None] + reach[:, None] * normal[:, None]).astype(np.float32)
    grey = bgr.max(2).astype(np.float32)
    profiles = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR,
                         borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    step = np.ptp(profiles, axis=1)
    slope = np.abs(np.diff(profiles, axis=1)).max(1) / (reach[1] - reach[0])
    clear = step > LIMITS.step
    if clear.sum() < POINTS // 10:
        return None
    # The steepest slope of a step that a Gaussian has blurred is step / (sigma √(2π)).
    sigma = step[clear] / (np.maximum(slope[clear], 1e-6) * np.sqrt(2 * np.pi))
    return float(np.quantile(sigma, SHARPEST))
