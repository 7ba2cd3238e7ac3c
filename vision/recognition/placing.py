"""Cards at poses that a search proposes, beside the cards that are known."""

from collections.abc import Iterator

import numpy as np

from vision.geometry import iou
from vision.matching.keypoints import Pose
from vision.matching.occlusion import Occluder
from vision.nms import SAME_CARD
from vision.recognition.judge import Judge
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser
from vision.recognition.repeating import BackPlaces

WHOLE = 0.9  # cosine to a taught face; of 202 such cards on stills 200 showed by .96 or more


class Placing:
    """The cards of one deck."""

    def __init__(self, recogniser: Recogniser, judge: Judge) -> None:
        self.recogniser, self.judge = recogniser, judge
        self.backs = BackPlaces(recogniser)

    def at(
        self, bgr: np.ndarray, poses: list[Pose], known: list[Recognised]
    ) -> Iterator[Recognised]:
        """The cards at poses, under those `known`."""
        for pose in poses:
            card = self.recogniser.recognise_pose(bgr, pose, shown(known))
            placed = self.backs.best_placed(bgr, card, known)
            if placed is not None:
                yield placed

    def is_new(self, card: Recognised, known: list[Recognised]) -> bool:
        """Whether a card surely lies there, and it is none of those `known`."""
        return self.judge.is_placed(card) and all(
            iou(card.quad, one.quad) < SAME_CARD.recognised for one in known
        )


def shown(cards: list[Recognised]) -> list[Occluder]:
    """What the cards hide. A picture of fine lines may not match cell by cell, though nothing
    covers it: the embedding tells that the whole face is seen."""
    return [
        Occluder.whole(card.quad) if card.evidence.similarity >= WHOLE else card.shown
        for card in cards
    ]


def usual_height(known: list[Recognised]) -> float | None:
    """The usual height in px of those `known`; None if there are none."""
    sides = [float(np.linalg.norm(one.quad[3] - one.quad[0])) for one in known]
    return float(np.median(sides)) if sides else None
