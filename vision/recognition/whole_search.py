"""Searches for the whole card of which a located box shows only a part."""

import numpy as np

from vision.geometry import Quad, area, aspect, iou, overlap, skew
from vision.matching.keypoints import KeypointMatcher
from vision.networks.corners import other_extents, rotated_boxes
from vision.nms import SAME_CARD
from vision.recognition.judge import Judge
from vision.recognition.naming_limits import LIMITS
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser


class WholeSearch:
    """The search in one deck of `aspect` (height / width); `is_uneven`: its outline hardly tells
    the card's rotation, as a bubble's does not."""

    def __init__(
        self,
        recogniser: Recogniser,
        keypoints: KeypointMatcher,
        judge: Judge,
        aspect: float,
        is_uneven: bool,
    ) -> None:
        self._recogniser, self._keypoints, self._judge = recogniser, keypoints, judge
        self._aspect, self._is_uneven = aspect, is_uneven

    def whole(
        self, bgr: np.ndarray, quad: Quad, one: Recognised, named: list[Recognised]
    ) -> Recognised:
        """The whole card that `quad` may show a part of; `one` if nothing matches better."""
        is_named = self._judge.is_named
        box = one.quad if is_named(one) else quad
        part_of = None if is_named(one) else self._part_of(box, named)
        if part_of is not None:
            return part_of
        whole = self.under(bgr, one, named) or self._by_keypoints(bgr, box, named)
        if whole is None or not is_named(whole):
            whole = self._by_extent(bgr, box, one, whole)
        is_found = is_named(one) or one.evidence.correlation >= LIMITS.correlation
        is_better = whole.evidence.correlation > one.evidence.correlation
        return one if is_found and not is_better else whole

    def is_squeezed(self, one: Recognised) -> bool:
        """Whether the corners may be wrong: those of the visible part, taken for the whole card,
        or of a wrong rotation, as a bubble's outline hardly tells it."""
        off = max(abs(np.log(aspect(one.quad) / self._aspect)), skew(one.quad))
        is_doubtful = one.evidence.correlation < LIMITS.correlation
        return is_doubtful and (self._is_uneven or bool(off > LIMITS.squeezed))

    def under(self, bgr: np.ndarray, one: Recognised, named: list[Recognised]) -> Recognised | None:
        """The card, if it has a name once the pixels under those `named` are masked."""
        over = [
            card.shown
            for card in named
            if LIMITS.covered < overlap(one.quad, card.quad) < SAME_CARD.recognised
        ]
        again = self._recogniser.recognise_under(bgr, one, over) if over else None
        if again is None or not self._judge.is_named(again) or self.is_squeezed(again):
            return None
        return again

    @staticmethod
    def _part_of(box: Quad, named: list[Recognised]) -> Recognised | None:
        """The card among those `named` that the `box` shows a part of."""
        for one in named:
            if overlap(box, one.quad) > LIMITS.part and area(box) < LIMITS.part * area(one.quad):
                return one
        return None

    def _by_keypoints(
        self, bgr: np.ndarray, box: Quad, named: list[Recognised]
    ) -> Recognised | None:
        """The whole card that the `box` shows a part of: one of those `named`, or one beside them
        by keypoints."""
        part_of = self._part_of(box, named)
        if part_of is not None:
            return part_of
        seen = self._keypoints.detect_around(bgr, box)
        occluders = [one.shown for one in named]
        for _ in range(LIMITS.rounds):
            poses = self._keypoints.poses(seen, occluders)
            cards = [self._recogniser.recognise_pose(bgr, pose, occluders) for pose in poses]
            whole = max(cards, key=self._judge.sure, default=None)
            if whole is None or overlap(box, whole.quad) >= LIMITS.inside:
                return whole
            if self._judge.is_named(whole) and iou(box, whole.quad) >= LIMITS.same_box:
                return whole
            occluders.append(whole.shown)  # a card beside this one
        return None

    def _by_extent(
        self, bgr: np.ndarray, box: Quad, one: Recognised, whole: Recognised | None
    ) -> Recognised:
        """The whole card of the deck's aspect that the quad of `one` in its `box` may show a part
        of; else `whole`, if enough inliers place it, else `one`."""
        guesses = other_extents(one.quad, self._aspect)
        if self._is_uneven:  # a bubble's outline hardly tells its rotation
            guesses = np.concatenate([guesses, rotated_boxes(one.quad, self._aspect)])
        others = self._recogniser.recognise(bgr, guesses, are_guesses=True)
        others = [other for other in others if overlap(box, other.quad) >= LIMITS.inside]
        sure = self._judge.sure
        best = max(others, key=sure, default=one)
        if self._judge.is_named(best):
            return best
        if whole is not None and whole.evidence.inliers >= LIMITS.inliers:
            return whole
        return best if sure(best) >= sure(one) + LIMITS.gain else one
