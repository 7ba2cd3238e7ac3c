"""Cards that lie still while the fan that covers a part of them sways: no hand holds them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.hand_blobs import Cover
from vision.scene.layers import cells_shown
from vision.scene.scene import Scene

INNER = 0.85  # of a card's size: what lies further out is its edge
SWAYS = 0.2  # part of what covers the card that moves, and at least
SWAYS_PX = 6  # px of the small picture, in a frame in which it sways
STILL = 0.12  # part of the card's edge, as far as it shows, that may move then: shadows sway too
MOVES = 0.3  # part of it that moves if the card does
FRAMES = 2  # in which it sways
LATELY_S = 0.3  # s in which the edge may not have moved
SHOWS = 0.6  # part of a card's face that shows
FREE = 0.25  # part of its edge that must show to tell
COVERED = 0.05  # part of it, in one piece, that something hides
OVERLAPS = 0.3  # part of a card that the next one of its fan overlaps, at least
_ABOUT = np.ones((7, 7), np.uint8)  # 3 px around: a fan that sways reaches a little further


class Swaying:
    """Counts for each candidate the frames in which what covers it swayed, and it did not."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._frames: dict[int, int] = {}

    def see(self, cards: Sequence[Candidate], change: Change, cover: Cover) -> None:
        """Takes the candidates of a frame, those that hands hold among them."""
        named = [card for card in cards if is_named(card, self._scene.settings)]
        self._frames = {card.number: self._counted(card, change, cover) for card in named}

    def _counted(self, card: Candidate, change: Change, cover: Cover) -> int:
        count, edge = self._frames.get(card.number, 0), edge_of(card, self._scene)
        free = edge & ~cover.mask
        if np.count_nonzero(free) < FREE * np.count_nonzero(edge):
            return count
        moved = float((change.still_s[free] < LATELY_S).mean())
        if moved > MOVES:
            return 0
        near = cover.mask & self._covered(card)
        least = max(SWAYS_PX, SWAYS * np.count_nonzero(near))
        sways = moved <= STILL and np.count_nonzero(change.moved & near) >= least
        return count + 1 if sways else count

    def _covered(self, card: Candidate) -> Mask:
        """Where (h, w) something lay on the card when it was named, and about it."""
        place = self._scene.occupancy.area(card.place)
        cells = None if card.visible is None else _largest(~card.visible)
        if cells is None or cells.mean() < COVERED:
            return np.zeros_like(place)
        hidden = place & cells_shown(cells, card.place * self._scene.scale, place.shape)
        return cv2.dilate(hidden.view(np.uint8), _ABOUT).view(bool)

    def lies_below(self, card: Candidate, cards: Sequence[Candidate]) -> bool:
        """Whether a card that shows lies still below what sways. One of a fan overlaps the next."""
        if self._frames.get(card.number, 0) < FRAMES or card.showing() < SHOWS:
            return False
        return all(
            other.number == card.number or geometry.overlap(card.place, other.place) < OVERLAPS
            for other in cards
        )


def edge_of(card: Candidate, scene: Scene) -> Mask:
    """Where (h, w) the edge of a card is."""
    occupancy = scene.occupancy
    place = occupancy.rim(card.place) | occupancy.area(card.place)
    return np.asarray(place & ~occupancy.area(card.place, INNER))


def _largest(cells: Mask) -> Mask:
    """The largest connected part of the cells (rows, columns)."""
    count, labels = cv2.connectedComponents(cells.astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels[cells], minlength=count)
    return np.asarray(cells & (labels == sizes.argmax()))
