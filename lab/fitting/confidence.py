"""Fits the confidence of names and of cards on drawn decks that no training saw."""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np

from calibration.deck import teach
from lab.evaluation import sets as sets
from lab.evaluation.drawn_kinds import KINDS, as_photographed, draw_kind_deck, drawn_kind
from lab.evaluation.scoring import FOUND, Truth
from lab.fitting.weights_file import Fit
from models.drawing.faces import differ, in_other_inks
from vision.geometry import iou
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.confidence import (
    COLOURS,
    PRESENCE,
    TWIN,
    Confidence,
    Evidence,
    Presence,
    fitted,
    logistic,
)
from vision.recognition.eyes import Eyes
from vision.recognition.namer import Namer
from vision.recognition.occluded_search import distinct
from vision.recognition.recognised import Recognised
from vision.sightings import BACK

PICTURES = 4  # of a deck
STRANGERS = 2  # faces of another deck among the cards of each STRANGE-th deck: they must not get
STRANGE = 3  # a name
RECOLOURED = 0.25  # of a deck's faces come in a second colour
OFF = 0.03  # of the card's length: corners as a locator gives them
NEAR = 0.7  # intersection over union: the card that was looked at,
SAME = 0.9  # and the same look
LEAST = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)  # confidences of the report

Rows = list[tuple[np.ndarray, bool]]  # features, and whether it is right


@dataclass(slots=True)
class Gathered:
    """Evidence of drawn cards.

    Names given: whether the right one was compared and chosen; the same for cards whose places are
    `known`. Located regions without a name: whether a card lies there.
    """

    names: list[tuple[Evidence, bool, bool]] = field(default_factory=list)
    known: list[tuple[Evidence, bool, bool]] = field(default_factory=list)
    cards: list[tuple[Presence, bool]] = field(default_factory=list)


def fit(seed: int, decks: int, pictures: int = PICTURES) -> tuple[Fit, Fit, Fit]:
    """Fits kind, near twins and cards: half of the decks fit, half test. The weight of colours
    stays as it is shipped.

    Two passes: first on cards whose places are known, then, with that confidence, on what the
    locator finds. Every core takes a deck at a time.
    """
    with ProcessPoolExecutor() as pool:
        gather = partial(_gathered, seed, pictures=pictures)
        early = _halves(list(pool.map(gather, range(decks))))
        kind, twin = _of_names(early)
        names = Confidence(kind.weights, twin.weights, np.zeros(PRESENCE))
        late = _halves(list(pool.map(partial(gather, names=names), range(decks))))
    return fits(early, late)


def fit_colours(seed: int, decks: int, pictures: int = PICTURES) -> Fit:
    """Fits the weight of colours between near twins alone, on decks of which some faces come in a
    second colour too; all other weights stay as they are shipped."""
    with ProcessPoolExecutor() as pool:
        gather = partial(_gathered, seed, pictures=pictures, recoloured=RECOLOURED)
        early = _halves(list(pool.map(gather, range(decks))))
        shipped = partial(gather, names=Confidence.load())
        late = _halves(list(pool.map(shipped, range(decks))))
    _join(early, late)
    return _of_twins(late, np.arange(TWIN) == COLOURS)


def fit_presence(seed: int, decks: int, pictures: int = PICTURES) -> Fit:
    """Fits P(card) alone, with the shipped confidence of names: after the locator has changed."""
    with ProcessPoolExecutor() as pool:
        gather = partial(_gathered, seed, pictures=pictures, names=Confidence.load())
        return _of_cards(_halves(list(pool.map(gather, range(decks)))))


def _halves(decks: list[Gathered]) -> list[Gathered]:
    """The evidence of the first half of the decks, and of the second."""
    middle = len(decks) // 2
    return [_together(decks[:middle]), _together(decks[middle:])]


def _together(decks: list[Gathered]) -> Gathered:
    return Gathered(
        [row for one in decks for row in one.names],
        [row for one in decks for row in one.known],
        [row for one in decks for row in one.cards],
    )


def fits(early: list[Gathered], late: list[Gathered]) -> tuple[Fit, Fit, Fit]:
    """The fits from what both halves of the decks gave in the first pass and in the second."""
    _join(early, late)
    return *_of_names(late), _of_cards(late)


def _join(early: list[Gathered], late: list[Gathered]) -> None:
    """Adds the names of the first pass to those of the second: near twins are few."""
    for first, then in zip(early, late, strict=True):
        then.known = first.names


def _of_cards(halves: list[Gathered]) -> Fit:
    return _fit([[(one.features(), is_there) for one, is_there in half.cards] for half in halves])


def _of_names(halves: list[Gathered]) -> tuple[Fit, Fit]:
    kind = _fit([[(e.kind_features(), among) for e, among, _ in half.names] for half in halves])
    return kind, _of_twins(halves, np.arange(TWIN) != COLOURS)


def _of_twins(halves: list[Gathered], is_free: np.ndarray) -> Fit:
    """Fits those weights against near twins that are free (4,) bool; the others are the shipped."""
    rows = [
        [
            (e.twin_features(), right)
            for e, among, right in half.names + half.known
            if among and e.is_contested
        ]
        for half in halves
    ]
    return _fit(rows, np.where(is_free, 0.0, Confidence.load().twin_weights), is_free)


