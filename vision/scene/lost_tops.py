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
    """Suspects, once a card lands on such a top card, that another one came before it."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._lost: dict[int, tuple[float, int | None]] = {}  # the hand's last s, its seat

    def look(self, card: Card, hand_at: float) -> None:
        """A top card whose face was not found since a hand was over it, until `hand_at` (s)."""
        scene = self._scene
        likeness = scene.pictures.likeness(card, scene.bgr)
        coming = scene.candidates.coming
        if likeness is None or likeness >= LOST or any(_is_over(c.place, card) for c in coming):
            return
        place = scene.occupancy.area(card.quad)
        self._lost[card.number] = hand_at, scene.seat(scene.hands.taker(place, scene.at))

    def see(self) -> None:
        """Settles these cards after each frame's landings."""
        for number, (hand_at, seat) in tuple(self._lost.items()):
            card = self._scene.table.card(number)
            if card is None:
                del self._lost[number]
            elif self._scene.occupancy.over(number) != {number}:
                del self._lost[number]
                self._suspect(card, hand_at, seat)
            elif (self._scene.pictures.likeness(card, self._scene.bgr) or 0.0) >= SHOWN:
                del self._lost[number]

    def _suspect(self, card: Card, hand_at: float, seat: int | None) -> None:
        """A card landed on it. One that the hand itself brought is what hid the print."""
        scene = self._scene
        above = scene.occupancy.above(card.number)
        first = next((other for other in scene.table.cards if other.number in above), None)
        if first is None or card.place is None or scene.acts[first.number].since <= hand_at:
            return
        unseen = Placed(scene.at, UNKNOWN, card.place, seat)
        scene.suspected.append(Way(COVERED, (unseen,)))


def _is_over(place: geometry.Quad, card: Card) -> bool:
    return geometry.intersection(place, card.quad) > 0
