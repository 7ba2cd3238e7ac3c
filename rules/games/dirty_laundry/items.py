"""Items in Dirty Laundry: laid, turned up by a wash, rinsed away."""

from rules.contract.mistakes import OpenedBy, close_by_placing, close_by_removal, opened
from rules.games.dirty_laundry.cards import ITEMS, Kind, Place, said
from rules.games.dirty_laundry.garments import no_bucket
from rules.games.dirty_laundry.state import (
    Action,
    Item,
    State,
    actor,
    backs,
    counts_as_right,
    place_of,
    with_items,
)
from rules.games.dirty_laundry.turns import is_broken, moved, mover, turn_fault
from rules.games.dirty_laundry.wash import work_out
from rules.table.call import Call, CallKind, mistake
from rules.table.event import CardEvent
from rules.values import replace

Judged = tuple[State, tuple[Call, ...]]
Fault = tuple[str, str] | None
WASH = frozenset({"wash"})
CLEARS = frozenset({"wash", "rinse"})
# Stands for an item wrongly taken: it may come back with its face up.
TURNED = Item("turned")


def place_item(state: State, event: CardEvent) -> Judged:
    """A card is placed where items lie: put back, turned up by a wash, or laid as a move."""
    place = place_of(event.place)
    lies = state.items.get(place.name, ())
    mistakes, calls = close_by_placing(state.mistakes, event)
    if calls:
        item = Item(event.card)
        state = replace(state, lifted=tuple(x for x in state.lifted if x != (place.name, TURNED)))
        return replace(with_items(state, place.name, (*lies, item)), mistakes=mistakes), calls
    lifted = (event.place, event.card)
    for i, (where, item) in enumerate(state.lifted):
        # A face-down card tells nothing of which one it is: laid again, it is a move.
        if (where, item.face) == lifted and event.card != "back":
            left = state.lifted[:i] + state.lifted[i + 1 :]
            return with_items(replace(state, lifted=left), place.name, (*lies, item)), ()
    if event.card == "back":
        if _is_put_back(state, event, place):
            assert state.action is not None
            action = replace(state.action, owed=state.action.owed - 1)
            # It may be another one, and a move: so not all moves of this turn are known.
            state = replace(state, action=action, turn=replace(state.turn, sure=False))
            return with_items(state, place.name, (*lies, Item("back"))), ()
    elif (shown := _turned_up(state, event, place)) is not None:
        return shown
    elif (place.name, TURNED) in state.lifted:
        # Turned over without a wash: its removal was called, and one act makes one mistake.
        i = state.lifted.index((place.name, TURNED))
        return replace(state, lifted=state.lifted[:i] + state.lifted[i + 1 :]), ()
    return _lay_item(state, event, place)


def _lay_item(state: State, event: CardEvent, place: Place) -> Judged:
    """ "Place an Item face-down by stacking item cards above a washing machine or hand wash." """
    if event.card not in ITEMS and event.card not in ("back", "unknown"):
        return replace(state), ()
    # A move is an item laid face-down; one laid face-up is none, whoever's turn it is.
    is_move = event.card not in ITEMS
    seat = mover(state, event) if is_move else actor(state, event)
    back = f"Take the {said(event.card)} back."
    fault = turn_fault(state, seat) if is_move else None
    if fault:
        fault = (fault[0], f"{fault[1]} {back}")
    elif place.kind is Kind.MACHINE:
        if is_broken(state, place.number):
            # "Items and garments cannot be loaded into a BROKEN WASHING MACHINE."
            fault = (
                "machine-broken",
                f"Machine {place.number} is broken, nothing may go in. {back}",
            )
    else:
        fault = no_bucket(state, place, back)
        if fault is None and seat is not None and seat != place.number:
            # "Opponents cannot load items into your HAND WASH."
            text = f"Only seat {place.number} may put items in this hand wash. {back}"
            fault = ("not-your-hand-wash", text)
    if fault is None and not is_move:
        # "Item cards are played face-down above a washing machine or hand wash."
        fault = ("items-face-down", f"Items are laid face-down. {back} Lay it face-down.")
    if fault is not None:
        call = mistake(event, fault[0], fault[1], seat)
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.PLACING)), (call,)
    # The move ends a wash here before its item is one of the load.
    state, calls = moved(state, event, seat, None)
    lies = state.items.get(place.name, ())
    return with_items(state, place.name, (*lies, Item(event.card))), calls


def _is_put_back(state: State, event: CardEvent, place: Place) -> bool:
    """A face-down item taken to be turned up is laid down again by the seat that washes."""
    action = state.action
    if action is None or action.thing != place.name or action.owed <= 0 or action.done:
        return False
    return "wash" in action.can and event.seat in (None, action.seat)


def _turned_up(state: State, event: CardEvent, place: Place) -> Judged | None:
    """The wash under way turns up an item here; None when no wash does."""
    action, at = state.action, place.name
    if action is None or "wash" not in action.can:
        return None
    if at in action.unseen:
        return _turned_up_unsure(state, event, place)
    if action.done:
        return None
    early = event.seat is None or event.seat == action.seat
    waiting = backs(state, at) if early else 0
    if action.thing is None:
        if action.can != WASH or not waiting or not _is_own(action, place):
            return None
    elif action.thing != at:
        return None
    owed, loose = action.owed, action.loose
    if owed > 0 or (at not in loose and waiting):
        owed -= 1
    elif at in loose:
        i = loose.index(at)
        loose = loose[:i] + loose[i + 1 :]
    else:
        return None
    shown = (*action.shown, event.card)
    action = replace(action, thing=at, shown=shown, owed=owed, loose=loose)
    item = Item(event.card, free=True, shown=True)
    state = with_items(replace(state, action=action), at, (*state.items.get(at, ()), item))
    return _worked_out(state, event, place)


