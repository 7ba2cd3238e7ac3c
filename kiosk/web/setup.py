"""What the start screen offers: games with their options, decks, and the last set-up again."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kiosk.game.seats import read_sides
from kiosk.serving.schema import read_file, shown
from kiosk.web.messages import StartGame
from models.deck import Deck, load_deck, shipped_decks
from rules.contract.game import Game, make_setup
from rules.errors import FairdealError
from rules.games import GAMES, game
from rules.table.layout import default_sides

NAME_LENGTH = 24


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What a game is started with. `seats`: the sides of seats 1..N; `options` of the game.

    `names`: of the players, in the order of their seats; empty ones are called by their seat.
    """

    game: str
    players: int
    deck: str
    seats: tuple[str, ...]
    options: dict[str, str]
    names: tuple[str, ...] = ()

    def words(self) -> list[str]:
        """The arguments of `fairdeal referee` that start this game."""
        options = [f"--option={name}={value}" for name, value in sorted(self.options.items())]
        seats = ["--seats", ",".join(self.seats)] if self.seats else []
        return [self.game, "--players", str(self.players), "--deck", self.deck, *seats, *options]


def read_setup(wish: StartGame, decks: Path) -> TableSetup:
    """A set-up as the page sends it, checked. Raises FairdealError."""
    chosen, options = game(wish.game), wish.options or {}
    seats = wish.seats or []
    if not all(side.isalpha() for side in seats):
        raise FairdealError("sides of the table as seats", "something else")
    make_setup(chosen, wish.players, options)
    if seats:
        read_sides(",".join(seats), wish.players)
    names = _names(wish.names or [], wish.players)
    listed_deck(wish.deck, decks)
    return TableSetup(chosen.name, wish.players, wish.deck, tuple(seats), dict(options), names)


def _names(found: list[str], players: int) -> tuple[str, ...]:
    """The players' names as they may be shown: printable and short. Raises FairdealError."""
    if len(found) > players:
        raise FairdealError(f"at most {players} names", str(len(found)))
    printed = ("".join(c for c in name if c.isprintable()).strip()[:NAME_LENGTH] for name in found)
    return tuple(printed)


def offered(decks: Path, last: TableSetup | None) -> dict[str, Any]:
    """The start screen's data. `decks`: the folder of decks that were taught here."""
    return {
        "games": [_game(GAMES[name]) for name in GAMES],
        "decks": known_decks(decks),
        "last": None if last is None else asdict(last),
    }


def known_decks(folder: Path) -> list[dict[str, str]]:
    """The shipped decks and those in `folder`; a damaged one is left out."""
    found = []
    own = sorted(path.parent for path in folder.glob("*/deck.toml"))
    for path in (*shipped_decks(), *map(str, own)):
        try:
            deck = load_deck(path)
        except FairdealError:
            continue
        is_shipped = path in shipped_decks()
        found.append({
            "path": path, "name": deck.name, "game": deck.game,
            "kind": "shipped" if is_shipped else "own",
        })  # fmt: skip
    return found


def listed_deck(path: str, folder: Path) -> Deck:
    """The deck of `known_decks` with that path, or in that folder. Raises FairdealError."""
    for known in known_decks(folder):
        deck = load_deck(known["path"])
        if path in (known["path"], str(deck.folder)):
            return deck
    raise FairdealError("a deck that the page lists", shown(path))


def usual_seats(source: str) -> dict[str, list[str]]:
    """The sides of seats 1..N for each number of players: as calibrated for this camera, else the
    usual ones."""
    from calibration import saved_setup, store

    found = saved_setup.stored(source, store.default_folder(), lambda line: None) if source else ()
    most = max(game.players[1] for game in GAMES.values())
    return {
        str(n): list(map(str, saved_setup.seats(found, n) or default_sides(n)))
        for n in range(1, most + 1)
    }


def save_last(path: Path, setup: TableSetup) -> None:
    """Keeps the set-up, so that the next game is one tap away. A full disk is no error here."""
    part = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(asdict(setup)), encoding="utf-8")
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)


def load_last(path: Path, decks: Path) -> TableSetup | None:
    """The last set-up; None where there is none that still holds."""
    try:
        return read_setup(read_file(StartGame, path, "the last set-up"), decks)
    except FairdealError:
        return None


def _game(each: Game) -> dict[str, Any]:
    least, most = each.players
    return {
        "name": each.name, "title": each.title, "players": [least, most],
        "options": [
            {
                "name": option.name, "default": option.default, "help": option.help,
                "values": {n: list(option.values(n)) for n in range(least, most + 1)},
            }
            for option in each.options
        ],
    }  # fmt: skip
