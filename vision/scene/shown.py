"""The cards as they are followed now, for people to look at."""

from __future__ import annotations

from vision.scene.scene import Scene
from vision.scene.table import corners_of
from vision.scene.tracks import Track

COVERED = 0.3  # a card of which less shows counts as covered


def shown_tracks(scene: Scene) -> tuple[Track, ...]:
    """The lying cards, then those that are coming."""
    occupancy = scene.occupancy
    lying = [
        Track(
            card.number, card.corners, card.face, scene.names.get(card.number, 0.0),
            "lying" if occupancy.exposed(card.number) > COVERED else "covered",
            card.place, scene.acts[card.number].seat if card.number in scene.acts else None,
        )
        for card in scene.table.cards
    ]  # fmt: skip
    coming = [
        Track(
            card.number, corners_of(card.quad), card.best()[0], card.certainty(),
            "coming", None, scene.seat(card.side),
        )
        for card in scene.candidates.coming
        if not card.is_double
    ]  # fmt: skip
    return (*lying, *coming)
