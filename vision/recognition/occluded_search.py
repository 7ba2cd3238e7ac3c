"""Looks for the cards of one deck that lie mostly under others, in a picture looked at once."""

from collections.abc import Iterator

import numpy as np

from vision.geometry import iou, overlap
from vision.matching.keypoints import Keypoints, Seen
from vision.matching.masked_correlation import Sliding
from vision.recognition.confidence import Confidence
from vision.recognition.recogniser import Examined, Examiner

LOOKS = 3  # for a card beside a known one
PLACES = 10  # beside a known card that are looked at
PLACED = 0.85  # least probability of its kind that makes a card of what has no name
SAME = 0.75  # intersection over union: one card
WITHIN = 0.6  # of a box lies in the card that it was drawn about


class Hidden:
    """The search."""

    def __init__(self, examiner: Examiner, keypoints: Keypoints, confidence: Confidence) -> None:
        self._examiner, self._keypoints, self._confidence = examiner, keypoints, confidence
        self._sliding = Sliding(examiner.looks)

    def anywhere(self, bgr: np.ndarray, named: list[Examined]) -> list[Examined]:
        """Cards beside those `named` that no box showed, wherever they lie: a lively one on a
        lively carpet, say."""
        known, found = list(named), []
        places = self._keypoints.places_anywhere(bgr, [one.shown for one in known])[:PLACES]
        for place in self._examiner.likeliest(bgr, places, [], PLACES):
            card = self._examiner.at(bgr, place, [one.shown for one in known])
            if self._is_new(card, known):
                known.append(card)
                found.append(card)
        return found

    def beside(self, bgr: np.ndarray, named: list[Examined]) -> list[Examined]:
        """Cards about those that are `named`, the surest first, and hidden by them for a part."""
        known, found = list(named), []
        for one in known:  # grows on the way
            seen = self.seen_beside(bgr, one)
            for _ in range(LOOKS):
                looked = self.looks_beside(bgr, seen, known)
                card = next((card for card in looked if self._is_new(card, known)), None)
                if card is None:
                    break
                known.append(card)
                found.append(card)
        return found

    def seen_beside(self, bgr: np.ndarray, card: Examined) -> Seen | None:
        """The points about a card, for `looks_beside`."""
        return self._keypoints.look_beside(bgr, card.quad)

    def looks_beside(
        self, bgr: np.ndarray, seen: Seen | None, known: list[Examined]
    ) -> Iterator[Examined]:
        """What is seen at the likeliest places about a card, where none of those `known` lies."""
        if seen is not None:
            covering = [other.shown for other in known]
            places = self._keypoints.places_beside(seen, covering)[:PLACES]
            for place in self._examiner.likeliest(bgr, places, covering, LOOKS):
                yield self._examiner.at(bgr, place, covering)

    def within(self, bgr: np.ndarray, box: np.ndarray, known: list[Examined]) -> Examined | None:
        """The card that the box (4, 2) shows a part of, of the size of those `known`."""
        looked = [one for one in self.looks_within(bgr, box, known) if self._is_new(one, known)]
        return max(looked, key=lambda one: one.evidence.fit, default=None)

    def looks_within(
        self, bgr: np.ndarray, box: np.ndarray, known: list[Examined]
    ) -> Iterator[Examined]:
        """What is seen at the likeliest places of a card in a box (4, 2), where none of those
        `known` lies."""
        if not known:
            return
        covering = [other.shown for other in known]
        middle = box.mean(0)
        near = min(known, key=lambda one: float(np.linalg.norm(one.quad.mean(0) - middle)))
        places = [
            self._sliding.settled(bgr, place, covering)
            for place in self._sliding.places(bgr, box, near.quad, covering)
        ]
        places = [place for place in places if overlap(box, place.quad) >= WITHIN]
        for place in self._examiner.likeliest(bgr, places, covering, LOOKS):
            yield self._examiner.at(bgr, place, covering)

    def is_placed(self, one: Examined) -> bool:
        """Whether a card of this kind surely lies there, whichever of near twins it is."""
        return self._confidence.kind(one.evidence) >= PLACED

    def _is_new(self, card: Examined, known: list[Examined]) -> bool:
        return self.is_placed(card) and all(iou(card.quad, one.quad) < SAME for one in known)


def distinct(cards: list[Examined]) -> list[Examined]:
    """The cards, the first of those that are one."""
    kept: list[Examined] = []
    for card in cards:
        if all(iou(card.quad, other.quad) < SAME for other in kept):
            kept.append(card)
    return kept
