"""What is recognised of one card."""

from dataclasses import dataclass

import numpy as np

from vision.matching.occlusion import Occluder
from vision.recognition.confidence import Evidence


@dataclass(frozen=True, slots=True, eq=False)
class Recognised:
    """One card: likeliest face, its evidence, upright quad (4, 2) px, the probability that a card
    lies there at all, all faces that were compared, and where it is `shown` (visible)."""

    face: str
    evidence: Evidence
    quad: np.ndarray
    is_card: float
    compared: tuple[str, ...]
    shown: Occluder
