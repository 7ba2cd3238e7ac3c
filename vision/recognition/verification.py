"""Compares a card with the taught faces it may be, on a crop registered on the likeliest."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np

from vision.matching import template_match
from vision.matching.colour_match import tone
from vision.matching.masked_crop import BOX, Cutout, Part
from vision.matching.occlusion import CoveringCard
from vision.matching.template_match import HEIGHT, PAD, WIDTH
from vision.matching.templates import BLURS, Looks
from vision.recognition.confidence import lead

FITS = 0.96  # a crop that fits so well needs no registration
LIKE = 0.8  # a registration that leaves even the better half less alike is of another card
SIZES = (0.8, 1.25)  # a registration that changes the card's area by more has gone astray,
FAR = 0.09  # or one that moves a corner further, as a part of the diagonal
SHARP = 0.985  # nor is it blurred, if so well
GAIN = 0.004  # of the fit, by which a blur is one


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A taught `face`, the number of a `look` at it, and where its corners would lie: quad (4, 2)
    px. A face may have several looks: these are no rivals."""

    face: str
    look: int
    quad: np.ndarray


class Duel(NamedTuple):
    """How one face does against its rivals, where they differ: by how much it `won`, -1..1, how
    badly it fits there, `misfit`, and how far the colours are its own, `tone`, -1..1."""

    won: float
    misfit: float
    tone: float

    @property
    def sum(self) -> float:
        """Above 0 for the likelier face."""
        return lead(self.won, self.tone)


