"""Places a partly occluded card near a coarse pose: all faces at small shifts and turns, then ECC.

The comparison is that of the coarse search (masked_correlation.py) at twice its resolution: thin
lines of a pale card are lost in the coarse one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from models.crop import crop_to_corners, pixel_warp, rectangle
from vision.geometry import Quad, iou, mapped
from vision.matching import template_match
from vision.matching.keypoints import Pose
from vision.matching.occlusion import Occluder
from vision.matching.pose_voting import moved
from vision.matching.template_match import HEIGHT, WIDTH


@dataclass(frozen=True, slots=True)
class LocalGrid:
    """The grid of the search, in px of a template shrunk by `step`, and its limits."""

    step: int = 2  # px of a template in one px here
    reach: int = 6  # px here to each side
    pad: int = 26  # px of a template around the pose: room for shifts and turns
    turns: tuple[float, ...] = (0.0, -4.0, 4.0)  # degrees
    likely: int = 16  # templates that are compared at other turns than the first
    least_visible: float = 0.1  # share of a template's contrast; less says nothing
    enough_visible: float = 0.5  # share below which the correlation is scaled down


@dataclass(frozen=True, slots=True)
class Refinement:
    """ECC on a pose, at a part of a template's size."""

    pad: int = 24  # px of a template around it
    shrink: int = 2  # times
    visible: float = 0.9  # mask value of a visible pixel
    rigid_iou: float = 0.6  # IoU with the pose, at least, after a rigid fit
    affine_iou: float = 0.85  # IoU with the rigid pose, at least, after an affine fit


