"""Sooty's cards that cannot be named: laid, taken up, and laid again with their name."""

from rules.games.sooty.exchange import Judged, joker_off
from rules.games.sooty.resume import add_as_it_lies
from rules.games.sooty.sets import lay_suit_card, lay_towards
from rules.games.sooty.state import DUST, FULL, SUIT, WAND, State, cards_at, owner_of, without_last
from rules.table.call import unknown_card
from rules.table.event import CardEvent, Placed, Removed
from rules.values import replace


def lay_unknown(state: State, event: Placed) -> Judged:
    """It is not judged, and from now on the turn is that of the seat that acts next."""
    discard = (*state.discard, "unknown") if event.place == "discard" else state.discard
    after = replace(
        state,
        unknown=(*state.unknown, event.place),
        discard=discard,
        turn=None,
        last=None,
        picked=None,
        fresh=True,
        naming=None,
    )
    return after, (unknown_card(event),)


def take_unknown(state: State, event: Removed) -> Judged:
    """It may be laid again with its name, or it was an act to take it."""
    place = event.place
    at = state.unknown.index(place)
    state = replace(state, unknown=state.unknown[:at] + state.unknown[at + 1 :], naming=place)
    if place == "discard":
        state = replace(state, discard=without_last(state.discard, "unknown"))
    return state, ()


def without_naming(state: State, event: CardEvent) -> State:
    """The state before an event that names no card: one just taken from a set was taken by an act,
    and whose it was nobody knows."""
    if event.card == "unknown" or (isinstance(event, Placed) and event.place == state.naming):
        return state
    state = replace(state, fresh=False)
    if event.place == state.naming and event.card in (DUST, WAND):
        # What lay on it goes with it.
        return replace(state, turn=None, last=None)
    if state.naming in (None, "discard"):
        return replace(state, naming=None)
    return replace(state, naming=None, turn=None, last=None)


def name(state: State, event: Placed) -> Judged:
    """The name of a card that has lain here for a while: no act, and no turn."""
    place, card, turn = event.place, event.card, state.turn
    state = replace(state, naming=None, turn=None)
    if place == "discard" or card not in SUIT:
        # On the discard pile it may as well have been drawn, and another one discarded.
        after = add_as_it_lies(state, event)
        return (replace(after, last=None) if place == "discard" else replace(after, turn=turn)), ()
    if joker_off(state, place):
        return lay_suit_card(state, event)
    if event.seat is not None and len(cards_at(state, place)) >= FULL - 1:
        # A joker that could not be named may have been exchanged.
        turn, state = None, replace(state, last=None)
    if event.seat not in (None, owner_of(place)):
        return add_as_it_lies(state, event), ()
    after, calls = lay_towards(state, event, owner_of(place))
    return replace(after, turn=turn, last=state.last, owes=state.owes, picked=state.picked), calls
