"""Proposals for the card of a teaching picture, by the networks and by segmentation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.segmentation import Image, Points, Region, segment
from vision import geometry
from vision.geometry import Quad
from vision.recognition.closeup import Closeup
from vision.sightings import Located

SIDE = 0.7  # central share of a side whose contour points fit its line
NEAR = 0.12  # of the box's shorter side: contour points further from a side are not its own
RECTANGULAR = 0.955  # IoU with the fitted quad from which a region has four straight sides
REFINED = 0.9  # IoU with a network's quad from which a region adds nothing
AROUND = 0.025  # of the root of the area: distance of the colours compared across a quad
CLOSE = 0.01  # the same across a refined contour: glare and shadows change slower than an edge
EDGE = 6.0  # ΔE (CIE 1976) across the contour that counts as an edge
CUT_OFF = 0.02  # share of the contour on the picture's edge
SOLID = 0.8  # least solidity of a card
POINTS = 200  # around a quad
GRID = 200  # cells of a comparison of outlines
REFINE = 0.03  # of the root of the area: how far a refined contour may move
TRUST = 0.9  # score of a region that has an edge all around


class Finder(Protocol):
    """Finds the cards of a teaching picture."""

    def locate(self, bgr: Image, regions: Sequence[Region] | None = None) -> Located:
        """Everything in (H, W, 3) uint8 BGR that may be a card; scores 0..1. `regions`: its
        segmentation, if that is known already."""


@dataclass(frozen=True, slots=True)
class CardFinder:
    """The networks at many input sizes, and regions that differ from the picture's rim."""

    closeup: Closeup

    def locate(self, bgr: Image, regions: Sequence[Region] | None = None) -> Located:
        """Everything in (H, W, 3) uint8 BGR that may be a card; scores 0..1, the best first."""
        regions = segment(bgr) if regions is None else regions
        regions = [one for one in regions if one.solidity >= SOLID and one.rim < CUT_OFF]
        quads = [fitted_quad(region) for region in regions]
        found = self.closeup.locate(bgr, quads)
        more = [
            (quad, score)
            for region, quad in zip(regions, quads, strict=True)
            if all(geometry.iou(quad, known) < REFINED for known in found.quads)
            and (score := TRUST * edge_share(bgr, region)) > 0
        ]
        if not more:
            return found
        all_quads = np.concatenate([found.quads, np.stack([quad for quad, _ in more])])
        scores = np.append(found.scores, [score for _, score in more]).astype(np.float32)
        best = np.argsort(-scores, kind="stable")
        return Located(all_quads[best], scores[best])


def fitted_quad(region: Region) -> Quad:
    """Four lines fitted to the region's sides, as corners (4, 2) px; its box if it is no quad."""
    box = region.box
    short = min(float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[2] - box[1])))
    lines = []
    for k in range(4):
        start, end = box[k], box[(k + 1) % 4]
        along = (end - start) / max(1e-6, float(np.linalg.norm(end - start)))
        offset = region.contour - start
        share = (offset @ along) / max(1e-6, float(np.linalg.norm(end - start)))
        away = np.abs(offset @ np.array([-along[1], along[0]]))
        own = region.contour[(np.abs(share - 0.5) < SIDE / 2) & (away < NEAR * short)]
        if len(own) < 6:
            return box
        lines.append(cv2.fitLine(own, cv2.DIST_HUBER, 0, 0.01, 0.01)[:, 0])
    corners = [_crossing(lines[k - 1], lines[k]) for k in range(4)]
    if any(corner is None for corner in corners):
        return box
    quad = np.array(corners, np.float32)
    is_quad = cv2.isContourConvex(quad) and outline_iou(region.contour, quad) >= RECTANGULAR
    return quad if is_quad else box


