"""Searches a box for the card that it shows, or shows a part of, by the pictures of the deck."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vision.geometry import Quad, iou, length, overlap
from vision.matching.keypoints import Pose
from vision.matching.local_search import LocalSearch
from vision.matching.masked_correlation import MaskedCorrelation
from vision.matching.occlusion import Occluder, covered_share
from vision.networks.locator import standing
from vision.recognition.placing import Placing, shown
from vision.recognition.recognised import Recognised
from vision.recognition.table_plane import TablePlane
from vision.sightings import BACK, UNKNOWN


@dataclass(frozen=True, slots=True)
class BoxLimits:
    """Correlations -1..1, IoU and shares 0..1, and counts."""

    touching: float = 0.5  # share of a box inside a coarse pose,
    inside: float = 0.55  # and inside the card that it shows
    same_box: float = 0.4  # IoU of a box and the card that it shows
    coarse: int = 5  # coarse poses in a box around which faces are compared closely
    faces: int = 3  # close poses kept of each of them,
    registered: int = 4  # and of all, registered; more cost time
    same_pose: float = 0.85  # IoU of two poses of a face of which the better one is kept
    free: float = 0.3  # share that known cards cover below which its size is fitted too
    verified: int = 1  # of those registered
    pose: float = 0.4  # correlation of such a pose
    in_pile: float = 0.85  # share of the card inside a box that is drawn around its whole pile
    sized: int = 4  # poses of a card of known size that are registered,
    sized_inside: float = 0.6  # share of a box inside such a card
    sized_pose: float = 0.25  # and the correlation of its pose, as nothing covers it
    hidden: float = 0.75  # share of a box inside a known card from which it is not searched
    hidden_back: float = 0.5  # share of a back under known cards from which it is none
    longest: float = 1.3  # lengths of a card; a longer box shows a fan
    picture: float = 0.6  # correlation of its better half; the embedding was chosen from many


LIMITS = BoxLimits()


class BoxSearch:
    """The search in one deck."""

    def __init__(self, placing: Placing) -> None:
        self._placing, self._recogniser = placing, placing.recogniser
        self._correlation = MaskedCorrelation(self._recogniser.templates)

    @cached_property
    def _local(self) -> LocalSearch:
        return LocalSearch(self._recogniser.templates)

    def in_box(
        self, bgr: np.ndarray, box: Quad, known: list[Recognised], plane: TablePlane | None
    ) -> Recognised | None:
        """The card that the box (4, 2) shows, or shows a part of, and that is not among `known`.
        `plane`: the table's, if it is known."""
        hidden = covered_share(box, shown(known))
        size = length(box) / (length(_sized(box, known, plane)) if known else length(box))
        if hidden > LIMITS.hidden or size > LIMITS.longest:
            return None
        return self.within(bgr, box, known, plane) if known else self.near(bgr, box)

    def near(self, bgr: np.ndarray, box: Quad) -> Recognised | None:
        """The card near the box (4, 2) whose corners the box did not lead to, where none is known.
        It stays without a name where its picture does not speak for one."""
        height = float(np.linalg.norm(np.diff(standing(box)[[0, 3]], axis=0)))
        card = self._recogniser.recognise_near(bgr, box, height)
        is_there = card is not None and overlap(box, card.quad) >= LIMITS.sized_inside
        if card is None or not is_there or not self._placing.is_new(card, []):
            return None
        is_seen = card.evidence.better_half >= LIMITS.picture
        return card if is_seen else replace(card, face=UNKNOWN)

    def within(
        self, bgr: np.ndarray, box: Quad, known: list[Recognised], plane: TablePlane | None
    ) -> Recognised | None:
        """The card that the box (4, 2) shows a part of, as large as those `known`."""
        cards = self._candidates(bgr, box, known, plane)
        new = [one for one in cards if self._placing.is_new(one, known)]
        new = [one for one in new if one.face != BACK or _is_seen(one, known)]
        return max(new, key=lambda one: one.evidence.correlation, default=None)

    def _candidates(
        self, bgr: np.ndarray, box: Quad, known: list[Recognised], plane: TablePlane | None
    ) -> Iterator[Recognised]:
        """What is recognised at the best poses in a box (4, 2) that those `known` do not cover."""
        if not known:
            return
        occluders = shown(known)
        poses = self._correlation.poses(bgr, box, _sized(box, known, plane), occluders)
        poses = [one for one in poses if overlap(box, one.quad) >= LIMITS.touching]
        poses = self._closer(bgr, box, poses[: LIMITS.coarse], occluders, plane is not None)
        best = self._recogniser.best_poses(bgr, poses, occluders, LIMITS.verified, LIMITS.pose)
        yield from self._placing.at(bgr, best, known)

    def _closer(
        self,
        bgr: np.ndarray,
        box: Quad,
        poses: list[Pose],
        occluders: list[Occluder],
        is_rigid: bool,
    ) -> list[Pose]:
        """Registered poses of any face near coarse ones, which the box (4, 2) may show."""
        found: list[tuple[float, Pose]] = []
        for pose in poses:
            found += self._local.near(bgr, pose.quad, occluders, LIMITS.faces)
        likely = [one for _, one in sorted(found, key=lambda each: -each[0]) if _shows(box, one)]
        closer = []
        for one in _distinct(likely)[: LIMITS.registered]:
            closer.append(self._local.refined(bgr, one, occluders, is_rigid=True))
            if not is_rigid or covered_share(one.quad, occluders) < LIMITS.free:
                closer.append(self._local.refined(bgr, one, occluders))
        return [one for one in closer if _shows(box, one)]

    def sized(self, bgr: np.ndarray, box: Quad, known: Quad) -> Recognised | None:
        """The whole card that the box (4, 2) shows, as large as the card `known` (4, 2) that lies
        near it. It is found by its picture, so its edges need not show."""
        poses = self._correlation.poses(bgr, box, known, [], is_whole=True)[: LIMITS.sized]
        # Registration may be led astray by the edges of cards below.
        poses += [self._local.refined(bgr, pose, []) for pose in poses]
        poses = [
            pose
            for pose in poses
            if overlap(box, pose.quad) >= LIMITS.sized_inside
            or overlap(pose.quad, box) >= LIMITS.in_pile
        ]
        best = self._recogniser.best_poses(bgr, poses, [], 1, LIMITS.sized_pose)
        cards = [self._recogniser.recognise_pose(bgr, pose) for pose in best]
        return next(filter(self._placing.judge.is_placed, cards), None)


def _shows(box: Quad, pose: Pose) -> bool:
    """Whether the box (4, 2) may show the card at a pose."""
    return overlap(box, pose.quad) >= LIMITS.inside and iou(box, pose.quad) >= LIMITS.same_box


def _is_seen(one: Recognised, known: list[Recognised]) -> bool:
    """Whether half of a back shows: with less, its pattern matches at many places."""
    return covered_share(one.quad, shown(known)) < LIMITS.hidden_back


def _sized(box: Quad, known: list[Recognised], plane: TablePlane | None) -> Quad:
    """A card as large as one at the box (4, 2): by the plane, else the nearest one known."""
    middle = box.mean(0)
    if plane is not None:
        return plane.card_at(middle)
    nearest = min(known, key=lambda one: float(np.linalg.norm(one.quad.mean(0) - middle)))
    return nearest.quad


def _distinct(poses: list[Pose]) -> list[Pose]:
    """The poses without those of a face that lie near a better one of it."""
    kept: list[Pose] = []
    for pose in poses:
        alike = [one for one in kept if one.template == pose.template]
        if all(iou(one.quad, pose.quad) < LIMITS.same_pose for one in alike):
            kept.append(pose)
    return kept
