"""Separates the card of a teaching picture from its table by colour, without a network."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Quad
from vision.networks.locator import standing

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]
Grey = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SegmentationSettings:
    """Sizes are shares of the reduced picture's shorter side unless they say otherwise."""

    side_px: int = 320  # longer side of the reduced picture
    rim: float = 0.04  # width of the rim that shows the table
    clusters: int = 6  # colours of the table (k-means)
    fewest: float = 0.02  # share of the rim that a colour needs
    floor: tuple[float, float, float] = (3.0, 2.0, 2.0)  # least deviation of L, a, b in a cluster
    far: float = 60.0  # deviations from the table beyond which pixels count alike
    thresholds: tuple[float, ...] = (0.75, 1.0, 1.3)  # of Otsu's
    dull: float = 0.3  # weight of L in the variant that ignores shadows and glare
    closing: float = 0.016  # gaps that are closed
    opening: float = 0.027  # threads that are cut off
    smallest: float = 0.02  # share of the picture's area
    largest: float = 0.85
    similar: float = 0.4  # of the largest part's area: another part that may be a card
    cut_steps: int = 3  # of GrabCut
    several_px: int = 640  # longer side of the picture for several cards
    several_closing: float = 0.006
    several_opening: float = 0.008
    several_smallest: float = 0.003  # share of the picture's area
    same: float = 0.93  # IoU of two masks that count as one


SETTINGS = SegmentationSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of the picture that differs from its rim.

    contour (N, 2) px, closed, clockwise or not; area: px²; rim: share of the contour that lies on
    the picture's edge, 0..1; solidity: area over the convex hull's, 0..1.
    """

    contour: Points
    area: float
    rim: float
    solidity: float

    @property
    def hull(self) -> Points:
        """The convex hull, (M, 2) px."""
        return np.asarray(cv2.convexHull(self.contour)[:, 0], np.float32)

    @property
    def box(self) -> Quad:
        """The rotated rectangle of least area around it, (4, 2) px, its sides longer."""
        return standing(cv2.boxPoints(cv2.minAreaRect(self.contour)).astype(np.float32))


def segment(bgr: Image) -> tuple[Region, ...]:
    """Regions (at most one per method, no two alike) that may be the card of (H, W, 3) uint8.

    The table's colours come from the rim: k-means, then the distance to the nearest cluster in
    its own deviations, Otsu's threshold (1979) and GrabCut (Rother et al. 2004).
    """
    small, scale = _reduced(bgr)
    lab = np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
    rim = _rim(lab.shape[:2])
    masks = []
    distance = _distance(lab, rim)
    limit, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_OTSU)
    masks += [distance > limit * factor for factor in SETTINGS.thresholds]
    dull = _distance(lab * np.array([SETTINGS.dull, 1, 1], np.float32), rim)
    limit, _ = cv2.threshold(dull, 0, 255, cv2.THRESH_OTSU)
    masks.append(dull > limit)
    found = [_parts(mask) for mask in masks]
    cleaned = [parts[0] for parts in found if parts]
    if cleaned and (len(_distinct(cleaned)) > 1 or len(cleaned) < len(masks)):
        middle = sorted(cleaned, key=lambda mask: int(mask.sum()))[len(cleaned) // 2]
        found.append(_parts(_cut(small, middle, rim)))
    largest = [parts[0] for parts in found if parts]
    others = [part for parts in found for part in parts[1:]]
    return tuple(_region(mask, scale) for mask in _distinct([*largest, *others]))


def segment_several(bgr: Image) -> tuple[Region, ...]:
    """All regions of (H, W, 3) uint8 that differ from its rim, at each threshold: several cards on
    a table, each alone or joined with what it touches. No two are alike."""
    small, scale = _reduced(bgr, SETTINGS.several_px)
    lab = np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)
    rim = _rim(lab.shape[:2])
    found: list[Region] = []
    for weight in (1.0, SETTINGS.dull):
        distance = _distance(lab * np.array([weight, 1, 1], np.float32), rim)
        limit, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_OTSU)
        for factor in SETTINGS.thresholds:
            labels, stats = _components(
                distance > limit * factor, SETTINGS.several_closing, SETTINGS.several_opening
            )
            for k in np.flatnonzero(_areas(stats) >= SETTINGS.several_smallest):
                region = _region(np.asarray(labels == k + 1, np.uint8), scale)
                if all(_unlike(region, one) for one in found):
                    found.append(region)
    return tuple(found)


def _unlike(one: Region, other: Region) -> bool:
    """Whether two regions differ in place or size."""
    if not SETTINGS.same < one.area / other.area < 1 / SETTINGS.same:
        return True
    apart = float(np.linalg.norm(one.box.mean(0) - other.box.mean(0)))
    return apart > (1 - SETTINGS.same) * float(np.sqrt(one.area))


def _reduced(bgr: Image, side_px: int = SETTINGS.side_px) -> tuple[Image, float]:
    scale = min(1.0, side_px / max(bgr.shape[:2]))
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.medianBlur(small, 3), np.uint8), scale


def _rim(shape: tuple[int, int]) -> npt.NDArray[np.bool_]:
    width = max(3, round(SETTINGS.rim * min(shape)))
    rim = np.ones(shape, bool)
    rim[width:-width, width:-width] = False
    return rim


def _distance(lab: Grey, rim: npt.NDArray[np.bool_]) -> Image:
    """Distance of each pixel to the rim's nearest colour, (H, W) uint8: the root of deviations."""
    colours = lab[rim]
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    _, labels, centres = cv2.kmeans(
        colours, SETTINGS.clusters, None, stop, 1, cv2.KMEANS_PP_CENTERS
    )  # type: ignore[call-overload]
    nearest = np.full(lab.shape[:2], SETTINGS.far, np.float32)
    for k, centre in enumerate(centres):
        members = colours[labels[:, 0] == k]
        if len(members) < SETTINGS.fewest * len(colours):
            continue
        deviation = np.maximum(members.std(0), SETTINGS.floor).astype(np.float32)
        apart = np.sqrt((((lab - centre) / deviation) ** 2).sum(2))
        nearest = np.minimum(nearest, apart)
    return np.asarray(np.sqrt(nearest / SETTINGS.far) * 255, np.uint8)


