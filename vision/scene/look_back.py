"""Looks back at cards that lay for a moment between two hands and were covered without a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision import geometry
from vision.recent import RecentFrames
from vision.scene.candidates import Candidate, is_named
from vision.scene.covered import COVERS, KEPT_S
from vision.scene.looks import looked_at
from vision.scene.scene import Scene
from vision.scene.tracks import Name

RESTED_S = 0.1  # s that it lay still, at least
LOOKS = 2  # looks while it lay, from which on another one would tell no more


class LookBack:
    """Names covered candidates in the frames that still show them, one in a frame."""

    def __init__(self, scene: Scene, recent: RecentFrames) -> None:
        self._scene, self._recent = scene, recent
        self._wanted: list[Candidate] = []

    def lose(self, lost: Sequence[Candidate]) -> None:
        """Candidates that are followed no more: those that rested without a name are wanted."""
        settings = self._scene.settings
        self._wanted += [
            card
            for card in lost
            if card.seen_at - card.since >= RESTED_S and card.fresh and card.looks < LOOKS
            if card.score >= settings.score and not is_named(card, settings)
            if not self._scene.is_near_border(card.place)  # people hold and move their cards there
        ]

    def look(self, at: float, name: Name) -> Candidate | None:
        """The next wanted candidate on which another card comes to rest, if an older frame names
        it."""
        self._wanted = [card for card in self._wanted if at - card.seen_at <= KEPT_S]
        card = next(filter(self._is_covered, self._wanted), None)
        if card is None:
            return None
        self._wanted.remove(card)
        kept = self._recent.last_before(card.seen_at, card.since)
        if kept is None:
            return None
        seen = looked_at(card, kept.bgr, name, self._scene)
        return replace(seen, is_double=False) if is_named(seen, self._scene.settings) else None

    def _is_covered(self, card: Candidate) -> bool:
        return any(
            other.since > card.since and geometry.overlap(card.place, other.place) >= COVERS
            for other in self._scene.candidates.coming
            if other.seen_at == self._scene.at and other.is_slow
        )