def around(quad: Quad) -> Points:
    """POINTS points of equal steps along the sides of a quad (4, 2), closed, (POINTS, 2)."""
    share = np.linspace(0, 1, POINTS // 4, endpoint=False, dtype=np.float32)[:, None]
    sides = [quad[k] + share * (quad[(k + 1) % 4] - quad[k]) for k in range(4)]
    return np.concatenate(sides).astype(np.float32)


def outline_iou(a: Points, b: Points) -> float:
    """Intersection over union of two closed outlines (N, 2) px, 0..1, on a grid of 200 cells."""
    both = np.concatenate([a, b])
    low, size = both.min(0), float(np.ptp(both, axis=0).max()) + 1e-6
    masks = []
    for points in (a, b):
        mask = np.zeros((GRID, GRID), np.uint8)
        cells = np.rint((points - low) / size * (GRID - 1) * 16).astype(np.int32)
        cv2.fillPoly(mask, [cells], 1, cv2.LINE_8, 4)
        masks.append(mask)
    return float((masks[0] & masks[1]).sum() / max(1, int((masks[0] | masks[1]).sum())))


def refined_contour(bgr: Image, contour: Points) -> Points:
    """A contour (N, 2) px laid on the steepest colour change near it, as up to 360 points."""
    step = max(1, len(contour) // 360)
    points = contour[::step]
    size = float(np.sqrt(abs(cv2.contourArea(contour))))
    normal = _normals(points, 3)
    reach = np.linspace(-REFINE, REFINE, 25) * size
    at = (points[:, None] + reach[:, None] * normal[:, None] - 0.5).astype(np.float32)
    profiles = cv2.remap(bgr.astype(np.float32), at[..., 0], at[..., 1], cv2.INTER_LINEAR,
                         borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    slope = np.abs(profiles[:, 2:] - profiles[:, :-2]).sum(2)
    slope *= np.exp(-((reach[1:-1] / (0.6 * REFINE * size)) ** 2))
    moves = reach[1:-1][slope.argmax(1)]
    # A median over neighbours drops single jumps onto the art or a shadow.
    window = np.stack([np.roll(moves, k) for k in range(-4, 5)])
    return np.asarray(points + np.median(window, axis=0)[:, None] * normal, np.float32)


def _crossing(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> list[float] | None:
    """Where two lines (vx, vy, x, y) meet; None if they are nearly parallel."""
    turn = float(a[0] * b[1] - a[1] * b[0])
    if abs(turn) < 0.1:
        return None
    t = float((b[2] - a[2]) * b[1] - (b[3] - a[3]) * b[0]) / turn
    return [float(a[2] + t * a[0]), float(a[3] + t * a[1])]


def _normals(points: Points, step: int) -> Points:
    """Unit normals (N, 2) of a closed contour (N, 2), over `step` points to either side."""
    along = np.roll(points, -step, axis=0) - np.roll(points, step, axis=0)
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    length = np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    return np.asarray(normal / length, np.float32)


def edge_share(bgr: Image, region: Region) -> float:
    """Share of the region's contour that is a sharp edge, 0..1: no shadow, no glare."""
    contour = refined_contour(bgr, region.contour)
    return float((edge_contrast(bgr, contour, CLOSE) > EDGE).mean())


def edge_contrast(
    bgr: Image, contour: npt.NDArray[np.float32], around: float = AROUND
) -> npt.NDArray[np.float32]:
    """ΔE across a closed contour (N, 2) px at up to 200 points of equal steps, (M,). `around`: the
    distance of the two colours, as a share of the root of the area."""
    area = abs(float(cv2.contourArea(contour)))
    reach = max(2.0, around * area**0.5)
    points = contour[:: max(1, len(contour) // 200)]
    normal = _normals(points, 2)
    soft = (cv2.blur(bgr, (max(1, round(reach)),) * 2) / 255).astype(np.float32)
    offset = (reach * normal).astype(np.float32)
    inside, outside = (_colours(soft, points + side) for side in (offset, -offset))
    return np.asarray(np.linalg.norm(inside - outside, axis=1), np.float32)


def _colours(bgr: npt.NDArray[np.float32], at: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Lab colours (M, 3) of the picture at points (M, 2) px."""
    sampled = cv2.remap(
        bgr, at[:, :1].astype(np.float32), at[:, 1:].astype(np.float32), cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(cv2.cvtColor(sampled, cv2.COLOR_BGR2Lab)[:, 0], np.float32)