def _turned_up_unsure(state: State, event: CardEvent, place: Place) -> Judged | None:
    """Items changed here while the view was lost: any may belong to the wash, and what comes out
    of it nobody can tell."""
    action, at = state.action, place.name
    assert action is not None
    reaches = action.thing == at or (action.thing is None and action.can == WASH)
    if not reaches or not _is_own(action, place) or event.card not in (*ITEMS, "unknown"):
        return None
    item = Item(event.card, free=True, spent=action.done, shown=not action.done)
    action = replace(action, thing=at, shown=(*action.shown, "unknown"))
    action = replace(action, owed=max(0, action.owed - 1))
    state = with_items(replace(state, action=action), at, (*state.items.get(at, ()), item))
    return (state, ()) if action.done else _worked_out(state, event, place)


def _worked_out(state: State, event: CardEvent, place: Place) -> Judged:
    """ "Play the WASH card to reveal all item cards": once all are, the load is worked out."""
    action = state.action
    assert action is not None
    if action.owed != 0 or not action.shown or backs(state, place.name):
        return state, ()
    state, calls = work_out(state, event, place, action.shown)
    done = place.name in action.unseen or not any(call.call is CallKind.UNSURE for call in calls)
    return replace(state, action=replace(action, can=WASH, done=done)), calls


def _is_own(action: Action, place: Place) -> bool:
    """A hand wash is private: "or your hand wash" stands in WASH and in RINSE."""
    return place.kind is Kind.MACHINE or action.seat in (None, place.number)


def remove_item(state: State, event: CardEvent) -> Judged:
    """An item is taken away: one that lay wrongly, one to be turned up, rinsed or done with."""
    place, card = place_of(event.place), event.card
    mistakes, calls = close_by_removal(state.mistakes, event)
    action = state.action
    if calls:
        state = replace(state, mistakes=mistakes)
        if action is not None and card == "back" and "wash" in action.can and not action.done:
            state = replace(state, action=replace(action, loose=(*action.loose, place.name)))
        return state, calls
    lies = state.items.get(place.name, ())
    index = next((i for i in range(len(lies) - 1, -1, -1) if lies[i].face == card), None)
    if index is None:
        return replace(state), ()
    item = lies[index]
    after = with_items(state, place.name, lies[:index] + lies[index + 1 :])
    if action is not None and _waits(item, action):
        took = _taken(after, event, place, item)
        if took is not None:
            return took
    unnamed = counts_as_right(state, place.name) or counts_as_right(state, _card_of(place))
    if item.free or unnamed:
        return replace(after, lifted=(*after.lifted, (place.name, item))), ()
    fault = _cannot_take(state, event, place)
    call = mistake(event, fault[0], fault[1], actor(state, event))
    lifted = (*after.lifted, (place.name, TURNED))
    return replace(
        after, mistakes=opened(after.mistakes, call, OpenedBy.REMOVING), lifted=lifted
    ), (call,)


def _card_of(place: Place) -> str:
    """The place of the machine's or the hand wash's own card."""
    return place.name.removesuffix("/items")


def _waits(item: Item, action: Action) -> bool:
    """An item still to be taken up, or one turned up that nobody could name."""
    return not item.free or (item.face == "unknown" and item.face in action.shown)


def _taken(state: State, event: CardEvent, place: Place, item: Item) -> Judged | None:
    """The action laid last takes this item up; None when it does not reach here."""
    action = state.action
    assert action is not None
    clears = action.can & CLEARS
    if not clears or action.thing not in (None, place.name) or not _is_own(action, place):
        return None
    if action.done and place.name not in action.unseen:
        return None
    action = replace(action, can=clears, thing=place.name)
    if "wash" not in clears:
        return replace(state, action=action), ()
    if item.face == "unknown" and item.face in action.shown:
        # A second look at an item that could not be named: the wash is worked out once more.
        i = action.shown.index(item.face)
        action = replace(action, shown=action.shown[:i] + action.shown[i + 1 :])
    if item.face not in ("back", "unknown"):
        return replace(state, action=action), ()
    action = replace(action, owed=action.owed + 1)
    return _worked_out(replace(state, action=action), event, place)


def _cannot_take(state: State, event: CardEvent, place: Place) -> tuple[str, str]:
    action = state.action
    back = f"Put the {said(event.card)} back."
    reaches = action is not None and not action.done and action.thing in (None, place.name)
    if action is not None and reaches and action.can & CLEARS:
        return (
            "not-your-hand-wash",
            f"This hand wash is seat {place.number}'s; only its owner may wash or rinse it. {back}",
        )
    # "RINSE: remove all item cards from a selected washing machine or your hand wash."
    return "no-rinse", f"Items stay in {place.title} until a rinse or a wash. {back}"