def _fit(
    halves: list[Rows], known: np.ndarray | float = 0.0, is_free: np.ndarray | None = None
) -> Fit:
    """Fits the weights that are free, all if it is not said; the others are `known`."""
    (features, right), (others, truth) = (
        (np.stack([f for f, _ in rows]), np.array([r for _, r in rows], float)) for rows in halves
    )
    weights = np.zeros(features.shape[1]) + known
    is_free = np.ones(len(weights), bool) if is_free is None else is_free
    weights[is_free] = fitted(features[:, is_free], right, known=features @ weights)
    chance = np.array([logistic(x) for x in others @ weights])
    kept = {}
    for least in LEAST:
        taken = chance >= least
        kept[least] = (float(truth[taken].mean()), float(taken[truth > 0].mean()))
    return Fit(weights, len(right), len(truth), kept)


def _gathered(
    seed: int,
    number: int,
    pictures: int,
    names: Confidence | None = None,
    recoloured: float = 0.0,
) -> Gathered:
    """The evidence from the deck of this `number`, in the second pass with the fit of the first
    one (`names`); this share of its faces comes `recoloured` too."""
    cv2.setNumThreads(1)
    locator, embedder = Locator(), Embedder()
    gathered = Gathered()
    rng = np.random.default_rng([seed, number, names is not None])
    # Near twins by turns with the kinds of art that are hard to find.
    is_kind = number % 2 == 1
    deck = draw_kind_deck(rng, *KINDS[rng.integers(len(KINDS))]) if is_kind else sets.draw_deck(rng)
    deck = _with_recoloured(rng, deck, recoloured)
    taught = {face: as_photographed(rng, art) for face, art in deck.faces.items()}
    gallery = teach.build_gallery(
        [teach.picture_of_art(face, art) for face, art in taught.items()], embedder
    )
    namer = Namer(gallery, deck.outline, deck.aspect, embedder, names or Confidence.even())
    eyes = Eyes(locator, namer)
    if number % STRANGE == 0:
        others = sets.draw_deck(rng, STRANGERS)
        strange = {f"strange-{i}": art for i, art in enumerate(others.faces.values())}
        deck = replace(deck, faces=deck.faces | strange)
    draw = drawn_kind if is_kind else sets.drawn
    for _, bgr, truths in draw(rng, deck, pictures, "fit", {}):
        if names is None:
            gathered.names.extend(_names(rng, bgr, truths, namer))
        else:
            _add_boxes(gathered, bgr, truths, eyes, namer)
    return gathered


def _with_recoloured(
    rng: np.random.Generator, deck: sets.DrawnDeck, share: float
) -> sets.DrawnDeck:
    """The deck, a share of its faces in a second colour too."""
    faces = dict(deck.faces)
    for face, art in deck.faces.items() if share else ():
        other = in_other_inks(rng, art)
        if face != BACK and rng.random() < share and differ(other, art):
            faces[f"{face}-recoloured"] = other
    return replace(deck, faces=faces)


def _names(
    rng: np.random.Generator, bgr: np.ndarray, truths: list[Truth], namer: Namer
) -> Iterator[tuple[Evidence, bool, bool]]:
    """The evidence for the names of one picture's cards, and whether they are right."""
    seen = [t for t in truths if t.visible >= FOUND]
    if not seen:
        return
    quads = np.stack([t.quad for t in seen])
    length = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)[:, None, None]
    quads = quads + rng.normal(0, OFF / np.sqrt(2), quads.shape) * length
    for one in namer.recogniser.recognise(bgr, quads):
        yield _judged(one, truths)  # the corners may have found a card beside it
    # Where no card lies as supposed; but the corners may find one nearby.
    for one in namer.recogniser.recognise(bgr, _astray(rng, quads, bgr.shape)):
        yield _judged(one, truths)


def _judged(one: Recognised, truths: list[Truth]) -> tuple[Evidence, bool, bool]:
    """The evidence, whether the face that lies there was compared, and whether it was chosen."""
    lies = {t.face for t in truths if iou(t.quad, one.quad) >= NEAR}
    return one.evidence, not lies.isdisjoint(one.compared), one.face in lies


def _add_boxes(
    gathered: Gathered, bgr: np.ndarray, truths: list[Truth], eyes: Eyes, namer: Namer
) -> None:
    """The located regions of one picture, without cards that are occluded too far to be counted."""
    located = eyes.locate_all(bgr)
    cards = namer.recognise(bgr, located.quads)
    presences = namer.presences(cards, located.quads, located.scores)
    for quad, one, presence in zip(located.quads, cards, presences, strict=True):
        gathered.names.append(_judged(one, truths))
        if namer.is_named(one):
            continue
        place = namer.place(one, quad)
        best = max(truths, key=lambda t: iou(t.quad, place), default=None)
        is_there = best is not None and iou(best.quad, place) >= 0.5
        if best is None or not is_there or best.visible >= FOUND:
            gathered.cards.append((presence, is_there))
    known = distinct([one for one in cards if namer.is_named(one)])
    counted: list[Recognised] = []  # once, though it lies beside several
    for card in known:
        for one in namer.search.candidates_beside(
            bgr, namer.search.detect_beside(bgr, card, known), known
        ):
            if all(one.face != k.face or iou(one.quad, k.quad) < SAME for k in counted):
                gathered.names.append(_judged(one, truths))
                counted.append(one)


def _astray(rng: np.random.Generator, quads: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Quads without a card, (K, 4, 2): halves of cards, and anywhere on the table."""
    halves = quads.copy()
    halves[:, 2:] = (quads[:, [1, 0]] + quads[:, 2:]) / 2
    away = quads + rng.uniform(0.3, 0.7, (len(quads), 1, 2)) * [shape[1], shape[0]]
    inside = (away.mean(1) < [shape[1], shape[0]]).all(1)
    return np.concatenate([halves[::2], away[inside]]).astype(np.float32)
