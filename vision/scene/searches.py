"""When a place is searched for a whole card again: such a search costs many frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision import geometry
from vision.geometry import Quad
from vision.scene.candidates import Candidate
from vision.scene.looks import LONGEST_S, wait_s

FIRST_S = 0.25  # s between two searches at a place that shows none: each doubles it
AT_REST = 2  # searches while a hand moved a card, after which the next one may follow at its rest
RESTS_S = 0.1  # s after which a card that no hand touches has come to rest
SAME = 0.5  # IoU of two boxes at one place


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A place (quad (4, 2) px), how often it was searched in vain, when last (s), and whether a
    hand was on it then."""

    quad: Quad
    times: int
    at: float
    is_held: bool


class Searches:
    """Spares searches at places where the last ones found no card."""

    def __init__(self) -> None:
        self._places: list[Searched] = []

    def is_due(self, card: Candidate, at: float, is_free: bool = False) -> bool:
        """Whether the next search at the candidate's place is due; `is_free`: no hand is there."""
        found = self._find(card)
        if found is None or (found.times <= AT_REST and card.since > found.at):
            return True
        if is_free and found.is_held and at - card.since >= RESTS_S:
            return True
        return at - found.at >= wait_s(found.times, 1, FIRST_S)

    def is_first_at_rest(self, card: Candidate, at: float) -> bool:
        """Whether the candidate, which no hand holds, has come to rest and its place was not
        searched since then without a hand."""
        found = self._find(card)
        is_new = found is None or found.is_held or card.since > found.at
        return at - card.since >= RESTS_S and is_new

    def searched(self, cards: Iterable[tuple[Candidate, bool]], at: float) -> None:
        """These candidates were searched for, each with whether a hand held it. What has a name now
        needs no wait."""
        for card, is_held in cards:
            found = self._find(card)
            if found is not None:
                self._places.remove(found)
            if not card.evidence:
                times = 1 if found is None else found.times + 1
                self._places.append(Searched(card.quad, times, at, is_held))
        self._places = [each for each in self._places if at - each.at <= 2 * LONGEST_S]

    def _find(self, card: Candidate) -> Searched | None:
        for place in self._places:
            if geometry.iou(place.quad, card.quad) >= SAME:
                return place
        return None
