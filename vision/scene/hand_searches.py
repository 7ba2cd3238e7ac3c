"""When hands, and what they hold, are searched for whole cards: such a search costs many frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision import geometry
from vision.geometry import Quad
from vision.scene.candidates import Candidate
from vision.scene.looks import wait_s

FIRST_S, LONGEST_S = 0.25, 2.0  # s between two searches at a place in a hand: each doubles it
SAME = 0.5  # of a candidate's length: nearer places are one


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A place (quad (4, 2) px), how often it was searched, and when last (s)."""

    quad: Quad
    looks: int
    at: float


class HandSearches:
    """Spares searches at candidates joined to a hand. A card that is let go is joined to none, and
    is searched for at once."""

    def __init__(self) -> None:
        self._places: list[Searched] = []

    def is_due(self, card: Candidate, at: float) -> bool:
        """Whether the next search at the candidate's place is due."""
        found = self._find(card)
        return found is None or at - found.at >= wait_s(found.looks, 1, FIRST_S, LONGEST_S)

    def searched(self, cards: Iterable[Candidate], at: float) -> None:
        """These candidates were searched for. What has a name now needs no wait."""
        for card in cards:
            found = self._find(card)
            if found is not None:
                self._places.remove(found)
            if not card.evidence:
                looks = 1 if found is None else found.looks + 1
                self._places.append(Searched(card.quad, looks, at))
        self._places = [each for each in self._places if at - each.at <= 2 * LONGEST_S]

    def _find(self, card: Candidate) -> Searched | None:
        reach = SAME * geometry.length(card.quad)
        middle = geometry.centre(card.quad)
        for each in self._places:
            if float(np.linalg.norm(geometry.centre(each.quad) - middle)) <= reach:
                return each
        return None
