"""Finds all cards of a photograph that shows several of one deck, apart from each other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from calibration.deck.proposals import TRUST, edge_share, fitted_quad
from calibration.deck.segmentation import Image, segment_several
from rules.errors import FairdealError
from vision import geometry
from vision.geometry import Quad
from vision.networks.corners import LIMITS, CornerNetwork
from vision.networks.locator import Locator, standing
from vision.nms import suppress
from vision.sightings import Located

Values = npt.NDArray[np.float64]

SIDES = (640, 416, 320, 256, 208, 160)  # px of the locator's input: many cards need large ones
SCORE = 0.2  # least score of the locator
SOLID = 0.75  # least solidity of a region that may be a card
CUT_OFF = 0.02  # share of its contour on the picture's edge
SAME = 0.85  # IoU from which two candidates are one
APART = 0.15  # IoU up to which two candidates are two cards
SHARE = 0.002, 0.8  # of the picture's area that a card fills
SIZE, ASPECT = 0.5, 0.3  # log ratios of area and aspect within which candidates are of one kind
NEAR = 0.35  # log ratio of a card's area to that of its place
FIELD = 5  # cards from which the area may change across the picture
WITHIN = 0.85  # share of a part inside its whole
LARGER = 1.08, 3.5  # areas of wholes, in areas of their parts
MOST = 0.6  # share of the parts that lie in wholes
MOST_PARTS = 2.2  # in a whole, on average: cards that touch are no parts of a whole
AS_SURE = 0.95  # of the parts' mean score that wholes have
WHOLES_WITHIN = 3  # times that wholes may lie in larger ones: a picture, its frame, the card
SURE, LEAST = 0.6, 0.35  # score of a card; from the second one on it is asked for
OTHER = 0.5  # least score of a thing of nearly a card's size that is asked for
NEARLY = 0.8  # log ratio of its area to a card's
REFINED = 0.6  # IoU with what was found from which refined corners are taken


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A card: its quad (4, 2) px, any corner first, and what a person must confirm, if anything."""

    quad: Quad
    doubt: FairdealError | None = None


class SeveralFinder(Protocol):
    """Finds the cards of a photograph of several."""

    def candidates(self, bgr: Image) -> Located:
        """Everything in (H, W, 3) uint8 BGR that may be a card; scores 0..1, the best first."""

    def rough(self, bgr: Image, side: int) -> Located:
        """The cards at one size of the locator's input (px): fast, for the pictures of a film."""

    def refined(self, bgr: Image, quads: Quad) -> Quad:
        """The quads (N, 4, 2) px, their corners where the cards' are."""


@dataclass(frozen=True, slots=True)
class SheetFinder:
    """The locator at many input sizes, and regions that differ from the picture's rim."""

    locator: Locator
    corners: CornerNetwork

    def candidates(self, bgr: Image) -> Located:
        """As `SeveralFinder.candidates`."""
        seen = [self.locator.locate(bgr, side, SCORE, None) for side in SIDES]
        regions = [one for one in segment_several(bgr)
                   if one.solidity >= SOLID and one.rim < CUT_OFF]  # fmt: skip
        quads = np.concatenate(
            [*(one.quads for one in seen), *(fitted_quad(one)[None] for one in regions)]
        )
        # A region's outline is the card's own; a box is rough.
        scores = np.concatenate(
            [*(one.scores for one in seen), [TRUST * edge_share(bgr, one) for one in regions]]
        )
        order = np.argsort(-scores, kind="stable")
        order = order[suppress(quads[order], SAME)]
        return Located(quads[order], scores[order])

    def rough(self, bgr: Image, side: int) -> Located:
        """As `SeveralFinder.rough`."""
        return self.locator.locate(bgr, side)

    def refined(self, bgr: Image, quads: Quad) -> Quad:
        """As `SeveralFinder.refined`; those that show no rectangle stay."""
        seen = self.corners.refine(bgr, np.stack([standing(quad) for quad in quads]))
        return np.stack([
            new if is_card >= LIMITS.is_card and geometry.iou(new, quad) > REFINED else quad
            for quad, new, is_card in zip(quads, seen.quads, seen.is_card, strict=True)
        ])  # fmt: skip


