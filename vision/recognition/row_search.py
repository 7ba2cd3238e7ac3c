"""Searches a single picture for cards in rows and columns, beside those that are known.

A card whose picture fills its table's cell like its neighbours' is often not located: patterned
backs in a dense grid, for example. Where two known cards lie side by side, others may follow.
"""

from dataclasses import dataclass

import numpy as np

from vision.geometry import iou, overlap
from vision.recognition.judge import Judge
from vision.recognition.recognised import Recognised
from vision.recognition.recogniser import Recogniser


@dataclass(frozen=True, slots=True)
class RowLimits:
    """Sides of a card, shares of its area, and a probability."""

    step: float = 1.12  # from a card to where the next one is sought; corners may be off by a fifth
    apart: tuple[float, float] = (0.9, 1.4)  # of two cards side by side
    askew: float = 0.25  # across, at most
    tried: float = 0.4  # from a place that was tried
    overlap: float = 0.25  # of a place or card in a known card; more is left to other searches
    corners: float = 0.5  # probability of the corners of such a card


LIMITS = RowLimits()


class RowSearch:
    """The search in one deck."""

    def __init__(self, recogniser: Recogniser, judge: Judge) -> None:
        self._recogniser, self._judge = recogniser, judge

    def beside(self, bgr: np.ndarray, known: list[Recognised]) -> list[Recognised]:
        """Named cards, of clear corners, in the rows and columns of those `known`."""
        found: list[Recognised] = []
        if not any(_are_side_by_side(a, b) for a in known for b in known if a is not b):
            return found
        height = float(np.median([np.linalg.norm(one.quad[3] - one.quad[0]) for one in known]))
        tried: list[np.ndarray] = []
        edge = list(known)
        while edge:
            boxes = self._free(bgr, edge, known + found, tried)
            edge = []
            for card in self._recogniser.recognise_weak(bgr, boxes, height, len(boxes)):
                if self._is_in_row(card, known + found):
                    edge.append(card)
                    found.append(card)
        return found

    def _free(
        self,
        bgr: np.ndarray,
        edge: list[Recognised],
        known: list[Recognised],
        tried: list[np.ndarray],
    ) -> np.ndarray:
        """Boxes (N, 4, 2) beside the cards of the `edge` that none of those `known` holds, and that
        were not `tried`."""
        free = []
        for one in edge:
            for step in _sides(one.quad):
                box = (one.quad + LIMITS.step * step).astype(np.float32)
                middle, near = box.mean(0), LIMITS.tried * float(np.linalg.norm(step))
                is_inside = bool((middle > 0).all() and (middle < bgr.shape[1::-1]).all())
                is_new = all(float(np.linalg.norm(middle - other)) >= near for other in tried)
                if is_inside and is_new and _is_free(box, known):
                    free.append(box)
                    tried.append(middle)
        return np.array(free, np.float32).reshape(-1, 4, 2)

    def _is_in_row(self, card: Recognised, known: list[Recognised]) -> bool:
        is_clear = card.evidence.corners >= LIMITS.corners
        return is_clear and self._judge.is_named(card) and _is_free(card.quad, known)


def _sides(quad: np.ndarray) -> list[np.ndarray]:
    """From the card at a quad (4, 2) to its four neighbours (2,), if they touched."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    along = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    return [across, -across, along, -along]


def _is_free(quad: np.ndarray, known: list[Recognised]) -> bool:
    return all(
        overlap(quad, one.quad) < LIMITS.overlap and iou(quad, one.quad) < LIMITS.overlap
        for one in known
    )


def _are_side_by_side(a: Recognised, b: Recognised) -> bool:
    """Whether `b` lies where the next card of a row or column of `a` would lie."""
    to = b.quad.mean(0) - a.quad.mean(0)
    for step in _sides(a.quad):
        size = float(step @ step)
        along = float(to @ step) / size
        across = abs(float(to[0] * step[1] - to[1] * step[0])) / size
        if LIMITS.apart[0] <= along <= LIMITS.apart[1] and across <= LIMITS.askew:
            return True
    return False
