"""Finds the pose of a whole card from keypoints of its picture, though only a part can be seen.

A box around a visible part tells little of the card's extent. SIFT keypoints (Lowe 2004) of the
picture are matched with those of the templates; matches that agree on a pose give the whole card.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.crop import cut_to, rectangle
from vision.geometry import length, mapped
from vision.matching.nearest_descriptors import NearestDescriptors
from vision.matching.occlusion import Occluder
from vision.matching.pose_voting import LIMITS as VOTING
from vision.matching.pose_voting import Keypoints, clusters_any_size, moved, rigid_poses
from vision.nms import SAME_CARD, suppress

HEIGHT = 160  # px of a card, taught or seen
LONG_SIDE = 960  # px to which a whole frame is shrunk


@dataclass(frozen=True, slots=True)
class KeypointLimits:
    """Regions in card lengths, residuals in px of a card of HEIGHT, and counts."""

    around: float = 1.0  # half side of the square around a box
    beside: float = 1.5  # half side of the square around a known card
    around_most: int = 300  # keypoints around a box; more cost time
    beside_most: int = 700  # around a known card
    taught_most: int = 200  # of a template
    frame_most: int = 1200  # of a whole frame
    neighbours: int = 4  # taught keypoints that one seen keypoint may match
    neighbours_beside: int = 6  # the same beside a known card, where the size is known
    fewest: int = 6  # inliers of a pose
    inlier_px: float = 5.0  # residual of an inlier
    tries: int = 6  # templates with the most matches that RANSAC fits
    sizes: tuple[float, float] = (0.6, 1.8)  # a card's length against its box's
    fast_level: int = 12  # grey levels of a FAST corner; lower sees fainter marks
    fast_least: int = 12  # such corners off the known cards without which no card is beside them
    least_area: float = 0.25  # a card's area against its squared length


LIMITS = KeypointLimits()


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Where the card of one `template` (its number) would lie: its upright quad (4, 2) px, and how
    many matches are `inliers`, 0 where no keypoints were used."""

    template: int
    quad: np.ndarray
    inliers: int


@dataclass(frozen=True, slots=True, eq=False)
class Detected:
    """Keypoints of a crop around a `box` (4, 2) px, their places `in_frame` (N, 2), and the
    homography crop → frame."""

    box: np.ndarray
    in_frame: np.ndarray
    keypoints: Keypoints
    to_frame: np.ndarray


