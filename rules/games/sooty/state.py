"""Sooty's cards, the sums that make 12, and the state of its game."""

from dataclasses import dataclass
from typing import Any

from rules.contract.game import next_seat
from rules.contract.mistakes import Mistakes
from rules.values import replace

DUST, WAND = "oofle-dust", "magic-wand"
TWELVE, FULL, NUMBERS = 12, 4, (1, 2, 3, 4, 5)
# "In each of the two Suits there are six cards with the number "3" on them and three cards each
# with the numbers "1", "2", "4", "5"."
PACK = {
    f"{suit}-{name}": count
    for suit in ("sooty", "sweep")
    for name, count in (("1", 3), ("2", 3), ("3", 6), ("4", 3), ("5", 3), ("joker", 1))
} | {DUST: 8, WAND: 8}
FACES = tuple(PACK)
PLACES = tuple(f"seat/{seat}/set/{number}" for seat in range(1, 5) for number in (1, 2))
INDEX = {place: i for i, place in enumerate(PLACES)}
FACE_INDEX = {face: i for i, face in enumerate(FACES)}
# Of the suit cards; a joker's number is 0.
SUIT = {face: face.split("-")[0] for face in FACES if face not in (DUST, WAND)}
NUMBER = {face: 0 if face.endswith("joker") else int(face[-1]) for face in SUIT}
# As people say it.
_NAMES = {face: face.replace("-", " ").title() for face in FACES} | {"unknown": "card"}


@dataclass(frozen=True, slots=True)
class Card:
    """A suit card in a set. `tops`: the Oofles and wands on it, bottom to top, each with the
    number of its laying (a later one is higher)."""

    face: str
    tops: tuple[tuple[str, int], ...] = ()

    def is_oofled(self) -> bool:
        """Whether an Oofle on it is open."""
        return bool(self.tops) and self.tops[-1][0] == DUST


Set = tuple[Card, ...]
# Frozen, so that one of each face is enough.
_BARE = {face: Card(face) for face in SUIT}


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a joker's exchange, waiting for the other. `card`: the joker or the suit card."""

    place: str
    card: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Lift:
    """An Oofle or wand taken off a card. Judged by what follows, unless `quiet`."""

    place: str
    face: str
    number: int
    seat: int | None
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Picked:
    """The suit card taken from a set by the last act, and what was before: putting it straight
    back, or on another place, is one act with the taking."""

    place: str
    face: str
    seat: int | None
    was_act: bool
    turn: int | None
    cards: Set
    lifts: tuple[Lift, ...]
    loose: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class State:
    """One game of Sooty. `sets`: the right cards, by `PLACES`; `discard`: bottom to top.

    `owes`: the seat that still has to draw; `last`: the last act as (seat, letter of the sheet).
    `half`, `lifts`: acts that are not whole yet. `out`: jokers off their sets after a wrong
    exchange, as (place, joker); `loose`: Oofles and wands whose card was picked up. `noted`: sets
    called as unable to reach 12; `left`: the cards that were still to be had at the last look for
    such sets, by `FACES` (None: nobody looked yet); `counted`: faces called as too many; `lying`:
    how many of each face lie on the table; `unknown`: places of cards that cannot be named;
    `fresh`: the last event laid one; `naming`: where one was just taken up, to be laid again with
    its name; `doubtful`: sets of which nobody knows any more what is oofled; `guessed`: sets whose
    Oofles were laid out of view, on which cards is a guess; `laid` counts Oofles and wands.
    """

    players: int
    dealer: int
    sets: tuple[Set, ...]
    lying: tuple[int, ...]
    started: bool = False
    turn: int | None = None
    discard: tuple[str, ...] = ()
    owes: int | None = None
    last: tuple[int | None, str] | None = None
    half: Half | None = None
    half_is_joker: bool = False
    lifts: tuple[Lift, ...] = ()
    out: tuple[tuple[str, str], ...] = ()
    loose: tuple[tuple[str, str], ...] = ()
    picked: Picked | None = None
    noted: tuple[str, ...] = ()
    left: tuple[int, ...] | None = None
    counted: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    fresh: bool = False
    naming: str | None = None
    doubtful: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    laid: int = 0
    mistakes: Mistakes = ()


