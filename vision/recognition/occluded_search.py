"""Searches a single picture for cards that are mostly occluded, and so were not located."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import Quad, iou, length, overlap, scaled
from vision.matching.keypoints import Detected, KeypointMatcher, Pose
from vision.matching.masked_correlation import MaskedCorrelation
from vision.matching.occlusion import Occluder, covered_share
from vision.networks.locator import standing
from vision.nms import SAME_CARD, suppress
from vision.recognition.in_parallel import in_waves
from vision.recognition.judge import Judge
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser
from vision.recognition.repeating import BackPlaces
from vision.sightings import UNKNOWN


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Probabilities and shares 0..1, and counts."""

    rounds: int = 3  # poses verified around a box, and passes around a known card
    poses: int = 10  # poses compared around a known card, and anywhere
    searched: float = 0.6  # lengths of a card from a searched one within which it is not searched
    registered: int = 4  # poses in a box that are registered; more cost time
    rounds_within: int = 1  # of these, how many are verified
    inside: float = 0.6  # share of a box inside the card that it shows
    in_pile: float = 0.85  # or share of the card inside a box that is drawn around its whole pile
    hidden: float = 0.5  # share of a box inside a known card from which it is not searched,
    partly: float = 0.45  # and from which it shows no whole card
    sizes: tuple[float, float] = (0.75, 1.3)  # lengths of a known card: less is a part, more a fan
    sized_pose: float = 0.25  # correlation of the pose of a card of known size that nothing covers
    picture: float = 0.6  # correlation of its better half; the embedding was chosen from many
    hinted: float = 0.5  # share of a box of any score in a card that keypoints find
    region: float = 2.0  # times the size of an unexplained box in which keypoints are sought
    weak: int = 12  # boxes of a low score that are looked at; more cost time
    alike: float = 0.9  # cosine of a card at such a box, if its picture does not speak for it
    surely: float = 0.85  # share of a box in a card above which it shows no card beside that one
    beside: float = 1.5  # lengths of a card from its centre to a box beside it
    near: float = 1.2  # lengths of a box around it in which a new card changes its search


LIMITS = SearchLimits()


