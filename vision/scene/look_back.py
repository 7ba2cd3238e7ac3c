"""Looks back at cards that lay for a moment between two hands and were covered without a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.recent import RecentFrames
from vision.scene.candidates import Candidate, is_named
from vision.scene.landing import KEPT_S, RESTED
from vision.scene.looks import looked_at
from vision.scene.scene import Scene
from vision.scene.tracks import Name

LOOKS = 2  # looks while it lay, from which on another one would tell no more


class LookBack:
    """Names lost candidates in the frames that still show them, one in a frame that has time."""

    def __init__(self, scene: Scene, recent: RecentFrames) -> None:
        self._scene, self._recent = scene, recent
        self._wanted: list[Candidate] = []

    def lose(self, lost: Sequence[Candidate]) -> None:
        """Candidates that are followed no more: those that rested without a name are wanted."""
        settings = self._scene.settings
        self._wanted += [
            card
            for card in lost
            if card.frames >= RESTED and card.fresh and card.looks < LOOKS
            if card.score >= settings.score and not is_named(card, settings)
        ]

    def look(self, at: float, name: Name) -> Candidate | None:
        """The next wanted candidate, if an older frame names it."""
        self._wanted = [card for card in self._wanted if at - card.seen_at <= KEPT_S]
        if not self._wanted:
            return None
        card = self._wanted.pop(0)
        kept = self._recent.last_before(card.seen_at)
        if kept is None or kept.at < card.since:
            return None
        (seen,) = looked_at([card], kept.bgr, name, self._scene.table)
        return replace(seen, is_double=False) if is_named(seen, self._scene.settings) else None