class KeypointMatcher:
    """The keypoints of a deck's taught pictures (K, H, W, 3) uint8, cards of `aspect`."""

    def __init__(self, pictures: np.ndarray, aspect: float) -> None:
        self._size = (round(HEIGHT / aspect), HEIGHT)
        self._around = cv2.SIFT.create(LIMITS.around_most)
        self._beside = cv2.SIFT.create(LIMITS.beside_most)
        self._frame = cv2.SIFT.create(LIMITS.frame_most)
        self._fast = cv2.FastFeatureDetector.create(LIMITS.fast_level)
        few = cv2.SIFT.create(LIMITS.taught_most)
        taught = [_detected(few, cv2.resize(picture, self._size)) for picture in pictures]
        joined = Keypoints.joined(taught)
        self._descriptors = NearestDescriptors(joined.descriptors)
        self._taught = replace(joined, descriptors=joined.descriptors[:, :0])
        self._owners = np.repeat(np.arange(len(taught)), [len(points) for points in taught])
        self._corners = rectangle(*self._size)

    def detect_around(self, bgr: np.ndarray, box: np.ndarray) -> Detected:
        """The keypoints around a box (4, 2) of a frame."""
        side = length(box) * LIMITS.around
        square = box.mean(0) + (rectangle(2, 2) - 1).astype(np.float64) * side
        px = round(2 * LIMITS.around * HEIGHT)
        crop, to_crop = cut_to(bgr, square, rectangle(px, px), px, px)
        points, to_frame = _detected(self._around, crop), np.linalg.inv(to_crop)
        return Detected(box, mapped(points.at, to_frame), points, to_frame)

    def detect_beside(
        self, bgr: np.ndarray, card: np.ndarray, occluders: Sequence[Occluder] = ()
    ) -> Detected | None:
        """The keypoints around a known, upright card (4, 2), rectified by its corners.

        None if the camera's angle is so low that the region cannot be rectified, or if it shows
        next to no corners (FAST, a hundredth of SIFT's time) off the `occluders`.
        """
        to_frame = cv2.getPerspectiveTransform(self._corners, card.astype(np.float32))
        px = round(2 * LIMITS.beside * HEIGHT)
        whole = rectangle(px, px)
        around = mapped(whole + (self._corners.mean(0) - px / 2), to_frame).astype(np.float32)
        if not cv2.isContourConvex(around):
            return None
        crop, to_crop = cut_to(bgr, around, whole, px, px)
        to_frame = np.linalg.inv(to_crop)
        corners = self._fast.detect(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY))
        at = np.array([one.pt for one in corners], np.float32).reshape(-1, 2)
        off = ~_on_any(mapped(at, to_frame), occluders)
        if np.count_nonzero(off) < LIMITS.fast_least:
            return None
        points = _detected(self._beside, crop)
        return Detected(card, mapped(points.at, to_frame), points, to_frame)

    def poses_beside(self, seen: Detected, occluders: Sequence[Occluder]) -> list[Pose]:
        """Poses of cards beside a known one, most inliers first, without keypoints that lie on the
        `occluders`."""
        points = seen.keypoints.where(~_on_any(seen.in_frame, occluders))
        if len(points) < VOTING.fewest or len(self._taught) < LIMITS.neighbours_beside:
            return []
        mine, taught = self._matched(points, LIMITS.neighbours_beside)
        poses, owners = [], self._owners[taught]
        for k in np.flatnonzero(np.bincount(owners) >= VOTING.fewest):
            its = owners == k
            pairs = self._taught.where(taught[its]), points.where(mine[its])
            for motion, count in rigid_poses(*pairs, self._corners.mean(0)):
                lies = mapped(moved(self._corners, motion), seen.to_frame).astype(np.float32)
                if cv2.isContourConvex(lies):
                    poses.append(Pose(int(k), lies, count))
        return sorted(poses, key=lambda pose: -pose.inliers)

    def detect_anywhere(self, bgr: np.ndarray, near: np.ndarray | None = None) -> Detected:
        """The keypoints of a whole frame, or of the rectangle around the points `near` (N, 2)."""
        h, w = bgr.shape[:2]
        scale = min(1.0, LONG_SIDE / max(h, w))
        points = rectangle(w, h) if near is None else near
        x0, y0 = np.clip(np.floor(points.min(0)), 0, [w - 1, h - 1]).astype(int)
        x1, y1 = np.clip(np.ceil(points.max(0)), [x0 + 1, y0 + 1], [w, h]).astype(int)
        part = bgr[y0:y1, x0:x1]
        size = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
        to_frame = np.array([
            [(x1 - x0) / size[0], 0, x0], [0, (y1 - y0) / size[1], y0], [0, 0, 1.0]
        ])  # fmt: skip
        small = cv2.resize(part, size, interpolation=cv2.INTER_AREA) if scale < 1 else part
        found = _detected(self._frame, small)
        return Detected(rectangle(w, h), mapped(found.at, to_frame), found, to_frame)

    def poses_anywhere(self, seen: Detected, occluders: Sequence[Occluder]) -> list[Pose]:
        """Poses of cards of any size in a frame, most inliers first, without keypoints that lie on
        the `occluders`."""
        points = seen.keypoints.where(~_on_any(seen.in_frame, occluders))
        if len(points) < LIMITS.fewest or len(self._taught) < LIMITS.neighbours:
            return []
        mine, taught = self._matched(points, LIMITS.neighbours)
        middle, poses = self._corners.mean(0), []
        owners = self._owners[taught]
        for k in np.flatnonzero(np.bincount(owners) >= LIMITS.fewest):
            its = owners == k
            there, here = self._taught.where(taught[its]), points.where(mine[its])
            for pairs in clusters_any_size(there, here, middle):
                pose = self._fitted(int(k), there.at[pairs], here.at[pairs], seen.to_frame)
                if pose and cv2.isContourConvex(pose.quad):
                    poses.append(pose)
        return _distinct(poses)

    def _matched(self, points: Keypoints, neighbours: int) -> tuple[np.ndarray, np.ndarray]:
        """Matches pair by pair: numbers of the points, and of their nearest taught keypoints."""
        nearest = self._descriptors.nearest(points.descriptors, neighbours)
        return np.repeat(np.arange(len(nearest)), neighbours), nearest.ravel()

    def poses(self, seen: Detected, occluders: Sequence[Occluder], most: int = 2) -> list[Pose]:
        """Up to `most` poses of whole cards that the box shows a part of, most inliers first.

        Of poses in one place only the best is kept: all look-alikes would lie there. Keypoints on
        the `occluders` are left out.
        """
        points = seen.keypoints.where(~_on_any(seen.in_frame, occluders))
        if len(points) < LIMITS.fewest or len(self._taught) < LIMITS.neighbours:
            return []
        mine, taught = self._matched(points, LIMITS.neighbours)
        owners = self._owners[taught]
        counts = np.bincount(owners)
        found = []
        for k in np.argsort(-counts, kind="stable")[: LIMITS.tries]:
            its = owners == k
            pairs = self._taught.at[taught[its]], points.at[mine[its]]
            pose = self._fitted(int(k), *pairs, seen.to_frame)
            if pose and _is_sensible(pose.quad, seen.box):
                found.append(pose)
        return _distinct(found)[:most]

    def _fitted(
        self, template: int, taught: np.ndarray, seen: np.ndarray, to_frame: np.ndarray
    ) -> Pose | None:
        """The affine pose that most matches agree on, by RANSAC (Fischler and Bolles 1981)."""
        cv2.setRNGSeed(template)
        if len(taught) < LIMITS.fewest:
            return None
        turn, agree = cv2.estimateAffinePartial2D(
            taught, seen, method=cv2.RANSAC, ransacReprojThreshold=LIMITS.inlier_px, maxIters=500
        )
        if turn is None or len(np.unique(taught[agree.ravel() > 0], axis=0)) < LIMITS.fewest:
            return None
        kept = agree.ravel() > 0
        closer, _ = cv2.estimateAffine2D(
            taught[kept], seen[kept], ransacReprojThreshold=LIMITS.inlier_px
        )
        turn = turn if closer is None else closer
        lies = mapped(moved(self._corners, turn), to_frame)
        return Pose(template, lies.astype(np.float32), int(kept.sum()))


