"""Soda's scoring cards: who has won what, rounds, and the highest score."""

from collections.abc import Iterable

from rules.contract.game import next_seat, seats_with
from rules.contract.mistakes import OpenedBy, opened
from rules.games.soda.state import (
    HANDS,
    SUITS,
    TEN,
    VALUES,
    Laid,
    State,
    card_name,
    hand_over_unseen,
    score_card,
    seat_name,
)
from rules.table.call import Call, mistake, notice, tie, win
from rules.table.event import Act, Placed
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


def claim(state: State, event: Placed) -> Judged:
    """A card is laid at a seat's won pile.

    "They collect the top scoring card (2 points for the first hand, 3 for the next hand, and so
    on up to 10) and keep this in a pile beside them."
    """
    card, owner = event.card, owner_of(event.place)
    unsure = (state.doubtful or state.more) and state.running and state.hands < HANDS
    if unsure and card == score_card(state):
        # A card of a hand could not be named: it was an Ace, and that hand is over.
        state = replace(hand_over_unseen(state), more=state.more and state.doubtful)
    due = [laid for laid in state.due if laid.card == card]
    right = next((laid for laid in due if laid.seat in (owner, None)), None)
    seat = event.seat if event.seat is not None else state.turn
    if right is None and event.place not in state.unknown:
        if due:
            call = mistake(
                event,
                "wrong-winner",
                f"The {card_name(card)} was won by {seat_name(due[0].seat)}, not by seat {owner}. "
                f"Give it to {seat_name(due[0].seat)}.",
                seat,
            )
        else:
            call = mistake(
                event,
                "wrong-score-card",
                f"Nobody has won the {card_name(card)} now. {_what_is_due(state)} "
                f"Put the {card_name(card)} back.",
                seat,
                tuple(laid.card for laid in state.due),
            )
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)
    won = (*state.won, Laid(card, owner))
    state = replace(state, due=tuple(laid for laid in state.due if laid is not right), won=won)
    if not (state.running and state.hands == HANDS and card == _ten(state)):
        return state, ()
    return _end_of_round(state, event)


def take_back(state: State, card: str, owner: int) -> State:
    """A right scoring card leaves its winner's pile: it is due again."""
    laid = Laid(card, owner)
    if laid not in state.won:
        return state
    at = state.won.index(laid)
    return replace(state, won=state.won[:at] + state.won[at + 1 :], due=(*state.due, laid))


def highest_score(state: State, event: Act) -> Call:
    """ "The player with the highest score wins!" """
    points = scores(state)
    best = max(points.values())
    first, names = seats_with(best, tuple(points.values()))
    if len(first) == 1:
        text = f"Seat {first[0]} wins with {best} points!"
        return win(event, "highest-score", text, first[0])
    text = f"It is a tie: seats {names} have {best} points each. Nobody wins."
    return tie(event, "highest-score", text)


def scores(state: State) -> dict[int, int]:
    """Each seat's points: the sum of the scoring cards that lie rightly at its pile."""
    points = dict.fromkeys(range(1, state.players + 1), 0)
    for laid in state.won:
        if laid.seat is not None and VALUES.get(laid.card, 0) <= TEN:
            points[laid.seat] += VALUES.get(laid.card, 0)
    return points


def owner_of(place: str) -> int:
    """The seat in `seat/N/won` or `seat/N/hand`."""
    return int(place.split("/")[1])


def piles_taken_as_they_lie(state: State, won: Iterable[Laid]) -> State:
    """The state with these won piles, all of them right: they tell the round and the hand."""
    won = tuple(won)
    cards = {laid.card for laid in won}
    reached = state.round
    for number in range(state.round, len(state.suits)):
        if any(f"{value}{state.suits[number]}" in cards for value in range(2, TEN + 1)):
            reached = number
    due = tuple(laid for laid in state.due if laid.card not in cards)
    if reached == len(SUITS):
        return replace(state, won=won, due=due)
    suit = state.suits[reached]
    last = max((v for v in range(2, TEN + 1) if f"{v}{suit}" in cards), default=1)
    hands = max(state.hands if reached == state.round else 0, last - 1)
    known = cards | {laid.card for laid in due}
    missing = [f"{v}{suit}" for v in range(2, last + 1) if f"{v}{suit}" not in known]
    dealer = state.dealer
    for _ in range(reached - state.round):
        dealer = next_seat(dealer, state.players)
    due += tuple(Laid(card, None) for card in missing)
    state = replace(state, won=won, due=due, round=reached, hands=hands, dealer=dealer)
    return next_round(state) if last == TEN else state


def _end_of_round(state: State, event: Act) -> Judged:
    """ "Continue playing hands until the 10 has been claimed." """
    state = next_round(state)
    if state.round == len(SUITS):
        # "When all four rounds have ended, and all scoring cards have been won, the game ends."
        return state, (highest_score(state, event),)
    text = (
        f"The round is over. Give all playing cards to seat {state.dealer}, the next dealer. "
        f"{SUITS[state.suits[state.round]].capitalize()} come next; press start when dealt."
    )
    return state, (notice(event, "round", text, state.dealer),)


def next_round(state: State) -> State:
    """The state between two rounds."""
    left = tuple(laid.card for laid in state.hand)
    dealer = next_seat(state.dealer, state.players)
    return replace(
        state,
        round=state.round + 1,
        dealer=dealer,
        running=False,
        hands=0,
        turn=None,
        hand=(),
        old=state.old + left,
        limit=None,
        doubtful=False,
        more=False,
        maybe=None,
    )


def _ten(state: State) -> str:
    return f"{TEN}{state.suits[state.round]}"


def _what_is_due(state: State) -> str:
    if not state.due:
        if not state.running:
            return "No scoring card is due."
        return f"This hand is played for the {card_name(score_card(state))}."
    due = ", ".join(f"the {card_name(d.card)} to {seat_name(d.seat)}" for d in state.due)
    return f"Due is {due}."
