"""Suds' state for people."""

from rules import mistakes as open_mistakes
from rules.game import View
from rules.suds.state import AFTER, PLACES_WON, State, needed, say, title


def view(state: State) -> View:
    """What each pile needs, who holds how many cards, who is out, what is wrong."""
    lines = []
    for place, pile in state.piles.items():
        top = pile.laid[-1].item
        text = f"needs {needed(AFTER[top])}"
        if pile.finished:
            text = "finished: sweep it!"
        elif state.cycle:
            text = f"needs {needed(top)} or {needed(AFTER[top])}"
        lines.append((title(place), text))
    for seat in range(1, state.players + 1):
        left = "cards unknown" if state.counts is None else f"{state.counts[seat - 1]} cards"
        if seat in state.out:
            left = f"out, {PLACES_WON[state.out.index(seat)]}"
        lines.append((f"Seat {seat}", left))
    lines += [("To put right", open_mistakes.described(m, say)) for m in state.mistakes]
    headline = "Toss your laundry!" if state.started else "Wait for 1-2-3 go."
    return View(None, tuple(lines), headline)
