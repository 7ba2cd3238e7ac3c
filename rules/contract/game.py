"""What a game is: its faces, places, rules, layout and view, and five plain functions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from rules.contract.mistakes import Mistakes
from rules.errors import FairdealError
from rules.table.call import Call
from rules.table.event import Act
from rules.table.layout import Layout

# Known in every game: a face that cannot be named, and a card that lies face down.
UNJUDGED_CARDS = frozenset({"unknown", "back"})


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
class PlaceView:
    """A place for people: its name, what it needs in words, and the faces that are due there.

    `faces` is empty where there is nothing to choose from, or too much.
    """

    place: str
    label: str
    text: str
    faces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The state for people: whose turn (None: nobody's or unknown), labelled lines, a headline.

    `places`: what each place in use needs; `scores`: (seat, score or count in words).
    """

    turn: int | None
    lines: tuple[tuple[str, str], ...]
    headline: str
    places: tuple[PlaceView, ...] = ()
    scores: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Button:
    """A button: its name in events, its key on a keyboard, and what it says."""

    name: str
    key: str
    help: str


# In every game.
COMMON_BUTTONS = (
    Button("start", "s", "the game or a round begins"),
    Button("undo", "u", "takes the last event back"),
    Button("end", "e", "the game is over"),
)
SHARED_BUTTONS = frozenset(button.name for button in COMMON_BUTTONS)


class HasMistakes(Protocol):
    """What every game's state has."""

    @property
    def mistakes(self) -> Mistakes:
        """The open mistakes, oldest first."""


State = TypeVar("State", bound=HasMistakes)


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[State]):
    """One game: everything that is the game's own. `State` is its frozen dataclass.

    `judge` gets placed, removed (of a card that lies there) and pressed (all but undo). It returns
    the very same state and no calls for what it ignores. `resume` takes the table as it lies after
    a lost view; `finish` gives the calls of the last event's end. The referee ends the game at
    `end`, and at a win or tie unless `plays_on`.
    """

    name: str
    title: str
    players: tuple[int, int]
    cards: frozenset[str]
    is_place: Callable[[str, int], bool]
    own_buttons: tuple[Button, ...]
    options: tuple[Option, ...]
    rules: tuple[Rule, ...]
    start: Callable[[Setup], State]
    judge: Callable[[State, Act], tuple[State, tuple[Call, ...]]]
    resume: Callable[[State, Mapping[str, tuple[str, ...]]], State]
    finish: Callable[[State], tuple[Call, ...]]
    view: Callable[[State], View]
    layout: Layout
    # The deck that is used when none is named: a shipped one, or a folder of taught faces.
    deck: str
    # A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`.
    sample: str
    # Whether a `placed` may name the half covered card with `on`.
    uses_on: bool = False
    plays_on: bool = False
    # The places in words, for error messages.
    places: str = ""
    # A face as people say it in a sentence: "the 5 of clubs".
    say: Callable[[str], str] = "the {}".format
    # After `resume`, when buttons were pressed while nobody saw the table.
    doubt: Callable[[State, tuple[str, ...]], State] | None = None
    # The cards of a game of so many players, when they depend on that number.
    cards_of: Callable[[int], frozenset[str]] | None = None
    # The state after an act that nobody saw: the turn is that of the seat that acts next.
    open_turn: Callable[[State], State] | None = None

    @property
    def buttons(self) -> frozenset[str]:
        """The names of the game's own buttons, without the shared ones."""
        return frozenset(button.name for button in self.own_buttons)

    @property
    def keys(self) -> dict[str, str]:
        """Keyboard keys to the names of all buttons, the shared ones too."""
        return {button.key: button.name for button in (*COMMON_BUTTONS, *self.own_buttons)}


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
