"""Finds where a whole card lies of which only a part can be seen: by points of its picture.

A box around a part tells little of the card's extent. SIFT's points (Lowe 2004) of what lies there
are matched with those of the taught pictures; those that agree on one place tell it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.crop import cut_to
from vision.geometry import iou, length, mapped
from vision.matching.occlusion import CoveringCard
from vision.matching.pose_voting import FEWEST as VOTES
from vision.matching.pose_voting import Points, elected, moved, swarms

HEIGHT = 160  # px of a card, taught or seen
AROUND = 1.0  # of the box's length: so far from its middle is looked
BESIDE = 1.5  # of a known card's length: so far from its middle others are looked for
POINTS = 300  # at most, around a box; around a known card, and of a taught picture:
POINTS_BESIDE, POINTS_TAUGHT = 700, 200
POINTS_ANYWHERE, LONG_SIDE = 2000, 960  # in a frame, shrunk to so many px
NEIGHBOURS = 4  # taught points that one seen point may be,
NEIGHBOURS_BESIDE = 6
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
    """Points of a crop around a `box` (4, 2) px, their places (N, 2) `in_frame`, and the
    homography crop → frame."""

    box: np.ndarray
    in_frame: np.ndarray
    points: Points
    to_frame: np.ndarray


class Keypoints:
    """The points of a deck's taught pictures (K, H, W, 3) uint8, cards of `aspect`."""

    def __init__(self, looks: np.ndarray, aspect: float) -> None:
        self._size = (round(HEIGHT / aspect), HEIGHT)
        self._sift, self._sift_beside = cv2.SIFT.create(POINTS), cv2.SIFT.create(POINTS_BESIDE)
        self._sift_anywhere = cv2.SIFT.create(POINTS_ANYWHERE)
        few = cv2.SIFT.create(POINTS_TAUGHT)
        taught = [_points(few, cv2.resize(look, self._size)) for look in looks]
        self._taught = Points.joined(taught)
        self._owners = np.repeat(np.arange(len(taught)), [len(points) for points in taught])
        w, h = self._size
        self._corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)

    def look(self, bgr: np.ndarray, box: np.ndarray) -> Seen:
        """The points around a box (4, 2) of a frame."""
        side = length(box) * AROUND
        square = box.mean(0) + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side
        px = round(2 * AROUND * HEIGHT)
        corners = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32)
        crop, to_crop = cut_to(bgr, square, corners, px, px)
        points, to_frame = _points(self._sift, crop), np.linalg.inv(to_crop)
        return Seen(box, mapped(points.at, to_frame), points, to_frame)

    def look_beside(self, bgr: np.ndarray, card: np.ndarray) -> Seen | None:
        """The points around a card (4, 2) that is known to lie there, upright, as if the table
        was looked at from above; None where the camera looks so flat that it cannot be told."""
        to_frame = cv2.getPerspectiveTransform(self._corners, card.astype(np.float32))
        px = round(2 * BESIDE * HEIGHT)
        whole = np.array([[0, 0], [px, 0], [px, px], [0, px]], np.float32)
        around = mapped(whole + (self._corners.mean(0) - px / 2), to_frame).astype(np.float32)
        if not cv2.isContourConvex(around):
            return None
        crop, to_crop = cut_to(bgr, around, whole, px, px)
        points, to_frame = _points(self._sift_beside, crop), np.linalg.inv(to_crop)
        return Seen(card, mapped(points.at, to_frame), points, to_frame)

    def places_beside(self, seen: Seen, covered: Sequence[CoveringCard]) -> list[Place]:
        """Where cards may lie beside a known one, those that most points agree on first; points
        on the `covered` cards are left out."""
        points = seen.points.where(~_inside(seen.in_frame, covered))
        if len(points) < VOTES or len(self._taught) < NEIGHBOURS_BESIDE:
            return []
        mine, taught = self._matched(points, NEIGHBOURS_BESIDE)
        places = []
        for k in np.unique(self._owners[taught]):
            its = self._owners[taught] == k
            pairs = self._taught.where(taught[its]), points.where(mine[its])
            for motion, count in elected(*pairs, self._corners.mean(0)):
                lies = mapped(moved(self._corners, motion), seen.to_frame).astype(np.float32)
                if cv2.isContourConvex(lies):
                    places.append(Place(int(k), lies, count))
        return sorted(places, key=lambda place: -place.points)

    def places_anywhere(self, bgr: np.ndarray, covered: Sequence[CoveringCard]) -> list[Place]:
        """Where cards may lie in a frame, of whatever size, those that most points agree on first;
        points on those `covered` are left out."""
        h, w = bgr.shape[:2]
        scale = min(1.0, LONG_SIDE / max(h, w))
        size = (round(w * scale), round(h * scale))
        to_frame = np.diag([w / size[0], h / size[1], 1.0])
        small = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA) if scale < 1 else bgr
        points = _points(self._sift_anywhere, small)
        points = points.where(~_inside(mapped(points.at, to_frame), covered))
        if len(points) < FEWEST or len(self._taught) < NEIGHBOURS:
            return []
        mine, taught = self._matched(points, NEIGHBOURS)
        middle, places = self._corners.mean(0), []
        owners = self._owners[taught]
        for k in np.flatnonzero(np.bincount(owners) >= FEWEST):
            its = owners == k
            there, here = self._taught.where(taught[its]), points.where(mine[its])
            for pairs in swarms(there, here, middle):
                place = self._agreed(int(k), there.at[pairs], here.at[pairs], to_frame)
                if place and cv2.isContourConvex(place.quad):
                    places.append(place)
        return _distinct(places)

    def _matched(self, points: Points, neighbours: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of points and, pair by pair, of the taught points that they are most like."""
        matcher = cv2.BFMatcher(cv2.NORM_L2)
        rows = matcher.knnMatch(points.descriptors, self._taught.descriptors, neighbours)
        pairs = np.array([(m.queryIdx, m.trainIdx) for row in rows for m in row], np.intp)
        return pairs[:, 0], pairs[:, 1]

    def places(self, seen: Seen, covered: Sequence[CoveringCard], most: int = 2) -> list[Place]:
        """Up to `most` places, the surest first, of whole cards that the box shows a part of; of
        those near each other one, as near twins would all lie there.

        Points on the `covered` cards are left out: they are these cards' own.
        """
        points = seen.points.where(~_inside(seen.in_frame, covered))
        if len(points) < FEWEST or len(self._taught) < NEIGHBOURS:
            return []
        mine, taught = self._matched(points, NEIGHBOURS)
        owners = self._owners[taught]
        counts = np.bincount(owners)
        found = []
        for k in np.argsort(-counts, kind="stable")[:TRIES]:
            its = owners == k
            pairs = self._taught.at[taught[its]], points.at[mine[its]]
            place = self._agreed(int(k), *pairs, seen.to_frame)
            if place and _is_sensible(place.quad, seen.box):
                found.append(place)
        return _distinct(found)[:most]

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
        lies = mapped(moved(self._corners, turn), to_frame)
        return Place(look, lies.astype(np.float32), int(kept.sum()))


def _distinct(places: list[Place]) -> list[Place]:
    """Those that most points agree on first, and of those that are one only the first."""
    kept: list[Place] = []
    for place in sorted(places, key=lambda place: -place.points):
        if all(iou(place.quad, other.quad) < SAME for other in kept):
            kept.append(place)
    return kept


def _points(sift, picture: np.ndarray) -> Points:
    """The points of a picture, where the first pixel's middle lies at 0.5."""
    found, descriptors = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if descriptors is None:
        descriptors = np.zeros((0, 128), np.float32)
    rows = [(*point.pt, point.angle, point.size) for point in found]
    told = np.array(rows, np.float32).reshape(-1, 4)
    return Points(told[:, :2] + np.float32(0.5), np.radians(told[:, 2]), told[:, 3], descriptors)


def _is_sensible(quad: np.ndarray, box: np.ndarray) -> bool:
    grown = length(quad) / max(length(box), 1e-6)
    area = cv2.contourArea(quad)
    return (
        SIZES[0] < grown < SIZES[1]
        and bool(cv2.isContourConvex(quad))
        and area > 0.25 * length(quad) ** 2
        and cv2.pointPolygonTest(quad, tuple(map(float, box.mean(0))), False) >= 0
    )


def _inside(points: np.ndarray, covers: Sequence[CoveringCard]) -> np.ndarray:
    """Which of the points (N, 2) lie on one of the cards: (N,) bool."""
    inside = np.zeros(len(points), bool)
    for cover in covers:
        inside |= cover.holds(points)
    return inside
