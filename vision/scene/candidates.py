"""Candidate cards: boxes followed from frame to frame until the scene explains them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Image
from vision.geometry import Mask, Quad
from vision.scene.patches import patch_of, unchanged
from vision.settings import VisionSettings
from vision.sightings import NOTHING, UNKNOWN

LEADS = 0.65  # IoU of a box with a followed card that it is taken for
OTHER = 0.8  # IoU of two looks, below which another face is that of another card
_LEAST_ERROR = 0.003  # of one look, however confident
_USUAL_ERROR = 0.05  # of a look that names a card alone; a surer one counts as its logarithm
_AGAIN = 0.5  # factor of the error by one more look at a card that lies still,
_SHARED = 0.25  # and at most by all of them: looks at one picture err together


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A card that may be coming to rest.

    `quad` (4, 2) px: as last located; it has rested since `since` (s) near `anchor`. `upright`:
    the quad as the recogniser registered it; `patch`: the card's grey crop at that look, by which
    rest is checked where the card was `visible` (a grid, bool); `shown`: the part of the patch
    that is unchanged now. `evidence`: confidences summed by face since it rests, those of sure
    looks with more weight; `errors`: by face, how likely each look that named it is wrong;
    `empty`: looks that saw no card; `side`: the hand that brought it; `fresh`: it came with a
    change of the table; `is_double`: another candidate explains it; `waits_for`: numbers of those
    that rested before it; `in_hand`: a hand still lies on it.
    """

    number: int
    quad: Quad
    anchor: Quad
    since: float
    seen_at: float
    score: float
    frames: int = 1
    evidence: tuple[tuple[str, float], ...] = ()
    errors: tuple[tuple[str, tuple[float, ...]], ...] = ()
    looks: int = 0
    empty: int = 0
    looked_at: float = float("-inf")
    upright: Quad | None = None
    patch: Image | None = None
    visible: Mask | None = None
    shown: float = 0.0
    side: str | None = None
    fresh: bool = True
    is_double: bool = False
    is_slow: bool = False
    waits_for: frozenset[int] = frozenset()
    in_hand: bool = False

    @property
    def place(self) -> Quad:
        """Where it lies (4, 2): as registered, else as located."""
        return self.quad if self.upright is None else self.upright

    def showing(self) -> float:
        """The part of it (0 to 1) where its own face showed at the last look that named it."""
        return 0.0 if self.visible is None else float(self.visible.mean())

    def best(self) -> tuple[str, float, float]:
        """The likeliest face, its evidence, and its lead over the next face."""
        ordered = sorted(self.evidence, key=lambda item: -item[1])
        if not ordered:
            return UNKNOWN, 0.0, 0.0
        second = ordered[1][1] if len(ordered) > 1 else 0.0
        return ordered[0][0], ordered[0][1], ordered[0][1] - second

    def certainty(self) -> float:
        """How likely the best face is right (0 to 1): all looks that named another one erred, and
        none that named it. Looks at a card that lies still share most of their errors."""
        face = self.best()[0]
        if face == UNKNOWN:
            return 0.0
        again = {each: max(_AGAIN ** (len(errors) - 1), _SHARED) for each, errors in self.errors}
        wrong = {each: min(errors) * again[each] for each, errors in self.errors}
        all_wrong = math.prod(wrong.values())
        likely = {each: (1.0 - error) * all_wrong / error for each, error in wrong.items()}
        return likely.get(face, 0.0) / (all_wrong + sum(likely.values()))

    def named(
        self, face: str, confidence: float, upright: Quad | None, bgr: Image,
        visible: Mask | None = None,
    ) -> Candidate:  # fmt: skip
        """With one more look; `unknown` and `nothing` are no evidence. `visible`: a grid of the
        parts of the card where its own picture shows. Another face elsewhere is another card's."""
        is_face = face not in (UNKNOWN, NOTHING)
        known = self._anew() if is_face and self._is_other(face, upright) else self
        evidence, errors = dict(known.evidence), dict(known.errors)
        if is_face:
            error = max(1.0 - confidence, _LEAST_ERROR)
            amount = confidence * max(1.0, np.log(error) / np.log(_USUAL_ERROR))
            evidence[face] = evidence.get(face, 0.0) + float(amount)
            errors[face] = (*errors.get(face, ()), error)
        fits = upright is not None and (is_face or geometry.iou(upright, self.quad) >= 0.6)
        is_shown, place = is_face and fits, upright if fits else self.upright
        return replace(
            known,
            evidence=tuple(evidence.items()),
            errors=tuple(errors.items()),
            looks=known.looks + 1,
            looked_at=self.seen_at,
            empty=known.empty + (face == NOTHING),
            upright=place,
            patch=patch_of(bgr, place) if is_shown and place is not None else self.patch,
            visible=visible if is_shown else self.visible,
            shown=1.0 if is_shown else self.shown,
        )

    def _is_other(self, face: str, upright: Quad | None) -> bool:
        """Whether a look shows another face than the looks so far, at another place: the box led
        from a card to one that was laid on it."""
        if upright is None or self.upright is None or self.best()[0] in (UNKNOWN, face):
            return False
        return geometry.iou(upright, self.upright) < OTHER

    def _anew(self) -> Candidate:
        """The candidate as if it had just come: nobody knows yet who brought it."""
        return replace(
            self, evidence=(), errors=(), looks=0, empty=0, since=self.seen_at, side=None
        )


