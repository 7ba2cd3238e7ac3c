"""How far the view of a picture is shifted against a reference picture of the table at rest.

Strong corners of the reference are followed into the picture (Lucas-Kanade); where too few can be
followed, features are matched (ORB). A shift counts if most corners agree on it all over the
picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.scene.texture import evened
from vision.scene.votes import (
    INNER,
    LEAST,
    MIN_POINTS,
    contradict,
    corners_of,
    is_all_over,
    rigid,
    votes,
)

WIDTH_PX = 480
STRONG = 1e-3  # least eigenvalue of a corner; what a sensor's noise makes lies below it
# In pixels of the small picture: 1 px is some 1.5 mm on a table of 70 cm.
STANDS_PX = 1.0
AGREE_FOLLOWED, AGREE_MATCHED = 0.5, 0.2
# Mean difference of a followed place from its reference, in levels of the evened picture: a card
# that was laid over another one differs by 17 to 40, the same print by up to 5 (p95).
MISFIT = 16.0
NOISE = 6.0  # grey levels that say nothing


@dataclass(frozen=True)
class Reference:
    """A picture of the table at rest: small (h, w) uint8, its corners (N, 2) px, its scale."""

    small: np.ndarray
    points: np.ndarray
    scale: float

    @property
    def is_watchable(self) -> bool:
        """False if the picture shows too little that could be followed."""
        return len(self.points) >= MIN_POINTS

    @property
    def shows_middle(self) -> bool:
        """False if what can be followed is at the border only, where hands are."""
        size = np.array(self.small.shape[::-1], np.float64)
        inner = (np.abs(self.points / size - 0.5) < INNER).all(axis=1)
        return int(np.count_nonzero(inner)) >= MIN_POINTS


@dataclass(frozen=True)
class Shift:
    """A shift of the view: `px` of the full frame, and where it takes the picture's corners.

    `corners`: (4, 2) px of the small picture. `agreed` (0 to 1): the part of the points, all over
    the picture, that are nearer to where the shift takes them than to where they were.
    """

    px: float
    corners: np.ndarray
    agreed: float = 0.0


def reference(bgr: np.ndarray, still: np.ndarray | None = None) -> Reference:
    """Makes the reference from a picture (H, W, 3) uint8; corners only where it is `still` (h, w)
    bool of the small picture."""
    small, scale = small_picture(bgr)
    strength = cv2.cornerMinEigenVal(cv2.GaussianBlur(small, (0, 0), 0.8), 5, ksize=3)
    points = []
    height, width = small.shape
    # The best corners of each ninth of the picture: one busy spot must not outvote the rest.
    for row in range(3):
        for column in range(3):
            top, left = row * height // 3, column * width // 3
            ninth = np.s_[top : (row + 1) * height // 3, left : (column + 1) * width // 3]
            mask = np.zeros_like(small)
            mask[ninth] = strength[ninth] > STRONG
            if still is not None:
                mask[ninth] &= still[ninth]
            found = cv2.goodFeaturesToTrack(small, 15, 0.02, 5, mask=mask, blockSize=5)
            if found is not None:
                points.append(found.reshape(-1, 2))
    all_points = np.concatenate(points) if points else np.zeros((0, 2), np.float32)
    return Reference(small, all_points.astype(np.float32), scale)


def shift_px(reference: Reference, bgr: np.ndarray) -> float | None:
    """How far the picture is shifted, in pixels of the full frame; None if it cannot be said."""
    shift = shift_of(reference, small_picture(bgr)[0])
    return None if shift is None else shift.px


def shift_of(reference: Reference, small: np.ndarray) -> Shift | None:
    """The shift of a small picture (h, w) uint8 against the reference; None without agreement."""
    if small.shape != reference.small.shape:
        return None
    pairs = followed(reference, small)
    shift = _agreed(pairs, reference, max(LEAST, AGREE_FOLLOWED * len(pairs)))
    if shift is None:
        matched = _matched(reference, small)
        shift = _agreed(matched, reference, max(12.0, AGREE_MATCHED * len(matched)))
    if shift is not None and contradict(pairs, shift.corners, reference.small.shape):
        return Shift(0.0, corners_of(reference.small.shape))
    return shift


def small_picture(bgr: np.ndarray) -> tuple[np.ndarray, float]:
    """(H, W, 3) or (H, W) uint8 → grey (h, w) uint8, at most WIDTH_PX wide, and its scale."""
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WIDTH_PX / gray.shape[1])
    return cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), scale


def followed(reference: Reference, small: np.ndarray) -> np.ndarray:
    """Pairs (N, 4) of points that can be followed there and back."""
    # Lamps change, and a shadow falls on a part: both pictures are freed of light first.
    a, b = _even(reference.small), _even(small)
    start = reference.points
    how = {"winSize": (21, 21), "maxLevel": 4}
    there, ok, misfit = cv2.calcOpticalFlowPyrLK(a, b, start, None, **how)  # type: ignore[call-overload]
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(b, a, there, None, **how)  # type: ignore[call-overload]
    good = (ok.ravel() == 1) & (ok_back.ravel() == 1)
    good &= np.linalg.norm(back - start, axis=1) < 1.0
    good &= misfit.ravel() < MISFIT
    return np.hstack([start, there])[good]


def _matched(reference: Reference, small: np.ndarray) -> np.ndarray:
    """Pairs (N, 4) found by looking, for a camera that was pushed too far to follow."""
    finder = cv2.ORB.create(400, fastThreshold=8)
    here, what = finder.detectAndCompute(reference.small, None)  # type: ignore[call-overload]
    there, other = finder.detectAndCompute(small, None)  # type: ignore[call-overload]
    if what is None or other is None or len(here) < 12 or len(there) < 12:
        return np.zeros((0, 4), np.float32)
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(what, other)
    pairs = [(*here[m.queryIdx].pt, *there[m.trainIdx].pt) for m in matches if m.distance < 40]
    return np.array(pairs, np.float32).reshape(-1, 4)


def _agreed(pairs: np.ndarray, reference: Reference, least: float) -> Shift | None:
    """The shift that most points show, if they agree all over the picture."""
    if len(pairs) < 6:
        return None
    source, target = np.ascontiguousarray(pairs[:, :2]), np.ascontiguousarray(pairs[:, 2:])
    matrix, inliers = cv2.estimateAffinePartial2D(source, target, ransacReprojThreshold=1.5)
    if matrix is None or inliers is None:
        return None
    keep = inliers.ravel() == 1
    if keep.sum() < least or not is_all_over(source[keep], reference.small.shape):
        return None
    went = np.linalg.norm(target - source, axis=1)
    taken = source @ matrix[:, :2].T + matrix[:, 2]
    ought = np.linalg.norm(taken - source, axis=1)
    against = (went < STANDS_PX) & (ought > 2 * STANDS_PX)
    corners = corners_of(reference.small.shape)
    if against.sum() > 0.2 * keep.sum():
        return Shift(0.0, corners)  # a pile was pushed; the table stands
    px = float(np.median(went[keep])) / reference.scale
    turned, moved = rigid(source[keep], target[keep])
    agreed = votes(source, target, source @ turned.T + moved, reference.small.shape)
    return Shift(px, corners @ turned.T + moved, agreed)


def _even(gray: np.ndarray) -> np.ndarray:
    """Each place freed of its surroundings' light and contrast; what is plain stays plain."""
    even = evened(gray.astype(np.float32), NOISE)
    return (128.0 + 40.0 * even).clip(0, 255).astype(np.uint8)