def _parts(mask: npt.NDArray[np.bool_]) -> list[Image]:
    """The largest connected part, and another of similar size, gaps closed and holes filled,
    (H, W) uint8 0 or 1 each; empty if none has a card's size."""
    labels, stats = _components(mask, SETTINGS.closing, SETTINGS.opening)
    areas = _areas(stats)
    order = [int(k) for k in np.argsort(-areas)[:2]]
    if not order or not SETTINGS.smallest <= areas[order[0]] <= SETTINGS.largest:
        return []
    kept = [k for k in order if areas[k] >= SETTINGS.similar * areas[order[0]]]
    return [np.asarray(labels == k + 1, np.uint8) for k in kept]


def _components(
    mask: npt.NDArray[np.bool_], gaps: float, threads: float
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The mask's parts as labels (H, W) and OpenCV's statistics (1 + N, 5), background first; gaps
    are closed, holes filled, threads cut off; both widths in shares of the shorter side."""
    side = min(mask.shape)
    filled = mask.astype(np.uint8)
    closing, opening = (max(3, round(s * side) | 1) for s in (gaps, threads))
    filled = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_CLOSE, _disc(closing)), np.uint8)
    rims, _ = cv2.findContours(filled, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(filled)
    cv2.drawContours(filled, rims, -1, 1, -1)
    filled = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, _disc(opening)), np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(filled, connectivity=4)
    return np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def _areas(stats: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Each part's share of the picture, (N,)."""
    areas = stats[:, cv2.CC_STAT_AREA].astype(np.float64)
    return np.asarray(areas[1:] / areas.sum())


def _disc(px: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (px, px)), np.uint8)


def _cut(small: Image, mask: Image, rim: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """GrabCut that starts from a mask and knows the rim as table."""
    marks = np.where(cv2.dilate(mask, _disc(9)) > 0, cv2.GC_PR_FGD, cv2.GC_PR_BGD)
    marks[rim] = cv2.GC_BGD
    marks = marks.astype(np.uint8)
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    try:
        cv2.grabCut(small, marks, (0, 0, 1, 1), *models, SETTINGS.cut_steps, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # one of the two parts is empty
        return np.zeros(mask.shape, bool)
    return np.asarray((marks == cv2.GC_FGD) | (marks == cv2.GC_PR_FGD), bool)


def _distinct(masks: list[Image]) -> list[Image]:
    kept: list[Image] = []
    for mask in masks:
        shares = [(mask & one).sum() / max(1, (mask | one).sum()) for one in kept]
        if all(share < SETTINGS.same for share in shares):
            kept.append(mask)
    return kept


def _region(mask: Image, scale: float) -> Region:
    rims, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = max(rims, key=cv2.contourArea)[:, 0].astype(np.float32)
    h, w = mask.shape
    on_edge = (contour <= 1).any(1) | (contour[:, 0] >= w - 2) | (contour[:, 1] >= h - 2)
    area = float(mask.sum())
    hull = max(1.0, float(cv2.contourArea(cv2.convexHull(contour))))
    # A contour runs through the centres of the outermost pixels: half a pixel inside the region.
    middle = contour.mean(0)
    away = contour - middle
    grown = contour + 0.5 * away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    return Region(
        ((grown + 0.5) / scale).astype(np.float32), area / scale**2, float(on_edge.mean()),
        min(1.0, area / hull),
    )  # fmt: skip
