"""The Cat in the Hat Comes Back: two piles a seat, letters going up on the left, down on the right.

Sheet: "The Cat in the Hat Comes Back", rules 1 to 3, VOOM, and the end.
"""

from collections.abc import Callable

from rules.contract import mistakes as open_mistakes
from rules.contract.game import next_seat, seats_with
from rules.contract.mistakes import OpenedBy
from rules.games.cat_in_the_hat.state import (
    DISCARD,
    LETTERS,
    VOOM,
    State,
    acting,
    name,
    owner,
    spots,
    spots_text,
    title,
    with_card,
)
from rules.table.call import Call, CallKind, mistake, notice, unknown_card
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace

_Judged = tuple[State, tuple[Call, ...]]


def judge(state: State, event: Act) -> _Judged:
    """Judges one event by the sheet."""
    if isinstance(event, Placed):
        after, calls = _placed(state, event)
    elif isinstance(event, Removed):
        after, calls = _removed(state, event)
    else:
        judge_button = _BUTTONS.get(event.button)
        after, calls = judge_button(state, event) if judge_button else (state, ())
    if not isinstance(event, Pressed) and event.card in ("unknown", "back"):
        return after, calls
    # A card that cannot be named is named by the very next event, or else it was taken away.
    if state.fresh or state.naming is not None:
        after = replace(after, fresh=False, naming=None)
    return after, calls


def _placed(state: State, event: Placed) -> _Judged:
    place, card = event.place, event.card
    if card == "back":
        return state, ()
    if card == "unknown":
        return _unknown_placed(state, event)
    if not state.started:
        return with_card(state, place, card), ()
    mistakes, calls = open_mistakes.close_by_placing(state.mistakes, event)
    if calls:
        return with_card(replace(state, mistakes=mistakes), place, card), calls
    seat = acting(state, event)
    wrong = _what_is_wrong(state, event, seat)
    if wrong is not None:
        opened = open_mistakes.opened(state.mistakes, wrong, OpenedBy.PLACING)
        return replace(state, mistakes=opened), (wrong,)
    state = replace(state, turn=_turn_after(state, event, seat))
    if card == VOOM and place != DISCARD:
        # "The player may play a new starting letter on his/her next turn."
        message = f"VOOM! Any letter may follow on {title(place)}."
        calls = (notice(event, "voom", message, seat),)
    return with_card(state, place, card), calls


def _turn_after(state: State, event: Placed, seat: int | None) -> int | None:
    """The turn after a right card. The name of a card that lay there already is no second turn:
    it was its seat's, if nothing was done since."""
    place, following = event.place, None if seat is None else next_seat(seat, state.players)
    if state.naming == place and event.seat is None:
        return None  # it may be nobody's act: a card that was taken in doubt is back
    if state.naming != place or state.fresh:
        return following
    # On the discard pile it may as well have been drawn, and another one discarded.
    return None if place == DISCARD else state.turn


def _unknown_placed(state: State, event: Placed) -> _Judged:
    """Not judged: from now on the turn is that of the seat that acts next."""
    after = replace(state, unknowns=(*state.unknowns, event.place), fresh=True, naming=None)
    if not state.started:
        return after, ()
    return replace(after, turn=None), (unknown_card(event),)


def _what_is_wrong(state: State, event: Placed, seat: int | None) -> Call | None:
    """The first row of the table that the placed card breaks, or None when it is right."""
    place, card = event.place, event.card
    back = f"Take the {name(card)} back"
    free = state.last_cards or state.unknowns or state.naming == place
    if not free and state.turn is not None and seat != state.turn:
        # "On each turn, a player draws a card … then plays a card or discards a card."
        message = f"It is seat {state.turn}'s turn, not seat {seat}'s. {back} and wait."
        return mistake(event, "out-of-turn", message, seat)
    if place == DISCARD:
        return None
    if event.seat is not None and event.seat != owner(place):
        # "Players may only play cards onto their own piles."
        message = f"This pile is seat {owner(place)}'s. {back} and play on your own piles."
        return mistake(event, "not-your-pile", message, seat)
    pile = state.piles.get(place, ())
    if not pile or VOOM in (card, pile[-1]) or place in state.unknowns:
        return None
    if place.endswith("left"):
        return None if card > pile[-1] else _wrong_letter(event, seat, pile[-1], "after")
    return None if card < pile[-1] else _wrong_letter(event, seat, pile[-1], "before")


def _wrong_letter(event: Placed, seat: int | None, top: str, side: str) -> Call:
    """ "Letters that come alphabetically after (right pile: before) the top card on the pile." """
    card, place = event.card, event.place
    fitting = tuple(c for c in LETTERS if (c > top if side == "after" else c < top))
    due = f"a letter {side} {top.upper()}, or a VOOM" if fitting else "a VOOM"
    message = f"{title(place).capitalize()} needs {due}. Take the {name(card)} back."
    return mistake(event, f"not-{side}", message, seat, (*fitting, VOOM))


def _removed(state: State, event: Removed) -> _Judged:
    place, card = event.place, event.card
    if card == "unknown":
        left = list(state.unknowns)
        if place in left:
            left.remove(place)
        return replace(state, unknowns=tuple(left), naming=place), ()
    mistakes, calls = open_mistakes.close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    pile = state.piles.get(place, ())
    if card not in pile:
        return state, ()
    level = len(pile) - 1 - pile[::-1].index(card)
    piles = {**state.piles, place: pile[:level] + pile[level + 1 :]}
    after = replace(state, piles=piles)
    if not state.started or place == DISCARD:
        return after, ()
    # "Players count the cards that they've played": what is played stays.
    message = f"Played cards stay. Put the {name(card)} back on {title(place)}."
    stays = mistake(event, "cards-stay", message, acting(state, event))
    return replace(
        after, mistakes=open_mistakes.opened(state.mistakes, stays, OpenedBy.REMOVING)
    ), (stays,)


def _start_pressed(state: State, event: Pressed) -> _Judged:
    return (state, ()) if state.started else (replace(state, started=True), ())


def _deck_empty_pressed(state: State, event: Pressed) -> _Judged:
    """ "Once the last card … is drawn, players play any remaining cards from their hands." """
    if state.last_cards or not state.started:
        return state, ()
    message = "The deck is empty. Everybody plays what still fits, in any order."
    return replace(state, last_cards=True), (Call(CallKind.NOTICE, "last-cards", message),)


def _end_pressed(state: State, event: Pressed) -> _Judged:
    """ "The player with the most cards played has cleaned up the most spots." """
    cleaned = [spots(state, seat) for seat in range(1, state.players + 1)]
    most = max(cleaned)
    best, names = seats_with(most, cleaned)
    if len(best) > 1:
        message = f"Seats {names} cleaned up {spots_text(most)} each: a tie."
        return state, (Call(CallKind.TIE, "most-spots", message),)
    message = f"Seat {best[0]} cleaned up the most, {spots_text(most)}, and wins!"
    return state, (Call(CallKind.WIN, "most-spots", message, seat=best[0]),)


_BUTTONS: dict[str, Callable[[State, Pressed], _Judged]] = {
    "start": _start_pressed,
    "deck-empty": _deck_empty_pressed,
    "end": _end_pressed,
}


def finish(state: State) -> tuple[Call, ...]:
    """Nothing in this game waits for the last event."""
    return ()
