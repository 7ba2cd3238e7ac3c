"""Soda, a card game for 2 to 6 players: rule sheet 002, in its order."""

from itertools import permutations

from rules.call import Call, mistake
from rules.event import Act, Placed, Pressed, Removed
from rules.game import Game, Option, Setup, View, next_seat, seats
from rules.mistakes import (
    close_by_placing,
    close_by_removal,
    described,
    opened,
)
from rules.soda.hands import play, say_no, take_from_play
from rules.soda.resume import doubt, resume
from rules.soda.score import (
    Judged,
    claim,
    highest_score,
    next_round,
    owner_of,
    piles_taken_as_they_lie,
    scores,
    take_back,
)
from rules.soda.sheet import RULES
from rules.soda.state import (
    ACE,
    HANDS,
    SUITS,
    VALUES,
    Laid,
    State,
    a_rank,
    card_name,
    rank_name,
    say,
    score_card,
    seat_name,
    without_one,
)
from rules.soda.unknowns import kept_in_hand, lay_unknown, led, name, take_unknown, without_naming
from rules.values import replace


def start(setup: Setup) -> State:
    """The state before the first event."""
    return State(setup.players, setup.options["suits"], int(setup.options["dealer"]))


def judge(state: State, event: Act) -> Judged:
    """One event on the table or at a button."""
    if isinstance(event, Pressed):
        return _press(state, event)
    if event.card == "back":
        return state, ()
    if state.naming or state.fresh:
        state = without_naming(state, event)
    if isinstance(event, Removed):
        return _remove(state, event)
    if event.card == "unknown":
        return lay_unknown(state, event)
    if event.place == "play":
        if state.naming:
            return name(state, event)
        if state.maybe:
            state = led(state, VALUES[event.card])
        return play(replace(state, fresh=False) if state.fresh else state, event)
    if event.place.endswith("/won"):
        return _lay_won(state, event)
    if event.place.endswith("/hand"):
        return _show(state, event)
    return state, ()


def _press(state: State, event: Pressed) -> Judged:
    if event.button == "start":
        return _start_round(state)
    if event.button == "no":
        return say_no(led(kept_in_hand(state), ACE), event)
    if event.button == "end":
        return state, (highest_score(state, event),)
    return state, ()


def _start_round(state: State) -> Judged:
    """ "The player to the left of the dealer starts the first hand of the new round." """
    if state.running and state.hands == HANDS and any(p.endswith("/won") for p in state.unknown):
        # The round's 10 is collected, though nobody can read it.
        state = next_round(state)
    if state.running or state.round == len(SUITS):
        return state, ()
    if not state.started:
        state = piles_taken_as_they_lie(replace(state, started=True), state.won)
        if state.round == len(SUITS):
            return state, ()
    # A card that lies in the centre already was led before the button: whoever acts next is right.
    turn = None if state.hand else next_seat(state.dealer, state.players)
    return replace(state, running=True, turn=turn, limit=None), ()


def _lay_won(state: State, event: Placed) -> Judged:
    if not state.started:
        return replace(state, won=(*state.won, Laid(event.card, owner_of(event.place)))), ()
    mistakes, calls = close_by_placing(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    return claim(state, event)


def _show(state: State, event: Placed) -> Judged:
    """ "… and momentarily lay their remaining cards face up on the table to prove they're not
    hiding any such cards." """
    if state.limit is None or event.place in state.unknown:
        return state, ()
    value, ace = state.limit
    owner = owner_of(event.place)
    # Where nobody saw whose Ace it was, the hand shown may be that seat's.
    if ace in (None, owner) or VALUES[event.card] <= value:
        return state, ()
    text = (
        f"The {card_name(event.card)} is above the {rank_name(value)} under the Ace. "
        f"Seat {owner}, discard it."
    )
    seat = event.seat if event.seat is not None else owner
    call = mistake(event, "kept-too-high", text, seat)
    return replace(state, mistakes=opened(state.mistakes, call, "placed")), (call,)


def _remove(state: State, event: Removed) -> Judged:
    mistakes, calls = close_by_removal(state.mistakes, event)
    if calls:
        old = without_one(state.old, event.card) if event.place == "play" else state.old
        return replace(state, mistakes=mistakes, old=old), calls
    if event.card == "unknown":
        return take_unknown(state, event)
    if event.place == "play":
        if state.maybe and state.maybe.card == event.card:
            return replace(state, maybe=None), ()
        return take_from_play(state, event)
    if event.place.endswith("/won"):
        owner = owner_of(event.place)
        if state.started:
            return take_back(state, event.card, owner), ()
        laid = Laid(event.card, owner)
        return replace(state, won=tuple(w for w in state.won if w != laid)), ()
    return state, ()


def finish(state: State) -> tuple[Call, ...]:
    """Nothing is left open at the last event."""
    return ()


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
    lines += [(f"Seat {seat}", f"{points} points") for seat, points in scores(state).items()]
    lines += [("To put right", described(m, say)) for m in state.mistakes]
    return View(state.turn, tuple(lines), _headline(state))


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


def _is_place(place: str, players: int) -> bool:
    if place in ("play", "discard", *(f"score/{suit}" for suit in SUITS)):
        return True
    part = place.split("/")
    return (
        len(part) == 3
        and part[0] == "seat"
        and part[1] in seats(players)
        and (part[2] in ("won", "hand"))
    )


GAME = Game(
    name="soda",
    title="Soda",
    players=(2, 6),
    cards=frozenset(VALUES),
    is_place=_is_place,
    buttons=frozenset({"no"}),
    options=(
        Option("dealer", seats, "1", "the seat that deals the first round"),
        Option(
            "suits",
            lambda players: tuple("".join(order) for order in permutations(SUITS)),
            "cdhs",
            "the order of the rounds, four letters",
        ),
    ),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    doubt=doubt,
    finish=finish,
    view=view,
    places="play, discard, score/c to score/s, seat/N/won, seat/N/hand",
    say=say,
)
