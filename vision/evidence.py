"""What speaks for a card's name, and how sure that makes us: calibrated on decks held out."""

import json
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from models.weights import CONFIDENCE
from rules.errors import FairdealError

MOST = 0.5  # margins beyond this say no more


@dataclass(frozen=True, slots=True)
class Evidence:
    """`likeness` of the vectors, -1..1, and its `margin` over the next face; `fit` of the picture
    laid on the taught one, -1..1; `duel` won by, 0..1, where near twins differ (MOST without a
    rival), and how badly the winner fits there, `misfit` (0 without a rival); how surely the
    `corners` are right, 0..1."""

    likeness: float
    margin: float
    fit: float
    duel: float
    misfit: float
    corners: float

    def features(self) -> np.ndarray:
        """The numbers that are weighed, (7,), a constant first."""
        likeness, margin, fit, duel, misfit, corners = astuple(self)
        return np.array([1.0, likeness, np.clip(margin, -MOST, MOST), fit, min(duel, MOST),
                         max(misfit - 1.0, 0.0), corners])  # fmt: skip


def fitted(features: np.ndarray, is_right: np.ndarray, ridge: float = 0.0003) -> np.ndarray:
    """Weights (7,) of the logistic regression of `is_right` (N,) on features (N, 7)."""
    weights = np.zeros(features.shape[1])
    for _ in range(60):  # Newton's method
        chance = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (is_right - chance) / len(features) - ridge * weights
        bend = (features.T * (chance * (1 - chance))) @ features / len(features)
        weights = weights + np.linalg.solve(bend + ridge * np.eye(len(weights)), slope)
    return weights


class Confidence:
    """The weights of the evidence. FairdealError where the file is missing or damaged."""

    def __init__(self, path: Path = CONFIDENCE) -> None:
        try:
            weights = np.array(json.loads(path.read_text(encoding="utf-8"))["weights"], float)
            if weights.shape != (7,) or not np.isfinite(weights).all():
                raise ValueError(f"{weights.shape} numbers")
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FairdealError("the weights of confidence", f"{path}: {error}",
                                "fetch the project's weights again, or run `fairdeal train "
                                "confidence`") from error  # fmt: skip
        self._weights = weights

    def of(self, evidence: Evidence) -> float:
        """How likely a name with this evidence is right, 0..1."""
        return float(1 / (1 + np.exp(-np.clip(evidence.features() @ self._weights, -30, 30))))
