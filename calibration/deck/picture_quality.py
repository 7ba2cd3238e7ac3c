"""Whether the card of a teaching picture is whole, large and sharp enough, and uncovered."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.deck.hands import has_hand
from calibration.deck.proposals import (
    CLOSE,
    POINTS,
    around,
    edge_contrast,
    outline_iou,
    refined_contour,
)
from calibration.deck.segmentation import Image, Points, Region
from vision import geometry
from vision.geometry import Quad


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """When a picture is refused."""

    side_px: int = 60  # least shorter side of a picture
    mean_level: float = 10.0  # least mean grey level of a picture
    length_px: float = 100.0  # least length of the card
    beyond: float = 0.02  # share of the card's length by which a corner may leave the picture
    blur: float = 0.014  # of the card's length: largest Gaussian sigma of its edges
    beyond_blur: float = 3.0  # in limits of blur: beyond it no face is to be told
    length_least: float = 50.0  # px: least length of a card that may be asked for
    blur_px: float = 1.5  # px: an edge as sharp as this is never too soft
    step: float = 6.0  # grey levels of an edge that tells the blur
    glare: int = 225  # least grey level, in all channels, of a place where glare hides an edge
    gap: float = 0.1  # share of the card's outline that may lack an edge in one piece
    edge: float = 5.0  # ΔE (CIE 1976) across an edge
    alone: float = 0.9  # IoU of a region and the card from which the card lies alone
    rim: float = 0.03  # share of the card's region on the picture's edge
    weak: float = 0.35  # of the sides' usual contrast: a side that is no side of the card
    none: float = 0.15  # the same of a side that lies within the card
    edge_near: float = 0.2  # of the card's size: such a side is where the picture cuts the card
    near: float = 0.5  # IoU of a region and the card from which it tells the blur
    holds: float = 0.9  # share of the card in a region that shows more than the card
    larger: float = 1.2  # area of such a region, in areas of the card
    away: float = 0.06  # of the card's size: contour points this far outside are another thing's
    other: float = 0.15  # least share of such points in the region's contour
    clear: float = 0.7  # share of such points on a sharp edge
    strong: float = 0.35  # of the card's own edges: contrast of another thing's edge
    shown: float = 0.84  # least share of the card's outline with an edge


LIMITS = QualityLimits()
REACH, SAMPLES = 0.06, 25  # of the card's length, and points of a profile across its edge
SHARPEST = 0.25  # quantile of the edge's blur: shadows make other places soft
ALONG = 7  # neighbouring profiles that are averaged


@dataclass(frozen=True, slots=True)
class Flaw:
    """Why a picture is not taught unasked, in the words of a FairdealError; `is_faint`: because
    the table has the card's colour; `is_beyond_use`: asking would not help."""

    expected: str
    found: str
    todo: str
    is_faint: bool = False
    is_beyond_use: bool = False


def flaw(
    bgr: Image, quad: Quad, outline: Points | None = None, regions: Sequence[Region] = ()
) -> Flaw | None:
    """The first reason why the card at `quad` (4, 2) px of (H, W, 3) uint8 is not taught unasked.

    outline: its contour (N, 2) px if it is no rectangle; regions: the picture's segmentation.
    """
    length = geometry.length(quad)
    contour = around(quad) if outline is None else outline
    beyond = float(np.maximum(-contour, contour - np.array(bgr.shape[1::-1])).max())
    weak, open_side = (False, False) if outline is not None else faint_sides(bgr, contour)
    is_part = open_side or is_cut_off(contour, regions, weak)
    if beyond > LIMITS.beyond * length or is_part:
        return Flaw("a whole card", "a card cut off by the picture's edge", "photograph all of it")
    if length < LIMITS.length_px:
        return Flaw(
            f"a card of {LIMITS.length_px:.0f} px or more", f"one of {length:.0f} px",
            "photograph it closer", is_beyond_use=length < LIMITS.length_least,
        )  # fmt: skip
    if has_hand(bgr, contour):
        return Flaw("a card that lies alone", "a hand on it", "take the hand away")
    if is_crowded(bgr, contour, regions) or edge_gap(bgr, contour) > LIMITS.gap:
        return Flaw("a card that lies alone", "something on it or beside it", "take that away")
    blur = edge_blur(bgr, contour)
    is_faint = float((edge_contrast(bgr, contour) > LIMITS.edge).mean()) < LIMITS.shown
    if blur is None or is_faint:
        return Flaw("a card whose edges stand out", "edges like the table", "use a plain table",
                    is_faint=True)  # fmt: skip
    limit = max(LIMITS.blur_px, LIMITS.blur * length)
    if blur > limit or _is_soft(bgr, contour, regions, limit):
        return Flaw("a sharp picture", "one out of focus", "hold the camera further off or still",
                    is_beyond_use=blur > LIMITS.beyond_blur * limit)  # fmt: skip
    return None


