"""Judges one event by the sheet."""

from rules.games.odd_and_even.state import NUMBERS, State

from rules.contract.mistakes import OpenedBy, close_by_removal, opened
from rules.table.call import Call, mistake, notice, unknown_card, win
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


def judge(state: State, event: Act) -> Judged:
    """The state after the event, and its calls; the very same state for what means nothing."""
    if isinstance(event, Pressed):
        return _pressed(state, event)
    if event.place != "play" or event.card == "back":
        return state, ()
    return _placed(state, event) if isinstance(event, Placed) else _removed(state, event)


def _pressed(state: State, event: Pressed) -> Judged:
    if event.button == "start" and not state.started:
        return replace(state, started=True), ()
    if event.button == "pass" and state.started:
        return state, (notice(event, "pass", "Draw a card.", event.seat),)
    return state, ()


def _placed(state: State, event: Placed) -> Judged:
    if not state.started:
        return replace(state, pile=(*state.pile, event.card)), ()
    if event.card == "unknown":
        return replace(state, unknowns=state.unknowns + 1), (unknown_card(event),)
    # "Odd on even, even on odd."
    parities = {NUMBERS.get(card, 0) % 2 for card in (*state.pile[-1:], event.card)}
    if state.pile and len(parities) == 1 and not state.unknowns:
        wrong = mistake(event, "take-turns", "Odd on even, even on odd. Take it back.", event.seat)
        return replace(state, mistakes=opened(state.mistakes, wrong, OpenedBy.PLACING)), (wrong,)
    after = replace(state, pile=(*state.pile, event.card))
    if len(after.pile) == 5 and event.seat is not None:
        return after, (win(event, "five", f"Five in a row: seat {event.seat} wins!", event.seat),)
    return after, ()


def _removed(state: State, event: Removed) -> Judged:
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    if event.card == "unknown":
        return replace(state, unknowns=max(0, state.unknowns - 1)), ()
    if event.card not in state.pile:
        return state, ()
    last = len(state.pile) - 1 - state.pile[::-1].index(event.card)
    return replace(state, pile=state.pile[:last] + state.pile[last + 1 :]), ()


def finish(state: State) -> tuple[Call, ...]:
    """Nothing waits for the last event."""
    return ()
