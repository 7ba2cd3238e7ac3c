"""What a game is to the referee: a set of faces, places and rules, and five plain functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rules.errors import FairdealError

if TYPE_CHECKING:
    from rules.call import Call
    from rules.event import Act

# Known in every game: a face that cannot be named, and a card that lies face down.
UNJUDGED_CARDS = frozenset({"unknown", "back"})
SHARED_BUTTONS = frozenset({"start", "undo", "end"})


@dataclass(frozen=True, slots=True)
class Setup:
    """One game's set-up; `options` holds every option of the game, defaults filled in."""

    players: int
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the game's table. `call`: "mistake", "notice", … or "win / tie"."""

    id: str
    call: str
    sentence: str
    example: str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before the game. `values(players)` are all that may be chosen."""

    name: str
    values: Callable[[int], tuple[str, ...]]
    default: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """The state for people: whose turn (None: nobody's or unknown), labelled lines, a headline."""

    turn: int | None
    lines: tuple[tuple[str, str], ...]
    headline: str


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """One game. The state is the game's own frozen dataclass; no function keeps anything.

    `judge` is given placed, removed (of a card that lies there) and pressed (all but undo), and
    returns the very same state and no calls for what it ignores. The referee ends the game at
    `end`, and at a win or tie unless `plays_on`. `places` is for error messages.
    """

    name: str
    title: str
    players: tuple[int, int]
    cards: frozenset[str]
    is_place: Callable[[str, int], bool]
    buttons: frozenset[str]
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    start: Callable[[Setup], Any]
    judge: "Callable[[Any, Act], tuple[Any, tuple[Call, ...]]]"
    resume: Callable[[Any, Mapping[str, tuple[str, ...]]], Any]
    finish: "Callable[[Any], tuple[Call, ...]]"
    view: Callable[[Any], View]
    uses_on: bool = False
    plays_on: bool = False
    places: str = ""
    # A face as people say it in a sentence: "the 5 of clubs".
    say: Callable[[str], str] = "the {}".format
    # After `resume`, where buttons pressed out of view may have changed what nobody saw.
    doubt: Callable[[Any, tuple[str, ...]], Any] | None = None
    # Where the cards depend on the number of players: those of a game of so many.
    cards_of: Callable[[int], frozenset[str]] | None = None


# Rules that hold in every game; they are in no game's table.
SHARED_RULES = (
    Rule(
        "unknown-card",
        "unsure",
        "A card that cannot be named is not judged, and neither are the cards at its place.",
        "A card lies half off the table: the referee asks for it to be laid flat.",
    ),
    Rule(
        "view-lost",
        "unsure",
        "What changed while the camera saw nothing is taken as it lies.",
        "A hand covers the lens and a card is laid: every card on the table counts as right.",
    ),
)


def make_setup(game: Game, players: int, options: Mapping[str, str] | None = None) -> Setup:
    """A checked set-up with all defaults. Raises FairdealError on a wrong number or option."""
    least, most = game.players
    if not least <= players <= most:
        raise FairdealError(f"{least} to {most} players in {game.name}", str(players))
    given = dict(options or {})
    chosen = {}
    for option in game.options:
        value = given.pop(option.name, option.default)
        values = option.values(players)
        if value not in values:
            expected = f"{option.name} one of {', '.join(values)} with {players} players"
            raise FairdealError(expected, f"{option.name}={value!a}")
        chosen[option.name] = value
    if given:
        names = ", ".join(option.name for option in game.options) or "no option"
        raise FairdealError(f"{names} as options of {game.name}", ascii(min(given)))
    return Setup(players, chosen)


def seats(players: int) -> tuple[str, ...]:
    """The values of an option that names a seat."""
    return tuple(str(seat) for seat in range(1, players + 1))


def seats_with(count: int, counts: Sequence[int]) -> tuple[list[int], str]:
    """The seats whose count this is (`counts` begins with seat 1), and as words: "1, 2 and 4"."""
    found = [seat for seat, other in enumerate(counts, 1) if other == count]
    *first, last = map(str, found)
    return found, f"{', '.join(first)} and {last}" if first else last


def next_seat(seat: int, players: int) -> int:
    """The seat after `seat`, clockwise."""
    return seat % players + 1
