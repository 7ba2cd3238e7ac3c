"""Learns the outline of a deck's cards from its teaching pictures: rectangles, rounds, any cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck.proposals import (
    RECTANGULAR,
    around,
    edge_contrast,
    edge_share,
    fitted_quad,
    outline_iou,
    refined_contour,
)
from calibration.deck.segmentation import Points, Region, segment
from calibration.deck.teach import TeachingPicture, common_outline
from vision import geometry
from vision.geometry import Quad

Matrix = npt.NDArray[np.float64]

ASKED = 9  # pictures that tell whether the deck's cards are rectangles
CLEAR = 30.0  # ΔE of an edge beyond which more does not count
ON_EDGES = 0.92  # contrast along a quad, over that along the region, from which it is the card
STRETCHED = 1.3  # ratio of axes against the deck's outline that no tilt explains
OWN = 0.5  # least IoU of a region's hull with the card's quad
EDGE = 0.6  # least share of a region's contour with an edge
NEARLY = 0.9  # of the best region's share of edges
ANGLES = 360  # samples of a radial signature
TURN = 40  # degrees by which a hand-held picture may be rotated
SAME_CUT = 0.08  # residual (RMS) of radii up to which outlines come from one die; a disc has 2
UPSIDE_DOWN = 0.75  # of the upright residual: below it a picture is turned by 180°
CIRCLE = 0.02  # deviation of the radii up to which the outline is an ellipse
LEAN = 5.0  # degrees by which the deck's upright may be corrected by its own box


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """A contour (N, 2) px, its centre (2,) px, the root of its second moments (2, 2) px, and its
    radii (ANGLES,) after both are taken out (whitening): what is left is a rotation."""

    contour: Points
    centre: Matrix
    root: Matrix
    radii: Matrix


def with_outlines(
    pictures: list[TeachingPicture], regions: Sequence[Sequence[Region]] | None = None
) -> list[TeachingPicture]:
    """The pictures with quad and outline of one reference rectangle, if the deck's cards are no
    rectangles; else as they are. At least half of the pictures must show a clear outline.
    `regions`: each picture's segmentation, if that is known already. A picture whose region is
    stretched against the others', as two cards are, gets no outline."""

    def own(k: int) -> Region | None:
        segmented = segment(pictures[k].bgr) if regions is None else regions[k]
        return _own_region(pictures[k], segmented)

    step = -(-len(pictures) // ASKED) or 1
    asked = {k: own(k) for k in range(0, len(pictures), step)}
    found = [region for region in asked.values() if region is not None]
    if 2 * len(found) <= len(asked) or _are_rectangles(
        [(pictures[k], region) for k, region in asked.items() if region is not None]
    ):
        return pictures
    contours = [asked[k] if k in asked else own(k) for k in range(len(pictures))]
    shapes = [
        None if region is None else _shape(refined_contour(picture.bgr, region.contour))
        for picture, region in zip(pictures, contours, strict=True)
    ]
    return _with_common_outline(pictures, shapes)


def _with_common_outline(
    pictures: list[TeachingPicture], shapes: list[_Shape | None]
) -> list[TeachingPicture]:
    """The pictures with the deck's outline and its reference rectangle laid on each shape."""
    known = [shape for shape in shapes if shape is not None]
    signature, turns = _consensus([shape.radii for shape in known])
    root = _common_root(known, turns)
    polygon, box = _upright(root, signature)
    settled, at = [], iter(turns)
    for picture, shape in zip(pictures, shapes, strict=True):
        if shape is None:
            settled.append(replace(picture, outline=_mapped_outline(picture.quad, polygon, box)))
            continue
        to = shape.root @ _rotation(next(at)) @ np.linalg.inv(root)
        if np.linalg.cond(to) > STRETCHED:
            settled.append(picture)
            continue
        quad = (box @ to.T + shape.centre).astype(np.float32)
        settled.append(replace(picture, quad=quad, outline=shape.contour))
    return settled


def _are_rectangles(found: list[tuple[TeachingPicture, Region]]) -> bool:
    """Whether four lines fit most regions, or most quads lie on edges as clear as the regions'."""
    straight = [outline_iou(region.contour, fitted_quad(region)) for _, region in found]
    if np.median(straight) >= RECTANGULAR:
        return True
    ratios = []
    for picture, region in found:
        rim = refined_contour(picture.bgr, region.contour)
        quad, contour = (
            np.minimum(edge_contrast(picture.bgr, points), CLEAR).mean()
            for points in (around(picture.quad), rim)
        )
        ratios.append(quad / max(1e-6, float(contour)))
    return float(np.median(ratios)) >= ON_EDGES


def deck_outline(pictures: list[TeachingPicture]) -> tuple[str, Points | None]:
    """`card`, `round` or `bubble`, and the outline (P, 2) in shares of the reference rectangle;
    None for a rectangle."""
    polygon = common_outline(pictures)
    if polygon is None:
        return "card", None
    radii = _radii(polygon - 0.5)
    return ("round" if float(radii.std() / radii.mean()) < CIRCLE else "bubble"), polygon


def _own_region(picture: TeachingPicture, regions: Sequence[Region]) -> Region | None:
    """The region that is the card at the picture's quad, if its outline is clear."""
    near = [region for region in regions if _hull_iou(region, picture.quad) > OWN]
    edges = [edge_share(picture.bgr, region) for region in near]
    # The largest of those with a clear edge: a border may be left out, the card never exceeds it.
    least = max(EDGE, NEARLY * max(edges, default=0.0))
    clear = [region for region, edge in zip(near, edges, strict=True) if edge >= least]
    return max(clear, key=lambda region: region.area, default=None)


def _hull_iou(region: Region, quad: Quad) -> float:
    hull = np.ascontiguousarray(region.hull, np.float32)
    shared, _ = cv2.intersectConvexConvex(hull, np.ascontiguousarray(quad, np.float32))
    union = float(cv2.contourArea(hull)) + geometry.area(quad) - shared
    return float(shared) / max(union, 1e-6)


def _shape(contour: Points) -> _Shape:
    moments = cv2.moments(contour)
    centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    spread = np.array([[moments["mu20"], moments["mu11"]], [moments["mu11"], moments["mu02"]]])
    root = _square_root(spread / moments["m00"])
    return _Shape(contour, centre, root, _radii((contour - centre) @ np.linalg.inv(root).T))


def _square_root(matrix: Matrix) -> Matrix:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors @ np.diag(np.sqrt(np.maximum(values, 1e-9))) @ vectors.T)