GRID = LocalGrid()
REFINEMENT = Refinement()
SIZE = (HEIGHT // GRID.step, WIDTH // GRID.step)
_WINDOW = (SIZE[0] + 2 * GRID.reach, SIZE[1] + 2 * GRID.reach)
_SUM = np.ones((1, 3), np.float32)  # of the colours
_TEMPLATE = rectangle(WIDTH, HEIGHT)
_SMALL = _TEMPLATE / np.float32(GRID.step)


class LocalSearch:
    """The normalised templates (K of (HEIGHT, WIDTH, 3)) of a deck."""

    def __init__(self, templates: Sequence[np.ndarray]) -> None:
        size = SIZE[::-1]
        self._sums = [
            cv2.resize(cv2.transform(x, _SUM), size, interpolation=cv2.INTER_AREA)
            for x in templates
        ]
        self._count = len(self._sums)

    @cached_property
    def _templates(self) -> np.ndarray:
        """The templates upright, then reversed: (pixels, 2K)."""
        upright = np.stack(self._sums)
        both = np.concatenate([upright, upright[:, ::-1, ::-1]])
        return np.ascontiguousarray(both.reshape(len(both), -1).T)

    def near(
        self, bgr: np.ndarray, quad: Quad, occluders: Sequence[Occluder], most: int
    ) -> list[tuple[float, Pose]]:
        """The `most` likeliest poses near a `quad` (4, 2) px, with their masked correlation, -1..1;
        what the `occluders` hide is left out."""
        pad, step = GRID.pad, GRID.step
        crop = crop_to_corners(bgr, quad, WIDTH, HEIGHT, pad)
        to_crop = cv2.getPerspectiveTransform(quad.astype(np.float32), _TEMPLATE + np.float32(pad))
        visible: np.ndarray = np.zeros(crop.shape[:2], np.float32)
        frame = rectangle(bgr.shape[1], bgr.shape[0])
        cv2.fillConvexPoly(visible, np.rint(mapped(frame, to_crop)).astype(np.int32), 1)
        for one in occluders:
            visible = one.masked(visible, to_crop)
        seen = cv2.transform(template_match.normalised(crop) * visible[..., None], _SUM)
        size = crop.shape[1] // step, crop.shape[0] // step
        seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
        visible = cv2.resize(visible, size, interpolation=cv2.INTER_AREA)
        to_frame = np.linalg.inv(to_crop) @ np.diag([step, step, 1.0])
        likely = np.arange(self._templates.shape[1])
        found: list[tuple[float, Pose]] = []
        for degrees in GRID.turns:  # the first tells which faces are likely
            back = _turned(np.radians(degrees), size)
            scores, at = self._scores(*_windows_of(seen, visible, back), likely)
            best = np.argsort(-scores, kind="stable")
            for k in best[:most]:
                quad = mapped(_SMALL + at[k], to_frame @ back)
                found.append((float(scores[k]), self._pose(int(likely[k]), quad)))
            likely = likely[best[: GRID.likely]] if degrees == GRID.turns[0] else likely
        return sorted(found, key=lambda one: -one[0])[:most]

    def _pose(self, k: int, quad: Quad) -> Pose:
        is_reversed = k >= self._count
        return Pose(k % self._count, np.roll(quad, 2, axis=0) if is_reversed else quad, 0)

    def _scores(
        self, seen: np.ndarray, visible: np.ndarray, numbers: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Of the templates of these `numbers` (N,), upright or (+ K) reversed, the best correlation
        in a window (N,) and its place there (N, 2) px."""
        templates = self._templates[:, numbers]
        power_of, is_whole = templates**2, bool(visible.all())
        whole = power_of.sum(0)
        contrast = whole[None] if is_whole else _windows(visible) @ power_of
        windows = _windows(seen)
        power = np.einsum("ij,ij->i", windows, windows)[:, None]
        share = contrast / whole
        discount = np.clip(share / GRID.enough_visible, 1e-3, 1.0) ** 0.5
        scores = windows @ templates
        scores *= discount / np.sqrt(np.maximum(power * contrast, 1e-3))
        scores[np.broadcast_to(share < GRID.least_visible, scores.shape)] = -1.0
        places = scores.argmax(0)
        at = np.stack([places % (2 * GRID.reach + 1), places // (2 * GRID.reach + 1)], 1)
        return scores[places, np.arange(len(places))], at.astype(np.float32)

    def refined(
        self, bgr: np.ndarray, pose: Pose, occluders: Sequence[Occluder], is_rigid: bool = False
    ) -> Pose:
        """The pose after registration (ECC) of its visible part, as far as that converges.
        `is_rigid`: its size and slope are right; a wedge of a card would lead a free fit astray."""
        quad, shrink = pose.quad.astype(np.float32), REFINEMENT.shrink
        to_crop = cv2.getPerspectiveTransform(quad, _TEMPLATE + np.float32(REFINEMENT.pad))
        crop = crop_to_corners(bgr, quad, WIDTH, HEIGHT, REFINEMENT.pad)
        visible = np.ones(crop.shape[:2], np.float32)
        for one in occluders:
            visible = one.masked(visible, to_crop)
        seen = cv2.transform(template_match.normalised(crop) * visible[..., None], _SUM)
        size = crop.shape[1] // shrink, crop.shape[0] // shrink
        seen = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
        share = cv2.resize(visible, size, interpolation=cv2.INTER_AREA)
        mask = (share > REFINEMENT.visible).astype(np.uint8)
        template = self._sums[pose.template]
        corners = _TEMPLATE / np.float32(shrink) - np.float32(0.5)
        pad = REFINEMENT.pad / shrink
        motion: np.ndarray = np.array([[1, 0, pad], [0, 1, pad]], np.float32)
        lies = moved(corners, motion).astype(np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
        kinds = ((cv2.MOTION_EUCLIDEAN, REFINEMENT.rigid_iou),
                 (cv2.MOTION_AFFINE, REFINEMENT.affine_iou))  # fmt: skip
        for kind, least in kinds[:1] if is_rigid else kinds:
            try:
                _, new = cv2.findTransformECC(template, seen, motion.copy(), kind, stop, mask, 5)
            except cv2.error:  # it did not converge
                break
            there = moved(corners, new).astype(np.float32)
            if iou(there, lies) < least:
                break
            motion, lies = new, there
        back = np.linalg.inv(to_crop) @ np.diag([shrink, shrink, 1.0])
        return replace(pose, quad=mapped(lies + 0.5, back))


def _turned(angle: float, size: tuple[int, int]) -> np.ndarray:
    """The homography (3, 3) from a window turned by `angle` (radians) to the crop of `size`."""
    (h, w), c, s = _WINDOW, np.cos(angle), np.sin(angle)
    return np.array([
        [c, -s, (size[0] - (c * w - s * h)) / 2], [s, c, (size[1] - (s * w + c * h)) / 2],
        [0, 0, 1],
    ])  # fmt: skip


def _windows_of(
    seen: np.ndarray, visible: np.ndarray, back: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The window of a crop and of its mask, 0 or 1; `back` (3, 3): window → crop."""
    warp, size = pixel_warp(back)[:2], _WINDOW[::-1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    mask = (cv2.warpAffine(visible, warp, size, flags=flags) > 0.95).astype(np.float32)
    return cv2.warpAffine(seen, warp, size, flags=flags) * mask, mask


def _windows(plane: np.ndarray) -> np.ndarray:
    """A template's part of a window at each place, (places, pixels)."""
    return np.lib.stride_tricks.sliding_window_view(plane, SIZE).reshape(-1, SIZE[0] * SIZE[1])