def is_cut_off(contour: Points, regions: Sequence[Region], has_weak_side: bool) -> bool:
    """Whether the card's contour (N, 2) px belongs to a region that ends at the picture's edge:
    the region most like it or, if a side of the card lies on no clear edge, any."""
    likeness = [outline_iou(region.contour, contour) for region in regions]
    if not likeness or max(likeness) < LIMITS.near:
        return False
    most = regions[int(np.argmax(likeness))]
    like = [one for one, share in zip(regions, likeness, strict=True) if share >= LIMITS.near]
    return any(one.rim > LIMITS.rim for one in (like if has_weak_side else [most]))


def faint_sides(bgr: Image, contour: Points) -> tuple[bool, bool]:
    """Tells two faults of a rectangle's contour, POINTS points from a corner on.

    The first: one side lies on a much fainter edge than the others. The second: that side shows no
    edge at all and lies next to the picture's edge, so the card is cut off there.
    """
    parts = np.array_split(contour, 4)
    clear = np.array([np.median(side) for side in np.array_split(edge_contrast(bgr, contour), 4)])
    share = clear / max(1e-6, float(np.median(clear)))
    size = float(np.sqrt(abs(cv2.contourArea(contour))))
    limits = np.array(bgr.shape[1::-1], np.float32)
    near = [float(np.minimum(side, limits - side).min(1).max()) < LIMITS.edge_near * size
            for side in parts]  # fmt: skip
    is_open = any(one < LIMITS.none and is_near for one, is_near in zip(share, near, strict=True))
    return float(share.min()) < LIMITS.weak, is_open


def is_crowded(bgr: Image, contour: Points, regions: Sequence[Region]) -> bool:
    """Whether the card's contour (N, 2) px lies in a larger thing with a clear edge, and no
    region shows the card alone: a second card, a hand."""
    if any(outline_iou(region.contour, contour) >= LIMITS.alone for region in regions):
        return False
    area = abs(float(cv2.contourArea(contour)))
    hull = cv2.convexHull(contour)
    return any(
        region.area > LIMITS.larger * area
        and cv2.intersectConvexConvex(region.hull, hull)[0] > LIMITS.holds * area
        and _has_edge_beyond(bgr, contour, region)
        for region in regions
    )


def _is_soft(bgr: Image, contour: Points, regions: Sequence[Region], limit: float) -> bool:
    """Whether all regions near the contour (N, 2) px have edges blurred by more than `limit` px:
    of a picture out of focus, the contour itself may lie beside the card's edge."""
    near = [one for one in regions if outline_iou(one.contour, contour) >= LIMITS.near]
    blurs = [edge_blur(bgr, refined_contour(bgr, one.contour)) for one in near]
    return bool(blurs) and all(blur is not None and blur > limit for blur in blurs)


def _has_edge_beyond(bgr: Image, contour: Points, region: Region) -> bool:
    """Whether the part of a region outside the card's contour (N, 2) px has a sharp edge: glare
    and shadows have none."""
    rim = refined_contour(bgr, region.contour)
    rim = np.ascontiguousarray(rim[:: max(1, len(rim) // POINTS)])
    size = float(np.sqrt(abs(cv2.contourArea(contour))))
    closed = np.ascontiguousarray(contour, np.float32)
    away = np.array([-cv2.pointPolygonTest(closed, (float(x), float(y)), True) for x, y in rim])
    is_far = away > LIMITS.away * size
    if is_far.mean() < LIMITS.other:
        return False
    own = float(np.median(edge_contrast(bgr, contour)))
    sharp = edge_contrast(bgr, rim, CLOSE) > max(LIMITS.edge, LIMITS.strong * own)
    return float(sharp[is_far[: len(sharp)]].mean()) > LIMITS.clear


def edge_gap(bgr: Image, contour: Points) -> float:
    """Longest part of a closed contour (N, 2) px without an edge, 0..1."""
    points = contour[:: max(1, len(contour) // POINTS)]
    at = np.clip(np.rint(points).astype(int), 0, np.array(bgr.shape[1::-1]) - 1)
    is_glare = bgr[at[:, 1], at[:, 0]].min(1) >= LIMITS.glare
    has_edge = (edge_contrast(bgr, contour) > LIMITS.edge) | is_glare
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
    colours = cv2.remap(bgr.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR,
                        borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    # A channel that is over-exposed on both sides shows no edge, or one sharper than it is.
    channel = int(np.ptp(colours, axis=1).sum(0).argmax())
    profiles = cv2.blur(colours[..., channel], (1, ALONG))  # noise would pass for a sharp edge
    step = np.ptp(profiles, axis=1)
    slope = np.abs(np.diff(profiles, axis=1)).max(1) / (reach[1] - reach[0])
    clear = step > max(LIMITS.step, LIMITS.strong * float(np.quantile(step, 0.9)))
    if clear.sum() < POINTS // 10:
        return None
    # The steepest slope of a step that a Gaussian has blurred is step / (sigma √(2π)).
    sigma = step[clear] / (np.maximum(slope[clear], 1e-6) * np.sqrt(2 * np.pi))
    return float(np.quantile(sigma, SHARPEST))
