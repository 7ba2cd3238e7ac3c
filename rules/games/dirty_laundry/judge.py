"""Dirty Laundry, rule sheet 001: which part of the rules judges an event.

`sheet` has the table of rules, `wash` the order of effect, `turns` the moves; `garments`, `items`
and `actions` have what each kind of card may do.
"""

from rules.contract.game import Setup
from rules.contract.mistakes import close_by_removal
from rules.games.dirty_laundry.actions import (
    discarded,
    place_action,
    place_bucket,
    remove_action,
    remove_bucket,
    turn_machine,
)
from rules.games.dirty_laundry.cards import ACTIONS, FACES, MACHINES, PLACES, Kind, Part
from rules.games.dirty_laundry.garments import place_garment
from rules.games.dirty_laundry.items import place_item, remove_item
from rules.games.dirty_laundry.resume import set_up
from rules.games.dirty_laundry.state import Machine, State, Turn, hanging
from rules.games.dirty_laundry.turns import done
from rules.games.dirty_laundry.unknowns import lay_unknown, name, settled, take_unknown
from rules.table.call import Call, CallKind
from rules.table.event import Act, CardEvent, Placed, Pressed, Removed
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]


def start(setup: Setup) -> State:
    """The table before `start`: "Each player … places 3 WHITE and 3 COLOUR garments"."""
    first = int(setup.options["first"])
    return State(setup.players, first, False, Turn(first))


def judge(state: State, event: Act) -> Judged:
    """Judges one event. Returns the very same state and no calls for what it ignores."""
    if isinstance(event, Pressed):
        before = settled(state, event) if state.fresh else state
        after, calls = _press(before, event)
        return (state if after is before else after), calls
    if event.card == "back" and PLACES[event.place].part is not Part.ITEMS:
        # "Outside Dirty Laundry's items … a `back` makes nothing."
        return state, ()
    if not state.started:
        return set_up(state, event), ()
    before = settled(state, event) if state.fresh else state
    after, calls = _place(before, event) if isinstance(event, Placed) else _remove(before, event)
    if event.card != "unknown" and (after.fresh or after.naming):
        after = replace(after, fresh=None, naming=None)
    look, machines = state.owed_look, after.machines
    if (look or machines is not state.machines) and _are_broken(machines):
        if look or not _are_broken(state.machines):
            calls = (*calls, _all_broken(event))
    elif look or event.place == "clothesline":
        calls = (*calls, *_all_clean(after, event))
    if after.owed_look:
        after = replace(after, owed_look=False)
    return after, calls


def _press(state: State, event: Pressed) -> Judged:
    if event.button == "start" and not state.started:
        return replace(state, started=True, turn=Turn(state.first)), ()
    if event.button == "done" and state.started:
        return done(state, event)
    return state, ()


def _place(state: State, event: Placed) -> Judged:
    card, place = event.card, PLACES[event.place]
    if state.naming and (named := name(state, event)):
        return named
    if place.part is Part.ITEMS and card not in FACES:
        return place_item(state, event)
    if card == "unknown":
        return lay_unknown(state, event)
    if card in FACES:
        return place_garment(state, event)
    if place.kind is Kind.ACTIONS and card in ACTIONS:
        return place_action(state, event)
    if place.kind is Kind.HAND_WASH and place.part is Part.CARD and card == "hand-wash":
        return place_bucket(state, event)
    if place.kind is Kind.MACHINE and place.part is Part.CARD and card in MACHINES:
        return turn_machine(state, event)
    if place.kind is Kind.DISCARD:
        return discarded(state, event), ()
    return replace(state), ()


def _remove(state: State, event: Removed) -> Judged:
    card, place = event.card, PLACES[event.place]
    if card == "unknown" and place.part is not Part.ITEMS:
        return take_unknown(state, event)
    if card in FACES:
        return _remove_garment(state, event)
    if place.part is Part.ITEMS:
        return remove_item(state, event)
    if place.kind is Kind.ACTIONS:
        return remove_action(state, event)
    if place.kind is Kind.HAND_WASH and place.part is Part.CARD and card == "hand-wash":
        return remove_bucket(state, event)
    mistakes, calls = close_by_removal(state.mistakes, event)
    return replace(state, mistakes=mistakes), calls


def _remove_garment(state: State, event: Removed) -> Judged:
    """A garment is taken up: it is judged where it is laid next."""
    mistakes, calls = close_by_removal(state.mistakes, event)
    base = FACES[event.card].base
    garments, garment = state.garments, state.garments.get(base)
    if garment is not None and garment.at == event.place:
        garments = {**garments, base: replace(garment, at=None)}
    return replace(state, garments=garments, mistakes=mistakes), calls


def _are_broken(machines: tuple[Machine, Machine, Machine]) -> bool:
    one, two, three = machines
    return one.broken and two.broken and three.broken


def _all_broken(event: CardEvent) -> Call:
    # "If all 3 washing machines are BROKEN, everyone loses."
    message = "All three machines are broken: everyone loses. Play another game!"
    return Call(CallKind.TIE, "machines-broken", message, event.place, None, event.card)


def _all_clean(state: State, event: CardEvent) -> tuple[Call, ...]:
    """ "The objective is to wash all your dirty laundry first." """
    winners = (seat for seat in range(1, state.players + 1) if hanging(state, seat) == 6)
    return tuple(
        Call(
            CallKind.WIN,
            "all-clean",
            f"All six garments of seat {seat} hang on the clothesline: seat {seat} wins!",
            event.place,
            seat,
            event.card,
        )
        for seat in winners
    )


def finish(state: State) -> tuple[Call, ...]:
    """Nothing is left open at the last event."""
    return ()
