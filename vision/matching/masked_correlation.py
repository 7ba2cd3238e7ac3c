"""Finds a mostly occluded card by sliding the templates over the visible region around a box.

Plain faces have too few keypoints. On a rectified table all cards have one size: each template is
compared at every angle and place around a box, at a coarse scale, where no known card occludes it.
The comparison is a masked correlation, computed as matrix products: 60 ms a box for 12 faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.crop import crop_to_corners, cut_to, pixel_warp, rectangle
from vision.geometry import Quad, area, iou, length, mapped
from vision.matching import template_match
from vision.matching.keypoints import Pose
from vision.matching.occlusion import Occluder
from vision.matching.pose_voting import moved
from vision.matching.template_match import HEIGHT, WIDTH
from vision.nms import SAME_CARD, suppress


@dataclass(frozen=True, slots=True)
class CoarseSearch:
    """The grid of the search, in px of a template shrunk by `step`, and its limits."""

    step: int = 4  # px of a template in one px here; larger is faster and coarser
    reach: int = 16  # px here from the box's centre to a card's
    stride: int = 2  # px here between two places
    angles: int = 24  # in half a turn; the other half by reversed templates
    turned: int = 2  # such angles by which the card may lie off its box, along it and across
    shaped: float = 1.2  # times as long or short as a card's sides that those of its box may be
    ranked: int = 2  # times as many places are ranked by luminance before colour is compared
    least_visible: float = 0.12  # share of a template's contrast; less says nothing
    enough_visible: float = 0.5  # share below which the correlation is scaled down
    least: float = 0.3  # correlation of a pose,
    least_whole: float = 0.12  # and of a card that nothing covers; thin lines shrink to little
    most: int = 10  # poses


@dataclass(frozen=True, slots=True)
class Refinement:
    """ECC on a coarse pose, at a part of a template's size."""

    pad: int = 24  # px of a template around it
    shrink: int = 2  # times
    visible: float = 0.9  # mask value of a visible pixel
    rigid_iou: float = 0.6  # IoU with the coarse pose, at least, after a rigid fit
    affine_iou: float = 0.85  # IoU with the rigid pose, at least, after an affine fit


