"""The pile as it lies, and what people see of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.contract.game import Setup, View
from rules.contract.mistakes import Mistakes, described
from rules.values import replace

NUMBERS = {f"{number}{suit}": number for number in range(2, 11) for suit in "cdhs"}
CARDS = frozenset({*NUMBERS, *(f"{rank}{suit}" for rank in "jqka" for suit in "cdhs")})


@dataclass(frozen=True)
class State:
    """`pile`: the right cards, bottom to top. `unknowns`: unnamed cards that lie there."""

    started: bool = False
    pile: tuple[str, ...] = ()
    unknowns: int = 0
    mistakes: Mistakes = ()


def start(setup: Setup) -> State:
    """The state before the first event."""
    return State()


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies after a lost view: every card counts as right."""
    cards = table.get("play", ())
    pile = tuple(card for card in cards if card in CARDS)
    return replace(state, pile=pile, unknowns=cards.count("unknown"), mistakes=())


def view(state: State) -> View:
    """What lies and what is wrong."""
    lines = [("Pile", " ".join(state.pile))]
    lines += [("To put right", described(mistake, "the {}".format)) for mistake in state.mistakes]
    return View(None, tuple(lines), "Odd on even, even on odd.")
