"""What speaks for a card, and for its name, and how sure that makes us: calibrated on decks held
out."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.weights import CONFIDENCE
from rules.errors import FairdealError

MOST = 0.5  # a margin beyond this says no more
WON = 0.3  # a duel won by more is decided,
UNDECIDED = 0.1  # one by less is not
CLEAR = 0.5  # a duel won by more counts as much as colours that are just those of the face
MANY = 20  # points that leave no doubt
ODD = 0.7  # logarithm of a size or an aspect beyond which it says no more
KIND, TWIN, PRESENCE = 8, 11, 13  # how many numbers are weighed


def lead(won: float, tone: float) -> float:
    """A duel `won` by so much, -1..1, and how far the colours are its winner's, `tone`, -1..1, in
    one: above 0 for the likelier face, -2..2."""
    return float(np.clip(won / CLEAR, -1.0, 1.0)) + tone


@dataclass(frozen=True, slots=True)
class Evidence:
    """`likeness` of the vectors, -1..1, and its `margin` over the next face; `fit` of the picture
    laid on the taught one, and of its better `half`, -1..1; `duel` won by, -1..1, where near twins
    differ (1 without a rival), how badly the winner fits there, `misfit` (0 without a rival), and
    how far the colours are its own and not its rival's, `tone`, -1..1; how surely the `corners`
    are right, 0..1; how many `points` of its picture agree on the place, where they were asked.
    What is known to be covered counts for none of it."""

    likeness: float
    margin: float
    fit: float
    half: float
    duel: float
    misfit: float
    tone: float
    corners: float
    points: int = 0

    def of_kind(self) -> np.ndarray:
        """What says that the card is the face, or a near twin of it: (8,), a constant first."""
        return np.array([
            1.0, self.likeness, np.clip(self.margin, -MOST, MOST), self.fit, self.half,
            float(self.is_contested), self.corners, min(self.points / MANY, 1.0),
        ])  # fmt: skip

    def of_twin(self) -> np.ndarray:
        """What says that it is none of its near twins: (11,), a constant first. How well the card
        is seen says so only where the duel is decided: both look like it."""
        won = float(np.clip(self.duel / WON, -1.0, 1.0))
        decided = min(abs(lead(self.duel, self.tone)) / CLEAR, 1.0)
        return np.array([
            1.0, won, max(1.0 - abs(self.duel) / UNDECIDED, 0.0), max(self.misfit - 1.0, 0.0),
            np.clip(self.margin, -MOST, MOST), self.tone, won * self.tone, decided,
            self.half * decided, self.likeness * decided, self.corners * decided,
        ])  # fmt: skip

    @property
    def is_contested(self) -> bool:
        """Whether other faces were near enough to be compared."""
        return self.duel < 1.0


@dataclass(frozen=True, slots=True)
class Presence:
    """The locator's `score` of a box, 0..1; how surely `is_card` and `corners` say that a card
    lies there with those corners, 0..1; the `chance` of its likeliest name, 0..1; the `agreement`
    of the box with the corners, 0..1 (their intersection over union); the part of the box that is
    `covered` by cards with a name, 0..1: what lies free could have one too; how many `points` of a
    taught picture agree on a card there; how far its size is from that of the cards with a name
    (a logarithm, not negative; `is_alone` where there is none), and its aspect from the deck's."""

    score: float
    is_card: float
    corners: float
    chance: float
    agreement: float
    covered: float
    points: int
    size_off: float
    aspect_off: float
    is_alone: bool

    def features(self) -> np.ndarray:
        """The numbers that are weighed, (13,), a constant first. What looks like a card, lies free
        and is none of the deck's all the same, is hardly one: the square of a cloth."""
        nameless = (1.0 - self.covered) * (1.0 - self.chance)
        return np.array([
            1.0, self.score, self.is_card, self.corners, self.chance, self.agreement, self.covered,
            min(self.points / MANY, 1.0), min(self.size_off, ODD), min(self.aspect_off, ODD),
            float(self.is_alone), nameless * self.corners, nameless * self.is_card,
        ])  # fmt: skip


def fitted(features: np.ndarray, is_right: np.ndarray, ridge: float = 0.0003) -> np.ndarray:
    """Weights (F,) of the logistic regression of `is_right` (N,) on features (N, F)."""
    weights = np.zeros(features.shape[1])
    for _ in range(60):  # Newton's method
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (is_right - chance) / len(features) - ridge * weights
        bend = (features.T * (chance * (1 - chance))) @ features / len(features)
        weights = weights + np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
    return weights


class Confidence:
    """The weights of the evidence for a face's kind (8,), against its near twins (11,), and for a
    card (13,)."""

    def __init__(self, kind: np.ndarray, twin: np.ndarray, presence: np.ndarray) -> None:
        self._kind, self._twin, self._presence = kind, twin, presence

    @classmethod
    def load(cls, path: Path = CONFIDENCE) -> "Confidence":
        """The fitted weights. FairdealError where the file is missing or damaged."""
        try:
            read = json.loads(path.read_text(encoding="utf-8"))
            counts = {"kind": KIND, "twin": TWIN, "presence": PRESENCE}
            return cls(*(_weights(read[key], count) for key, count in counts.items()))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FairdealError("the weights of confidence", f"{path}: {error}",
                                "fetch the project's weights again, or run `fairdeal train "
                                "confidence`") from error  # fmt: skip

    @classmethod
    def even(cls) -> "Confidence":
        """Before any weights are fitted: all as likely as not."""
        return cls(np.zeros(KIND), np.zeros(TWIN), np.zeros(PRESENCE))

    def of(self, evidence: Evidence) -> float:
        """How likely a name with this evidence is right, 0..1."""
        return self.kind(evidence) * self.over_twins(evidence)

    def kind(self, evidence: Evidence) -> float:
        """How likely the card is the face or a near twin of it, 0..1."""
        return logistic(float(evidence.of_kind() @ self._kind))

    def over_twins(self, evidence: Evidence) -> float:
        """How likely the face is the right one of those that were compared, 0..1."""
        if not evidence.is_contested:
            return 1.0
        return logistic(float(evidence.of_twin() @ self._twin))

    def is_card(self, presence: Presence) -> float:
        """How likely a card lies where this was found, 0..1."""
        return logistic(float(presence.features() @ self._presence))


def logistic(x: float) -> float:
    """1 / (1 + e^-x), for any x."""
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def _weights(read: object, count: int) -> np.ndarray:
    weights = np.array(read, float)
    if weights.shape != (count,) or not np.isfinite(weights).all():
        raise ValueError(f"{weights.shape} numbers instead of {count}")
    return weights
