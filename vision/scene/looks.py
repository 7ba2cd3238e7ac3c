"""Looks at candidates: which come first, and what they bring."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.frame import Image
from vision.scene.candidates import Candidate
from vision.scene.tracks import Name


def priority(card: Candidate) -> tuple[float, ...]:
    """Cards with a face are confirmed first; then those that came with a change, the least
    looked at, the longest at rest."""
    return (not card.evidence, not card.fresh, card.looks, -card.frames, -card.score)


def looked_at(
    cards: list[Candidate], bgr: Image, name: Name, quick: bool = False
) -> list[Candidate]:
    """The candidates with one look more at each: what `name` says of them in this frame."""
    quads: npt.NDArray[np.float32] = np.stack([card.quad for card in cards]).astype(np.float32)
    named = name(bgr, quads, quick)
    visible = named.visible or (None,) * len(cards)
    answers = zip(cards, named.faces, named.confidences, named.quads, visible, strict=True)
    return [
        card.named(face, float(sure), np.asarray(quad, np.float32), bgr, shown)
        for card, face, sure, quad, shown in answers
    ]
