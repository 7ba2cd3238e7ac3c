"""The evidence for a name and for a card, weighed into calibrated probabilities.

The weights are fitted by logistic regression on drawn decks that no training saw
(lab/fitting/confidence.py).
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from models.weights import CONFIDENCE
from rules.errors import FairdealError
from rules.files import read_json

KIND, TWIN, PRESENCE = 8, 4, 13  # numbers of features
LEAD = 3  # of the twin's: those of a pair alone,
PATCHES, COLOURS = 1, 2  # of which these compare patches, and colours


@dataclass(frozen=True, slots=True)
class FeatureLimits:
    """Where features saturate: beyond these values they carry no more weight."""

    similarity_margin: float = 0.5  # cosine
    rival: float = 0.25  # cosine margin beyond which another face's embedding is far
    whole: float = 0.85  # correlation below which a card is compared with more faces
    margin: float = 0.5  # pair margin by templates
    fine: float = 0.5  # pair margin by patches
    inliers: int = 20  # matches that leave no doubt
    alike: float = 0.7  # cosine that shows a face by itself,
    alike_half: float = 0.6  # so the correlation of the better half,
    alike_inliers: int = 10  # and so many matches that agree
    size_off: float = 0.7  # log ratio of sizes or aspects


LIMITS = FeatureLimits()


def pair_features(margin: float, fine: float, colours: float) -> np.ndarray:
    """The margins of a pair by templates, by patches (`fine`), and by colours as far as patches
    leave it open, -1..1 each, the first two saturated: (3,). They change their signs if the faces
    change places."""
    pair = np.clip(np.array([margin / LIMITS.margin, fine / LIMITS.fine, colours]), -1.0, 1.0)
    pair[COLOURS] *= 1.0 - abs(pair[PATCHES])
    return pair


def lead(margin: float, fine: float, colours: float) -> float:
    """The log odds of the first of two faces by their pair alone, with the shipped weights: above 0
    if it is the likelier one."""
    return float(pair_features(margin, fine, colours) @ _lead_weights())


@cache
def _lead_weights() -> np.ndarray:
    return Confidence.load().twin_weights[:LEAD]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a card's face. Only unoccluded pixels count.

    similarity: cosine of the embeddings, -1..1; similarity_margin: over the next face.
    correlation: of the registered crop with the template, -1..1; better_half: of its better half.
    pair_margin: over the nearest look-alike where the two differ, -1..1 (1 without a rival).
    residual: how badly the face matches there (0 without a rival).
    fine_margin: over that look-alike by patches at the card's own resolution, -1..1 (0 if none can
    be seen); fine_residual: how badly the face matches there; colours: margin over it by colours,
    -1..1.
    corners: probability of right corners, 0..1; inliers: matches that agree on the pose, if
    keypoints were used; disagreement: of the worst visible place with the template, 0 to about 3;
    off_hidden: the same without what lies beside hidden places.
    """

    similarity: float
    similarity_margin: float
    correlation: float
    better_half: float
    pair_margin: float
    residual: float
    fine_margin: float
    fine_residual: float
    colours: float
    corners: float
    inliers: int = 0
    disagreement: float = 0.0
    off_hidden: float = 0.0

    def kind_features(self) -> np.ndarray:
        """Features that the card is the face or a look-alike of it: (8,), a constant first."""
        most = LIMITS.similarity_margin
        # Look-alikes by template alone say nothing against the kind.
        is_near = self.similarity_margin < LIMITS.rival or self.correlation < LIMITS.whole
        return np.array([
            1.0, self.similarity, np.clip(self.similarity_margin, -most, most), self.correlation,
            self.better_half, float(self.is_contested and is_near), self.corners,
            min(self.inliers / LIMITS.inliers, 1.0),
        ])  # fmt: skip

    def twin_features(self) -> np.ndarray:
        """Features (4,) that it is none of its look-alikes: those of the pair, then the embedding.

        There is no constant: two faces that match equally well are equally likely. The embedding
        counts as far as patches leave the pair open; between near twins it is chance.
        """
        pair = pair_features(self.pair_margin, self.fine_margin, self.colours)
        alike = np.clip(self.similarity_margin / LIMITS.rival, -1.0, 1.0)
        return np.append(pair, alike * (1.0 - abs(pair[PATCHES])))

    @property
    def is_alike(self) -> bool:
        """Whether embedding, picture or keypoints show the face by themselves. A plain thing may
        have a back's faint likeness in each of them."""
        return (
            self.similarity >= LIMITS.alike
            or self.better_half >= LIMITS.alike_half
            or self.inliers >= LIMITS.alike_inliers
        )

    @property
    def is_contested(self) -> bool:
        """Whether other faces were similar enough to be compared."""
        return self.pair_margin < 1.0


