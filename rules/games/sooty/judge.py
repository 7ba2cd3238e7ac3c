"""Sooty's Magic Card Game, for 2 to 4 players: rule sheet 004, in its order."""

from rules.contract.game import Setup
from rules.contract.mistakes import OpenedBy, close_by_placing, close_by_removal, opened
from rules.games.sooty.exchange import (
    Judged,
    close_halves,
    exchange,
    exchanger,
    lift_top,
    pick_up,
    put_straight_back,
    take_loose,
    taken,
    who_took_it,
    without_lift,
    wrong,
)
from rules.games.sooty.oofle import lay_oofle, lay_wand
from rules.games.sooty.reach import tell
from rules.games.sooty.resume import add_as_it_lies, lift_as_it_lies
from rules.games.sooty.sets import lay_suit_card, one_act_with_taking
from rules.games.sooty.state import (
    DUST,
    FACE_INDEX,
    FACES,
    PACK,
    SUIT,
    WAND,
    Half,
    State,
    after_act,
    cards_at,
    face_name,
    is_complete,
    is_out_of_turn,
    joker_of,
    owner_of,
    without_last,
)
from rules.games.sooty.unknowns import lay_unknown, name, take_unknown, without_naming
from rules.table.call import Call, mistake, unsure
from rules.table.event import Act, CardEvent, Placed, Pressed, Removed
from rules.values import replace


def start(setup: Setup) -> State:
    """The state before the first event."""
    sets = ((),) * (2 * setup.players)
    return State(setup.players, int(setup.options["dealer"]), sets, (0,) * len(FACES))


def judge(state: State, event: Act) -> Judged:
    """One event on the table or at a button."""
    if isinstance(event, Pressed):
        return _press(state, event)
    if event.card == "back":
        return state, ()
    lying = _counted(state, event)
    if not state.started:
        if isinstance(event, Placed):
            return replace(add_as_it_lies(state, event), lying=lying), ()
        return replace(lift_as_it_lies(state, event), lying=lying), ()
    before = without_naming(state, event) if state.fresh or state.naming else state
    if isinstance(event, Removed):
        after, calls = _removed(before, event)
    else:
        after, calls = _placed(before, event)
        if (after.fresh or after.naming) and event.card != "unknown":
            after = replace(after, fresh=False, naming=None)
    if after.sets is state.sets and after.discard is state.discard:
        return replace(after, lying=lying), calls
    noted, left, told = tell(state, after, event)
    after = replace(after, lying=lying, noted=noted, left=left)
    return after, (*calls, *told) if told else calls


def finish(state: State) -> tuple[Call, ...]:
    """Halves that are still open at the last event are judged by the other rows."""
    return close_halves(state, 0.0)[1]


def _press(state: State, event: Pressed) -> Judged:
    if event.button == "start" and not state.started:
        # "The Dealer starts play."
        return replace(state, started=True, turn=state.dealer), ()
    if event.button == "end":
        return close_halves(state, event.at)
    return state, ()


def _counted(state: State, event: CardEvent) -> tuple[int, ...]:
    """How many of each face lie on the table after this event, by `FACES`."""
    if event.card == "unknown":
        return state.lying
    lying = list(state.lying)
    lying[FACE_INDEX[event.card]] += 1 if isinstance(event, Placed) else -1
    return tuple(lying)


def _placed(state: State, event: Placed) -> Judged:
    if event.card == "unknown":
        return lay_unknown(state, event)
    if state.mistakes or state.lifts or state.half or state.out or state.picked:
        back = _put_back(state, event)
        if back:
            return back
    if state.naming and not state.fresh:
        state, calls = name(state, event)
    elif event.place == "discard":
        state, calls = _discard(state, event)
    elif event.card in SUIT:
        state, calls = lay_suit_card(state, event)
    else:
        state, calls = close_halves(state, event.at)
        state, made = (lay_oofle if event.card == DUST else lay_wand)(state, event)
        calls += made
    if state.lying[FACE_INDEX[event.card]] < PACK[event.card] or event.card in state.counted:
        return state, calls
    text = (
        f"I see more {face_name(event.card)} cards than the {PACK[event.card]} of the pack. "
        "I may have misread one; play on."
    )
    seen = unsure(event, "deck-count", text, event.seat)
    return replace(state, counted=(*state.counted, event.card)), (*calls, seen)