def several_cards(bgr: Image, finder: SeveralFinder) -> list[Found]:
    """The cards of (H, W, 3) uint8 BGR, in no order. Things that differ from the others are
    doubtful."""
    found = finder.candidates(bgr)
    share = np.array([geometry.area(quad) for quad in found.quads]) / (bgr.shape[0] * bgr.shape[1])
    kept = (share > SHARE[0]) & (share < SHARE[1])
    quads, scores = found.quads[kept], found.scores[kept].astype(np.float64)
    if len(quads) == 0:
        return []
    areas = np.log([geometry.area(quad) for quad in quads])
    aspects = np.log([geometry.aspect(standing(quad)) for quad in quads])
    cards = _of_one_kind(quads, scores, areas, aspects)
    if not cards:
        return []
    usual = _AreaField([quads[k] for k in cards], areas[cards])
    off = np.abs(areas - np.array([usual(quad) for quad in quads]))
    is_like = np.abs(aspects - np.median(aspects[cards])) < ASPECT
    cards = _apart(quads, np.flatnonzero((off < NEAR) & is_like))
    cards = [k for k in cards if scores[k] >= LEAST]
    better = finder.refined(bgr, quads[cards]) if cards else quads[:0]
    kept = _apart(better, range(len(better)))
    known = [better[k] for k in kept]
    told = [Found(better[k], None if scores[cards[k]] >= SURE else _strange()) for k in kept]
    for k in np.flatnonzero((scores >= OTHER) & (off < NEARLY)):
        if all(geometry.intersection(quads[k], one) < APART * geometry.area(quads[k])
               for one in known):  # fmt: skip
            known.append(quads[k])
            told.append(Found(quads[k], _strange()))
    return told


def _strange() -> FairdealError:
    return FairdealError("a card like the others", "something that may be none",
                         "say whether it is a card")  # fmt: skip


def _of_one_kind(quads: Quad, scores: Values, areas: Values, aspects: Values) -> list[int]:
    """The candidates, apart from each other, that agree most in area and aspect; wholes, not the
    frames printed in them and not their halves."""
    groups = {}
    for k in range(len(quads)):
        like = np.flatnonzero((np.abs(areas - areas[k]) < SIZE)
                              & (np.abs(aspects - aspects[k]) < ASPECT))  # fmt: skip
        group = tuple(_apart(quads, like))
        groups[group] = float(scores[list(group)].sum())
    best: tuple[int, ...] = max(groups, key=lambda one: groups[one], default=())
    for _ in range(WHOLES_WITHIN):
        around = [one for one in groups if _holds(one, best, quads, scores, areas)]
        if not around:
            break
        best = max(around, key=lambda one: groups[one])
    return list(best)


def _holds(
    wholes: Sequence[int], parts: Sequence[int], quads: Quad, scores: Values, areas: Values
) -> bool:
    """Whether most of the parts lie in wholes that are as sure, few parts in each."""
    if not parts or len(wholes) < max(1.0, len(parts) / MOST_PARTS):
        return False
    ratio = float(np.median(areas[list(wholes)]) - np.median(areas[list(parts)]))
    if not np.log(LARGER[0]) < ratio < np.log(LARGER[1]):
        return False
    if scores[list(wholes)].mean() < AS_SURE * scores[list(parts)].mean():
        return False
    inside = [any(geometry.overlap(quads[k], quads[w]) > WITHIN for w in wholes) for k in parts]
    return float(np.mean(inside)) >= MOST


def _apart(quads: Quad, order: Iterable[int]) -> list[int]:
    """Of candidates in that order those that overlap none before them."""
    kept: list[int] = []
    for k in order:
        if all(geometry.iou(quads[k], quads[j]) < APART for j in kept):
            kept.append(int(k))
    return kept


class _AreaField:
    """The logarithm of a card's area at its place: linear in it, or the same everywhere."""

    def __init__(self, quads: Sequence[Quad], areas: Values) -> None:
        centres = np.stack([geometry.centre(quad) for quad in quads]).astype(np.float64)
        self._middle = centres.mean(0)
        self._spread = max(1e-6, float(np.ptp(centres, axis=0).max()))
        self._fit = np.array([float(np.median(areas)), 0.0, 0.0])
        if len(quads) >= FIELD:
            at = np.stack([self._at(quad) for quad in quads])
            weights = np.ones(len(quads))
            for _ in range(4):
                left = np.linalg.lstsq(at * weights[:, None], areas * weights, rcond=None)
                self._fit = np.asarray(left[0])
                weights = 1 / np.sqrt(1 + ((areas - at @ self._fit) / 0.1) ** 2)

    def _at(self, quad: Quad) -> Values:
        away = (geometry.centre(quad).astype(np.float64) - self._middle) / self._spread
        return np.array([1.0, *away])

    def __call__(self, quad: Quad) -> float:
        return float(self._at(quad) @ self._fit)