def is_named(card: Candidate, settings: VisionSettings) -> bool:
    """Whether the evidence is enough for a name."""
    _, evidence, margin = card.best()
    return evidence >= settings.name_enough and margin >= settings.name_margin


def shown_of(card: Candidate, bgr: Image) -> float:
    """The part of the card's patch that is unchanged in the picture, 0 to 1."""
    if card.patch is None or card.upright is None:
        return 0.0
    return unchanged(card.patch, bgr, card.upright, card.visible)


class Candidates:
    """Follows the cards that the scene does not explain yet, from frame to frame."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._coming: tuple[Candidate, ...] = ()
        self._next = 1
        self.lost: tuple[Candidate, ...] = ()

    @property
    def coming(self) -> tuple[Candidate, ...]:
        """The candidates, the oldest first."""
        return self._coming

    def number(self) -> int:
        """A number that no card has had yet."""
        self._next += 1
        return self._next - 1

    def see(
        self, quads: npt.NDArray[np.float32], scores: npt.NDArray[np.float32],
        fresh: npt.NDArray[np.bool_], at: float, bgr: Image,
    ) -> tuple[Candidate, ...]:  # fmt: skip
        """Follows the quads (N, 4, 2) of this frame. A candidate whose patch is unchanged stays
        where it is, however the boxes shake; one unseen for `lost_s` is forgotten."""
        left = list(np.argsort(-scores, kind="stable")) if len(quads) else []
        kept: list[Candidate] = []
        moved: list[Candidate] = []
        lost: list[Candidate] = []
        for card in self._coming:
            shown = shown_of(card, bgr)
            if shown < self._settings.stays:
                moved.append(card)
                continue
            left = [k for k in left if not _leads_to(quads[k], card)]
            kept.append(replace(
                card, seen_at=at, frames=card.frames + 1, shown=shown, is_slow=True
            ))  # fmt: skip
        for card in moved:
            found = _nearest(card, quads, left)
            if found is not None:
                left.remove(found)
                left = [k for k in left if geometry.iou(quads[k], quads[found]) < 0.6]
                before, card = card, self._moved(card, quads[found], float(scores[found]), at)
                kept.append(replace(card, fresh=card.fresh or bool(fresh[found])))
                if is_named(before, self._settings) and not is_named(card, self._settings):
                    lost.append(before)
                elif card.since > before.since and before.frames > 1 and before.looks < 2:
                    lost.append(replace(before, number=self.number()))  # another may follow it
            elif at - card.seen_at <= self._settings.lost_s:
                kept.append(replace(card, shown=0.0))
            else:
                lost.append(card)
        kept += self._begun(left, quads, scores, fresh, at)
        self.lost = tuple(lost)
        self._coming = tuple(sorted(kept, key=lambda card: card.number))
        return self._coming

    def _begun(
        self, left: list[int], quads: npt.NDArray[np.float32], scores: npt.NDArray[np.float32],
        fresh: npt.NDArray[np.bool_], at: float,
    ) -> list[Candidate]:  # fmt: skip
        """New candidates for the quads that lead to no other, the likeliest of overlapping ones."""
        begun = []
        while left:
            k, *rest = left
            left = [other for other in rest if geometry.iou(quads[other], quads[k]) < 0.6]
            quad, score = quads[k], float(scores[k])
            begun.append(Candidate(self.number(), quad, quad, at, at, score, fresh=bool(fresh[k])))
        return begun

    def keep(self, cards: tuple[Candidate, ...]) -> None:
        """Puts candidates back that were looked at, without those that have landed."""
        self._coming = cards

    def _moved(self, card: Candidate, quad: Quad, score: float, at: float) -> Candidate:
        size = max(geometry.length(card.anchor), 1.0)
        apart = float(np.linalg.norm(geometry.centre(quad) - geometry.centre(card.anchor)))
        went = float(np.linalg.norm(geometry.centre(quad) - geometry.centre(card.quad)))
        grown = geometry.area(quad) / max(geometry.area(card.anchor), 1.0)
        still = (
            card.patch is None
            and apart <= self._settings.still * size
            and geometry.turned(quad, card.anchor) <= self._settings.still_deg
            and 0.8 <= grown <= 1.25
        )
        is_slow = went <= self._settings.slow * size
        if still:
            return replace(
                card, quad=quad, score=score, seen_at=at, frames=card.frames + 1, is_slow=True
            )
        # Another card may have come over this one: it needs a number of its own.
        number = self.number() if card.patch is not None else card.number
        return Candidate(number, quad, quad, at, at, score, fresh=card.fresh, is_slow=is_slow)


def _leads_to(quad: Quad, card: Candidate) -> bool:
    """Whether the quad is that of the card, where it lies or as it was located before."""
    return any(geometry.iou(quad, other) >= LEADS for other in (card.place, card.quad))


def _nearest(card: Candidate, quads: npt.NDArray[np.float32], left: list[int]) -> int | None:
    best, most = None, 0.3
    middle, reach = geometry.centre(card.quad), geometry.length(card.quad)
    for k in left:
        if np.linalg.norm(geometry.centre(quads[k]) - middle) > reach:
            continue
        shared = geometry.iou(quads[k], card.quad)
        if shared > most:
            best, most = k, shared
    return best
