"""Cards that are coming to rest: the same card over time, and the evidence for its face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Image
from vision.geometry import Quad
from vision.scene.table import Corners
from vision.settings import VisionSettings
from vision.sightings import NOTHING, UNKNOWN, Named

Name = Callable[[Image, npt.NDArray[np.float32]], Named]


@dataclass(frozen=True, slots=True)
class Track:
    """A card as it is followed now, for people to look at.

    `corners`: four (x, y) px; `face` "unknown" while it is not named; `state`: "coming",
    "lying" or "covered" (remembered under other cards); `seat` of who brought it, if known.
    """

    number: int
    corners: Corners
    face: str
    confidence: float
    state: str
    place: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Coming:
    """A card on its way: `quad` (4, 2) px as last seen; it lies since `since` at `anchor`.

    `evidence`: confidences summed up by face since then; `empty`: looks that saw no card; `side`:
    whose hand brought it; `upright`: the quad as the namer turned it; `fresh`: it came with a
    change of the table; `is_double`: another box leads to the same card, and fits it better.
    """

    number: int
    quad: Quad
    anchor: Quad
    since: float
    seen_at: float
    score: float
    frames: int = 1
    evidence: tuple[tuple[str, float], ...] = ()
    looks: int = 0
    empty: int = 0
    looked_at: float = float("-inf")
    upright: Quad | None = None
    side: str | None = None
    fresh: bool = True
    is_double: bool = False

    @property
    def place(self) -> Quad:
        """Where it lies (4, 2): as the namer saw it, or the box that was located."""
        return self.quad if self.upright is None else self.upright

    def best(self) -> tuple[str, float, float]:
        """The likeliest face, its evidence, and how much that is over the next one's."""
        ordered = sorted(self.evidence, key=lambda item: -item[1])
        if not ordered:
            return UNKNOWN, 0.0, 0.0
        second = ordered[1][1] if len(ordered) > 1 else 0.0
        return ordered[0][0], ordered[0][1], ordered[0][1] - second

    def named(self, face: str, confidence: float, upright: Quad | None) -> Coming:
        """With one more look at it; `unknown` is no evidence."""
        evidence = dict(self.evidence)
        if face not in (UNKNOWN, NOTHING):
            evidence[face] = evidence.get(face, 0.0) + confidence
        # A name holds for the card where the namer saw it: the box may be far off.
        fits = upright is not None and (
            face not in (UNKNOWN, NOTHING) or geometry.iou(upright, self.quad) >= 0.6
        )
        return replace(
            self,
            evidence=tuple(evidence.items()),
            looks=self.looks + 1,
            looked_at=self.seen_at,
            empty=self.empty + (face == NOTHING),
            upright=upright if fits else self.upright,
        )


def is_named(card: Coming, settings: VisionSettings) -> bool:
    """Whether the evidence is enough."""
    _, evidence, margin = card.best()
    return evidence >= settings.name_enough and margin >= settings.name_margin


class Tracks:
    """Follows the cards that are not known yet, from frame to frame."""

    def __init__(self, settings: VisionSettings) -> None:
        self._settings = settings
        self._coming: tuple[Coming, ...] = ()
        self._next = 1

    @property
    def coming(self) -> tuple[Coming, ...]:
        """The cards on their way, the oldest first."""
        return self._coming

    def number(self) -> int:
        """A number that no card has had yet."""
        self._next += 1
        return self._next - 1

    def see(
        self, quads: npt.NDArray[np.float32], scores: npt.NDArray[np.float32],
        fresh: npt.NDArray[np.bool_], at: float, staying: frozenset[int] = frozenset(),
    ) -> tuple[Coming, ...]:  # fmt: skip
        """Follow the quads (N, 4, 2) of this frame; a card unseen for `lost_s` is forgotten. Those
        of the numbers `staying` lie where they were seen, however the quads shake; if they have a
        name, located or not."""
        left = list(np.argsort(-scores, kind="stable")) if len(quads) else []
        kept: list[Coming] = []
        for card in self._coming:
            if card.number in staying and is_named(card, self._settings):
                left = [k for k in left if not _leads_to(quads[k], card)]
                kept.append(replace(card, seen_at=at, frames=card.frames + 1))
                continue
            found = _nearest(card, quads, left)
            if found is not None:
                left.remove(found)
                left = [k for k in left if geometry.iou(quads[k], quads[found]) < 0.6]
                stays = card.number in staying
                card = self._moved(card, quads[found], float(scores[found]), at, stays)
                kept.append(replace(card, fresh=card.fresh or bool(fresh[found])))
            elif at - card.seen_at <= self._settings.lost_s:
                kept.append(card)
        while left:
            k = left.pop(0)
            left = [other for other in left if geometry.iou(quads[other], quads[k]) < 0.6]
            quad = quads[k]
            new = Coming(self.number(), quad, quad, at, at, float(scores[k]), fresh=bool(fresh[k]))
            kept.append(new)
        self._coming = tuple(kept)
        return self._coming

    def keep(self, cards: tuple[Coming, ...]) -> None:
        """Put cards back that were looked at, without those that have landed."""
        self._coming = cards

    def _moved(self, card: Coming, quad: Quad, score: float, at: float, stays: bool) -> Coming:
        if stays:
            return replace(card, score=score, seen_at=at, frames=card.frames + 1)
        size = max(geometry.length(card.anchor), 1.0)
        apart = float(np.linalg.norm(geometry.centre(quad) - geometry.centre(card.anchor)))
        grown = geometry.area(quad) / max(geometry.area(card.anchor), 1.0)
        still = (
            apart <= self._settings.still * size
            and geometry.turned(quad, card.anchor) <= self._settings.still_deg
            and 0.8 <= grown <= 1.25
        )
        if still:
            return replace(card, quad=quad, score=score, seen_at=at, frames=card.frames + 1)
        return Coming(card.number, quad, quad, at, at, score, fresh=card.fresh)


def _leads_to(quad: Quad, card: Coming) -> bool:
    """Whether the quad is that of the card, where it lies or as it was located before."""
    return any(geometry.iou(quad, other) >= 0.6 for other in (card.place, card.quad))


def _nearest(card: Coming, quads: npt.NDArray[np.float32], left: list[int]) -> int | None:
    best, most = None, 0.3
    middle, reach = geometry.centre(card.quad), geometry.length(card.quad)
    for k in left:
        if np.linalg.norm(geometry.centre(quads[k]) - middle) > reach:
            continue
        shared = geometry.iou(quads[k], card.quad)
        if shared > most:
            best, most = k, shared
    return best
