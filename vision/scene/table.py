"""Which card lies at which place: one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Corners = tuple[tuple[float, float], ...]


def corners_of(quad: npt.ArrayLike) -> Corners:
    """A quad array (4, 2) as plain numbers that can be compared and kept."""
    return tuple((float(x), float(y)) for x, y in np.asarray(quad, np.float64))


@dataclass(frozen=True, slots=True)
class Card:
    """A card that lies on the table: its own number, face, place (None: nowhere that counts).

    `corners`: the quad in px, four (x, y); `on`: the face it half covers, where that matters.
    """

    number: int
    face: str
    place: str | None
    corners: Corners
    on: str | None = None

    @property
    def quad(self) -> npt.NDArray[np.float32]:
        """The corners as an array (4, 2) float32 px."""
        return np.array(self.corners, np.float32)


@dataclass(frozen=True, slots=True)
class Table:
    """All cards that lie, from the bottom up, and how many piles were ever born."""

    cards: tuple[Card, ...] = ()
    born: int = 0

    def __post_init__(self) -> None:
        numbers = [card.number for card in self.cards]
        if len(set(numbers)) != len(numbers):
            raise ValueError(f"a card lies twice: {numbers}")

    def card(self, number: int) -> Card | None:
        """The card of that number, if it lies."""
        return next((card for card in self.cards if card.number == number), None)

    def stacks(self) -> dict[str, tuple[str, ...]]:
        """The faces at each place, bottom to top; places in order of their first card."""
        found: dict[str, tuple[str, ...]] = {}
        for card in self.cards:
            if card.place is not None:
                found[card.place] = (*found.get(card.place, ()), card.face)
        return found

    def at(self, place: str) -> tuple[Card, ...]:
        """The cards at a place, bottom to top."""
        return tuple(card for card in self.cards if card.place == place)

    def with_card(self, card: Card, born: int | None = None) -> Table:
        """The table with one more card, on top of everything."""
        return Table((*self.cards, card), self.born if born is None else born)

    def without(self, numbers: frozenset[int]) -> Table:
        """The table without these cards."""
        kept = tuple(card for card in self.cards if card.number not in numbers)
        return replace(self, cards=kept)

    def changed(self, card: Card) -> Table:
        """The table with the card of the same number as given (its order is kept)."""
        cards = tuple(card if old.number == card.number else old for old in self.cards)
        return replace(self, cards=cards)
