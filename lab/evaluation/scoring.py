"""Recall, precision, names and corners over pictures with known truth."""

from dataclasses import dataclass, field

import numpy as np

from vision.geometry import iou
from vision.sightings import Sightings

SEEN = 0.7  # visible share from which a card must be named
FOUND = 0.25  # visible share from which a card must be found


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One card of a picture: upright quad (4, 2) px, face or "back", visible share 0..1."""

    quad: np.ndarray
    face: str
    visible: float


@dataclass(slots=True)
class Score:
    """Sums over pictures."""

    pictures: int = 0
    whole: int = 0
    cards: int = 0
    found: int = 0
    clear: int = 0  # cards of which SEEN or more can be seen
    clear_found: int = 0
    finds: int = 0
    false: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    corners: list[float] = field(default_factory=list)
    worst: list[tuple[float, str]] = field(default_factory=list)

    def row(self) -> dict[str, float]:
        """The figures of the report; shares 0..1, corners as shares of the card's length."""
        named = max(1, self.right + self.wrong + self.unknown)
        corners = np.array(self.corners or [np.nan])
        return {
            "pictures": self.pictures,
            "cards": self.cards,
            "recall": self.found / max(1, self.cards),
            "recall of clear": self.clear_found / max(1, self.clear),
            "precision": 1 - self.false / max(1, self.finds),
            "right": self.right / named,
            "wrong": self.wrong / named,
            "unknown": self.unknown / named,
            "corner median": float(np.median(corners)),
            "corner p95": float(np.percentile(corners, 95)),
            "whole table": self.whole / max(1, self.pictures),
        }


def add_picture(score: Score, name: str, truths: list[Truth], sightings: Sightings) -> None:
    """Matches what was seen with the truth, best IoU first, and adds it up.

    A find on a card that is hidden too far to be asked for counts neither way.
    """
    of_truth, taken = _matched(truths, sightings)
    bad = 0
    for i, truth in enumerate(truths):
        if truth.visible < FOUND:
            continue
        score.cards += 1
        found = of_truth.get(i)
        score.found += found is not None
        bad += found is None
        if truth.visible < SEEN:
            continue
        score.clear += 1
        if found is None:
            continue
        score.clear_found += 1
        face = sightings.faces[found]
        score.right += face == truth.face
        score.unknown += face == "unknown"
        score.wrong += face not in (truth.face, "unknown")
        bad += face != truth.face
        off = np.linalg.norm(_nearest_turn(sightings.quads[found], truth.quad) - truth.quad, axis=1)
        score.corners.extend((off / np.linalg.norm(truth.quad[3] - truth.quad[0])).tolist())
    false = len(sightings) - len(taken)
    score.finds += len(sightings)
    score.false += false
    score.pictures += 1
    score.whole += bad + false == 0
    score.worst.append((bad + false, name))


def _matched(truths: list[Truth], sightings: Sightings) -> tuple[dict[int, int], set[int]]:
    """Which find each truth has, best IoU first, and all finds that are taken."""
    pairs = [
        (iou(t.quad, q), i, j) for i, t in enumerate(truths) for j, q in enumerate(sightings.quads)
    ]
    pairs = sorted((p for p in pairs if p[0] >= 0.5), reverse=True)
    of_truth: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in pairs:
        if i not in of_truth and j not in taken:
            of_truth[i] = j
            taken.add(j)
    return of_truth, taken


def _nearest_turn(quad: np.ndarray, truth: np.ndarray) -> np.ndarray:
    return min(
        (np.roll(quad, k, 0) for k in range(4)), key=lambda q: float(np.abs(q - truth).sum())
    )
