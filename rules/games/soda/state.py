"""Soda's cards and the state of its game."""

from dataclasses import dataclass

from rules.contract.mistakes import Mistakes
from rules.values import replace

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
# "Aces are high (greater in value than a King)."
VALUES = {rank + suit: value for value, rank in enumerate(RANKS, 2) for suit in SUITS}
ACE, TEN, HANDS = 14, 10, 9
_COURT = {"j": "jack", "q": "queen", "k": "king", "a": "ace"}


@dataclass(frozen=True, slots=True)
class Laid:
    """A card and the seat that laid or won it (None: not known)."""

    card: str
    seat: int | None


@dataclass(frozen=True)
class State:
    """One game of Soda. `round` 0 to 3, 4 when all are played; `hands`: finished in this round.

    `hand`: the right cards of the hand under way. `old`: cards of finished hands that still lie
    in the centre. `due`: scoring cards on their way to their winners; `won`: those that lie
    rightly. `limit`: after an Ace laid on a card, that card's value and the Ace's seat.
    `unknown`: the places where a card lies that cannot be named, one entry a card; `doubtful`: one
    has lain in this hand, so that it may be over; `more`: one lay in a hand that was then ended, so
    that it may have been two; `fresh`: the last event laid one; `naming`: where
    in the hand one was just taken up to be named (-1: in none) and its seat; `maybe`: it was then
    named, or else this card leads the next hand.
    """

    players: int
    suits: str
    dealer: int
    round: int = 0
    started: bool = False
    running: bool = False
    hands: int = 0
    turn: int | None = None
    hand: tuple[Laid, ...] = ()
    old: tuple[str, ...] = ()
    due: tuple[Laid, ...] = ()
    won: tuple[Laid, ...] = ()
    limit: tuple[int, int | None] | None = None
    unknown: tuple[str, ...] = ()
    doubtful: bool = False
    more: bool = False
    fresh: bool = False
    naming: tuple[int, int | None] | None = None
    maybe: Laid | None = None
    mistakes: Mistakes = ()


def card_name(card: str) -> str:
    """`10h` as people say it: 10 of hearts."""
    if card not in VALUES:
        return card
    return f"{rank_name(VALUES[card])} of {SUITS[card[-1]]}"


def say(card: str) -> str:
    """A card in a sentence: "the 10 of hearts"."""
    return f"the {card_name(card)}"


def rank_name(value: int) -> str:
    """A value from 2 to 14 as people say it."""
    rank = RANKS[value - 2]
    return _COURT.get(rank, rank)


def a_rank(value: int) -> str:
    """A value with its article: a 7, an 8, an ace."""
    return f"{'an' if value in (8, ACE) else 'a'} {rank_name(value)}"


def seat_name(seat: int | None) -> str:
    """A seat as people say it."""
    return "its winner" if seat is None else f"seat {seat}"


def score_card(state: State) -> str:
    """The scoring card that the hand under way is played for."""
    return f"{state.hands + 2}{state.suits[state.round]}"


def hand_over_unseen(state: State) -> State:
    """The hand is over, and nobody saw who won it: its scoring card may go to anybody."""
    return replace(
        state,
        hands=state.hands + 1,
        hand=(),
        old=state.old + tuple(laid.card for laid in state.hand),
        due=(*state.due, Laid(score_card(state), None)),
        turn=None,
        limit=None,
        doubtful=False,
    )


def without_one(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """`cards` without the last `card`, if it is there."""
    for i in range(len(cards) - 1, -1, -1):
        if cards[i] == card:
            return cards[:i] + cards[i + 1 :]
    return cards
