"""Turns in Dirty Laundry: "Players must make 2 moves each turn and cannot pass"."""

from rules.contract.game import next_seat
from rules.contract.mistakes import Mistake, OpenedBy, close_rule
from rules.games.dirty_laundry.state import Action, State, Turn
from rules.table.call import Call, CallKind
from rules.table.event import CardEvent, Pressed
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


def mover(state: State, event: CardEvent) -> int | None:
    """Who makes a move: the seat seen; else the seat in turn, after its two moves the next."""
    turn = state.turn
    if event.seat is not None or turn.seat is None:
        return event.seat
    return next_seat(turn.seat, state.players) if turn.moves >= 2 else turn.seat


def open_turn(state: State) -> State:
    """The turn is that of the seat that acts next, and its moves are not known."""
    return replace(state, turn=Turn(None, 0, sure=False))


def turn_fault(state: State, seat: int | None) -> tuple[str, str] | None:
    """The rule id and the reason if this seat may not move now; what was not seen is no fault."""
    turn = state.turn
    if turn.seat is None or seat is None or state.unknowns:
        return None
    if seat == turn.seat:
        if turn.sure and turn.moves >= 2:
            following = next_seat(seat, state.players)
            return "third-move", f"Two moves make a turn: it is seat {following}'s turn now."
        return None
    if seat == next_seat(turn.seat, state.players) and (turn.moves >= 2 or not turn.sure):
        return None
    left = max(0, 2 - turn.moves) if turn.sure else 0
    still = f", with {left} move{'s' if left > 1 else ''} still to make" if left else ""
    due = turn.seat if left or not turn.sure else next_seat(turn.seat, state.players)
    return "out-of-turn", f"It is seat {due}'s turn{still}."


def moved(state: State, event: CardEvent, seat: int | None, action: Action | None) -> Judged:
    """A right move is made: it counts, ends the last action and closes `must-move-twice`."""
    state = end_action(state)
    mistakes, calls = close_rule(state.mistakes, "must-move-twice")
    turn = _turn_after(state, event, seat)
    after = replace(state, turn=turn, last_mover=seat, action=action, lifted=(), mistakes=mistakes)
    return after, calls


def _turn_after(state: State, event: CardEvent, seat: int | None) -> Turn:
    turn = state.turn
    if seat is None:
        return turn
    if turn.seat is None or state.unknowns:
        moves = turn.moves + 1 if seat == turn.seat else 1
        return Turn(seat, moves, sure=False)
    if seat == turn.seat:
        return Turn(seat, turn.moves + 1, turn.sure)
    # Nobody saw who moved and the moves before are not all known: neither is the turn.
    if event.seat is None and not turn.sure:
        return Turn(None, 0, sure=False)
    return Turn(seat, 1)


def end_action(state: State) -> State:
    """The next move or `done` ends what the last action serves."""
    action = state.action
    if action is None:
        return state
    if action.can == {"repair"} and action.thing is None:
        state = _repair_unturned(state)
    if action.thing is not None and not action.done and action.thing in state.items:
        # A wash that was broken off: what it turned up stays in the load.
        items = tuple(replace(item, shown=False) for item in state.items[action.thing])
        state = replace(state, items={**state.items, action.thing: items})
    return replace(state, action=None)


def _repair_unturned(state: State) -> State:
    """An overdose needs no turning over, so repairing the only broken machine shows nothing."""
    broken = [machine for machine in state.machines if machine.broken]
    if len(broken) != 1 or broken[0].shows == "machine-broken":
        return state
    one, two, three = (replace(machine, broken=False) for machine in state.machines)
    return replace(state, machines=(one, two, three))


def done(state: State, event: Pressed) -> Judged:
    """`done` ends the turn; before two moves it is a mistake, closed by the next right move."""
    turn, seat = state.turn, event.seat
    if seat is None:
        seat = state.last_mover if state.last_mover is not None else turn.seat
    if turn.seat is None or state.unknowns or not turn.sure:
        return _done_unsure(state, event, seat), ()
    if seat != turn.seat:
        return state, ()
    if turn.moves >= 2:
        return _passed(state, turn.seat), ()
    left = 2 - turn.moves
    message = (
        f"Seat {seat}, two moves make a turn and nobody may pass: "
        f"make {left} more move{'s' if left > 1 else ''}, then press done."
    )
    call = Call(CallKind.MISTAKE, "must-move-twice", message, seat=seat)
    return replace(
        state, mistakes=(*state.mistakes, Mistake(call.rule, OpenedBy.BUTTON, seat=seat))
    ), (call,)


def _done_unsure(state: State, event: Pressed, seat: int | None) -> State:
    """Not all moves of this turn were seen: whoever is done is not accused of too few."""
    turn = state.turn
    if turn.seat is None or state.unknowns:
        if event.seat is None:
            return state if state.action is None else end_action(state)
        return _passed(state, event.seat)
    known = (turn.seat, next_seat(turn.seat, state.players))
    return _passed(state, seat) if seat in known else state


def _passed(state: State, seat: int) -> State:
    turn = Turn(next_seat(seat, state.players))
    return replace(end_action(state), turn=turn, lifted=())


def is_broken(state: State, number: int) -> bool:
    """Whether a machine is broken, with a repair that has had nothing to turn over counted in. One
    whose card cannot be named is not."""
    if f"machine/{number}" in state.unknowns:
        return False
    action = state.action
    if action is not None and action.can == {"repair"} and action.thing is None:
        state = _repair_unturned(state)
    return state.machines[number - 1].broken
