"""The games by name; a game's file is read when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from rules.errors import FairdealError
from rules.game import Game

NAMES = ("suds", "dirty-laundry", "soda", "cat-in-the-hat", "sooty")


def game(name: str) -> Game:
    """The game of this name. Raises FairdealError when there is none."""
    if name not in NAMES:
        raise FairdealError(f"a game: {', '.join(NAMES)}", ascii(name))
    return import_module(f"rules.{name.replace('-', '_')}").GAME


class _Games(Mapping[str, Game]):
    """All games by name, read lazily."""

    def __getitem__(self, name: str) -> Game:
        if name not in NAMES:
            raise KeyError(name)
        return game(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


GAMES: Mapping[str, Game] = _Games()
