"""Dirty Laundry's cards that cannot be named: laid, taken up, and laid again with their name."""

from rules.games.dirty_laundry.actions import CAN, Judged
from rules.games.dirty_laundry.cards import FACES, PLACES, Kind, Part
from rules.games.dirty_laundry.state import (
    ANYTHING,
    Action,
    Bucket,
    Due,
    State,
    Turn,
    place_of,
    with_garment,
    with_machine,
)
from rules.table.call import unknown_card
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace


def lay_unknown(state: State, event: Placed) -> Judged:
    """It accuses nobody: it may be a move, any action, or a machine that is turned over."""
    place = place_of(event.place)
    unknowns = {**state.unknowns, place.name: state.unknowns.get(place.name, 0) + 1}
    state = replace(state, unknowns=unknowns, turn=Turn(None, 0, sure=False), fresh=place.name)
    if place.kind is Kind.ACTIONS:
        state = replace(state, action=Action(ANYTHING, event.seat))
    if place.kind is Kind.MACHINE and place.part is Part.CARD:
        machine = replace(state.machines[place.number - 1], shows=None)
        state = with_machine(state, place.number, machine)
    return replace(state, naming=None), (unknown_card(event),)


def take_unknown(state: State, event: Removed) -> Judged:
    """It may be laid again with its name."""
    name = event.place
    unknowns = dict(state.unknowns)
    unknowns[name] = unknowns.get(name, 1) - 1
    if not unknowns[name]:
        del unknowns[name]
    fresh = name if state.fresh == name else None
    return replace(state, unknowns=unknowns, naming=name, fresh=fresh), ()


def settled(state: State, event: Act) -> State:
    """The state before another card event. A card that cannot be named was laid and has not been
    named at once: it may be the garment that somebody had in the hand."""
    place = None if isinstance(event, Pressed) else event.place
    taken_up = isinstance(event, Removed) and event.card == "unknown"
    if taken_up and place == state.fresh:
        return state
    fresh, naming = state.fresh, state.naming
    if naming is not None:
        return replace(state, fresh=None) if fresh and naming != place else state
    if fresh is None or PLACES[fresh].part is not Part.GARMENTS:
        return replace(state, fresh=None)
    taken = [base for base, garment in state.garments.items() if garment.at is None]
    home = fresh if len(taken) == 1 else None
    garments = dict(state.garments)
    for base in taken:
        garments[base] = replace(garments[base], home=home, at=home, due=Due.UNNAMED)
    return replace(state, garments=garments, fresh=None)


def name(state: State, event: Placed) -> Judged | None:
    """The name of a card that has lain here for a while, which is no move; None where it is
    something else."""
    if event.place != state.naming or state.fresh is not None:
        return None
    card, place = event.card, place_of(event.place)
    if card in FACES and place.part is Part.GARMENTS:
        base = FACES[card].base
        garment = state.garments.get(base)
        if garment is None or garment.due is not Due.UNNAMED or garment.home != place.name:
            return None
        named = replace(garment, at=place.name, ruined=FACES[card].ruined, due=Due.UNSEEN)
        return with_garment(state, base, named), ()
    if place.kind is Kind.ACTIONS and card in CAN:
        return _name_action(state, event, card), ()
    if place.kind is Kind.HAND_WASH and card == "hand-wash":
        bucket = state.buckets.get(place.number, Bucket())
        laid = replace(bucket, fresh=bucket.fresh + 1)
        return replace(state, buckets={**state.buckets, place.number: laid}), ()
    return None


def _name_action(state: State, event: Placed, card: str) -> State:
    """The name of an action card; or the next one is laid, where it was taken away."""
    action = state.action
    if action is None:
        turn = replace(state.turn, sure=False)
        return replace(state, action=Action(CAN[card], event.seat, card=card), turn=turn)
    can = action.can & CAN[card] or CAN[card]
    return replace(state, action=replace(action, can=can, card=card))
