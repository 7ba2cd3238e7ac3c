"""Calibrates the confidence of names, and of cards, on drawn decks that no training saw."""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from calibration import teach
from kiosk import evaluate_sets as sets
from kiosk.evaluate import FOUND, Truth
from models.gallery import Gallery
from vision.evidence import Confidence, Evidence, Presence, fitted, logistic
from vision.eyes import Eyes
from vision.geometry import iou
from vision.locate import Locator
from vision.name import Embedder, Examined, Namer

DECKS, PICTURES = 24, 7
STRANGERS = 2  # faces of another deck among the cards: they must not get a name
OFF = 0.03  # of the card's length: corners as a locator gives them
NEAR = 0.7  # intersection over union: the same card
LEAST = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)  # confidences of the report

Rows = list[tuple[np.ndarray, bool]]  # features, and whether it is right
Kept = dict[float, tuple[float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Weights that were fitted on so many rows and tested on others. On the latter, at each least
    confidence: the share that is right, and the share of all right ones that is kept."""

    weights: np.ndarray
    fitted_on: int
    tested_on: int
    kept: Kept


@dataclass(slots=True)
class Gathered:
    """Names given to drawn cards; and boxes as located, with what was seen there, its box's
    agreement with that, and whether a card truly lies there."""

    names: list[tuple[Evidence, bool]] = field(default_factory=list)
    boxes: list[tuple[float, Examined, float, bool]] = field(default_factory=list)


def fit(seed: int, decks: int = DECKS, pictures: int = PICTURES) -> tuple[Fit, Fit]:
    """Of names (9 weights) and of cards (6): half of the decks fit, half test."""
    locator, embedder = Locator(), Embedder()
    halves = [Gathered(), Gathered()]
    for half, gathered in enumerate(halves):
        rng = np.random.default_rng([seed, half])
        for _ in range(decks // 2):
            _add_deck(gathered, rng, pictures, locator, embedder)
    names = _fit([[(e.features(), r) for e, r in gathered.names] for gathered in halves])
    return names, _fit([_presences(gathered, names.weights) for gathered in halves])


def _fit(halves: list[Rows]) -> Fit:
    (features, right), (others, truth) = (
        (np.stack([f for f, _ in rows]), np.array([r for _, r in rows], float)) for rows in halves
    )
    weights = fitted(features, right)
    chance = np.array([logistic(x) for x in others @ weights])
    kept = {}
    for least in LEAST:
        taken = chance >= least
        kept[least] = (float(truth[taken].mean()), float(taken[truth > 0].mean()))
    return Fit(weights, len(right), len(truth), kept)


def _presences(gathered: Gathered, names: np.ndarray) -> Rows:
    return [
        (
            Presence(
                score, one.is_card, one.evidence.corners,
                logistic(float(one.evidence.features() @ names)), agreement,
            ).features(),
            is_there,
        )
        for score, one, agreement, is_there in gathered.boxes
    ]  # fmt: skip


def _add_deck(
    gathered: Gathered, rng: np.random.Generator, pictures: int,
    locator: Locator, embedder: Embedder,
) -> None:  # fmt: skip
    deck = sets.draw_deck(rng)
    flat = [teach.flat(f, art) for f, art in deck.faces.items()]
    gallery: Gallery = teach.teach(flat, embedder)
    namer = Namer(gallery, deck.outline, deck.aspect, embedder, Confidence.even())
    eyes = Eyes(locator, namer)
    others = sets.draw_deck(rng, STRANGERS)
    strange = {f"strange-{i}": art for i, art in enumerate(others.faces.values())}
    deck = replace(deck, faces=deck.faces | strange)
    for _, bgr, truths in sets.drawn(rng, deck, pictures, "fit", {}):
        gathered.names.extend(_names(rng, bgr, truths, namer))
        gathered.boxes.extend(_boxes(bgr, truths, eyes, namer))


def _names(rng: np.random.Generator, bgr: np.ndarray, truths: list[Truth], namer: Namer):
    """What spoke for the names of the cards of one picture, and whether they are right."""
    seen = [t for t in truths if t.visible >= FOUND]
    if not seen:
        return
    quads = np.stack([t.quad for t in seen])
    length = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)[:, None, None]
    quads = quads + rng.normal(0, OFF / np.sqrt(2), quads.shape) * length
    for truth, one in zip(seen, namer.examine_once(bgr, quads), strict=True):
        yield one.evidence, one.face == truth.face
    # Where no card lies as supposed; but the corners may find one nearby.
    for one in namer.examine_once(bgr, _astray(rng, quads, bgr.shape)):
        lies = [t.face for t in truths if iou(t.quad, one.quad) >= NEAR]
        yield one.evidence, one.face in lies


def _boxes(bgr: np.ndarray, truths: list[Truth], eyes: Eyes, namer: Namer):
    """What was located in one picture, but on cards that are hidden too far to be asked for."""
    located = eyes.locate_all(bgr)
    examined = namer.examine_once(bgr, located.quads)
    for quad, score, one in zip(located.quads, located.scores, examined, strict=True):
        best = max(truths, key=lambda t: iou(t.quad, quad), default=None)
        shared = iou(best.quad, quad) if best else 0.0
        if best is None or shared < 0.5 or best.visible >= FOUND:
            yield float(score), one, iou(quad, one.quad), shared >= 0.5


def _astray(rng: np.random.Generator, quads: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Where no card lies as supposed: halves of cards, and anywhere on the table (K, 4, 2)."""
    halves = quads.copy()
    halves[:, 2:] = (quads[:, [1, 0]] + quads[:, 2:]) / 2
    away = quads + rng.uniform(0.3, 0.7, (len(quads), 1, 2)) * [shape[1], shape[0]]
    inside = (away.mean(1) < [shape[1], shape[0]]).all(1)
    return np.concatenate([halves[::2], away[inside]]).astype(np.float32)


def write(names: Fit, presence: Fit, path: Path, seed: int) -> None:
    """The weights with how they came about."""
    report = {
        "weights": [round(float(w), 4) for w in names.weights],
        "presence": [round(float(w), 4) for w in presence.weights],
        "seed": seed,
        "fitted on": [names.fitted_on, presence.fitted_on],
        "tested on": [names.tested_on, presence.tested_on],
        "least confidence: share right, share of the right kept": _shares(names.kept),
        "the same of cards": _shares(presence.kept),
    }
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _shares(kept: Kept) -> dict[str, list[float]]:
    return {str(least): [round(a, 4), round(b, 4)] for least, (a, b) in kept.items()}
