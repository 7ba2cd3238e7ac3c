"""Searches a single picture for cards that are mostly occluded, and so were not located."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Quad, iou, length, overlap
from vision.matching.keypoints import Detected, KeypointMatcher, Pose
from vision.matching.masked_correlation import MaskedCorrelation
from vision.matching.occlusion import Occluder
from vision.networks.locator import standing
from vision.nms import SAME_CARD, suppress
from vision.recognition.confidence import Confidence
from vision.recognition.recogniser import Recognised, Recogniser
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Probabilities and shares 0..1, and counts."""

    rounds: int = 3  # poses verified around a box, and passes around a known card
    poses: int = 10  # poses compared around a known card, and anywhere
    searched: float = 0.6  # lengths of a card from a searched one within which it is not searched
    registered: int = 4  # poses in a box that are registered; more cost time
    rounds_within: int = 1  # of these, how many are verified
    kind: float = 0.85  # probability of its kind that makes an unnamed find a card
    inside: float = 0.6  # share of a box inside the card that it shows
    hidden: float = 0.8  # share of a box inside a known card from which it is not searched,
    partly: float = 0.6  # and from which it shows no whole card
    sizes: tuple[float, float] = (0.75, 1.3)  # lengths of a known card: less is a part, more a fan
    picture: float = 0.6  # correlation of its better half; the embedding was chosen from many


LIMITS = SearchLimits()