COARSE = CoarseSearch()
REFINEMENT = Refinement()
SIZE = (HEIGHT // COARSE.step, WIDTH // COARSE.step)
_SUM = np.ones((1, 3), np.float32)  # of the colours
_WINDOW = (SIZE[0] + 2 * COARSE.reach, SIZE[1] + 2 * COARSE.reach)
_SIDE = round(float(np.hypot(*_WINDOW))) + 2
_TEMPLATE = rectangle(WIDTH, HEIGHT)
_SMALL: Quad = (_TEMPLATE / np.float32(COARSE.step)).astype(np.float32)


class MaskedCorrelation:
    """The normalised templates (K of (HEIGHT, WIDTH, 3)) of a deck. `is_rectangular`: a box along
    its cards' edges tells how they are rotated."""

    def __init__(self, templates: Sequence[np.ndarray], is_rectangular: bool = False) -> None:
        self._is_rectangular = is_rectangular
        size = SIZE[::-1]
        small = np.stack([cv2.resize(x, size, interpolation=cv2.INTER_AREA) for x in templates])
        both = np.concatenate([small, small[:, ::-1, ::-1]])
        contrast = (both**2).sum(3)
        self._count = len(small)
        half = (WIDTH // REFINEMENT.shrink, HEIGHT // REFINEMENT.shrink)
        self._halved = [cv2.resize(cv2.transform(x, _SUM), half, interpolation=cv2.INTER_AREA)
                        for x in templates]  # fmt: skip
        self._colours = both.reshape(len(both), -1)
        self._templates = np.ascontiguousarray(both.sum(3).reshape(len(both), -1).T)
        self._contrast = np.ascontiguousarray(contrast.reshape(len(both), -1).T)
        self._whole = self._contrast.sum(0)

    def poses(
        self,
        bgr: np.ndarray,
        box: Quad,
        known: Quad,
        occluders: Sequence[Occluder],
        is_whole: bool = False,
    ) -> list[Pose]:
        """Up to `COARSE.most` poses of whole cards that the box (4, 2) may show a part of, best
        first. `known` (4, 2): a card nearby, which rectifies the table; what the `occluders` hide
        is left out. `is_whole`: nothing else covers the card. It is then sought at all angles,
        unless it is rectangular and its box has its shape."""
        region = _Rectified.cut(bgr, box, known, occluders)
        if region is None:
            return []
        least = COARSE.least_whole if is_whole else COARSE.least
        is_near = not is_whole or (self._is_rectangular and region.has_shape())
        turns = region.angles() if is_near else all_angles()
        found = [self._found(*region.rotated(turn), least) for turn in turns]
        score, k, quads = (np.concatenate(parts) for parts in zip(*found, strict=True))
        order = np.argsort(-score, kind="stable")
        kept = order[suppress(quads[order], SAME_CARD.coarse_pose, most=COARSE.most)]
        return [Pose(int(k[i]), quads[i], 0) for i in kept]

    def _found(
        self, normal: np.ndarray, visible: np.ndarray, to_frame: np.ndarray, least: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The poses in a window, best first: score (N,), template (N,), quad (N, 4, 2) px."""
        score, place, k = self._best(normal, visible, least)
        columns = (_WINDOW[1] - SIZE[1]) // COARSE.stride + 1
        at = np.stack([place % columns, place // columns], 1).astype(np.float32) * COARSE.stride
        quads = mapped(_SMALL + at[:, None], to_frame)
        is_reversed = k >= self._count
        quads[is_reversed] = np.roll(quads[is_reversed], 2, axis=1)
        return score, k % self._count, quads

    def refined(self, bgr: np.ndarray, pose: Pose, occluders: Sequence[Occluder]) -> Pose:
        """The pose after registration (ECC) of its visible part, as far as that converges."""
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
        template = self._halved[pose.template]
        corners = _TEMPLATE / np.float32(shrink) - np.float32(0.5)
        pad = REFINEMENT.pad / shrink
        motion: np.ndarray = np.array([[1, 0, pad], [0, 1, pad]], np.float32)
        lies = moved(corners, motion).astype(np.float32)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)
        kinds = ((cv2.MOTION_EUCLIDEAN, REFINEMENT.rigid_iou),
                 (cv2.MOTION_AFFINE, REFINEMENT.affine_iou))  # fmt: skip
        for kind, least in kinds:
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

    def _best(
        self, normal: np.ndarray, visible: np.ndarray, least: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The best places of a window, with the number of the template, upright or (+ K) reversed:
        masked correlation -1..1 (N,), place (N,), number (N,). All are ranked by luminance, then
        the best few compared by colour."""
        stride = COARSE.stride

        def windows(plane: np.ndarray) -> np.ndarray:
            views = np.lib.stride_tricks.sliding_window_view(plane, SIZE)[::stride, ::stride]
            return views.reshape(-1, self._templates.shape[0])

        grey, power = (cv2.transform(one, _SUM) for one in (normal, normal * normal))
        # Where nothing is hidden, all of each template's contrast is visible at each place.
        contrast = self._whole[None] if visible.all() else windows(visible) @ self._contrast
        scale = np.sqrt(np.maximum(_sums(power)[:, None] * contrast, 1e-3))
        share = contrast / self._whole
        scale /= np.clip(share / COARSE.enough_visible, 1e-3, 1.0) ** 0.25
        likely = (windows(grey) @ self._templates) / scale
        np.copyto(likely, -np.inf, where=share < COARSE.least_visible)
        most = 3 * COARSE.most * COARSE.ranked
        place, k = np.unravel_index(np.argpartition(-likely, most, axis=None)[:most], likely.shape)
        rows, columns = np.divmod(place, (_WINDOW[1] - SIZE[1]) // stride + 1)
        views = np.lib.stride_tricks.sliding_window_view(normal, (*SIZE, 3))[::stride, ::stride, 0]
        seen, taught = views[rows, columns].reshape(most, -1), self._colours[k]
        score = np.einsum("ij,ij->i", seen, taught) / scale[place, k]
        score[np.isinf(likely[place, k])] = -1.0
        best = np.argsort(-score, kind="stable")[: 3 * COARSE.most]
        best = best[score[best] >= least]
        return score[best], place[best], k[best]


def _sums(plane: np.ndarray) -> np.ndarray:
    """The sum of a plane of the window over each place of a template, (places,)."""
    sums = cv2.boxFilter(plane, -1, SIZE[::-1], anchor=(0, 0), normalize=False)
    return sums[
        : 2 * COARSE.reach + 1 : COARSE.stride, : 2 * COARSE.reach + 1 : COARSE.stride
    ].ravel()


def all_angles() -> list[float]:
    """The angles (radians) of half a turn; reversed templates stand for the other half."""
    return [k * np.pi / COARSE.angles for k in range(COARSE.angles)]


class _Rectified:
    """The table around a box, rectified and shrunk: normalised, 0 where occluded; the mask; and
    the homography to the frame."""

    def __init__(
        self, normal: np.ndarray, visible: np.ndarray, to_frame: np.ndarray, box: Quad
    ) -> None:
        self._normal, self._visible, self._to_frame = normal, visible, to_frame
        self._box = mapped(box, np.linalg.inv(to_frame))  # on the rectified table

    def angles(self) -> list[float]:
        """The angles (radians) by which a card may lie: near the box's own, along and across."""
        side = self._box[1] - self._box[0] + self._box[2] - self._box[3]
        step = np.pi / COARSE.angles
        first = round(float(np.arctan2(side[1], side[0])) / step)
        off = range(-COARSE.turned, COARSE.turned + 1)
        both = (0, COARSE.angles // 2)
        return sorted({(first + k + turn) % COARSE.angles * step for k in off for turn in both})

    def has_shape(self) -> bool:
        """Whether the box is about as long and as wide as a card: it lies along the card."""
        longer = length(self._box) / length(_SMALL)
        wider = area(self._box) / area(_SMALL) / longer
        return all(1 / COARSE.shaped < grown < COARSE.shaped for grown in (longer, wider))

    @classmethod
    def cut(
        cls, bgr: np.ndarray, box: Quad, known: Quad, occluders: Sequence[Occluder]
    ) -> "_Rectified | None":
        """None if the camera's angle is so low that the region cannot be rectified."""
        to_flat = cv2.getPerspectiveTransform(known.astype(np.float32), _TEMPLATE)
        side = _SIDE * COARSE.step
        whole = rectangle(side, side)
        middle = mapped(box, to_flat).mean(0)
        quad = mapped(whole - side / 2 + middle, np.linalg.inv(to_flat))
        if not cv2.isContourConvex(quad):
            return None
        crop, to_crop = cut_to(bgr, quad, whole, side, side)
        visible = np.zeros((side, side), np.float32)
        frame = rectangle(bgr.shape[1], bgr.shape[0])
        cv2.fillConvexPoly(visible, np.rint(mapped(frame, to_crop)).astype(np.int32), 1)
        for one in occluders:
            visible = one.masked(visible, to_crop)
        normal = template_match.normalised(crop) * visible[..., None]
        shrunk = [cv2.resize(x, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
                  for x in (normal, visible)]  # fmt: skip
        to_frame = np.linalg.inv(to_crop) @ np.diag([COARSE.step, COARSE.step, 1.0])
        return cls(shrunk[0], shrunk[1], to_frame, box)

    def rotated(self, angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A window rotated by `angle` (radians): normalised, its mask, and the homography to the
        frame."""
        h, w = _WINDOW
        c, s = np.cos(angle), np.sin(angle)
        middle = _SIDE / 2
        back = np.array([
            [c, -s, middle - (c * w - s * h) / 2], [s, c, middle - (s * w + c * h) / 2], [0, 0, 1]
        ])  # fmt: skip
        warp = pixel_warp(back)[:2]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        normal = cv2.warpAffine(self._normal, warp, (w, h), flags=flags)
        is_visible = cv2.warpAffine(self._visible, warp, (w, h), flags=flags) > 0.95
        visible = is_visible.astype(np.float32)
        return normal * visible[..., None], visible, self._to_frame @ back
