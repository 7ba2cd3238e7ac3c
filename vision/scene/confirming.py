"""Cards that were told with a doubtful name are looked at again once nothing lies on them."""

from __future__ import annotations

from dataclasses import replace

from vision.frame import Frame
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.doubts import NAME_SURE
from vision.scene.hand_blobs import Cover
from vision.scene.held import is_touched
from vision.scene.looks import looked_at
from vision.scene.scene import Scene
from vision.scene.tracks import Name

LOOKS = 3  # looks at a card after it was told
ENOUGH = 0.998  # of its name, from which on no more are needed
LONGEST_S = 2.0  # s for which it is waited for them
LEAST = 0.02  # how likely a name is right that later looks contradict
BETWEEN_S = 0.15  # s between two looks


class Confirming:
    """Tells how likely the names of cards are right that were told early."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        # Cards by number: as told, with later looks; and how many looks are left.
        self._open: dict[int, tuple[Candidate, int]] = {}

    def name(self, number: int) -> float | None:
        """How likely the name of a lying card is right (0 to 1), as all looks say; None while looks
        are to come."""
        return None if number in self._open else self._scene.names.get(number, 1.0)

    def begin(self) -> None:
        """Begins with the cards that were laid in this frame."""
        scene = self._scene
        for number, card in scene.hidden.items():
            is_told_now = scene.laid_at.get(number) == scene.at and is_named(card, scene.settings)
            if is_told_now and card.certainty() < NAME_SURE:
                self._open[number] = card, LOOKS

    def look(self, change: Change, cover: Cover, frame: Frame, name: Name) -> None:
        """Looks at one card at most."""
        scene = self._scene
        doubts = scene.occupancy.doubts(change) if self._open else frozenset()
        for number in tuple(self._open):
            if self._is_over(number):
                del self._open[number]
            elif number not in doubts and self._is_free(number, cover):
                self._look(number, frame, name)
                return

    def _look(self, number: int, frame: Frame, name: Name) -> None:
        scene, told = self._scene, self._scene.table.card(number)
        assert told is not None  # else it is over
        card, left = self._open.pop(number)
        card = looked_at(replace(card, seen_at=frame.at), frame.bgr, name, scene)
        scene.names[number] = _sure_of(told.face, card)
        if left > 1 and scene.names[number] < ENOUGH:
            self._open[number] = card, left - 1

    def _is_over(self, number: int) -> bool:
        """Whether no look can tell more."""
        scene, card = self._scene, self._scene.table.card(number)
        is_on_top = card is not None and scene.occupancy.over(number) == {number}
        is_late = scene.at - scene.laid_at.get(number, scene.at) > LONGEST_S
        return not is_on_top or is_late or number in scene.waiting

    def _is_free(self, number: int, cover: Cover) -> bool:
        card, seen = self._scene.table.card(number), self._open[number][0]
        is_due = self._scene.at - seen.looked_at >= BETWEEN_S
        return card is not None and is_due and not is_touched(self._scene, cover, card.quad)


def _sure_of(face: str, card: Candidate) -> float:
    """How likely a face is right, as all looks say."""
    likeliest, _, _ = card.best()
    return card.certainty() if likeliest == face else max(LEAST, 1.0 - card.certainty())