class OccludedSearch:
    """The search in one deck."""

    def __init__(
        self, recogniser: Recogniser, keypoints: KeypointMatcher, confidence: Confidence
    ) -> None:
        self._recogniser, self._keypoints = recogniser, keypoints
        self._confidence = confidence
        self._correlation = MaskedCorrelation(recogniser.templates)

    def detect_anywhere(self, bgr: np.ndarray) -> Detected:
        """The keypoints of a picture, for `anywhere`."""
        return self._keypoints.detect_anywhere(bgr)

    def anywhere(
        self, bgr: np.ndarray, seen: Detected, named: list[Recognised]
    ) -> list[Recognised]:
        """Cards that no box showed, besides those `named`, anywhere in the picture.

        A textured card on a textured carpet is an example.
        """
        known, found = list(named), []
        poses = self._keypoints.poses_anywhere(seen, _shown(known))[: LIMITS.poses]
        for pose in self._recogniser.best_poses(bgr, poses, [], LIMITS.poses):
            card = self._recogniser.recognise_pose(bgr, pose, _shown(known))
            if self._is_new(card, known):
                known.append(card)
                found.append(card)
        return found

    def beside(self, bgr: np.ndarray, named: list[Recognised]) -> list[Recognised]:
        """Cards around those that are `named`, surest first, and partly under them."""
        known, found = list(named), []
        bare: list[np.ndarray] = []  # centres of cards around which nothing more was found
        for one in known:  # a card that is found is searched around too
            middle, near = one.quad.mean(0), LIMITS.searched * length(one.quad)
            if any(float(np.linalg.norm(middle - other)) < near for other in bare):
                continue
            found += self._around(bgr, one, known)
            bare.append(middle)
        return found

    def _around(
        self, bgr: np.ndarray, one: Recognised, known: list[Recognised]
    ) -> list[Recognised]:
        """Cards around one that is known; they are added to those `known`."""
        seen, found = self.detect_beside(bgr, one, known), []
        for _ in range(LIMITS.rounds):
            cards = self.candidates_beside(bgr, seen, known)
            card = next((card for card in cards if self._is_new(card, known)), None)
            if card is None:
                break
            known.append(card)
            found.append(card)
        return found

    def detect_beside(
        self, bgr: np.ndarray, card: Recognised, known: list[Recognised]
    ) -> Detected | None:
        """The keypoints around a card, for `candidates_beside`; None if those `known` hide all."""
        return self._keypoints.detect_beside(bgr, card.quad, _shown(known))

    def candidates_beside(
        self, bgr: np.ndarray, seen: Detected | None, known: list[Recognised]
    ) -> Iterator[Recognised]:
        """What is recognised at the best poses around a card, from the keypoints `seen` there that
        those `known` do not cover."""
        if seen is not None:
            occluders = _shown(known)
            poses = self._keypoints.poses_beside(seen, occluders)[: LIMITS.poses]
            for pose in self._recogniser.best_poses(bgr, poses, occluders, LIMITS.rounds):
                yield self._recogniser.recognise_pose(bgr, pose, occluders)

    def in_box(
        self, bgr: np.ndarray, box: np.ndarray, known: list[Recognised]
    ) -> Recognised | None:
        """The card that the box (4, 2) shows, or shows a part of, and that is not among `known`."""
        hidden = max((overlap(box, one.quad) for one in known), default=0.0)
        size = length(box) / float(np.median([length(one.quad) for one in known] or [length(box)]))
        if hidden > LIMITS.hidden or size > LIMITS.sizes[1]:
            return None
        is_whole = hidden <= LIMITS.partly and size >= LIMITS.sizes[0]
        near = self.near(bgr, box, known) if is_whole else None
        if near is not None and near.face != UNKNOWN:
            return near
        return self.within(bgr, box, known) or near

    def near(self, bgr: np.ndarray, box: np.ndarray, known: list[Recognised]) -> Recognised | None:
        """The card near the box (4, 2) whose corners the box did not lead to, as large as those
        `known`. It stays without a name where its picture does not speak for one."""
        quads = [one.quad for one in known] or [standing(box)]
        height = float(np.median([np.linalg.norm(quad[3] - quad[0]) for quad in quads]))
        card = self._recogniser.recognise_near(bgr, box, height)
        is_there = overlap(box, card.quad) >= LIMITS.inside
        if not (is_there and self._is_new(card, known)):
            return None
        is_seen = card.evidence.better_half >= LIMITS.picture
        return card if is_seen else replace(card, face=UNKNOWN)

    def within(
        self, bgr: np.ndarray, box: np.ndarray, known: list[Recognised]
    ) -> Recognised | None:
        """The card that the box (4, 2) shows a part of, as large as those `known`."""
        cards = [one for one in self.candidates_within(bgr, box, known) if self._is_new(one, known)]
        return max(cards, key=lambda one: one.evidence.correlation, default=None)

    def candidates_within(
        self, bgr: np.ndarray, box: np.ndarray, known: list[Recognised]
    ) -> Iterator[Recognised]:
        """What is recognised at the best poses in a box (4, 2) that those `known` do not cover."""
        if not known:
            return
        middle = box.mean(0)
        near = min(known, key=lambda one: float(np.linalg.norm(one.quad.mean(0) - middle)))
        occluders = _shown(known)
        poses = self._correlation.poses(bgr, box, near.quad, occluders)
        yield from self._registered(bgr, box, poses, occluders)

    def sized(self, bgr: np.ndarray, box: np.ndarray, known: Quad) -> Recognised | None:
        """The whole card that the box (4, 2) shows, as large as the card `known` (4, 2) that lies
        near it. It is found by its picture, so its edges need not show."""
        poses = self._correlation.poses(bgr, box, known, [], is_whole=True)
        cards = [one for one in self._registered(bgr, box, poses, []) if self.is_placed(one)]
        return max(cards, key=lambda one: one.evidence.correlation, default=None)

    def _registered(
        self, bgr: np.ndarray, box: np.ndarray, poses: list[Pose], occluders: list[Occluder]
    ) -> Iterator[Recognised]:
        """What is recognised at the best of the poses that show what the box (4, 2) shows."""
        poses = [
            self._correlation.refined(bgr, pose, occluders) for pose in poses[: LIMITS.registered]
        ]
        poses = [pose for pose in poses if overlap(box, pose.quad) >= LIMITS.inside]
        for pose in self._recogniser.best_poses(bgr, poses, occluders, LIMITS.rounds_within):
            yield self._recogniser.recognise_pose(bgr, pose, occluders)

    def is_placed(self, one: Recognised) -> bool:
        """Whether a card of this kind surely lies there, whichever of its look-alikes it is."""
        return self._confidence.kind(one.evidence) >= LIMITS.kind

    def _is_new(self, card: Recognised, known: list[Recognised]) -> bool:
        return self.is_placed(card) and all(
            iou(card.quad, one.quad) < SAME_CARD.recognised for one in known
        )


def _shown(cards: list[Recognised]) -> list[Occluder]:
    return [card.shown for card in cards]


def distinct(cards: list[Recognised]) -> list[Recognised]:
    """The cards after NMS, in their order."""
    quads = np.array([card.quad for card in cards], np.float32).reshape(-1, 4, 2)
    return [cards[i] for i in suppress(quads, SAME_CARD.recognised)]
