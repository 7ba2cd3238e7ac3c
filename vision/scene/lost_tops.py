"""Top cards whose print shows no more once a hand has gone, though no card is found there."""

from __future__ import annotations

from rules.table.event import Placed, Way
from vision import geometry
from vision.scene.scene import Scene
from vision.scene.table import Card
from vision.sightings import UNKNOWN

LOST = 0.5  # correlation of a card's print with its close picture, below which it shows no more
SHOWN = 0.7  # the same, from which it shows again
COVERED = 0.5  # how likely a card was laid on it that nobody sees: glare hides its edges


class LostTops:
    """Suspects, once a card lands on such a top card or it goes, that one came before."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        # By number: the card, the hand's last s, and its seat.
        self._lost: dict[int, tuple[Card, float, int | None]] = {}

    def look(self, card: Card, hand_at: float) -> None:
        """A top card whose face was not found since a hand was over it, until `hand_at` (s)."""
        scene = self._scene
        likeness = scene.pictures.likeness(card, scene.bgr)
        if likeness is None or likeness >= LOST:
            return
        if any(geometry.intersection(c.place, card.quad) > 0 for c in scene.candidates.coming):
            return  # it will be told
        place = scene.occupancy.area(card.quad)
        self._lost[card.number] = card, hand_at, scene.seat(scene.hands.taker(place, scene.at))

    def see(self) -> None:
        """Settles these cards after each frame's landings."""
        for number, (card, hand_at, seat) in tuple(self._lost.items()):
            is_gone = self._scene.table.card(number) is None
            if is_gone or self._scene.occupancy.over(number) != {number}:
                del self._lost[number]
                if is_gone or self._came_later(number, hand_at):
                    self._suspect(card, seat)
            elif (self._scene.pictures.likeness(card, self._scene.bgr) or 0.0) >= SHOWN:
                del self._lost[number]

    def _came_later(self, number: int, hand_at: float) -> bool:
        """Whether what lies on the card came after that hand; what it brought is what hid the
        print."""
        above = self._scene.occupancy.above(number)
        first = next(card.number for card in self._scene.table.cards if card.number in above)
        return self._scene.acts[first].since > hand_at

    def _suspect(self, card: Card, seat: int | None) -> None:
        assert card.place is not None
        unseen = Placed(self._scene.at, UNKNOWN, card.place, seat)
        self._scene.suspected.append(Way(COVERED, (unseen,)))
