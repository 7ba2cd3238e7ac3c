"""A game that goes on is the one that was begun: its words come from the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kiosk.game.seats import read_sides
from kiosk.journal.entries import GameHead
from kiosk.journal.opening import CutGame
from models.deck import load_deck, shipped_decks
from rules.errors import FairdealError
from rules.games import game as game_named


@dataclass(frozen=True, slots=True)
class GameWords:
    """What a user says of a game; None where nothing is said."""

    game: str
    players: int | None = None
    options: Mapping[str, str] | None = None
    deck: str | None = None
    seats: str | None = None

    @property
    def player_count(self) -> int:
        """The players, or the least number that the game takes."""
        return self.players if self.players is not None else game_named(self.game).players[0]

    def head(self, source: str) -> GameHead:
        """As a journal's head, with the defaults filled in."""
        return GameHead(self.game, self.player_count, dict(self.options or {}), source=source)


def words_of(cut: CutGame, said: GameWords) -> GameWords:
    """The words of a game that goes on. Raises FairdealError where the user says others."""
    head = cut.head
    if said.players not in (None, head.players):
        raise _other(cut, f"{head.players} players", f"--players {said.players}")
    for name, value in (said.options or {}).items():
        if head.options.get(name) != value:
            kept = f"{name}={head.options.get(name, 'unknown')}"
            raise _other(cut, f"option {kept}", f"--option {name}={value}")
    deck = _deck_here(head.deck)
    if said.deck is not None and deck and _deck_here(str(load_deck(said.deck).folder)) != deck:
        raise _other(cut, f"deck {deck}", f"--deck {said.deck}")
    if said.seats is not None and head.seats:
        seats = ",".join(read_sides(said.seats, head.players))
        if seats != head.seats:
            raise _other(cut, f"seats {head.seats}", f"--seats {seats}")
    return replace(
        said, players=head.players, options=dict(head.options), deck=deck or said.deck,
        seats=head.seats or said.seats,
    )  # fmt: skip


def _deck_here(folder: str) -> str:
    """A shipped deck's folder in this version: an update moves it."""
    path = Path(folder)
    is_shipped = path.parts[-3:-1] == ("models", "decks") and path.name in shipped_decks()
    return str(load_deck(path.name).folder) if is_shipped else folder


def _other(cut: CutGame, kept: str, said: str) -> FairdealError:
    todo = "leave that out, or begin a new game without --resume"
    return FairdealError(f"game {cut.number} as it was begun, with {kept}", said, todo)
