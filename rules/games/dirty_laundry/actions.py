"""Action cards, hand wash cards and machines in Dirty Laundry: laid, lifted, turned over."""

from rules.contract.mistakes import OpenedBy, close_by_removal, opened
from rules.games.dirty_laundry.cards import said
from rules.games.dirty_laundry.state import (
    Action,
    Bucket,
    State,
    actor,
    broken_down,
    counts_as_right,
    place_of,
    with_machine,
)
from rules.games.dirty_laundry.turns import moved, mover, turn_fault
from rules.table.call import Call, mistake
from rules.table.event import CardEvent
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]
CAN = {
    "wash": frozenset({"wash"}),
    "sort": frozenset({"sort"}),
    "rinse": frozenset({"rinse"}),
    "repair": frozenset({"repair"}),
    "wreck": frozenset({"wreck"}),
    # One card in some decks, "read by what follows".
    "repair-wreck": frozenset({"repair", "wreck"}),
    "hand-wash": frozenset({"hand-wash"}),
}


def place_action(state: State, event: CardEvent) -> Judged:
    """ "Activate an Action by placing an action card face-up and activating it immediately." """
    card = event.card
    seat = mover(state, event)
    action = state.action
    if not counts_as_right(state, event.place):
        unused = action is not None and action.card == f"{card} lifted" and action.thing is None
        if action is not None and unused and event.seat in (None, action.seat):
            # Taken up and laid down again before it was used.
            return replace(state, action=replace(action, card=card)), ()
        fault = turn_fault(state, seat)
        if fault:
            call = mistake(event, fault[0], f"{fault[1]} Take the {said(card)} back.", seat)
            return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)
    return moved(state, event, seat, Action(CAN[card], seat, card=card))


def remove_action(state: State, event: CardEvent) -> Judged:
    """An action card goes to the discard pile, or was laid wrongly; what it serves goes on."""
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    action = state.action
    if action is not None and action.card == event.card:
        action = replace(action, card=f"{action.card} lifted")
    return replace(state, action=action), ()


def place_bucket(state: State, event: CardEvent) -> Judged:
    """A hand wash card is laid at a seat: a move of its own."""
    number = place_of(event.place).number
    bucket = state.buckets.get(number, Bucket())
    action = state.action
    if bucket.lifted:
        back = replace(bucket, fresh=bucket.fresh + 1, lifted=bucket.lifted - 1)
        return replace(state, buckets={**state.buckets, number: back}), ()
    laid = replace(bucket, fresh=bucket.fresh + 1)
    if action is not None and "hand-wash" in action.can and action.thing is None:
        # Laid among the action cards first: that was the move.
        action = replace(action, thing=event.place)
        return replace(state, buckets={**state.buckets, number: laid}, action=action), ()
    seat = mover(state, event)
    fault = None if counts_as_right(state, event.place) else turn_fault(state, seat)
    if fault:
        call = mistake(event, fault[0], f"{fault[1]} Take the hand wash back.", seat)
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)
    state, calls = moved(state, event, seat, None)
    return replace(state, buckets={**state.buckets, number: laid}), calls


def remove_bucket(state: State, event: CardEvent) -> Judged:
    """A hand wash is discarded after its wash, or lifted."""
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    number = place_of(event.place).number
    bucket = state.buckets.get(number, Bucket())
    if bucket.used:
        bucket = replace(bucket, used=bucket.used - 1)
    elif bucket.fresh:
        bucket = replace(bucket, fresh=bucket.fresh - 1, lifted=bucket.lifted + 1)
    return replace(state, buckets={**state.buckets, number: bucket}), ()


def turn_machine(state: State, event: CardEvent) -> Judged:
    """A machine's card is laid: as it lay, or turned over by a wreck, a repair or an overdose."""
    place, card = place_of(event.place), event.card
    number = place.number
    machine = state.machines[number - 1]
    shown = replace(machine, shows=card)
    breaks = card == "machine-broken"
    if machine.shows is None or counts_as_right(state, place.name):
        if breaks:
            state = broken_down(state, number)
        return with_machine(state, number, replace(shown, broken=breaks)), ()
    if machine.shows == card or machine.broken == breaks:
        return with_machine(state, number, shown), ()
    word = "wreck" if breaks else "repair"
    action = state.action
    served = action is not None and word in action.can and action.thing is None
    if not served and not (breaks and machine.doubtful):
        call = mistake(event, *_cannot_turn(number, word), actor(state, event))
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)
    if action is not None and served:
        action = replace(action, can=CAN[word], thing=place.name)
    state = with_machine(replace(state, action=action), number, replace(shown, doubtful=False))
    if breaks:
        return broken_down(state, number), ()
    machine = replace(state.machines[number - 1], broken=False)
    return with_machine(state, number, machine), ()


def _cannot_turn(number: int, word: str) -> tuple[str, str]:
    # "select a broken washing machine to repair or select a washing machine to wreck"
    if word == "wreck":
        text = f"Nobody has laid a wreck card. Turn machine {number} back, it is not broken."
        return "no-wreck", text
    text = f"Nobody has laid a repair card. Turn machine {number} back, it is still broken."
    return "no-repair", text


def discarded(state: State, event: CardEvent) -> State:
    """A card on the discard pile is not judged; it will not be put back where it was lifted."""
    action = state.action
    if action is not None and action.card == f"{event.card} lifted":
        action = replace(action, card="")
    buckets = state.buckets
    if event.card == "hand-wash":
        buckets = {seat: replace(bucket, lifted=0) for seat, bucket in buckets.items()}
    return replace(state, action=action, buckets=buckets)