@dataclass(frozen=True, slots=True)
class Presence:
    """What speaks for a card at a located box, whatever its face; probabilities are 0..1.

    score: the locator's; is_card, corners: the corner network's; chance: of the likeliest kind.
    agreement: IoU of the box and the refined corners; covered: share of the box where the faces
    of named cards are seen (an unoccluded card could be named too); inliers: matches that agree on
    a card there.
    size_off: absolute log ratio of its length and that of the named cards (0 if `is_alone`: none
    is named); aspect_off: absolute log ratio of its aspect and the deck's.
    """

    score: float
    is_card: float
    corners: float
    chance: float
    agreement: float
    covered: float
    inliers: int
    size_off: float
    aspect_off: float
    is_alone: bool

    def features(self) -> np.ndarray:
        """The features (13,), a constant first.

        An unoccluded card-like region that matches no taught face is usually background, e.g. a
        checked tablecloth.
        """
        nameless = (1.0 - self.covered) * (1.0 - self.chance)
        return np.array([
            1.0, self.score, self.is_card, self.corners, self.chance, self.agreement, self.covered,
            min(self.inliers / LIMITS.inliers, 1.0), min(self.size_off, LIMITS.size_off),
            min(self.aspect_off, LIMITS.size_off), float(self.is_alone), nameless * self.corners,
            nameless * self.is_card,
        ])  # fmt: skip


def fitted(
    features: np.ndarray,
    is_right: np.ndarray,
    ridge: float = 0.0003,
    known: np.ndarray | None = None,
) -> np.ndarray:
    """Weights (F,) of the logistic regression of `is_right` (N,) on features (N, F), by Newton's
    method with a small ridge penalty. `known` (N,): log odds that are not fitted."""
    weights = np.zeros(features.shape[1])
    known = np.zeros(len(features)) if known is None else known
    for _ in range(60):
        chance = 1 / (1 + np.exp(-np.clip(features @ weights + known, -30, 30)))
        slope = features.T @ (is_right - chance) / len(features) - ridge * weights
        bend = (features.T * (chance * (1 - chance))) @ features / len(features)
        weights = weights + np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
    return weights


class Confidence:
    """The fitted weights for a face's kind (8,), against its look-alikes (4,), and for a card
    (13,)."""

    def __init__(self, kind: np.ndarray, twin: np.ndarray, presence: np.ndarray) -> None:
        self._kind, self._twin, self._presence = kind, twin, presence

    @classmethod
    def load(cls, path: Path = CONFIDENCE) -> "Confidence":
        """The fitted weights. FairdealError if the file is missing or damaged."""
        try:
            read = read_json(path, "the weights of confidence")
            counts = {"kind": KIND, "twin": TWIN, "presence": PRESENCE}
            return cls(*(_weights(read[key], count) for key, count in counts.items()))
        except (FairdealError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise FairdealError("the weights of confidence", f"{path}: {error}",
                                "fetch the project's weights again, or run `fairdeal train "
                                "confidence`") from error  # fmt: skip

    @classmethod
    def even(cls) -> "Confidence":
        """Before weights are fitted: every probability is one half."""
        return cls(np.zeros(KIND), np.zeros(TWIN), np.zeros(PRESENCE))

    @property
    def twin_weights(self) -> np.ndarray:
        """The weights against look-alikes (4,): templates, patches, colours, embedding."""
        return self._twin.copy()

    def of(self, evidence: Evidence) -> float:
        """The probability that a name with this evidence is right, 0..1."""
        return self.kind(evidence) * self.over_twins(evidence)

    def kind(self, evidence: Evidence) -> float:
        """The probability that the card is the face or a look-alike of it, 0..1."""
        return logistic(float(evidence.kind_features() @ self._kind))

    def over_twins(self, evidence: Evidence) -> float:
        """The probability that the face is the right one of those compared, 0..1."""
        if not evidence.is_contested:
            return 1.0
        return logistic(float(evidence.twin_features() @ self._twin))

    def is_card(self, presence: Presence) -> float:
        """The probability that a card lies at this box, 0..1."""
        return logistic(float(presence.features() @ self._presence))


def logistic(x: float) -> float:
    """1 / (1 + e^-x), for any x."""
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def _weights(read: object, count: int) -> np.ndarray:
    weights = np.array(read, float)
    if weights.shape != (count,) or not np.isfinite(weights).all():
        raise ValueError(f"{weights.shape} numbers instead of {count}")
    return weights
