"""The games by name. A game is a folder in this package; it is read when it is first asked for."""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from rules.contract.game import COMMON_BUTTONS, Game
from rules.errors import FairdealError

# Shown first and in this order; further games follow by name.
_FIRST = ("suds", "dirty-laundry", "soda", "cat-in-the-hat", "sooty")


def names() -> tuple[str, ...]:
    """The names of all games, in the order in which they are shown."""
    return _names(tuple(__path__))


@lru_cache(maxsize=4)
def _names(path: tuple[str, ...]) -> tuple[str, ...]:
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(path) if module.ispkg}
    return (*(name for name in _FIRST if name in found), *sorted(found.difference(_FIRST)))


def game(name: str) -> Game[Any]:
    """The game of this name. Raises FairdealError when there is none."""
    if name not in names():
        raise FairdealError(f"a game: {', '.join(names())}", ascii(name))
    found: Game[Any] = import_module(f"rules.games.{name.replace('-', '_')}").GAME
    return found


def button_names() -> tuple[str, ...]:
    """The names of the buttons of all games, the shared ones first."""
    own = [button.name for name in names() for button in game(name).own_buttons]
    return tuple(dict.fromkeys([*(button.name for button in COMMON_BUTTONS), *own]))


class _Games(Mapping[str, Game[Any]]):
    """All games by name, read lazily."""

    def __getitem__(self, name: str) -> Game[Any]:
        if name not in names():
            raise KeyError(name)
        return game(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


GAMES: Mapping[str, Game[Any]] = _Games()
NAMES = names()
