"""Finds where a mostly hidden card may lie, by sliding the taught pictures over what is bare there.

Plain faces have too few points to tell a place. On a table that is laid flat all cards are of one
size: each picture is laid all around and at every place about a box, at a coarse scale, and
compared where no known card covers it: matrix products, some 60 ms a box.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from models.crop import crop_to_corners, cut_to
from vision.geometry import Quad, iou, mapped
from vision.matching import template_match
from vision.matching.keypoints import Place
from vision.matching.occlusion import CoveringCard
from vision.matching.pose_voting import moved
from vision.matching.template_match import HEIGHT, WIDTH

STEP = 4  # px of a look in one here
SIZE = (HEIGHT // STEP, WIDTH // STEP)
ABOUT = 16  # px here: so far from the box's middle the card's may lie,
STRIDE = 2  # in steps of so many
TURNS = np.arange(24) * np.pi / 24  # as they may lie; and upside down
BARE = 0.12  # of a picture's contrast: with less to be seen nothing is told
ENOUGH = 0.5  # of it: with less, likeness counts less
LIKE = 0.3  # correlation below which a place is not worth a look
SAME = 0.7  # intersection over union of places that are one
MOST = 10  # places
PAD = 24  # px of a look about it, where its place is set right,
HALVED = 2  # at half its size,
MOVED = 0.6, 0.85  # by no more than that: intersection over union, as a stiff card, then as any
_SUM = np.ones((1, 3), np.float32)  # of the colours

_WINDOW = (SIZE[0] + 2 * ABOUT, SIZE[1] + 2 * ABOUT)
_SIDE = round(float(np.hypot(*_WINDOW))) + 2
_LOOK = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
_SMALL = _LOOK / np.float32(STEP)


class Sliding:
    """The looks (K of (HEIGHT, WIDTH, 3), normalised) of a deck."""

    def __init__(self, looks: Sequence[np.ndarray]) -> None:
        size = SIZE[::-1]
        small = np.stack([cv2.resize(x, size, interpolation=cv2.INTER_AREA) for x in looks])
        both = np.concatenate([small, small[:, ::-1, ::-1]])
        contrast = (both**2).sum(3)
        self._count = len(small)
        half = (WIDTH // HALVED, HEIGHT // HALVED)
        self._halved = [cv2.resize(cv2.transform(x, _SUM), half, interpolation=cv2.INTER_AREA)
                        for x in looks]  # fmt: skip
        self._looks = np.ascontiguousarray(both.reshape(len(both), -1).T)
        self._contrast = np.ascontiguousarray(contrast.reshape(len(both), -1).T)

    def places(
        self, bgr: np.ndarray, box: Quad, known: Quad, covering: Sequence[CoveringCard]
    ) -> list[Place]:
        """Up to MOST places of whole cards that the box (4, 2) may show a part of, the likeliest
        first. `known` (4, 2): a card near it; what lies under those `covering` counts for
        nothing."""
        around = _Around.cut(bgr, box, known, covering)
        if around is None:
            return []
        found: list[tuple[float, Place]] = []
        for turn in TURNS:
            normal, bare, to_frame = around.turned(float(turn))
            score = self._scores(normal, bare)
            columns = (_WINDOW[1] - SIZE[1]) // STRIDE + 1
            best = np.argpartition(-score, 3 * MOST, axis=None)[: 3 * MOST]
            for place, k in zip(*np.unravel_index(best, score.shape), strict=True):
                if score[place, k] < LIKE:
                    continue
                y, x = divmod(int(place), columns)
                quad = mapped(_SMALL + np.array([x, y], np.float32) * STRIDE, to_frame)
                quad = np.roll(quad, 2 * (int(k) // self._count), axis=0)
                found.append((float(score[place, k]), Place(int(k) % self._count, quad, 0)))
        found.sort(key=lambda one: -one[0])
        kept: list[Place] = []
        for _, place in found:
            if all(iou(place.quad, other.quad) < SAME for other in kept):
                kept.append(place)
                if len(kept) == MOST:
                    break
        return kept

    def settled(self, bgr: np.ndarray, place: Place, covering: Sequence[CoveringCard]) -> Place:
        """The place set right by what is bare there, as far as that can be done."""
        quad = place.quad.astype(np.float32)
        to_crop = cv2.getPerspectiveTransform(quad, _LOOK + np.float32(PAD))
        crop = crop_to_corners(bgr, quad, WIDTH, HEIGHT, PAD)
        bare = np.ones(crop.shape[:2], np.float32)
        for one in covering:
            one.blank(bare, to_crop)
        seen = cv2.transform(template_match.normalised(crop) * bare[..., None], _SUM)
        size = crop.shape[1] // HALVED, crop.shape[0] // HALVED
        seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
        mask = (cv2.resize(bare, size, interpolation=cv2.INTER_AREA) > 0.9).astype(np.uint8)
        look, corners = self._halved[place.look], _LOOK / np.float32(HALVED) - np.float32(0.5)
        motion: np.ndarray = np.array([[1, 0, PAD / HALVED], [0, 1, PAD / HALVED]], np.float32)
        lies = moved(corners, motion).astype(np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
        for kind, least in zip((cv2.MOTION_EUCLIDEAN, cv2.MOTION_AFFINE), MOVED, strict=True):
            try:
                _, new = cv2.findTransformECC(look, seen, motion.copy(), kind, stop, mask, 5)
            except cv2.error:  # it did not converge
                break
            there = moved(corners, new).astype(np.float32)
            if iou(there, lies) < least:
                break
            motion, lies = new, there
        back = np.linalg.inv(to_crop) @ np.diag([HALVED, HALVED, 1.0])
        return replace(place, quad=mapped(lies + 0.5, back))

    def _scores(self, normal: np.ndarray, bare: np.ndarray) -> npt.NDArray[np.float32]:
        """How like each place of a window is to each look, upright, then upside down, -1..1:
        (places, 2 K)."""
        views = np.lib.stride_tricks.sliding_window_view(normal, (*SIZE, 3))
        masks = np.lib.stride_tricks.sliding_window_view(bare, SIZE)
        seen = views[::STRIDE, ::STRIDE].reshape(-1, self._looks.shape[0])
        mask = masks[::STRIDE, ::STRIDE].reshape(-1, self._contrast.shape[0])
        contrast = mask @ self._contrast
        alike = seen @ self._looks
        alike /= np.sqrt(np.maximum((seen**2).sum(1)[:, None] * contrast, 1e-3))
        told = contrast / self._contrast.sum(0)
        alike *= np.minimum(told / ENOUGH, 1.0) ** 0.25
        alike[told < BARE] = -1.0
        return alike


class _Around:
    """What lies about a box, seen from above and shrunk, 0 where it is covered; and where not."""

    def __init__(self, normal: np.ndarray, bare: np.ndarray, to_frame: np.ndarray) -> None:
        self._normal, self._bare, self._to_frame = normal, bare, to_frame

    @classmethod
    def cut(
        cls, bgr: np.ndarray, box: Quad, known: Quad, covering: Sequence[CoveringCard]
    ) -> "_Around | None":
        """None where the camera looks so flat that it cannot be told."""
        to_flat = cv2.getPerspectiveTransform(known.astype(np.float32), _LOOK)
        side = _SIDE * STEP
        whole = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
        middle = mapped(box, to_flat).mean(0)
        quad = mapped(whole - side / 2 + middle, np.linalg.inv(to_flat))
        if not cv2.isContourConvex(quad):
            return None
        crop, to_crop = cut_to(bgr, quad, whole, side, side)
        bare = np.zeros((side, side), np.float32)
        h, w = bgr.shape[:2]
        frame = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        cv2.fillConvexPoly(bare, np.rint(mapped(frame, to_crop)).astype(np.int32), 1)
        for one in covering:
            one.blank(bare, to_crop)
        normal = template_match.normalised(crop) * bare[..., None]
        shrunk = [cv2.resize(x, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
                  for x in (normal, bare)]  # fmt: skip
        to_frame = np.linalg.inv(to_crop) @ np.diag([STEP, STEP, 1.0])
        return cls(shrunk[0], shrunk[1], to_frame)

    def turned(self, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A window turned by an angle in radians: as normalised, bare or not, and the homography
        from it to the frame."""
        h, w = _WINDOW
        c, s = np.cos(angle), np.sin(angle)
        middle = _SIDE / 2
        # Points are parts of the plane, where the first pixel's middle lies at (0.5, 0.5).
        back = np.array([
            [c, -s, middle - (c * w - s * h) / 2], [s, c, middle - (s * w + c * h) / 2], [0, 0, 1]
        ])  # fmt: skip
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        warp = (np.linalg.inv(half) @ back @ half)[:2]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        normal = cv2.warpAffine(self._normal, warp, (w, h), flags=flags)
        is_bare = cv2.warpAffine(self._bare, warp, (w, h), flags=flags) > 0.95
        bare = is_bare.astype(np.float32)
        return normal * bare[..., None], bare, self._to_frame @ back