def _put_back(state: State, event: Placed) -> Judged | None:
    """A card that lies again where it was taken is no act; None where it is something else."""
    place, card, picked = event.place, event.card, state.picked
    lifts = without_lift(state.lifts, place, card) if state.lifts else None
    mistakes, calls = close_by_placing(state.mistakes, event)
    if calls:
        return replace(
            state, mistakes=mistakes, lifts=state.lifts if lifts is None else lifts
        ), calls
    if lifts is not None:
        return replace(state, lifts=lifts), ()
    half = state.half
    if half and state.half_is_joker and (half.place, half.card) == (place, card):
        return replace(state, half=None), ()
    if (place, card) in state.out:
        return replace(state, out=tuple(o for o in state.out if o != (place, card))), ()
    if picked and (picked.place, picked.face) == (place, card):
        seat = picked.seat if picked.seat is not None else owner_of(place)
        if event.seat in (None, seat):
            return put_straight_back(state, picked), ()
    return None


def _discard(state: State, event: Placed) -> Judged:
    """(e) "Pick up the top card of the discard pile or the top card of the pack AND then discard
    one from his own hand." """
    state, calls = close_halves(state, event.at)
    state, turn = one_act_with_taking(state, event)
    seat = event.seat if event.seat is not None else state.turn
    if is_out_of_turn(state, seat):
        text = (
            f"It is seat {state.turn}'s turn. Seat {seat}, take your "
            f"{face_name(event.card)} back from the discard pile."
        )
        call = mistake(event, "out-of-turn", text, seat)
        state, made = wrong(replace(state, turn=turn), call, OpenedBy.PLACING)
        return state, (*calls, *made)
    return after_act(state, seat, "e", discard=(*state.discard, event.card)), calls


def _removed(state: State, event: Removed) -> Judged:
    place = event.place
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    if event.card == "unknown":
        return take_unknown(state, event)
    if place == "discard":
        return _draw(state, event)
    half = state.half
    if half and half.place == place and not state.half_is_joker:
        if half.card == event.card:
            # "A half taken back makes no call."
            return replace(state, half=None), ()
        if event.card == joker_of(cards_at(state, place)):
            seat = exchanger(state, place, half.seat, event.seat)
            return exchange(state, event, place, half.card, seat)
    if (place, event.card) in state.loose:
        return take_loose(state, event), ()
    if event.card in (DUST, WAND):
        return lift_top(state, event)
    return _take(state, event)


def _draw(state: State, event: Removed) -> Judged:
    """ "If at your turn you do (a) or (d) or (f) you do NOT pick up another card." """
    if event.card not in state.discard:
        return state, ()
    seat = event.seat
    if seat is not None and state.last in ((seat, "a"), (seat, "d"), (seat, "f")):
        text = (
            f"Seat {seat}, you do not pick up a card after this move. Put the "
            f"{face_name(event.card)} back on the discard pile."
        )
        call = mistake(event, "no-draw", text, seat)
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.REMOVING)), (call,)
    owes = None if seat in (None, state.owes) else state.owes
    return replace(state, discard=without_last(state.discard, event.card), owes=owes), ()


def _take(state: State, event: Removed) -> Judged:
    """(f) "Pick up one card from one of his own unfinished sets"; or one half of (d); or a card
    that has to stay."""
    place, seat, owner = event.place, event.seat, owner_of(event.place)
    cards = cards_at(state, place)
    card = next((c for c in reversed(cards) if c.face == event.card), None)
    if card is None:
        return state, ()
    own = seat == owner or (seat is None and state.turn == owner)
    finished = is_complete(cards)
    if seat is None and not own and not (finished and event.card.endswith("joker")):
        return pick_up(state, event, card, was_act=False), (who_took_it(event),)
    if place in state.unknown and not own:
        # Of a set with a card that cannot be named, this may be the joker's exchange.
        return pick_up(state, event, card, was_act=False), ()
    state, calls = close_halves(state, event.at, spare=card)
    if finished and event.card.endswith("joker"):
        half = Half(place, event.card, seat)
        return replace(state, half=half, half_is_joker=True, picked=None), calls
    if seat is None and finished:
        return pick_up(state, event, card, was_act=False), (*calls, who_took_it(event))
    if seat is not None and (seat != owner or finished):
        state, made = wrong(state, taken(event, seat), OpenedBy.REMOVING)
        return state, (*calls, *made)
    if is_out_of_turn(state, seat):
        text = f"It is seat {state.turn}'s turn. Seat {seat}, put the {face_name(event.card)} back."
        state, made = wrong(state, mistake(event, "out-of-turn", text, seat), OpenedBy.REMOVING)
        return state, (*calls, *made)
    return pick_up(state, event, card, was_act=True), calls
