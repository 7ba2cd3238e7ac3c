"""Soda's state for people."""

from rules.contract.game import PlaceView, View
from rules.contract.mistakes import described
from rules.games.soda.score import scores
from rules.games.soda.state import (
    HANDS,
    SUITS,
    VALUES,
    State,
    a_rank,
    card_name,
    say,
    score_card,
    seat_name,
)


def view(state: State) -> View:
    """Whose turn it is, what lies, what is due, and the score."""
    lines: list[tuple[str, str]] = []
    if state.round < len(SUITS):
        suit = SUITS[state.suits[state.round]]
        hand = f", hand {min(state.hands + 1, HANDS)} of {HANDS}" if state.running else ""
        lines.append(("Round", f"{state.round + 1} of {len(SUITS)}, {suit}{hand}"))
    lines.append(("Dealer", f"seat {state.dealer}"))
    if state.hand:
        lines.append(("Last card", card_name(state.hand[-1].card)))
    for laid in state.due:
        lines.append(("Due", f"{card_name(laid.card)} to {seat_name(laid.seat)}"))
    if state.limit:
        lines.append(("After the Ace", f"nothing above {a_rank(state.limit[0])} is kept"))
    points_of = tuple((seat, f"{points} points") for seat, points in scores(state).items())
    lines += [(f"Seat {seat}", text) for seat, text in points_of]
    lines += [("To put right", described(m, say)) for m in state.mistakes]
    places = (PlaceView("play", "Centre", _due(state)),) if state.running else ()
    return View(state.turn, tuple(lines), _headline(state), places, points_of)


def _due(state: State) -> str:
    """What may be laid on the centre now, for the label beside it."""
    if state.hands == HANDS:
        return "round over"
    last = VALUES.get(state.hand[-1].card) if state.hand else None
    if not state.hand:
        return "any card"
    return "a card or No" if last is None else f"{a_rank(last)} or higher"


def _headline(state: State) -> str:
    if not state.running:
        return "The game is over." if state.round == len(SUITS) else "Press start when dealt."
    if state.hands == HANDS:
        return (
            f"The round's last hand is over: collect the 10 of {SUITS[state.suits[state.round]]}."
        )
    who = f"Seat {state.turn}" if state.turn else "Whoever acts next"
    if not state.hand:
        return f"{who} leads with any card, for the {card_name(score_card(state))}."
    last = VALUES.get(state.hand[-1].card)
    if last is None:
        return f"{who} plays a card or says No."
    return f"{who} plays {a_rank(last)} or higher, or says No."
