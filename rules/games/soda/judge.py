"""Soda, a card game for 2 to 6 players: rule sheet 002, in its order."""

from rules.contract.game import Setup, next_seat
from rules.contract.mistakes import OpenedBy, close_by_placing, close_by_removal, opened
from rules.games.soda.hands import play, say_no, take_from_play
from rules.games.soda.score import (
    Judged,
    claim,
    highest_score,
    next_round,
    owner_of,
    piles_taken_as_they_lie,
    take_back,
)
from rules.games.soda.state import (
    ACE,
    HANDS,
    SUITS,
    VALUES,
    Laid,
    State,
    card_name,
    rank_name,
    without_one,
)
from rules.games.soda.unknowns import (
    kept_in_hand,
    lay_unknown,
    led,
    name,
    take_unknown,
    without_naming,
)
from rules.table.call import Call, mistake
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace


def start(setup: Setup) -> State:
    """The state before the first event."""
    return State(setup.players, setup.options["suits"], int(setup.options["dealer"]))


def judge(state: State, event: Act) -> Judged:
    """One event on the table or at a button."""
    if isinstance(event, Pressed):
        return _press(state, event)
    if event.card == "back":
        return state, ()
    if state.naming or state.fresh:
        state = without_naming(state, event)
    if isinstance(event, Removed):
        return _remove(state, event)
    if event.card == "unknown":
        return lay_unknown(state, event)
    if event.place == "play":
        if state.naming:
            return name(state, event)
        if state.maybe:
            state = led(state, VALUES[event.card])
        return play(replace(state, fresh=False) if state.fresh else state, event)
    if event.place.endswith("/won"):
        return _lay_won(state, event)
    if event.place.endswith("/hand"):
        return _show(state, event)
    return state, ()


def _press(state: State, event: Pressed) -> Judged:
    if event.button == "start":
        return _start_round(state)
    if event.button == "no":
        return say_no(led(kept_in_hand(state), ACE), event)
    if event.button == "end":
        return state, (highest_score(state, event),)
    return state, ()


def _start_round(state: State) -> Judged:
    """ "The player to the left of the dealer starts the first hand of the new round." """
    if state.running and state.hands == HANDS and any(p.endswith("/won") for p in state.unknown):
        # The round's 10 is collected, though nobody can read it.
        state = next_round(state)
    if state.running or state.round == len(SUITS):
        return state, ()
    if not state.started:
        state = piles_taken_as_they_lie(replace(state, started=True), state.won)
        if state.round == len(SUITS):
            return state, ()
    # A card that lies in the centre already was led before the button: whoever acts next is right.
    turn = None if state.hand else next_seat(state.dealer, state.players)
    return replace(state, running=True, turn=turn, limit=None), ()


def _lay_won(state: State, event: Placed) -> Judged:
    if not state.started:
        return replace(state, won=(*state.won, Laid(event.card, owner_of(event.place)))), ()
    mistakes, calls = close_by_placing(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    return claim(state, event)


def _show(state: State, event: Placed) -> Judged:
    """ "… and momentarily lay their remaining cards face up on the table to prove they're not
    hiding any such cards." """
    if state.limit is None or event.place in state.unknown:
        return state, ()
    value, ace = state.limit
    owner = owner_of(event.place)
    # Where nobody saw whose Ace it was, the hand shown may be that seat's.
    if ace in (None, owner) or VALUES[event.card] <= value:
        return state, ()
    text = (
        f"The {card_name(event.card)} is above the {rank_name(value)} under the Ace. "
        f"Seat {owner}, discard it."
    )
    seat = event.seat if event.seat is not None else owner
    call = mistake(event, "kept-too-high", text, seat)
    return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)


def _remove(state: State, event: Removed) -> Judged:
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        old = without_one(state.old, event.card) if event.place == "play" else state.old
        return replace(state, mistakes=mistakes, old=old), calls
    if event.card == "unknown":
        return take_unknown(state, event)
    if event.place == "play":
        if state.maybe and state.maybe.card == event.card:
            return replace(state, maybe=None), ()
        return take_from_play(state, event)
    if event.place.endswith("/won"):
        owner = owner_of(event.place)
        if state.started:
            return take_back(state, event.card, owner), ()
        laid = Laid(event.card, owner)
        return replace(state, won=tuple(w for w in state.won if w != laid)), ()
    return state, ()


def finish(state: State) -> tuple[Call, ...]:
    """Nothing is left open at the last event."""
    return ()
