"""Finds the pose of a whole card from keypoints of its picture, though only a part can be seen.

A box around a visible part tells little of the card's extent. SIFT keypoints (Lowe 2004) of the
picture are matched with those of the templates; matches that agree on a pose give the whole card.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.crop import rectangle
from vision.geometry import length, mapped
from vision.matching.occlusion import Occluder
from vision.matching.pose_voting import LIMITS as VOTING
from vision.matching.pose_voting import Keypoints, clusters_any_size, moved, rigid_poses
from vision.nms import SAME_CARD, suppress

HEIGHT = 160  # px of a card, taught or seen
LONG_SIDE = 1280  # px to which a whole frame is shrunk


@dataclass(frozen=True, slots=True)
class KeypointLimits:
    """Regions in card lengths, residuals in px of a card of HEIGHT, and counts."""

    around: float = 1.0  # half side of the square around a box
    beside: float = 1.5  # half side of the square around a known card
    around_most: int = 300  # keypoints around a box; more cost time
    beside_most: int = 700  # around a known card
    taught_most: int = 200  # of a template
    frame_most: int = 4000  # of a whole frame,
    anywhere_most: int = 1200  # of these, the strongest that lead to cards of any size
    neighbours: int = 4  # taught keypoints that one seen keypoint may match
    neighbours_beside: int = 6  # the same beside a known card, where the size is known
    fewest: int = 6  # inliers of a pose
    inlier_px: float = 5.0  # residual of an inlier
    tries: int = 6  # templates with the most matches that RANSAC fits
    sizes: tuple[float, float] = (0.6, 1.8)  # a card's length against its box's
    least_px: int = 16  # of the shorter side of the part of a frame near a box
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
    """Keypoints around a `box` (4, 2) px on a plane where a card is HEIGHT px long, their places
    `in_frame` (N, 2), and the homography plane → frame."""

    box: np.ndarray
    in_frame: np.ndarray
    keypoints: Keypoints
    to_frame: np.ndarray


class KeypointMatcher:
    """The keypoints of a deck's taught pictures (K, H, W, 3) uint8, cards of `aspect`."""

    def __init__(self, pictures: np.ndarray, aspect: float) -> None:
        self._size = (round(HEIGHT / aspect), HEIGHT)
        self._frame = cv2.SIFT.create(LIMITS.frame_most)
        few = cv2.SIFT.create(LIMITS.taught_most)
        taught = [
            _detected(few, cv2.cvtColor(cv2.resize(one, self._size), cv2.COLOR_BGR2GRAY))
            for one in pictures
        ]
        self._taught = Keypoints.joined(taught)
        self._owners = np.repeat(np.arange(len(taught)), [len(points) for points in taught])
        self._corners = rectangle(*self._size)
        self._finest = float(self._taught.sizes.min(initial=HEIGHT)) * VOTING.sizes[0]

    def detect(self, bgr: np.ndarray) -> Keypoints:
        """The keypoints of a frame, strongest first; places and sizes in its px."""
        h, w = bgr.shape[:2]
        scale = min(1.0, LONG_SIDE / max(h, w))
        size = (round(w * scale), round(h * scale))
        grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA) if scale < 1 else grey
        return _detected(self._frame, small).scaled(w / size[0])

    def detect_near(self, bgr: np.ndarray, box: np.ndarray) -> Keypoints:
        """The keypoints of a frame near a box (4, 2), as `detect` gives them."""
        side = LIMITS.around * length(box)
        (x0, y0), (x1, y1) = box.mean(0) - side, box.mean(0) + side
        left, top = max(0, int(x0)), max(0, int(y0))
        part = bgr[top : max(top, int(y1)), left : max(left, int(x1))]
        if min(part.shape[:2]) < LIMITS.least_px:
            return self._taught.where(np.zeros(len(self._taught), bool))
        scale = min(1.0, HEIGHT / length(box))
        size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
        grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA) if scale < 1 else grey
        found = _detected(self._frame, small).scaled(part.shape[1] / size[0])
        return found.moved(np.array([left, top], np.float32))

    def around(self, found: Keypoints, box: np.ndarray) -> Detected:
        """Those keypoints of a frame that lie around a box (4, 2)."""
        scale = length(box) / HEIGHT
        corner = box.mean(0) - LIMITS.around * length(box)
        to_frame = np.array([[scale, 0, corner[0]], [0, scale, corner[1]], [0, 0, 1]])
        px = 2 * LIMITS.around * HEIGHT
        return self._on_plane(found, box, to_frame, rectangle(px, px), LIMITS.around_most)

    def beside(self, found: Keypoints, card: np.ndarray) -> Detected | None:
        """Those keypoints of a frame that lie around a known, upright card (4, 2), rectified by its
        corners. None if the camera's angle is so low that the region cannot be rectified."""
        to_frame = cv2.getPerspectiveTransform(self._corners, card.astype(np.float32))
        px = 2 * LIMITS.beside * HEIGHT
        region = rectangle(px, px) + (self._corners.mean(0) - px / 2)
        if not cv2.isContourConvex(mapped(region, to_frame).astype(np.float32)):
            return None
        return self._on_plane(found, card, to_frame, region, LIMITS.beside_most)

    def _on_plane(
        self, found: Keypoints, box: np.ndarray, to_frame: np.ndarray, region: np.ndarray, most: int
    ) -> Detected:
        """The strongest `most` keypoints of a frame in a `region` (4, 2) of a plane, as they appear
        there, and not finer than any taught one."""
        in_frame = mapped(region, to_frame)
        near = ((found.at > in_frame.min(0)) & (found.at < in_frame.max(0))).all(1)
        points = found.where(near)
        seen = points.warped(np.linalg.inv(to_frame))
        fits = ((seen.at > region.min(0)) & (seen.at < region.max(0))).all(1)
        chosen = np.flatnonzero(fits & (seen.sizes >= self._finest))[:most]
        return Detected(box, points.at[chosen], seen.where(chosen), to_frame)

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

    def poses_anywhere(self, found: Keypoints, occluders: Sequence[Occluder]) -> list[Pose]:
        """Poses of cards of any size from the keypoints of a frame, most inliers first, without
        those that lie on the `occluders`."""
        points = found.where(slice(LIMITS.anywhere_most))
        points = points.where(~_on_any(points.at, occluders))
        if len(points) < LIMITS.fewest or len(self._taught) < LIMITS.neighbours:
            return []
        mine, taught = self._matched(points, LIMITS.neighbours)
        middle, poses = self._corners.mean(0), []
        owners = self._owners[taught]
        for k in np.flatnonzero(np.bincount(owners) >= LIMITS.fewest):
            its = owners == k
            there, here = self._taught.where(taught[its]), points.where(mine[its])
            for pairs in clusters_any_size(there, here, middle):
                pose = self._fitted(int(k), there.at[pairs], here.at[pairs], np.eye(3))
                if pose and cv2.isContourConvex(pose.quad):
                    poses.append(pose)
        return _distinct(poses)

    def _matched(self, points: Keypoints, neighbours: int) -> tuple[np.ndarray, np.ndarray]:
        """Matches pair by pair: numbers of the points, and of their nearest taught keypoints."""
        matcher = cv2.BFMatcher(cv2.NORM_L2)
        rows = matcher.knnMatch(points.descriptors, self._taught.descriptors, neighbours)
        pairs = np.array([(m.queryIdx, m.trainIdx) for row in rows for m in row], np.intp)
        return pairs[:, 0], pairs[:, 1]

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


def _detected(sift: cv2.SIFT, grey: np.ndarray) -> Keypoints:
    """The keypoints of a picture (H, W), strongest first; the first pixel's centre lies at 0.5."""
    found, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None:
        descriptors = np.zeros((0, 128), np.float32)
    rows = [(*point.pt, point.angle, point.size, point.response) for point in found]
    values = np.array(rows, np.float32).reshape(-1, 5)
    order = np.argsort(-values[:, 4], kind="stable")
    values = values[order]
    return Keypoints(
        values[:, :2] + np.float32(0.5), np.radians(values[:, 2]), values[:, 3], descriptors[order]
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
