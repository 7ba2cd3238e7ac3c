"""Which hand brought a candidate, by the side of the table from which it reached in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vision.geometry import Quad
from vision.scene.background import Change
from vision.scene.candidates import Candidate
from vision.scene.scene import Scene

ACTOR_S = 3.0  # s back, for the hand that brought a card
LAST_S = 0.1  # s between two hands, of which the later one brought a card that is seen now
BROUGHT_S = 0.5  # s between the hand at a place and the change that its card makes
STAYS = 1.6  # of a card's size: where one of two hands stays that laid it
ALONE_S = 0.2  # s that a card rests with one hand, which has laid it whoever comes then


class Bringers:
    """The sides of the hands that brought the candidates of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._alone: set[int] = set()  # numbers of those that rested with one hand

    def see(self, cards: Sequence[Candidate], change: Change) -> list[Candidate]:
        """The candidates of a frame with their sides, as far as they are known."""
        self._alone &= {card.number for card in cards if card.frames > 1}
        return [self._brought(card, change) for card in cards]

    def _brought(self, card: Candidate, change: Change) -> Candidate:
        is_mixed = self._scene.is_mixed(self._scene.occupancy.area(card.quad, 1.1), change.at)
        is_open = is_mixed and card.number not in self._alone
        if card.side is None or card.frames == 1 or is_open:
            side = self._side(card.quad, is_mixed, change)
            card = replace(card, side=side or card.side)
        if card.side and not is_mixed and change.at - card.since >= ALONE_S:
            self._alone.add(card.number)
        return card

    def _side(self, quad: Quad, is_mixed: bool, change: Change) -> str | None:
        """The side of the hand that brought a card, if it was there when the place changed: in the
        dark an arm is not always seen. Of two hands the one that stays beside it has laid it."""
        place = self._scene.occupancy.area(quad, STAYS if is_mixed else 1.1)
        since = max(change.at - ACTOR_S, change.began(place) - BROUGHT_S)
        return self._scene.hands.actor(place, since, LAST_S)
