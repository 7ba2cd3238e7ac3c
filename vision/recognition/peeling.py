"""Searches the boxes of a still picture again, each under the cards that were found before.

A fan is taken off card by card: what is found covers less of what lies under it.
"""

from dataclasses import dataclass

import numpy as np

from vision.geometry import Quad, intersection, iou, overlap
from vision.nms import SAME_CARD
from vision.recognition.box_search import BoxSearch
from vision.recognition.in_parallel import in_waves
from vision.recognition.judge import Judge
from vision.recognition.naming_limits import LIMITS as NAMING
from vision.recognition.occluded_search import are_near, distinct
from vision.recognition.placing import WHOLE
from vision.recognition.recognised import Recognised
from vision.recognition.table_plane import TablePlane


@dataclass(frozen=True, slots=True)
class PeelingLimits:
    """A correlation, and a count."""

    matched: float = 0.6  # of its better half; a card below it is searched for in its box
    passes: int = 4  # over the boxes


LIMITS = PeelingLimits()


class Peeling:
    """The search in the boxes of one picture at a time, of a deck of `aspect` (height / width)."""

    def __init__(self, boxes: BoxSearch, judge: Judge, aspect: float, threads: int = 1) -> None:
        self._boxes, self._judge = boxes, judge
        self._aspect, self._threads = aspect, threads

    def searched(
        self,
        bgr: np.ndarray,
        quads: np.ndarray,
        cards: list[Recognised],
        known: list[Recognised],
        weak: np.ndarray,
    ) -> tuple[list[Recognised], list[Recognised]]:
        """The cards of the boxes `quads` (N, 4, 2) after a search in each that shows none for
        sure, and further cards that were found there, besides those `known`, surest first. `weak`
        boxes (M, 4, 2), of a low score, are searched beside known cards only."""
        picture = _Picture(cards, quads, weak, known, self._judge)
        plane, size = None, (bgr.shape[1], bgr.shape[0])

        def look(i: int) -> Recognised | None:
            if not picture.is_searched(i):
                return None
            return self._boxes.in_box(bgr, picture.boxes[i], picture.others(i), plane)

        def concerns(found: Recognised, i: int) -> bool:
            return are_near(found.quad, picture.boxes[i])

        waiting = [i for i in range(len(picture.boxes)) if not picture.is_explained(i)]
        for _ in range(LIMITS.passes):
            before = list(picture.known)
            plane = plane or TablePlane.of([one.quad for one in before], self._aspect, size)
            in_waves(look, picture.settle, concerns, waiting, self._threads)
            new = [one for one in picture.known if not _is_among(one, before)]
            waiting = [
                i for i in waiting if not picture.is_explained(i) and picture.touches(i, new)
            ]
        return [one for one in picture.cards if one is not None], picture.further


class _Picture:
    """What is known of one picture: a card for each box, None for the weak boxes, which come
    last; all cards `known`; and `further` ones that no box had before."""

    def __init__(
        self,
        cards: list[Recognised],
        quads: np.ndarray,
        weak: np.ndarray,
        known: list[Recognised],
        judge: Judge,
    ) -> None:
        self._judge, self._first = judge, [*cards, *[None] * len(weak)]
        self.cards = list(self._first)
        self.boxes = np.concatenate([quads, weak])
        self.known = distinct(known + [one for one in cards if judge.is_named(one)])
        self.further: list[Recognised] = []

    def is_searched(self, i: int) -> bool:
        """Whether a box may show a card that is not known."""
        return self._first[i] is not None or _is_beside(self.boxes[i], self.known)

    def is_explained(self, i: int) -> bool:
        """Whether it is settled which card a box shows, and its picture matches."""
        one, box = self.cards[i], self.boxes[i]
        if one is None or iou(one.quad, box) < NAMING.same_box:
            return False
        return self._judge.is_settled(one) and _is_matched(one)

    def others(self, i: int) -> list[Recognised]:
        """The known cards but for that of a box, if this matches badly."""
        old = self._first[i]
        return [one for one in self.known if one is not old or _is_matched(one)]

    def touches(self, i: int, some: list[Recognised]) -> bool:
        """Whether any of some cards lies on a box."""
        return any(intersection(one.quad, self.boxes[i]) > 0 for one in some)

    def settle(self, i: int, found: Recognised | None) -> Recognised | None:
        """Keeps what was found in a box, and returns it; None if it is no gain."""
        if found is None:
            return None
        old = self.cards[i]
        if old is None or old is not self._first[i] or _is_matched(old):
            self.further.append(found)
        elif not self._judge.is_named(old) or self._is_better(found, old):
            self.cards[i] = found
            self.known = [one for one in self.known if one is not old]
        else:
            return None
        self.known.append(found)
        return found

    def _is_better(self, one: Recognised, other: Recognised) -> bool:
        is_more = one.evidence.correlation > other.evidence.correlation
        return is_more and self._judge.is_named(one)


def _is_matched(one: Recognised) -> bool:
    seen = one.evidence
    return seen.better_half >= LIMITS.matched or seen.similarity >= WHOLE


def _is_among(one: Recognised, some: list[Recognised]) -> bool:
    return any(one is other for other in some)


def _is_beside(box: Quad, known: list[Recognised]) -> bool:
    """Whether cards that are known may lie on what a box (4, 2) shows, and none of them is it."""
    touching = [one.quad for one in known if overlap(box, one.quad) > NAMING.covered]
    return bool(touching) and all(iou(box, quad) < SAME_CARD.recognised for quad in touching)
