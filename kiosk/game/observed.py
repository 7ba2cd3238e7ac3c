"""What the loop reads off a watcher's observation: where places lie, whether the table rests."""

from __future__ import annotations

from kiosk.journal.entries import Spot
from rules.table.event import is_card_event
from vision.scene.table import Corners
from vision.scene.watcher import Observation


def spots_of(observation: Observation | None, width: int) -> dict[str, Spot]:
    """Where the top card of each of the watcher's places lies, in widths (px) of the picture."""
    if observation is None:
        return {}
    return {
        card.place: _middle(card.corners, width)
        for card in observation.table.cards
        if card.place is not None
    }


def is_at_rest(observation: Observation) -> bool:
    """Whether no hand is over the table, no card is coming, and none came or went."""
    is_busy = any(track.state == "coming" for track in observation.tracks)
    is_told = any(map(is_card_event, observation.events))
    return not (is_busy or is_told or observation.cover.mask.any())


def _middle(corners: Corners, width: int) -> Spot:
    """The middle of a card (four corners, px) in widths of the picture."""
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    return x / width, y / width
