"""Soda's table as it lies after a lost view: which hand it is, and what is due."""

from collections.abc import Mapping

from rules.games.soda.score import owner_of, piles_taken_as_they_lie
from rules.games.soda.state import (
    ACE,
    HANDS,
    VALUES,
    Laid,
    State,
    hand_over_unseen,
    score_card,
)
from rules.values import replace


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The table as it lies after a lost view: every card counts as right, the turn is open."""
    won = [
        Laid(card, owner_of(place))
        for place in table
        if place.endswith("/won")
        for card in table[place]
        if card in VALUES
    ]
    known = {laid.card for laid in state.hand}
    state = _centre(state, table)
    if not state.started:
        return replace(state, won=tuple(won))
    hand = {laid.card for laid in state.hand}
    if known and not known & hand and _plays(state):
        # Nothing is left of the hand: it is over, and nobody saw who won it.
        state = replace(hand_over_unseen(replace(state, hand=())), hand=state.hand)
    if state.hand and VALUES.get(state.hand[-1].card) == ACE and _plays(state):
        state = hand_over_unseen(state)
    elif state.running and known & hand and any(lies.card == score_card(state) for lies in won):
        # The scoring card of this hand is collected, so these are the cards of a hand that is over;
        # a lower one that was laid meanwhile leads the next hand.
        at = _led(state, known)
        old = state.old + tuple(laid.card for laid in state.hand[:at])
        state = replace(state, hand=state.hand[at:], old=old)
    return piles_taken_as_they_lie(state, won)


def doubt(state: State, buttons: tuple[str, ...]) -> State:
    """A No that was not heard may have ended the hand: what the next cards tell of it is believed.

    So its cards may be cleared away and its scoring card collected, by whomever; there may even
    have been two hands.
    """
    if "no" in buttons and state.hand and _plays(state):
        return replace(state, doubtful=True, more=True)
    return state


def _led(state: State, known: set[str]) -> int:
    """The index in the hand of a card that must have led a new one, laid out of view."""
    for at in range(1, len(state.hand)):
        below, card = state.hand[at - 1].card, state.hand[at].card
        if card not in known and VALUES.get(card, ACE) < VALUES.get(below, 0):
            return at
    return len(state.hand)


def _plays(state: State) -> bool:
    return state.running and state.hands < HANDS


def _centre(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The cards in the centre: those of hands that are over, and those of the hand."""
    cards = table.get("play", ())
    unknown = tuple(place for place, lying in table.items() for c in lying if c == "unknown")
    old: tuple[str, ...] = ()
    for card in state.old:
        if cards.count(card) > old.count(card):
            old = (*old, card)
    hand = tuple(card for card in cards if card != "back")
    for card in old:
        at = hand.index(card)
        hand = hand[:at] + hand[at + 1 :]
    seat_of = {laid.card: laid.seat for laid in state.hand}
    return replace(
        state,
        unknown=unknown,
        doubtful="unknown" in hand,
        fresh=False,
        naming=None,
        maybe=None,
        mistakes=(),
        old=old,
        hand=tuple(Laid(card, seat_of.get(card)) for card in hand),
        turn=None,
        limit=None,
    )
