"""Finds where a whole card lies of which only a part can be seen: by points of its picture.

A box around a part tells little of the card's extent. SIFT's points (Lowe 2004) of what lies there
are matched with those of the taught pictures; those that agree on one place tell it.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from models.crop import cut_to
from vision.geometry import iou, length, mapped

HEIGHT = 160  # px of a card, taught or seen
AROUND = 1.0  # of the box's length: so far from its middle is looked
POINTS = 300  # at most, of what lies there; of a taught picture half as many
NEIGHBOURS = 4  # taught points that one seen point may be
FEWEST = 6  # points that agree on a place
OFF = 5.0  # px that they may be off
TRIES = 6  # faces that have the most points in common
SAME = 0.8  # intersection over union of places that are one
SIZES = (0.6, 1.8)  # a card so much smaller or larger than its box is none


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the taught picture number `look` would lie: its upright quad (4, 2) px; and how many
    points agree on that."""

    look: int
    quad: np.ndarray
    points: int


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Points around a `box` (4, 2) px: places (N, 2) `in_frame` and `at` the crop, descriptors
    (N, 128), and the homography crop → frame."""

    box: np.ndarray
    in_frame: np.ndarray
    at: np.ndarray
    descriptors: np.ndarray
    to_frame: np.ndarray


class Keypoints:
    """The points of a deck's taught pictures (K, H, W, 3) uint8, cards of `aspect`."""

    def __init__(self, looks: np.ndarray, aspect: float) -> None:
        self._size = (round(HEIGHT / aspect), HEIGHT)
        self._sift = cv2.SIFT.create(POINTS)
        places, descriptors, owners = [], [], []
        few = cv2.SIFT.create(POINTS // 2)
        for k, look in enumerate(looks):
            at, described = _points(few, cv2.resize(look, self._size))
            places.append(at)
            descriptors.append(described)
            owners.append(np.full(len(at), k))
        self._places, self._owners = np.concatenate(places), np.concatenate(owners)
        self._descriptors = np.concatenate(descriptors)

    def look(self, bgr: np.ndarray, box: np.ndarray) -> Seen:
        """The points around a box (4, 2) of a frame."""
        side = length(box) * AROUND
        square = box.mean(0) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side
        px = round(2 * AROUND * HEIGHT)
        corners = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32)
        crop, to_crop = cut_to(bgr, square, corners, px, px)
        at, descriptors = _points(self._sift, crop)
        to_frame = np.linalg.inv(to_crop)
        return Seen(box, mapped(at, to_frame), at, descriptors, to_frame)

    def places(self, seen: Seen, covered: list[np.ndarray], most: int = 2) -> list[Place]:
        """Up to `most` places, the surest first, of whole cards that the box shows a part of; of
        those near each other one, as near twins would all lie there.

        Points in the quads (4, 2) of `covered` are left out: they are other cards' points.
        """
        free = ~_inside(seen.in_frame, covered)
        at, descriptors = seen.at[free], seen.descriptors[free]
        if len(at) < FEWEST or len(self._places) < NEIGHBOURS:
            return []
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(descriptors, self._descriptors, NEIGHBOURS)
        mine = np.array([m.queryIdx for row in pairs for m in row], np.intp)
        taught = np.array([m.trainIdx for row in pairs for m in row], np.intp)
        owners = self._owners[taught]
        counts = np.bincount(owners)
        found = []
        for k in np.argsort(-counts, kind="stable")[:TRIES]:
            its = owners == k
            place = self._agreed(int(k), self._places[taught[its]], at[mine[its]], seen.to_frame)
            if place and _is_sensible(place.quad, seen.box):
                found.append(place)
        found.sort(key=lambda place: -place.points)
        kept: list[Place] = []
        for place in found:
            if all(iou(place.quad, other.quad) < SAME for other in kept):
                kept.append(place)
        return kept[:most]

    def _agreed(
        self, look: int, taught: np.ndarray, seen: np.ndarray, to_frame: np.ndarray
    ) -> Place | None:
        cv2.setRNGSeed(look)
        if len(taught) < FEWEST:
            return None
        turn, agree = cv2.estimateAffinePartial2D(
            taught, seen, method=cv2.RANSAC, ransacReprojThreshold=OFF, maxIters=500
        )
        if turn is None or len(np.unique(taught[agree.ravel() > 0], axis=0)) < FEWEST:
            return None
        kept = agree.ravel() > 0
        closer, _ = cv2.estimateAffine2D(taught[kept], seen[kept], ransacReprojThreshold=OFF)
        turn = turn if closer is None else closer
        w, h = self._size
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        lies = cv2.perspectiveTransform((corners @ turn[:, :2].T + turn[:, 2])[None], to_frame)[0]
        return Place(look, lies.astype(np.float32), int(kept.sum()))


def _points(sift, picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (N, 2) px, where the first pixel's middle lies at 0.5, and descriptors (N, 128)."""
    found, descriptors = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    return np.array([p.pt for p in found], np.float32) + np.float32(0.5), descriptors


def _is_sensible(quad: np.ndarray, box: np.ndarray) -> bool:
    grown = length(quad) / max(length(box), 1e-6)
    area = cv2.contourArea(quad)
    return (
        SIZES[0] < grown < SIZES[1]
        and bool(cv2.isContourConvex(quad))
        and area > 0.25 * length(quad) ** 2
        and cv2.pointPolygonTest(quad, tuple(map(float, box.mean(0))), False) >= 0
    )


def _inside(points: np.ndarray, quads: list[np.ndarray]) -> np.ndarray:
    """Which of the points (N, 2) lie in one of the convex quads (4, 2), clockwise: (N,) bool."""
    inside = np.zeros(len(points), bool)
    for quad in quads:
        sides = np.roll(quad, -1, 0) - quad
        off = points[:, None] - quad
        inside |= (sides[:, 0] * off[..., 1] - sides[:, 1] * off[..., 0] > 0).all(1)
    return inside