def _distinct(poses: list[Pose]) -> list[Pose]:
    """The poses after NMS, most inliers first."""
    ordered = sorted(poses, key=lambda pose: -pose.inliers)
    quads = np.array([pose.quad for pose in ordered], np.float32).reshape(-1, 4, 2)
    return [ordered[i] for i in suppress(quads, SAME_CARD.pose)]


def _detected(sift: cv2.SIFT, picture: np.ndarray) -> Keypoints:
    """The keypoints of a picture, where the first pixel's centre lies at 0.5."""
    found, descriptors = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    if descriptors is None:
        descriptors = np.zeros((0, 128), np.float32)
    rows = [(*point.pt, point.angle, point.size) for point in found]
    values = np.array(rows, np.float32).reshape(-1, 4)
    return Keypoints(
        values[:, :2] + np.float32(0.5), np.radians(values[:, 2]), values[:, 3], descriptors
    )


def _is_sensible(quad: np.ndarray, box: np.ndarray) -> bool:
    grown = length(quad) / max(length(box), 1e-6)
    area = cv2.contourArea(quad)
    return (
        LIMITS.sizes[0] < grown < LIMITS.sizes[1]
        and bool(cv2.isContourConvex(quad))
        and area > LIMITS.least_area * length(quad) ** 2
        and cv2.pointPolygonTest(quad, tuple(map(float, box.mean(0))), False) >= 0
    )


def _on_any(points: np.ndarray, occluders: Sequence[Occluder]) -> np.ndarray:
    """Which of the points (N, 2) lie on a visible part of a card: (N,) bool."""
    inside = np.zeros(len(points), bool)
    for card in occluders:
        inside |= card.contains(points)
    return inside