class OccludedSearch:
    """The search in one deck."""

    def __init__(
        self, recogniser: Recogniser, keypoints: KeypointMatcher, judge: Judge, threads: int = 1
    ) -> None:
        self._recogniser, self._keypoints, self._judge = recogniser, keypoints, judge
        self._threads = threads
        self.backs = BackPlaces(recogniser)
        self._correlation = MaskedCorrelation(recogniser.templates, recogniser.is_rectangular)

    def anywhere(
        self, bgr: np.ndarray, named: list[Recognised], hints: np.ndarray | None = None
    ) -> list[Recognised]:
        """Cards that no sure box showed, besides those `named`, anywhere in the picture.

        A textured card on a textured carpet is an example. Where `hints` (N, 4, 2) are given, only
        the region of those that no card explains is searched, and a card must hold most of one of
        these boxes of any score: a checked cloth looks like the checked back of a card.
        """
        known, found = list(named), []
        region = None
        if hints is not None:
            free = _unexplained(hints, known)
            if not free:
                return []
            region = np.concatenate([scaled(box, LIMITS.region) for box in free])
        seen = self._keypoints.detect_anywhere(bgr, region)
        poses = self._keypoints.poses_anywhere(seen, _shown(known))[: LIMITS.poses]
        poses = [pose for pose in poses if _is_hinted(pose.quad, hints)]
        for pose in self._recogniser.best_poses(bgr, poses, [], LIMITS.poses):
            card = next(self._at(bgr, [pose], known), None)
            if card is not None and self._is_new(card, known):
                known.append(card)
                found.append(card)
        return found

    def at_weak(
        self, bgr: np.ndarray, boxes: np.ndarray, known: list[Recognised]
    ) -> list[Recognised]:
        """Named cards at `boxes` (N, 4, 2) of a low score that those `known` do not explain. The
        locator doubts some pale cards; here the picture must speak for each."""
        free = _unexplained(boxes, known)[: LIMITS.weak]
        found: list[Recognised] = []
        height = _height(known)
        for card in self._recogniser.recognise_weak(bgr, np.array(free).reshape(-1, 4, 2), height):
            seen = card.evidence
            is_shown = seen.similarity >= LIMITS.alike or seen.better_half >= LIMITS.picture
            if is_shown and self._judge.is_named(card) and self._is_new(card, known + found):
                found.append(card)
        return found

    def beside(
        self, bgr: np.ndarray, named: list[Recognised], hints: np.ndarray | None = None
    ) -> list[Recognised]:
        """Cards around those that are `named`, surest first, and partly under them; `hints` as for
        `anywhere`."""
        known, found = list(named), []
        searched: list[np.ndarray] = []  # centres of cards around which no more is searched
        next_one = 0

        def look(one: Recognised) -> list[Recognised]:
            return self._around(bgr, one, known.copy(), hints)

        def settle(_: Recognised, cards: list[Recognised]) -> list[Recognised] | None:
            known.extend(cards)
            found.extend(cards)
            return cards or None

        def concerns(cards: list[Recognised], one: Recognised) -> bool:
            return any(are_near(card.quad, one.quad) for card in cards)

        while next_one < len(known):  # a card that is found is searched around too
            wave: list[Recognised] = []
            while next_one < len(known) and len(wave) < self._threads:
                one = known[next_one]
                next_one += 1
                middle, near = one.quad.mean(0), LIMITS.searched * length(one.quad)
                if all(float(np.linalg.norm(middle - other)) >= near for other in searched):
                    wave.append(one)
                    searched.append(middle)
            in_waves(look, settle, concerns, wave, self._threads)
        return found

    def _around(
        self,
        bgr: np.ndarray,
        one: Recognised,
        known: list[Recognised],
        hints: np.ndarray | None,
    ) -> list[Recognised]:
        """Cards around one that is known; they are added to those `known`. Without a box that no
        card explains, none is sought."""
        if hints is not None and not _is_any_beside(_unexplained(hints, known, LIMITS.surely), one):
            return []
        seen, found = self.detect_beside(bgr, one, known), []
        for _ in range(LIMITS.rounds):
            cards = self.candidates_beside(bgr, seen, known, hints)
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
        self,
        bgr: np.ndarray,
        seen: Detected | None,
        known: list[Recognised],
        hints: np.ndarray | None = None,
    ) -> Iterator[Recognised]:
        """What is recognised at the best poses around a card, from the keypoints `seen` there that
        those `known` do not cover."""
        if seen is not None:
            occluders = _shown(known)
            poses = self._keypoints.poses_beside(seen, occluders)
            poses = [pose for pose in poses if _is_hinted(pose.quad, hints)][: LIMITS.poses]
            best = self._recogniser.best_poses(bgr, poses, occluders, LIMITS.rounds)
            yield from self._at(bgr, best, known)

    def in_box(
        self, bgr: np.ndarray, box: np.ndarray, known: list[Recognised]
    ) -> Recognised | None:
        """The card that the box (4, 2) shows, or shows a part of, and that is not among `known`."""
        hidden = covered_share(box, _shown(known))
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
        height = _height(known) or float(np.linalg.norm(np.diff(standing(box)[[0, 3]], axis=0)))
        card = self._recogniser.recognise_near(bgr, box, height)
        if card is None or overlap(box, card.quad) < LIMITS.inside or not self._is_new(card, known):
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
        poses = [
            self._correlation.refined(bgr, pose, occluders)
            for pose in self._correlation.poses(bgr, box, near.quad, occluders)[: LIMITS.registered]
        ]
        poses = [pose for pose in poses if overlap(box, pose.quad) >= LIMITS.inside]
        best = self._recogniser.best_poses(bgr, poses, occluders, LIMITS.rounds_within)
        yield from self._at(bgr, best, known)

    def sized(self, bgr: np.ndarray, box: np.ndarray, known: Quad) -> Recognised | None:
        """The whole card that the box (4, 2) shows, as large as the card `known` (4, 2) that lies
        near it. It is found by its picture, so its edges need not show."""
        poses = self._correlation.poses(bgr, box, known, [], is_whole=True)[: LIMITS.registered]
        # Registration may be led astray by the edges of cards below.
        poses += [self._correlation.refined(bgr, pose, []) for pose in poses]
        poses = [
            pose
            for pose in poses
            if overlap(box, pose.quad) >= LIMITS.inside or overlap(pose.quad, box) >= LIMITS.in_pile
        ]
        best = self._recogniser.best_poses(bgr, poses, [], 1, LIMITS.sized_pose)
        cards = [self._recogniser.recognise_pose(bgr, pose) for pose in best]
        return next(filter(self._judge.is_placed, cards), None)

    def _at(
        self, bgr: np.ndarray, poses: list[Pose], known: list[Recognised]
    ) -> Iterator[Recognised]:
        """The cards at poses, under those `known`."""
        for pose in poses:
            card = self._recogniser.recognise_pose(bgr, pose, _shown(known))
            placed = self.backs.best_placed(bgr, card, known)
            if placed is not None:
                yield placed

    def _is_new(self, card: Recognised, known: list[Recognised]) -> bool:
        return self._judge.is_placed(card) and all(
            iou(card.quad, one.quad) < SAME_CARD.recognised for one in known
        )


def _shown(cards: list[Recognised]) -> list[Occluder]:
    return [card.shown for card in cards]


def distinct(cards: list[Recognised]) -> list[Recognised]:
    """The cards after NMS, in their order."""
    quads = np.array([card.quad for card in cards], np.float32).reshape(-1, 4, 2)
    return [cards[i] for i in suppress(quads, SAME_CARD.recognised)]


def are_near(found: np.ndarray, box: np.ndarray) -> bool:
    """Whether a card found at a quad (4, 2) may change what is seen in a search at the `box`."""
    apart = float(np.linalg.norm(found.mean(0) - box.mean(0)))
    return apart < LIMITS.near * length(box) + length(found) / 2


def _unexplained(
    boxes: np.ndarray, known: list[Recognised], inside: float = LIMITS.inside
) -> list[np.ndarray]:
    """Those boxes (N, 4, 2) of which no card that is known holds the share `inside`."""
    return [box for box in boxes if all(overlap(box, one.quad) < inside for one in known)]


def _is_any_beside(boxes: list[np.ndarray], one: Recognised) -> bool:
    """Whether one of the boxes (4, 2) lies so near that keypoints around a card may show it."""
    reach, middle = LIMITS.beside * length(one.quad), one.quad.mean(0)
    return any(float(np.linalg.norm(box.mean(0) - middle)) < reach for box in boxes)


def _is_hinted(quad: np.ndarray, hints: np.ndarray | None) -> bool:
    """Whether a card at the quad (4, 2) holds most of one of the `hints` (N, 4, 2)."""
    return hints is None or any(overlap(box, quad) >= LIMITS.hinted for box in hints)


def _height(known: list[Recognised]) -> float | None:
    """The usual height in px of those `known`; None if there are none."""
    sides = [float(np.linalg.norm(one.quad[3] - one.quad[0])) for one in known]
    return float(np.median(sides)) if sides else None
