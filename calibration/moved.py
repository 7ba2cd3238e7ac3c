"""Notices, while a game runs, that the camera or the table was moved.

Pure: a `Watch` and a frame give a new `Watch`. Corners of the reference picture are followed into
the frame (Lucas-Kanade); cards and hands come and go, so only a shift on which most of them agree
all over the picture, seen in several looks one after the other, counts. A look takes some
milliseconds and is made twice a second.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

WIDTH_PX = 480
LOOK_EVERY_S = 0.5
LOOKS = 3
MIN_POINTS = 24
# In pixels of the small picture: 1 px is some 1.5 mm on a table of 70 cm.
MOVED_PX = 1.5
AGREE_FOLLOWED, AGREE_MATCHED = 0.5, 0.2


@dataclass(frozen=True)
class Reference:
    """The picture of the calibration: small (h, w) uint8, its corners (N, 2) px, its scale."""

    small: np.ndarray
    points: np.ndarray
    scale: float

    @property
    def is_watchable(self) -> bool:
        """False if the picture shows too little that could be followed."""
        return len(self.points) >= MIN_POINTS


@dataclass(frozen=True)
class Watch:
    """What is known so far; `moved_px` (pixels of the full frame) is None while nothing moved."""

    reference: Reference
    looked_at: float = float("-inf")
    shifts: tuple[float, ...] = ()
    moved_px: float | None = None


def reference(bgr: np.ndarray) -> Reference:
    """Makes the reference from the picture (H, W, 3) uint8 that the table was calibrated with."""
    small, scale = _small(bgr)
    points = []
    height, width = small.shape
    # The best corners of each ninth of the picture: one busy spot must not outvote the rest.
    for row in range(3):
        for column in range(3):
            mask = np.zeros_like(small)
            top, left = row * height // 3, column * width // 3
            mask[top : (row + 1) * height // 3, left : (column + 1) * width // 3] = 255
            found = cv2.goodFeaturesToTrack(small, 12, 0.02, 6, mask=mask, blockSize=5)
            if found is not None:
                points.append(found.reshape(-1, 2))
    all_points = np.concatenate(points) if points else np.zeros((0, 2), np.float32)
    return Reference(small, all_points.astype(np.float32), scale)


def look(watch: Watch, bgr: np.ndarray, at: float) -> Watch:
    """The watch after a frame of time `at` (s); the same object if it is not yet time to look."""
    if at - watch.looked_at < LOOK_EVERY_S or not watch.reference.is_watchable:
        return watch
    shift = shift_px(watch.reference, bgr)
    if shift is None:  # covered or dark: this look says nothing
        return replace(watch, looked_at=at)
    shifts = (*watch.shifts, shift)[-LOOKS:]
    limit = MOVED_PX / watch.reference.scale
    if len(shifts) == LOOKS and min(shifts) > limit:
        return replace(watch, looked_at=at, shifts=shifts, moved_px=float(np.median(shifts)))
    moved = None if max(shifts) <= limit else watch.moved_px
    return replace(watch, looked_at=at, shifts=shifts, moved_px=moved)


def shift_px(reference: Reference, bgr: np.ndarray) -> float | None:
    """How far the picture is shifted, in pixels of the full frame; None if it cannot be said."""
    small, _ = _small(bgr)
    if small.shape != reference.small.shape:
        return None
    pairs = _followed(reference, small)
    agreed = _agreement(pairs, reference, AGREE_FOLLOWED) if pairs is not None else None
    if agreed is None:
        pairs = _matched(reference, small)
        agreed = _agreement(pairs, reference, AGREE_MATCHED) if pairs is not None else None
    return None if agreed is None else agreed / reference.scale


def _small(bgr: np.ndarray) -> tuple[np.ndarray, float]:
    gray = bgr if bgr.ndim == 2 else cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, WIDTH_PX / gray.shape[1])
    return cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), scale


def _followed(reference: Reference, small: np.ndarray) -> np.ndarray | None:
    """Pairs (N, 4) of points that can be followed there and back."""
    # Lamps change: both pictures are brought to one brightness and contrast first.
    a, b = _even(reference.small), _even(small)
    empty = np.zeros_like(reference.points)
    start = reference.points
    there, ok, _ = cv2.calcOpticalFlowPyrLK(a, b, start, empty, winSize=(15, 15), maxLevel=3)
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(b, a, there, empty, winSize=(15, 15), maxLevel=3)
    good = (ok.ravel() == 1) & (ok_back.ravel() == 1)
    good &= np.linalg.norm(back - reference.points, axis=1) < 0.5
    return np.hstack([reference.points, there])[good] if good.sum() >= 12 else None


def _matched(reference: Reference, small: np.ndarray) -> np.ndarray | None:
    """Pairs (N, 4) found by looking, for a camera that was pushed too far to follow."""
    finder = cv2.ORB.create(400, fastThreshold=8)
    here, what = finder.detectAndCompute(reference.small, None)
    there, other = finder.detectAndCompute(small, None)
    if what is None or other is None or len(here) < 12 or len(there) < 12:
        return None
    matches = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(what, other)
    pairs = [(*here[m.queryIdx].pt, *there[m.trainIdx].pt) for m in matches if m.distance < 40]
    return np.array(pairs, np.float32) if len(pairs) >= 20 else None


def _agreement(pairs: np.ndarray, reference: Reference, share: float) -> float | None:
    """The shift of the picture's frame on which most pairs agree, all over the picture."""
    source, target = np.ascontiguousarray(pairs[:, :2]), np.ascontiguousarray(pairs[:, 2:])
    matrix, inliers = cv2.estimateAffinePartial2D(source, target, ransacReprojThreshold=1.5)
    if matrix is None or inliers is None:
        return None
    keep = inliers.ravel() == 1
    height, width = reference.small.shape
    cells = {(int(x * 3 / width), int(y * 3 / height)) for x, y in source[keep]}
    if keep.sum() < 12 or keep.mean() < share or len(cells) < 4:
        return None
    probes = np.array([[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]) * (width, height)
    moved = probes @ matrix[:, :2].T + matrix[:, 2]
    return float(np.linalg.norm(moved - probes, axis=1).max())


def _even(gray: np.ndarray) -> np.ndarray:
    low, high = np.percentile(gray, (2, 98))
    scaled = (gray.astype(np.float32) - low) * (255.0 / max(high - low, 8.0))
    return scaled.clip(0, 255).astype(np.uint8)
