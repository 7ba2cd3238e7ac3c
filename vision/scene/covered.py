"""Candidates that rested and are seen no more: the next card may lie on them."""

from __future__ import annotations

from collections.abc import Sequence

from vision import geometry
from vision.recent import RecentFrames
from vision.scene.candidates import Candidate, is_named
from vision.scene.layers import cells_shown
from vision.scene.scene import SAME_POSE, Scene
from vision.scene.seen_again import is_hidden_elsewhere
from vision.sightings import UNKNOWN

KEPT_S = 3.0  # s that a vanished candidate may still be the card under the next one
ROW_S = 0.4  # s between two cards of a row, at least: those of a fan come at once
RESTED = 3  # frames in which a candidate lay still, to have been laid,
SEEN_FREE = 2  # and where it has a name and no hand was on it once
COVERS = 0.3  # part of a vanished candidate that the next card covers
SHOWING = 0.5  # part of it that showed its face, to know how it looked


class Covered:
    """Keeps the vanished candidates of a scene, and says on which of them a card lies."""

    def __init__(self, scene: Scene, recent: RecentFrames) -> None:
        self._scene, self._recent = scene, recent
        self._fanned: set[int] = set()  # numbers of candidates that were once of a fan,
        self._free: set[int] = set()  # and of those that had a name while no hand was on them

    def forget(self, lost: Sequence[Candidate], coming: Sequence[Candidate]) -> None:
        """Candidates that were followed no more; those that had come to rest are remembered."""
        held, settings = self._scene.held, self._scene.settings
        at = max((card.seen_at for card in (*lost, *coming)), default=0.0)
        self._free |= {c.number for c in (*lost, *coming) if is_named(c, settings)} - held.attached
        rested = [card for card in lost if self._has_rested(card) and not card.is_double]
        kept = [card for card in (*self._scene.vanished, *rested) if at - card.seen_at <= KEPT_S]
        self._scene.vanished = kept
        self._fanned |= held.fanned - held.joined
        followed = {card.number for card in (*coming, *kept)}
        self._fanned &= followed
        self._free &= followed

    def recall(self, card: Candidate | None) -> None:
        """A candidate that rested and got its name afterwards."""
        if card is not None:
            self._scene.vanished.append(card)

    def laid(self, number: int) -> None:
        """This one lies on the table now."""
        left = [card for card in self._scene.vanished if card.number != number]
        self._scene.vanished = left

    def remember(self, card: Candidate) -> bool:
        """Remembers how the table looked with a covered card, where its face showed; whether a
        frame of then is kept. Else what lies on it cannot be seen to go."""
        if card.visible is None or card.upright is None or card.showing() < SHOWING:
            return False
        kept = self._recent.last_before(card.looked_at, card.since)
        if kept is None:
            return False
        background = self._scene.background
        low = background.small.of(kept.bgr)
        quad = card.upright * self._scene.scale
        background.put_older(low, cells_shown(card.visible, quad, low.shape))
        return True

    def tops(self) -> list[Candidate]:
        """Cards at rest that may lie on others of a row."""
        scene = self._scene
        return [
            card for card in (scene.candidates.coming if scene.vanished else ())
            if card.frames >= RESTED and is_named(card, scene.settings) and not card.is_double
            and card.fresh and card.number not in self._fanned and not scene.is_known(card)
        ]  # fmt: skip

    def row(self, card: Candidate) -> list[Candidate]:
        """The vanished candidates that the hand of this one laid some time before it: they are seen
        nowhere, and were never part of a fan."""
        seen = {each.best()[0] for each in self._scene.candidates.coming}
        return [
            other for other in self._scene.vanished
            if other.fresh and other.number not in self._fanned and other.side == card.side
            and card.since - other.since >= ROW_S and other.best()[0] not in seen
        ]  # fmt: skip

    def lies_below(self, other: Candidate, card: Candidate, face: str) -> bool:
        """Whether `other` rested where `card`, of this face, lies on it now."""
        if other.number == card.number or not is_named(other, self._scene.settings):
            return False
        if other.best()[0] == face or other.since >= card.since or self._was_there(card, other):
            return False
        # One that has come to rest since it was taken was put back.
        taken = (gone.card for gone in self._scene.taken if gone.at >= other.since)
        if any(
            known.face == other.best()[0]
            and geometry.overlap(other.place, known.quad) > COVERS
            and not is_hidden_elsewhere(known, other, self._scene)
            for known in (*self._scene.table.cards, *taken)
        ):
            return False  # a card that is known, or that was just taken
        return geometry.overlap(other.place, card.place) >= COVERS

    def _was_there(self, card: Candidate, other: Candidate) -> bool:
        """Whether the card lay there before the other one came: that was held over it."""
        return any(
            before.best()[0] == card.best()[0] != UNKNOWN and before.since < other.since
            and geometry.iou(before.place, card.place) >= SAME_POSE
            for before in self._scene.vanished
        )  # fmt: skip

    def _has_rested(self, card: Candidate) -> bool:
        """Whether it may have been laid. A slow camera sees a card bare only once or twice."""
        is_free = is_named(card, self._scene.settings) and card.number in self._free
        return card.frames >= RESTED or (is_free and card.frames >= SEEN_FREE)
