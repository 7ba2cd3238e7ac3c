"""The two piles of each seat in The Cat in the Hat, and the words for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.contract.game import Setup
from rules.contract.mistakes import Mistakes
from rules.table.event import CardEvent
from rules.values import replace

LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
VOOM = "voom"
DISCARD = "discard"


@dataclass(frozen=True)
class State:
    """A game. `turn`: the seat in turn, None when anybody may act next; `piles`: the right cards
    of each pile, bottom to top; `unknowns`: the places of cards that cannot be named; `fresh`: the
    last event laid one; `naming`: the place from which one was just taken, to be named."""

    players: int
    turn: int | None
    started: bool = False
    last_cards: bool = False
    piles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mistakes: Mistakes = ()
    unknowns: tuple[str, ...] = ()
    fresh: bool = False
    naming: str | None = None


def start(setup: Setup) -> State:
    """ "The youngest player goes first": the option `first`."""
    return State(setup.players, int(setup.options["first"]))


def open_turn(state: State) -> State:
    """The turn is that of the seat that acts next."""
    return replace(state, turn=None)


def with_card(state: State, place: str, card: str) -> State:
    pile = (*state.piles.get(place, ()), card)
    return replace(state, piles={**state.piles, place: pile})


def acting(state: State, event: CardEvent) -> int | None:
    """Who acts: as seen; else the pile's owner; at the discard the seat in turn."""
    if event.seat is not None:
        return event.seat
    place = event.place
    return state.turn if place == DISCARD else owner(place)


def spots(state: State, seat: int) -> int:
    return sum(len(state.piles.get(f"seat/{seat}/{side}", ())) for side in ("left", "right"))


def spots_text(spots: int) -> str:
    return "1 spot" if spots == 1 else f"{spots} spots"


def owner(place: str) -> int:
    return int(place.split("/")[1])


def title(place: str) -> str:
    if place == DISCARD:
        return "the discard pile"
    _, seat, side = place.split("/")
    return f"seat {seat}'s {side} pile"


def name(card: str) -> str:
    return card.upper()


def say(card: str) -> str:
    return f"the {name(card)}"