def _radii(points: npt.NDArray[np.floating]) -> Matrix:
    """Largest radius of a contour (N, 2) about the origin in each of ANGLES directions."""
    closed = np.concatenate([points, points[:1]])
    steps = [np.linspace(a, b, 8, endpoint=False) for a, b in pairwise(closed)]
    dense = np.concatenate(steps)
    angle = np.degrees(np.arctan2(dense[:, 1], dense[:, 0])) % 360
    radius = np.linalg.norm(dense, axis=1)
    most = np.zeros(ANGLES)
    np.maximum.at(most, (angle * ANGLES / 360).astype(int) % ANGLES, radius)
    known = np.flatnonzero(most > 0)
    return np.interp(np.arange(ANGLES), known, most[known], period=ANGLES)


def _consensus(radii: list[Matrix]) -> tuple[Matrix, list[float]]:
    """The deck's signature, and each picture's rotation in radians against it.

    The mean rotation is 0: people photograph cards upright. Outlines of several dies get none.
    """
    apart = np.array([[_best_turn(a, b)[1] for b in radii] for a in radii])
    common = radii[int(apart.sum(1).argmin())]
    turns = [0.0] * len(radii)
    for _ in range(2):
        found = [_best_turn(one, common) for one in radii]
        if np.median([residual for _, residual in found]) > SAME_CUT:
            return np.median(radii, axis=0), [0.0] * len(radii)
        degrees = np.array([turn for turn, _ in found])
        lean = round(float(np.median((degrees + 90) % 180 - 90)))
        turns = [float(np.radians(turn - lean)) for turn in degrees]
        common = np.median(
            [
                np.roll(one, -round(turn - lean))
                for one, (turn, _) in zip(radii, found, strict=True)
            ],
            axis=0,
        )
    return common, turns


def _best_turn(radii: Matrix, common: Matrix) -> tuple[float, float]:
    """The rotation in degrees that carries `common` onto `radii`, and the residual (RMS)."""
    tries = np.arange(-TURN, TURN + 1)
    upright = [float(np.sqrt(np.mean((np.roll(radii, -k) - common) ** 2))) for k in tries]
    around = [float(np.sqrt(np.mean((np.roll(radii, -k - 180) - common) ** 2))) for k in tries]
    if common.std() < CIRCLE * common.mean():
        return 0.0, upright[TURN]
    if min(around) < UPSIDE_DOWN * min(upright) and min(upright) > SAME_CUT:
        return float(tries[int(np.argmin(around))] + 180), min(around)
    return float(tries[int(np.argmin(upright))]), min(upright)


def _common_root(shapes: list[_Shape], turns: list[float]) -> Matrix:
    """Root of the deck's second moments, upright and of unit area: the mean over its pictures."""
    total = np.zeros((2, 2))
    for shape, turn in zip(shapes, turns, strict=True):
        back = _rotation(turn).T @ (shape.root @ shape.root) @ _rotation(turn)
        total += back / np.sqrt(np.linalg.det(back))
    return _square_root(total / len(shapes))


def _upright(root: Matrix, signature: Matrix) -> tuple[Matrix, Matrix]:
    """The deck's outline (ANGLES, 2) and its reference rectangle (4, 2): the box around it, in
    the rotation of least area up to LEAN degrees."""
    angle = np.arange(ANGLES) * 2 * np.pi / ANGLES
    polygon = (signature[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)) @ root.T
    best, least = 0.0, np.inf
    for lean in np.arange(-LEAN, LEAN + 0.5, 0.5):
        turned = polygon @ _rotation(np.radians(lean))
        area = float(np.prod(np.ptp(turned, axis=0))) * (1 + 0.002 * abs(lean))
        if area < least:
            best, least = lean, area
    straight = polygon @ _rotation(np.radians(best))
    low, high = straight.min(0), straight.max(0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    return polygon, box @ _rotation(np.radians(best)).T


def _rotation(angle: float) -> Matrix:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _mapped_outline(quad: Quad, polygon: Matrix, box: Matrix) -> Points:
    to = cv2.getPerspectiveTransform(box.astype(np.float32), quad.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(polygon[None].astype(np.float32), to)[0], np.float32)
