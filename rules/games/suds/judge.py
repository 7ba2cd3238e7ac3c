"""Suds: piles of laundry from hat to sneakers, everybody at once, no turns.

Sheet: Gamewright, "suds", rules of play (1997). `cycle` is its alternative play for two.
"""

from collections.abc import Callable

from rules.contract import mistakes as open_mistakes
from rules.contract.game import seats_with
from rules.contract.mistakes import OpenedBy
from rules.games.suds.state import (
    AFTER,
    LAST,
    PLACES_WON,
    Pile,
    State,
    name,
    needed,
    title,
    with_card,
)
from rules.table.call import Call, CallKind, complete, mistake, notice, unknown_card, unsure
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace

_Judged = tuple[State, tuple[Call, ...]]


def judge(state: State, event: Act) -> _Judged:
    """Judges one event by the sheet."""
    if isinstance(event, Placed):
        return _placed(state, event)
    if isinstance(event, Removed):
        return _removed(state, event)
    judge_button = _BUTTONS.get(event.button)
    return judge_button(state, event) if judge_button else (state, ())


def _placed(state: State, event: Placed) -> _Judged:
    if event.card == "back":
        return state, ()
    if event.card == "unknown":
        return _unknown_placed(state, event)
    wrong = _what_is_wrong(state, event)
    if wrong is None:
        return _right_card(state, event)
    opened = open_mistakes.opened(state.mistakes, wrong, OpenedBy.PLACING)
    return replace(state, mistakes=opened), (wrong,)


def _unknown_placed(state: State, event: Placed) -> _Judged:
    """It is not judged, nor is what happens to its pile meanwhile."""
    place = event.place
    piles = state.piles
    if place in piles:
        piles = {**piles, place: replace(piles[place], doubtful=True)}
    unknowns = (*state.unknowns, (place, event.seat))
    return replace(state, piles=piles, unknowns=unknowns), (unknown_card(event),)


def _what_is_wrong(state: State, event: Placed) -> Call | None:
    """The first row of the table that the placed card breaks, or None when it is right."""
    card, place, seat = event.card, event.place, event.seat
    called, where = name(card), title(place)
    back = f"Take the {called} back"
    if not state.started:
        # "Everyone, including the dealer, waits. The dealer says '1-2-3 go'."
        message = f"The game has not begun. {back} and wait for 1-2-3 go."
        return mistake(event, "false-start", message, seat)
    if any(place == at for at, _ in state.unknowns):
        return None
    pile = state.piles.get(place)
    if pile is None:
        if card in ("hat", "wild"):
            return None
        # "A sequence begins as soon as a player throws out a hat card."
        message = f"A new pile begins with a hat, not with the {called}. {back}."
        return mistake(event, "starts-with-hat", message, seat, ("hat",))
    if pile.finished:
        return None if _may_follow_sneakers(state, pile, card) else _pile_finished(event)
    top = pile.laid[-1].item
    due = AFTER[top]
    if card in (due, "wild") or (state.cycle and card == top):
        return None
    if card == top:
        # "If someone else adds a card to the pile before you do, you have to take your card back."
        message = f"{where} has its {called} already; it needs {needed(due)}. {back}."
        return mistake(event, "too-late", message, seat, (due,))
    # "Once in a while, a player tosses the wrong card … he has to take it back."
    expected = (top, due) if state.cycle else (due,)
    needs = " or ".join(needed(item) for item in expected)
    message = f"{where} needs {needs}, not {called}. {back}."
    return mistake(event, "out-of-sequence", message, seat, expected)


def _may_follow_sneakers(state: State, pile: Pile, card: str) -> bool:
    """Alternative play: "add any more sneaker cards". Else only sneakers laid down again."""
    if card not in (LAST, "wild"):
        return False
    return state.cycle or all(laid.item != LAST for laid in pile.laid)


def _pile_finished(event: Placed) -> Call:
    """ "The sequence ends as soon as you toss a sneaker on top of a sock." """
    called, where = name(event.card), title(event.place)
    message = f"{where} is finished and goes into the wash. Take the {called} back."
    return mistake(event, "pile-finished", message, event.seat)


def _right_card(state: State, event: Placed) -> _Judged:
    place, seat = event.place, event.seat
    doubtful = any(place == at for at, _ in state.unknowns)
    pile = state.piles.get(place) or Pile(doubtful=doubtful)
    # Sneakers lifted from a finished pile and laid down again: nobody's count changes.
    again = pile.finished and not state.cycle
    after = with_card(pile, event.card, seat)
    calls: tuple[Call, ...] = ()
    mistakes = state.mistakes
    if mistakes:
        mistakes = tuple(m for m in mistakes if m.rule != "swept-early")
        if seat is not None:
            mistakes, calls = open_mistakes.close_rule(mistakes, "still-holding", seat)
    counts = state.counts if again else _counted(state.counts, seat, -1)
    state = replace(state, piles={**state.piles, place: after}, mistakes=mistakes, counts=counts)
    if after.finished and not pile.finished:
        # "When you finish a sequence, sweep the laundry pile onto the floor."
        message = f"{title(place)} is finished, from hat to sneakers. Sweep it into the wash!"
        calls = (*calls, complete(event, "sequence", message, seat))
    if counts is not None and seat is not None and counts[seat - 1] == 0:
        state, won = _goes_out(state, event, seat)
        calls += won
    return state, calls


