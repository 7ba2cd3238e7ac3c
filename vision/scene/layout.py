"""Where on the table a card lies: the interface that the scene asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rules.table.layout import Side
from vision import geometry
from vision.scene.table import Table
from vision.sightings import UNKNOWN

OPPOSITE_DEG = 135.0  # from the player's view, beyond which a card counts as upside down


@dataclass(frozen=True, slots=True)
class Spot:
    """A place for one card and how sure it is (0 to 1).

    `born`: how many piles were born with it, all in all; `on`: the face that the card half covers;
    `other`: where it lies if not there, if that is known; `renames`: a place that is called
    otherwise from now on, and how.
    """

    place: str | None
    born: int = 0
    sure: float = 1.0
    on: str | None = None
    other: str | None = None
    renames: tuple[str, str] | None = None


class Layout(Protocol):
    """Finds the place of a card that has come to rest."""

    @property
    def turns(self) -> bool:
        """Whether cards are turned over in this game (another face at the very same place)."""

    def are_sides(self, face: str, other: str) -> bool:
        """Whether two faces are those of one card."""

    @property
    def only_taken(self) -> tuple[str, ...]:
        """How the names of places begin on which no card is laid while the game runs."""

    @property
    def drawn_from(self) -> str | None:
        """The place from which a turn may begin with the top card, and where it may end with it."""

    @property
    def lone_faces(self) -> frozenset[str]:
        """Faces of which there is one card."""

    @property
    def homes(self) -> Mapping[str, str]:
        """Of lone faces: the place where each lies before it is played."""

    @property
    def in_turn(self) -> bool:
        """Whether it matters which of two cards at different places was laid first."""

    def owner(self, place: str | None) -> int | None:
        """The seat that lays nearly all cards at a place; None where others do as well."""

    def is_playing(self) -> bool:
        """Whether the game runs: cards that lie from the start were laid before."""

    def laid(self, place: str, number: int, quad: geometry.Quad, side: str | None = None) -> None:
        """The card `number` was laid at a place, where `spot` had found it; `side`: where the hand
        came from."""

    def rename(self, old: str, new: str) -> None:
        """A place is called otherwise from now on."""

    def misfit(self, quad: geometry.Quad, size: tuple[int, int]) -> float | None:
        """By how much the sides of an upright quad (4, 2) px differ from a card's on this table, at
        most, as a logarithm; None where the table's plane is not known."""

    def refine(self, size: tuple[int, int]) -> None:
        """Called while nothing moves: a moment for slow work."""

    def spot(
        self, quad: geometry.Quad, table: Table, size: tuple[int, int],
        face: str = UNKNOWN, side: str | None = None, came_from: str | None = None,
    ) -> Spot:  # fmt: skip
        """The place of a card at `quad` (4, 2) px, upright, in a picture of `size` (width, height).

        `face`: its name; `side`: the side of the picture from which the hand came; `came_from`: the
        place from which a card of this face was taken last.
        """


def turned_to(quad: geometry.Quad, side: str | None) -> geometry.Quad:
    """The quad (4, 2), turned by half if it lies upside down for the one who laid it.

    A face that was taught by a photograph taken upside down is seen upside down ever after.
    """
    return quad if side is None else _upright_at(quad, Side(side).degrees)


def turned_as(quad: geometry.Quad, other: geometry.Quad) -> geometry.Quad:
    """The quad (4, 2), turned by half if it lies upside down compared with `other` (4, 2), where
    the other side of its card lay. What lies above and below the card stays so."""
    return _upright_at(quad, geometry.direction(other))


def _upright_at(quad: geometry.Quad, degrees: float) -> geometry.Quad:
    apart = geometry.direction(quad) - degrees
    is_upside_down = abs((apart + 180.0) % 360.0 - 180.0) > OPPOSITE_DEG
    return np.roll(quad, 2, axis=0) if is_upside_down else quad