def owner_of(place: str) -> int:
    """The seat in `seat/N/set/K`."""
    return INDEX[place] // 2 + 1


def bare(face: str) -> Card:
    """A suit card with nothing on it."""
    return _BARE[face]


def cards_at(state: State, place: str) -> Set:
    """The right cards of a set."""
    return state.sets[INDEX[place]]


def sets_with(state: State, place: str, cards: Set) -> tuple[Set, ...]:
    """The sets with other cards in one of them."""
    i = INDEX[place]
    return (*state.sets[:i], cards, *state.sets[i + 1 :])


def with_cards(state: State, place: str, cards: Set) -> State:
    """The state with other cards in one set."""
    return replace(state, sets=sets_with(state, place, cards))


def is_out_of_turn(state: State, seat: int | None) -> bool:
    """Whether this seat acts out of turn. While a card lies that cannot be named, nobody does."""
    return not (state.unknown or state.turn is None or seat is None or seat == state.turn)


def after_act(state: State, seat: int | None, act: str, **changes: Any) -> State:
    """A right act is done with its `changes`: the next seat's turn; an Oofle and a wand bring an
    owed draw."""
    changes["turn"] = None if seat is None else next_seat(seat, state.players)
    changes["owes"] = seat if act in "bc" else None
    changes["last"] = (seat, act)
    changes["picked"] = None
    return replace(state, **changes)


def open_turn(state: State) -> State:
    """The turn is that of the seat that acts next, and what was done last is not known."""
    return replace(state, turn=None, last=None, picked=None)


def numbers_of(cards: Set) -> list[int]:
    """The numbers on the cards, 0 for a joker."""
    return [NUMBER[card.face] for card in cards]


def makes_twelve(cards: Set) -> bool:
    """Whether the numbers make 12: "the Joker cards can be used for any number 1 to 5"."""
    numbers = numbers_of(cards)
    jokers = numbers.count(0)
    return jokers <= TWELVE - sum(numbers) <= jokers * NUMBERS[-1]


def is_complete(cards: Set) -> bool:
    """Four cards that make 12."""
    return len(cards) == FULL and makes_twelve(cards)


def first_oofled(cards: Set) -> Card | None:
    """The first card with an open Oofle, or None."""
    for card in cards:
        if card.tops and card.is_oofled():
            return card
    return None


def joker_of(cards: Set) -> str | None:
    """The set's joker, or None."""
    for card in cards:
        if NUMBER[card.face] == 0:
            return card.face
    return None


def stands_for(cards: Set, joker: str) -> tuple[str, ...]:
    """The card that the joker of a complete set represents: 12 minus the other three. More than
    one where a second joker lies in the set, or where a card of it is gone by now."""
    numbers = numbers_of(cards)
    rest, free = TWELVE - sum(numbers), FULL - len(cards) + numbers.count(0) - 1
    return tuple(
        f"{SUIT[joker]}-{number}"
        for number in NUMBERS
        if free <= rest - number <= free * NUMBERS[-1]
    )


def face_name(face: str) -> str:
    """`sooty-3` as people say it: Sooty 3."""
    return _NAMES[face]


def say(face: str) -> str:
    """A card in a sentence: "the Sooty 3"."""
    return f"the {face_name(face)}"


def numbers_text(cards: Set) -> str:
    """`5 + 3 + Joker (3) + 1`, the numbers of a complete set."""
    numbers = numbers_of(cards)
    rest = TWELVE - sum(numbers)
    joker = f"Joker ({rest})" if rest <= NUMBERS[-1] else "Joker"
    return " + ".join(str(number) if number else joker for number in numbers)


def without_last(pile: tuple[str, ...], face: str) -> tuple[str, ...]:
    """A pile without its uppermost card of this face, if there is one."""
    for at in range(len(pile) - 1, -1, -1):
        if pile[at] == face:
            return pile[:at] + pile[at + 1 :]
    return pile