def _counted(
    counts: tuple[int, ...] | None, seat: int | None, change: int
) -> tuple[int, ...] | None:
    """The counts after a right card; once one has no seat, no count is known."""
    if counts is None or seat is None:
        return None
    return (*counts[: seat - 1], max(0, counts[seat - 1] + change), *counts[seat:])


def _removed(state: State, event: Removed) -> _Judged:
    place, card = event.place, event.card
    if card == "back":
        return state, ()
    if card == "unknown":
        first = next((u for u in state.unknowns if u[0] == place), None)
        gone = state.unknowns.index(first) if first else len(state.unknowns)
        return replace(state, unknowns=state.unknowns[:gone] + state.unknowns[gone + 1 :]), ()
    mistakes, calls = open_mistakes.close_by_removal(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    pile = state.piles.get(place)
    if pile is None:
        return state, ()
    level = next((i for i in reversed(range(len(pile.laid))) if pile.laid[i].card == card), None)
    if level is None:
        return state, ()
    left = pile.laid[:level] + pile.laid[level + 1 :]
    piles = {at: other for at, other in state.piles.items() if at != place or left}
    if left:
        piles[place] = replace(pile, laid=left)
    counts = state.counts
    if not pile.finished and counts is not None:
        counts = _counted(counts, pile.laid[level].seat, +1)
    after = replace(state, piles=piles, counts=counts)
    if pile.finished:
        return after, ()
    return _taken_early(after, event, pile, level)


def _taken_early(state: State, event: Removed, pile: Pile, level: int) -> _Judged:
    """A right card is taken from a pile whose sneakers do not lie yet."""
    called, where = name(event.card), title(event.place)
    if level < len(pile.laid) - 1:
        message = f"I saw the {called} go from below the top of {where.lower()}. Please look."
        return state, (unsure(event, "taken-below", message, event.seat),)
    if level > 0:
        due = needed(pile.laid[level].item)
        message = f"You took the {called} back. {where} needs {due} again."
        return state, (notice(event, "taken-back", message, event.seat),)
    if not pile.tall or pile.doubtful:
        message = f"You took the {called} back. {where} is gone."
        return state, (notice(event, "taken-back", message, event.seat),)
    # "When you finish a sequence, sweep": not before.
    message = f"{where} had no sneakers yet. Put its cards back and play it on, or play on."
    early = mistake(event, "swept-early", message, event.seat)
    opened = open_mistakes.opened(state.mistakes, early, OpenedBy.BUTTON)
    return replace(state, mistakes=opened), (early,)


def _start_pressed(state: State, event: Pressed) -> _Judged:
    return (state, ()) if state.started else (replace(state, started=True), ())


def _draw_pressed(state: State, event: Pressed) -> _Judged:
    """ "The dealer says '1-2-3 draw,' each player draws one card from his pile." """
    if not state.started:
        return state, ()
    message = "Stuck! Everybody draws one card from the own pile."
    return state, (Call(CallKind.NOTICE, "stuck", message),)


def _out_pressed(state: State, event: Pressed) -> _Judged:
    seat = event.seat
    if not state.started or seat is None or seat in state.out:
        return state, ()
    # A card that could not be named may be one of this seat's last ones.
    unnamed = sum(1 for _, by in state.unknowns if by in (seat, None))
    if state.counts is None or state.counts[seat - 1] <= unnamed:
        return _goes_out(state, event, seat)
    left = state.counts[seat - 1]
    cards = "1 card" if left == 1 else f"{left} cards"
    message = f"By my count seat {seat} still has {cards}. Play them first."
    holding = mistake(event, "still-holding", message, seat)
    opened = open_mistakes.opened(state.mistakes, holding, OpenedBy.BUTTON)
    return replace(state, mistakes=opened), (holding,)


def _goes_out(state: State, event: Act, seat: int) -> _Judged:
    """ "The first player to get rid of all his cards wins"; the others may play on."""
    if seat in state.out:
        return state, ()
    place = PLACES_WON[len(state.out)]
    message = f"Seat {seat} is out of cards and comes in {place}!"
    card = event.card if isinstance(event, Placed) else None
    won = Call(CallKind.WIN, "out-of-cards", message, place, seat, card)
    return replace(state, out=(*state.out, seat)), (won,)


def _end_pressed(state: State, event: Pressed) -> _Judged:
    """ "The player with the fewest cards in his hand wins. If there's a tie, play another." """
    if state.out:
        return state, ()
    if state.counts is None:
        message = "I do not know how many cards are left. Count them: the fewest cards win."
        return state, (Call(CallKind.UNSURE, "fewest-cards", message),)
    fewest = min(state.counts)
    best, names = seats_with(fewest, state.counts)
    if len(best) > 1:
        message = f"Seats {names} have {fewest} cards each: a tie. Play another game!"
        return state, (Call(CallKind.TIE, "fewest-cards", message),)
    message = f"Seat {best[0]} wins with the fewest cards, {fewest}."
    return state, (Call(CallKind.WIN, "fewest-cards", message, seat=best[0]),)


_BUTTONS: dict[str, Callable[[State, Pressed], _Judged]] = {
    "start": _start_pressed,
    "draw": _draw_pressed,
    "out": _out_pressed,
    "end": _end_pressed,
}


def finish(state: State) -> tuple[Call, ...]:
    """Nothing in Suds waits for the last event."""
    return ()
