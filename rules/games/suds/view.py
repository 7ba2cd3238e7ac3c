"""Suds' state for people."""

from rules.contract import mistakes as open_mistakes
from rules.contract.game import PlaceView, View
from rules.games.suds.state import AFTER, PLACES_WON, Pile, State, needed, say, title


def view(state: State) -> View:
    """What each pile needs, who holds how many cards, who is out, what is wrong."""
    places = tuple(_pile(place, pile, state.cycle) for place, pile in state.piles.items())
    scores = tuple((seat, _left(state, seat)) for seat in range(1, state.players + 1))
    lines = [(each.label, each.text) for each in places]
    lines += [(f"Seat {seat}", text) for seat, text in scores]
    lines += [("To put right", open_mistakes.described(m, say)) for m in state.mistakes]
    headline = "Toss your laundry!" if state.started else "Wait for 1-2-3 go."
    return View(None, tuple(lines), headline, places, scores)


def _pile(place: str, pile: Pile, cycle: bool) -> PlaceView:
    top = pile.laid[-1].item
    due = AFTER[top]
    if pile.finished:
        return PlaceView(place, title(place), "finished: sweep it!")
    if cycle:
        return PlaceView(place, title(place), f"needs {needed(top)} or {needed(due)}", (top, due))
    return PlaceView(place, title(place), f"needs {needed(due)}", (due,))


def _left(state: State, seat: int) -> str:
    if seat in state.out:
        return f"out, {PLACES_WON[state.out.index(seat)]}"
    if state.counts is None:
        return "cards unknown"
    count = state.counts[seat - 1]
    return "1 card" if count == 1 else f"{count} cards"
