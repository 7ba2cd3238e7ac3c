"""Dirty Laundry's table taken as it lies: card by card before `start`, whole after a lost view."""

from collections.abc import Mapping

from rules.contract.mistakes import wrong_cards
from rules.games.dirty_laundry.actions import CAN
from rules.games.dirty_laundry.cards import FACES, PLACES, WASHERS, Kind, Part, Place
from rules.games.dirty_laundry.state import (
    ANYTHING,
    Action,
    Bucket,
    Due,
    Garment,
    Item,
    Machine,
    State,
    Turn,
    with_garment,
    with_items,
    with_machine,
)
from rules.table.event import CardEvent, Placed
from rules.values import replace


def set_up(state: State, event: CardEvent) -> State:
    """One event before `start`; it makes no call."""
    if isinstance(event, Placed):
        return _laid(state, event.card, PLACES[event.place])
    return _lifted(state, event.card, PLACES[event.place])


def _laid(state: State, card: str, place: Place) -> State:
    """A card counts as right where it is laid."""
    if place.part is Part.ITEMS:
        return with_items(state, place.name, (*state.items.get(place.name, ()), Item(card)))
    if card == "unknown":
        seen = {**state.unknowns, place.name: state.unknowns.get(place.name, 0) + 1}
        return replace(state, unknowns=seen)
    if card in FACES and place.part is Part.GARMENTS:
        due = Due.CLEAN if place.kind is Kind.CLOTHESLINE else None
        garment = Garment(place.name, place.name, FACES[card].ruined, due)
        return with_garment(state, FACES[card].base, garment)
    if place.kind is Kind.MACHINE and place.part is Part.CARD:
        machine = Machine(card == "machine-broken", card)
        return with_machine(state, place.number, machine)
    if place.kind is Kind.HAND_WASH and card == "hand-wash":
        bucket = state.buckets.get(place.number, Bucket())
        bucket = replace(bucket, fresh=bucket.fresh + 1)
        return replace(state, buckets={**state.buckets, place.number: bucket})
    return replace(state)


def _lifted(state: State, card: str, place: Place) -> State:
    """A card is taken up again before `start`: as if it had never lain there."""
    if place.part is Part.ITEMS:
        items = list(state.items.get(place.name, ()))
        if Item(card) in items:
            items.remove(Item(card))
        return with_items(state, place.name, tuple(items))
    if card == "unknown" and place.name in state.unknowns:
        seen = dict(state.unknowns)
        seen[place.name] -= 1
        return replace(state, unknowns={at: n for at, n in seen.items() if n})
    if card in FACES:
        garments = dict(state.garments)
        garments.pop(FACES[card].base, None)
        return replace(state, garments=garments)
    if place.kind is Kind.MACHINE and place.part is Part.CARD:
        return with_machine(state, place.number, Machine())
    if place.kind is Kind.HAND_WASH and card == "hand-wash" and place.number in state.buckets:
        bucket = state.buckets[place.number]
        bucket = replace(bucket, fresh=max(0, bucket.fresh - 1))
        return replace(state, buckets={**state.buckets, place.number: bucket})
    return replace(state)


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    """The game after a lost view: every card counts as right where it lies, bottom to top."""
    after = State(state.players, state.first, state.started, Turn(None, 0, sure=False))
    for name, cards in table.items():
        for card in cards:
            after = _laid(after, card, PLACES[name])
    if not state.started:
        return replace(after, turn=state.turn)
    pairs = zip(state.machines, after.machines, strict=True)
    one, two, three = (now if now.shows else before for before, now in pairs)
    action = state.action
    washed = action.thing if action is not None and "wash" in action.can and not action.done else ""
    # A wash under way may have broken its machine out of view.
    one, two, three = (
        replace(machine, doubtful=f"machine/{number}/items" == washed)
        for number, machine in enumerate((one, two, three), 1)
    )
    garments = dict(after.garments)
    for base in state.garments:
        garments.setdefault(base, Garment(None, None, False, Due.UNSEEN))
    for base, garment in garments.items():
        if PLACES[garment.home or "discard"].kind in WASHERS:
            # It may have been washed, or may be on its way out of a wash.
            garments[base] = replace(garment, due=Due.UNSEEN)
    broken = {f"machine/{n}/items" for n, m in enumerate((one, two, three), 1) if m.broken}
    items = {
        # "All item cards get discarded" where a machine was broken meanwhile.
        name: tuple(replace(x, free=x.face != "back" or name in broken) for x in lying)
        for name, lying in after.items.items()
    }
    return replace(
        after,
        machines=(one, two, three),
        garments=garments,
        items=items,
        action=_action(state, table),
        owed_look=True,
    )


def _action(state: State, table: Mapping[str, tuple[str, ...]]) -> Action | None:
    """An action card that lies there may still be serving."""
    cards = table.get("actions", ())
    if not cards:
        return None
    card, action = cards[-1], state.action
    new = action is None or action.card != card
    unseen = tuple(
        name
        for name, place in PLACES.items()
        # Of a card laid out of view, what it turns up may have been taken up out of view as well.
        if _items_changed(state, table, place)
        or (new and place.part is Part.ITEMS and "back" not in table.get(name, ()))
    )
    if action is None or new:
        return Action(CAN.get(card, ANYTHING), None, card=card, unseen=unseen)
    if action.done:
        return action
    return replace(action, shown=(), loose=(), unseen=unseen)


def _items_changed(state: State, table: Mapping[str, tuple[str, ...]], place: Place) -> bool:
    """Whether other items lie here now than before the view was lost."""
    if place.part is not Part.ITEMS:
        return False
    lay = [item.face for item in state.items.get(place.name, ())]
    lay += wrong_cards(state.mistakes, place.name)
    return sorted(lay) != sorted(table.get(place.name, ()))
