"""Calibrates the confidence of names on drawn decks that no training saw."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration import teach
from kiosk import evaluate_sets as sets
from models.gallery import Gallery
from vision.evidence import fitted
from vision.name import Embedder, Namer

DECKS, PICTURES = 24, 7
STRANGERS = 2  # faces of another deck among the cards: they must not get a name
OFF = 0.03  # of the card's length: corners as a locator gives them
SEEN = 0.25  # cards hidden further are not asked for


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Weights (7,), how many names they were fitted on and tested on, and on the latter: the share
    of names that are right at each least confidence, and of right names that are kept."""

    weights: np.ndarray
    fitted_on: int
    tested_on: int
    kept: dict[float, tuple[float, float]]


def fit(seed: int, decks: int = DECKS, pictures: int = PICTURES) -> Fit:
    """Names drawn cards; half of the decks fit the weights, half test them."""
    embedder = Embedder()
    halves = []
    for half in range(2):
        rng = np.random.default_rng([seed, half])
        rows = [row for _ in range(decks // 2) for row in _deck(rng, pictures, embedder)]
        halves.append((np.stack([f for f, _ in rows]), np.array([r for _, r in rows], float)))
    (features, right), (others, truth) = halves
    weights = fitted(features, right)
    chance = 1 / (1 + np.exp(-others @ weights))
    kept = {}
    for least in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95):
        named = chance >= least
        kept[least] = (float(truth[named].mean()), float(named[truth > 0].mean()))
    return Fit(weights, len(right), len(truth), kept)


def _deck(rng: np.random.Generator, pictures: int, embedder: Embedder):
    """(features, is it right) of the cards of one deck."""
    deck = sets.draw_deck(rng)
    flat = [teach.flat(f, art) for f, art in deck.faces.items()]
    gallery: Gallery = teach.teach(flat, embedder)
    namer = Namer(gallery, deck.outline, deck.aspect, embedder)
    others = sets.draw_deck(rng, STRANGERS)
    strange = {f"strange-{i}": art for i, art in enumerate(others.faces.values())}
    deck = replace(deck, faces=deck.faces | strange)
    for _, bgr, truths in sets.drawn(rng, deck, pictures, "fit", {}):
        seen = [t for t in truths if t.visible >= SEEN]
        if not seen:
            continue
        quads = np.stack([t.quad for t in seen])
        length = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)[:, None, None]
        quads = quads + rng.normal(0, OFF / np.sqrt(2), quads.shape) * length
        for truth, one in zip(seen, namer.examine_once(bgr, quads), strict=True):
            yield one.evidence.features(), one.face == truth.face
        for one in namer.examine_once(bgr, _astray(rng, quads, bgr.shape)):
            yield one.evidence.features(), False


def _astray(rng: np.random.Generator, quads: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Where no card lies as supposed: halves of cards, and anywhere on the table (K, 4, 2)."""
    halves = quads.copy()
    halves[:, 2:] = (quads[:, [1, 0]] + quads[:, 2:]) / 2
    away = quads + rng.uniform(0.3, 0.7, (len(quads), 1, 2)) * [shape[1], shape[0]]
    inside = (away.mean(1) < [shape[1], shape[0]]).all(1)
    return np.concatenate([halves[::2], away[inside]]).astype(np.float32)


def write(found: Fit, path: Path, seed: int) -> None:
    """The weights with how they came about."""
    kept = {str(k): [round(a, 4), round(b, 4)] for k, (a, b) in found.kept.items()}
    report = {
        "weights": [round(float(w), 4) for w in found.weights],
        "seed": seed,
        "fitted on": found.fitted_on,
        "tested on": found.tested_on,
        "least confidence: share right, share of the right kept": kept,
    }
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
