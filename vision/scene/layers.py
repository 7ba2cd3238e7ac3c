"""The lying cards, painted into the small picture from the bottom up: which one shows where."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from models.crop import pixel_warp, rectangle
from vision import geometry
from vision.geometry import Mask, Quad
from vision.scene.table import Table

HIDDEN_PART = 0.1  # of a card that shows, of one that lies under others
TRIM = 0.92  # of a card's size: inside its rounded or cut edge
_RING = np.ones((7, 7), np.uint8)


class Layers:
    """A table of cards in a small picture of `shape` (h, w).

    `scale`: pixels of the small picture per pixel of the full one.
    """

    def __init__(self, shape: tuple[int, int], scale: float) -> None:
        self._shape, self.scale = shape, scale
        self._show(Table())

    @property
    def table(self) -> Table:
        """The cards that lie, from the bottom up."""
        return self._table

    @property
    def owner(self) -> npt.NDArray[np.int16]:
        """(h, w): 1 + index in the table's cards of the card on top there; 0: none."""
        return self._owner

    def area(self, quad: Quad, factor: float = 1.0) -> Mask:
        """The quad (px of the full picture) as a mask of the small one."""
        return geometry.filled(geometry.scaled(quad * self.scale, factor), self._shape)

    def rim(self, quad: Quad) -> Mask:
        """The ring about the quad, in the low picture."""
        inside = self.area(quad, 1.02)
        return cv2.dilate(inside.view(np.uint8), _RING).view(bool) & ~inside

    def visible(self, number: int) -> Mask:
        """Where the card is the one on top."""
        return self._owner == self._index(number) + 1

    def exposed(self, number: int) -> float:
        """The part of the card that no other card covers, 0 to 1."""
        index = self._index(number)
        return float(self._seen[index + 1]) / max(float(self._whole[index]), 1.0)

    def is_hidden(self, number: int, most: float = HIDDEN_PART) -> bool:
        """Whether the card lies on the table, and at most this part of it shows below others."""
        return self._table.card(number) is not None and self.exposed(number) <= most

    def over(self, number: int) -> frozenset[int]:
        """The card and all that lie on it, on those, and so on."""
        cards = self._table.cards
        start = self._index(number)
        found = [cards[start]]
        for card in cards[start + 1 :]:
            if any(geometry.intersection(card.quad, other.quad) > 0 for other in found):
                found.append(card)
        return frozenset(card.number for card in found)

    def above(self, number: int) -> frozenset[int]:
        """All that lies on the card, and on those."""
        return self.over(number) - {number}

    def _index(self, number: int) -> int:
        for index, card in enumerate(self._table.cards):
            if card.number == number:
                return index
        raise KeyError(number)

    def _show(self, table: Table) -> None:
        self._table = table
        owner = np.zeros(self._shape, np.int16)
        whole = []
        for index, card in enumerate(self._table.cards):
            place = self.area(card.quad, TRIM)
            owner[place] = index + 1
            whole.append(int(np.count_nonzero(place)))
        self._owner = owner
        self._whole = whole
        self._seen = np.bincount(owner.ravel(), minlength=len(whole) + 1)


def cells_shown(visible: Mask, quad: Quad, shape: tuple[int, ...]) -> Mask:
    """Where (h, w) the cells of a grid (rows, columns) lie on a card at `quad` (4, 2) px."""
    rows, columns = visible.shape
    grid = rectangle(columns, rows)
    to_quad = pixel_warp(cv2.getPerspectiveTransform(grid, quad.astype(np.float32)))
    size = shape[1], shape[0]
    seen = cv2.warpPerspective(visible.astype(np.uint8), to_quad, size, flags=cv2.INTER_NEAREST)
    return np.asarray(seen, bool)
