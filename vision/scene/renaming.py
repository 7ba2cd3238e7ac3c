"""Places that are called otherwise once another card tells them apart: their cards stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vision.scene.layout import Spot
from vision.scene.scene import Scene
from vision.scene.table import Table


def rename(scene: Scene, spot: Spot) -> None:
    """A place is called otherwise from this frame on, if a card's spot says so: it makes no events.
    To be asked for each spot at which a card is laid."""
    if spot.renames is None:
        return
    old, new = spot.renames
    scene.layout.rename(old, new)
    scene.renames[old] = new
    for card in scene.table.at(old):
        scene.occupancy.change(card.number, replace(card, place=new))
    scene.lifted = {
        face: (new if place == old else place, at) for face, (place, at) in scene.lifted.items()
    }


def renamed(table: Table, names: Mapping[str, str]) -> Table:
    """The table with other names of its places."""
    cards = (replace(card, place=names.get(card.place or "", card.place)) for card in table.cards)
    return replace(table, cards=tuple(cards))
