"""The Cat in the Hat's state for people."""

from rules.contract.game import PlaceView, View
from rules.contract.mistakes import described
from rules.games.cat_in_the_hat.state import VOOM, State, say, spots, spots_text


def view(state: State) -> View:
    """Whose turn, what each pile takes, and the spots of each seat."""
    lines = []
    players = range(1, state.players + 1)
    places = tuple(_pile(state, seat, side) for seat in players for side in ("left", "right"))
    scores = tuple((seat, spots_text(spots(state, seat))) for seat in players)
    for seat in players:
        needs = " · ".join(
            f"{side} {_needs(state.piles.get(f'seat/{seat}/{side}', ()), side)}"
            for side in ("left", "right")
        )
        lines.append((f"Seat {seat}", f"{spots_text(spots(state, seat))} · {needs}"))
    lines += [("To put right", described(m, say)) for m in state.mistakes]
    headline = "Lay the set-up, then press start."
    if state.last_cards:
        headline = "The deck is empty: play what still fits."
    elif state.started:
        headline = f"Seat {state.turn}: play or discard." if state.turn else "Play or discard."
    in_turn = state.turn if state.started and not state.last_cards else None
    return View(in_turn, tuple(lines), headline, places, scores)


def _pile(state: State, seat: int, side: str) -> PlaceView:
    place = f"seat/{seat}/{side}"
    return PlaceView(place, f"Seat {seat} {side}", _needs(state.piles.get(place, ()), side))


def _needs(pile: tuple[str, ...], side: str) -> str:
    if not pile or pile[-1] == VOOM:
        return "any letter"
    return f"{'after' if side == 'left' else 'before'} {pile[-1].upper()}"