UNCONTESTED = Duel(1.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """The `looks` of all candidates laid on a card that is cut out at a quad, the `parts` of it
    that fit each, and which fits best."""

    card: Cutout
    quad: np.ndarray
    looks: list[np.ndarray]
    parts: list[Part]
    best: int

    @property
    def fit(self) -> float:
        """How well the best one fits, -1..1."""
        return self.parts[self.best].fit


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The candidate that won, its registered quad (4, 2) px, how far its corners `moved` for that
    (a part of the card's diagonal), how well it fits, whole and by its better `half`, -1..1, its
    narrowest `duel`, and what of it is `shown`: in the rest something lies on it."""

    chosen: int
    quad: np.ndarray
    moved: float
    fit: float
    half: float
    duel: Duel
    shown: CoveringCard


def compare(
    bgr: np.ndarray,
    candidates: list[Candidate],
    taught: Looks,
    covering: Sequence[CoveringCard] = (),
) -> Compared:
    """Lays the candidates, the likeliest first, over the card and lets them compete where they
    differ, all as blurred as the card is; all in one crop, as two ways of one card differ at their
    places on the table. What lies under the `covering` cards counts for nothing."""
    place, blur = candidates[0].quad, 0.0
    looks = [_as_seen(taught.at(one.look), one, place) for one in candidates]
    laid = _laid(Cutout.cut(bgr, place, covering), place, looks)
    if laid.fit < FITS:
        laid = _closer(bgr, laid, covering) or laid
    if laid.fit < SHARP:
        blur = _blur(laid, candidates, place, taught)
    if blur:
        looks = [_as_seen(taught.at(one.look, blur), one, place) for one in candidates]
        laid = _laid(laid.card, laid.quad, looks)
        if laid.fit < FITS:  # once more: sharp looks were less like it
            laid = _closer(bgr, laid, covering) or laid
    pictures = [_as_seen(taught.picture(one.look, blur), one, place) for one in candidates]
    chosen, duel = _winner([one.face for one in candidates], laid, pictures)
    old = candidates[chosen].quad.astype(np.float32)
    to = cv2.getPerspectiveTransform(place.astype(np.float32), laid.quad.astype(np.float32))
    quad = old if laid.quad is place else cv2.perspectiveTransform(old[None], to)[0]
    part, look = laid.parts[chosen], laid.looks[chosen]
    bare_look = look * laid.card.bare
    half = template_match.best_half(part.normal, bare_look)
    shown = CoveringCard(laid.quad.astype(np.float32), template_match.shown(part.normal, bare_look))
    return Compared(chosen, quad, _moved(old, quad), part.fit, half, duel, shown)


def fits(
    bgr: np.ndarray, quad: np.ndarray, look: np.ndarray, covering: Sequence[CoveringCard]
) -> tuple[float, float]:
    """How well a look fits what is bare of the card at `quad`, -1..1; and how much is, 0..1."""
    card = Cutout.cut(bgr, quad, covering)
    return card.laid(look).fit, float(card.bare.mean())


def _laid(card: Cutout, quad: np.ndarray, looks: list[np.ndarray]) -> Laid:
    parts = [card.laid(look) for look in looks]
    return Laid(card, quad, looks, parts, max(range(len(parts)), key=lambda i: parts[i].fit))


def _closer(bgr: np.ndarray, laid: Laid, covering: Sequence[CoveringCard]) -> Laid | None:
    """The same with the card's corners where its best look tells that they lie, if they fit."""
    best = laid.best
    quad = _registered(laid.card, laid.quad, laid.looks[best])
    if quad is None:
        return None
    closer = _laid(Cutout.cut(bgr, quad, covering), quad, laid.looks)
    half = template_match.best_half(closer.parts[best].normal, laid.looks[best] * closer.card.bare)
    return closer if closer.parts[best].fit > laid.fit and half > LIKE else None


def _winner(faces: list[str], laid: Laid, pictures: list[np.ndarray]) -> tuple[int, Duel]:
    """The number of the candidate that wins all its duels, and the narrowest of these."""
    chosen, narrowest = 0, UNCONTESTED
    parts, looks, bare = laid.parts, laid.looks, laid.card.bare
    for i in range(1, len(parts)):
        if faces[i] == faces[chosen]:
            chosen = max(chosen, i, key=lambda k: parts[k].fit)
            continue
        mine, other = parts[chosen], parts[i]
        won, misfit = template_match.duel(mine.normal, looks[chosen], other.normal, looks[i], bare)
        better = max(mine, other, key=lambda part: part.fit)
        colours = tone(better.pixels, pictures[chosen], pictures[i], bare)
        duel = Duel(won, misfit, colours)
        if duel.sum < 0:
            chosen, narrowest = i, Duel(-won, misfit, -colours)
        elif narrowest is UNCONTESTED or duel.sum < narrowest.sum:
            narrowest = duel
    return chosen, narrowest


def _blur(laid: Laid, candidates: list[Candidate], place: np.ndarray, taught: Looks) -> float:
    """Which of the BLURS makes the best candidate most like its part of the card."""
    one, part, fit = candidates[laid.best], laid.parts[laid.best].normal, laid.fit
    for before, blur in pairwise(BLURS):
        look = _as_seen(taught.at(one.look, blur), one, place)
        again = template_match.correlation(part, look * laid.card.bare)
        if again < fit + GAIN:
            return before
        fit = again
    return BLURS[-1]


def _registered(card: Cutout, quad: np.ndarray, look: np.ndarray) -> np.ndarray | None:
    """Where the card's corners lie for `look` to fit best, (4, 2) float32, if that is sensible."""
    to = template_match.registered(card.normal, look * card.bare)
    if to is None:
        return None
    half = np.float32(0.5)  # a picture's first pixel has its middle there
    inside = cv2.perspectiveTransform((BOX - half)[None], to.astype(np.float64))[0] + half
    back = cv2.getPerspectiveTransform(BOX + np.float32(PAD), quad.astype(np.float32))
    found = cv2.perspectiveTransform(inside[None].astype(np.float32), back)[0]
    grown = cv2.contourArea(found) / max(cv2.contourArea(quad.astype(np.float32)), 1.0)
    is_sensible = SIZES[0] < grown < SIZES[1] and _moved(quad, found) < FAR
    return found if is_sensible and cv2.isContourConvex(found) else None


def _moved(old: np.ndarray, new: np.ndarray) -> float:
    """How far the corner moved that moved furthest, as a part of the diagonal."""
    return float(np.linalg.norm(new - old, axis=1).max() / np.linalg.norm(old[2] - old[0]))


def _as_seen(look: np.ndarray, candidate: Candidate, place: np.ndarray) -> np.ndarray:
    """A look at the candidate as it appears in a crop cut at `place`."""
    if np.array_equal(candidate.quad, place):
        return look
    here, there = (
        cv2.getPerspectiveTransform(quad.astype(np.float32), BOX - np.float32(0.5))
        for quad in (candidate.quad, place)
    )
    turn = there @ np.linalg.inv(here)
    return cv2.warpPerspective(look, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
